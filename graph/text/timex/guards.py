"""Guards: where a word or a number that could be a time is something else."""

import re

from graph.text.timex.reader import Reader
from graph.text.timex.words import AMBIGUOUS_WEEKDAYS, MONTHS, WEEKDAYS

_DATE_PREPOSITIONS = frozenset(
    "on by before after since until till from due this next of for to than starting through between and or".split()
)
_NOT_AFTER_FRACTION = frozenset(
    "of cup cups mile miles inch inches way time shop split chance teaspoon teaspoons tsp tbsp tablespoon pound pounds lb lbs "
    "hour hours full empty done complete majority % support stars odds th ths".split()
)
_AFTER_ORDINAL_DAY = frozenset(
    "and at with for in of to it i we he she they was is or but from this that which when because so by on until through "
    "after before she's he's it's i'll we'll as if were had".split()
)
_MONTH_PREPOSITIONS = frozenset(
    "in of during throughout "
    "since until till by from to before after early late mid through and between beginning end on for around "
    "every each".split()
)
_AMBIGUOUS_MONTHS = frozenset({"may", "march", "mar", "sep", "jan", "dec", "jun", "apr"})
_VERBAL_MONTHS = frozenset({"may", "march"})
_AFTER_VERBAL_MONTH = frozenset("be not have get also on to into in i we you he she it they".split())
_DETERMINERS = frozenset("that the this his her my your our their a an it".split())
_PERSONAL = frozenset({"april", "june", "august", "may", "jan"})
_AFTER_PERSON = frozenset("is was has had said says wants went came likes told thinks loves".split())
_NUMBERED = frozenset(
    "port room version v line page no id code building suite pin windows office rtx gtx boeing airbus route highway model "
    "flight xbox http rfc iso error isbn section class unit apt bus channel server type item lot box case bill gate sku part "
    "ext over under about nearly almost exactly python pep".split()
)
_COUNTED = frozenset(
    "% percent dollars pieces people km miles kg usd euros units items times users ms mb gb kb tb meters metres feet lines "
    "errors error rows bytes files points followers steps calories copies employees students members bits m mph rpm words "
    "pages dpi ppm watts watt volts volt sheets entries records cases deaths seats rooms beds cars shares tons tonnes acres "
    "hectares soldiers troops votes tokens requests tests commits messages events nodes edges".split()
)
_SIGNS_BEFORE_YEAR = frozenset("$ € £ # : . , @ + = _ / % * \\".split())


def bare_slash_date(r: Reader, i: int, month: int, number: int) -> bool:
    """Whether "7/8" without a year is a date and no fraction."""
    if (month, number) == (24, 7) or (r.word(i), r.word(i + 2)) == ("24", "7") or r.word(i + 3) in _NOT_AFTER_FRACTION:
        return False
    before = r.word(i - 2) if r.word(i - 1) in ("the", ",", "(", "-") else r.word(i - 1)
    marked = before in _DATE_PREPOSITIONS or before in WEEKDAYS or r.word(i - 1) == "-" or before.endswith("day")
    marked = marked or (r.word(i + 3) in ("at", "@") and r.digits(i + 4) > 0)
    return marked or int(r.word(i)) > int(r.word(i + 2)) or int(r.word(i + 2)) > 8 or len(r.tokens) == 3


def bare_weekday(r: Reader, i: int) -> bool:
    """Sun, Sat, Wed, Mon need their capital."""
    return r.word(i) not in AMBIGUOUS_WEEKDAYS or r.capital(i)


def noun_follows(r: Reader, start: int, end: int) -> bool:
    """Whether an ordinary word follows, as in "on the 5th floor"."""
    del start
    word = r.word(end)
    return word.isalpha() and word not in _AFTER_ORDINAL_DAY and word not in MONTHS and word not in WEEKDAYS


def verbal_month(r: Reader, month: int, end: int) -> bool:
    """Whether "may second the motion" or "march the third" is a verb: small, and a determiner follows."""
    return r.word(month) in _VERBAL_MONTHS and not r.capital(month) and r.word(end) in _DETERMINERS


def bare_month(r: Reader, i: int, end: int, *, related: bool) -> bool:
    """Whether a month's name by itself is the month."""
    word, before = r.word(i), r.word(i - 1) if r.word(i - 1) not in ("the", "-") else r.word(i - 2)
    if before == "$" and r.glued(i):
        return False
    if word in _VERBAL_MONTHS and not r.capital(i):
        if r.word(end) in _AFTER_VERBAL_MONTH or before in ("to", "by", "and", "for", "they", "we", "you", "i", "it"):
            return False
        if related and r.word(end).isalpha() and r.word(end) not in _AFTER_ORDINAL_DAY:
            return False
    if related:
        return True
    if word in _PERSONAL and r.capital(i) and (i == 0 or r.word(i - 1) in ".!?") and r.word(end) in _AFTER_PERSON:
        return False
    if word in _AMBIGUOUS_MONTHS and before not in _MONTH_PREPOSITIONS:
        return r.word(end) in ("-", "to", "until", "through") and r.word(end + 1) in MONTHS
    return True


def bare_year(r: Reader, i: int, end: int) -> bool:
    """Whether a number of four digits is a year."""
    before, after = r.word(i - 1), r.word(end)
    if before in _NUMBERED or (before in _SIGNS_BEFORE_YEAR and not (before == "," and not r.glued(i))):
        return before == "/" and r.word(i - 2) in MONTHS
    if r.glued(i) and before and (before[-1].isalnum() or (before == "-" and r.glued(i - 1) and r.word(i - 2) != "mid")):
        return False
    if before == "-" and r.digits(i - 2):
        return False
    if after in ("-", "/", ".", ",", ":") and r.glued(end) and r.digits(end + 1) and r.glued(end + 1):
        return False
    if after == "-" and ((r.glued(end) and r.word(end + 1).isalpha() and r.glued(end + 1)) or r.digits(end + 1)):
        return False
    return after not in _COUNTED and not re.match(r"[a-z_]", after if r.glued(end) else "")
