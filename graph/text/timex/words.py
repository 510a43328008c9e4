"""The words of time in English: units, months, weekdays, numbers, relations, parts of the day."""

MONTHS: dict[str, int] = {}
for _number, _names in enumerate(
    "january jan,february feb,march mar,april apr,may,june jun,july jul,august aug,september sept sep,october oct,"
    "november nov,december dec".split(","),
    1,
):
    MONTHS.update(dict.fromkeys(_names.split(), _number))
SHORT_MONTHS = frozenset(name for name in MONTHS if len(name) < 5 and name not in ("may", "june", "july"))

WEEKDAYS: dict[str, int] = {}
for _number, _names in enumerate(
    "monday mon,tuesday tues tue,wednesday weds wed,thursday thurs thur thu,friday fri,saturday sat,sunday sun".split(",")
):
    WEEKDAYS.update(dict.fromkeys(_names.split(), _number))
SHORT_WEEKDAYS = frozenset(name for name in WEEKDAYS if len(name) < 6)
AMBIGUOUS_WEEKDAYS = frozenset({"sun", "sat", "wed", "mon", "fri"})

UNITS: dict[str, str] = {}
for _unit, _names in {
    "second": "second seconds sec secs",
    "minute": "minute minutes min mins",
    "hour": "hour hours hr hrs",
    "day": "day days night nights",
    "week": "week weeks wk wks",
    "fortnight": "fortnight fortnights",
    "weekend": "weekend weekends",
    "month": "month months mo mos",
    "quarter": "quarter quarters",
    "year": "year years yr yrs",
    "decade": "decade decades",
    "century": "century centuries",
}.items():
    UNITS.update(dict.fromkeys(_names.split(), _unit))
LETTER_UNITS = {"s": "second", "h": "hour", "d": "day", "w": "week", "y": "year"}
PERIODS = frozenset({"day", "week", "fortnight", "weekend", "month", "quarter", "year", "decade", "century"})

ONES = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen".split()
    )
}
TENS = {word: 10 * number for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
        "sixteenth seventeenth eighteenth nineteenth".split(),
        1,
    )
} | {"twentieth": 20, "thirtieth": 30}

NEXT = frozenset({"next", "following", "upcoming", "coming"})
LAST = frozenset({"last", "previous", "past", "prior", "preceding"})
THIS = frozenset({"this", "current", "present", "same"})

PARTS = {
    "morning": (8, 12),
    "afternoon": (12, 16),
    "evening": (16, 20),
    "night": (20, 24),
    "am": (8, 12),
    "pm": (12, 16),
    "noon": (12, 13),
    "dawn": (4, 8),
}
LATE_PARTS = frozenset({"afternoon", "evening", "night", "pm"})
MEALS = {
    "breakfast": (8, 12),
    "brunch": (8, 12),
    "lunch": (11, 13),
    "lunchtime": (11, 13),
    "dinner": (16, 20),
    "dinnertime": (16, 20),
    "supper": (16, 20),
}
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
BEGINNINGS = frozenset({"start", "beginning", "early", "earlier"})
MIDDLES = frozenset({"mid", "middle"})
ENDINGS = frozenset({"end", "late", "later", "close"})
