"""Named days and their rules, by year."""

from collections.abc import Callable
from datetime import datetime, timedelta

from graph.text.timex.calendar import easter, nth_weekday
from graph.text.timex.reader import Reader

_MONDAY, _THURSDAY, _SUNDAY = 0, 3, 6
Rule = Callable[[int], datetime]


def _fixed(month: int, day: int) -> Rule:
    return lambda year: datetime(year, month, day)


def _nth(month: int, weekday: int, n: int, plus: int = 0) -> Rule:
    return lambda year: nth_weekday(year, month, weekday, n) + timedelta(days=plus)


def _from_easter(days: int) -> Rule:
    return lambda year: easter(year) + timedelta(days=days)


_TABLE: dict[str, Rule] = {
    "christmas eve|xmas eve": _fixed(12, 24),
    "christmas day|christmas|xmas day|xmas": _fixed(12, 25),
    "boxing day": _fixed(12, 26),
    "new year's eve|new years eve|new year eve|nye": _fixed(12, 31),
    "new year's day|new years day|new year day|new year's|new years|new year": _fixed(1, 1),
    "epiphany": _fixed(1, 6),
    "martin luther king jr day|martin luther king day|mlk day": _nth(1, _MONDAY, 3),
    "groundhog day": _fixed(2, 2),
    "valentine's day|valentines day|valentine day|valentine's": _fixed(2, 14),
    "presidents' day|presidents day|president's day|washington's birthday": _nth(2, _MONDAY, 3),
    "women's day|international women's day": _fixed(3, 8),
    "pi day": _fixed(3, 14),
    "st patrick's day|st patricks day|saint patrick's day|st . patrick's day": _fixed(3, 17),
    "april fools' day|april fools day|april fool's day|april fools": _fixed(4, 1),
    "mardi gras|fat tuesday|shrove tuesday": _from_easter(-47),
    "ash wednesday": _from_easter(-46),
    "palm sunday": _from_easter(-7),
    "maundy thursday": _from_easter(-3),
    "good friday": _from_easter(-2),
    "easter sunday|easter day|easter": _from_easter(0),
    "easter monday": _from_easter(1),
    "ascension day": _from_easter(39),
    "pentecost|whit sunday": _from_easter(49),
    "earth day": _fixed(4, 22),
    "may day|international workers' day|labour day": _fixed(5, 1),
    "cinco de mayo": _fixed(5, 5),
    "mother's day|mothers day|mothers' day": _nth(5, _SUNDAY, 2),
    "memorial day": _nth(5, _MONDAY, -1),
    "children's day": _fixed(6, 1),
    "father's day|fathers day|fathers' day": _nth(6, _SUNDAY, 3),
    "juneteenth|freedom day|jubilee day": _fixed(6, 19),
    "canada day": _fixed(7, 1),
    "independence day": _fixed(7, 4),
    "bastille day": _fixed(7, 14),
    "labor day": _nth(9, _MONDAY, 1),
    "teacher's day|teachers' day|teachers day": _fixed(9, 10),
    "columbus day|indigenous peoples' day": _nth(10, _MONDAY, 2),
    "halloween|all hallows' eve": _fixed(10, 31),
    "all saints' day|all saints day": _fixed(11, 1),
    "all souls' day|all souls day": _fixed(11, 2),
    "guy fawkes night|bonfire night": _fixed(11, 5),
    "veterans day|veteran's day|veterans' day|armistice day|remembrance day": _fixed(11, 11),
    "singles day|single's day|singles' day": _fixed(11, 11),
    "thanksgiving day|thanksgiving": _nth(11, _THURSDAY, 4),
    "black friday": _nth(11, _THURSDAY, 4, 1),
    "cyber monday": _nth(11, _THURSDAY, 4, 4),
}
_BY_FIRST: dict[str, list[tuple[tuple[str, ...], Rule]]] = {}
for _names, _rule in _TABLE.items():
    for _name in _names.split("|"):
        _words = tuple(_name.split())
        _BY_FIRST.setdefault(_words[0], []).append((_words, _rule))
FIRST_WORDS = frozenset(_BY_FIRST)


def holiday(r: Reader, i: int) -> tuple[int, Rule] | None:
    """(end, rule) of the longest named day at i."""
    best: tuple[int, Rule] | None = None
    for words, rule in _BY_FIRST.get(r.word(i), ()):
        end = i + len(words)
        if all(r.word(i + k) == word for k, word in enumerate(words)) and (best is None or end > best[0]):
            best = end, rule
    return best
