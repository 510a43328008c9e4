"""Words with which a time expression can begin; everything else is passed over without trying a rule."""

from graph.text.timex.holidays import FIRST_WORDS
from graph.text.timex.words import (
    BEGINNINGS,
    ENDINGS,
    LAST,
    MEALS,
    MIDDLES,
    MONTHS,
    NEXT,
    ONES,
    ORDINALS,
    PARTS,
    SEASONS,
    TENS,
    THIS,
    UNITS,
    WEEKDAYS,
)

_OTHERS = (
    "a an the half quarter couple few several another today tomorrow tonight yesterday tmr tmrw now right just presently "
    "asap as at in on by from between before after since until till til within during around about circa approximately "
    "roughly almost nearly over some exactly up more less no not prior greater sooner starting effective through past "
    "later earlier than every each any once twice thrice daily weekly biweekly monthly bimonthly quarterly yearly "
    "annually semiannually hourly nightly fortnightly biannually everyday bi semi mondays tuesdays wednesdays thursdays "
    "fridays saturdays sundays weekends weekdays weeknights mornings evenings year years fiscal school financial "
    "academic calendar week month weekend day rest remaining remainder final fy cy q h eod eom eoy eow cob ytd noon "
    "midday midnight lunch lunchtime dinnertime all whole entire full for twenties thirties forties fifties sixties "
    "seventies eighties nineties current till ½ < > = ' "
)
STARTERS = frozenset(_OTHERS.split()).union(
    MONTHS, WEEKDAYS, ONES, TENS, ORDINALS, NEXT, LAST, THIS, PARTS, SEASONS, BEGINNINGS, MIDDLES, ENDINGS, FIRST_WORDS
)

_SIGNS = (
    "today tomorrow tonight yesterday tmr tmrw now moment present presently time asap possible noon midday midnight clock "
    "oclock o'clock daily weekly biweekly monthly bimonthly quarterly yearly annually semiannually hourly nightly fortnightly "
    "biannually everyday annual mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends weekdays weeknights "
    "weekday mornings evenings eod eom eoy eow cob ytd date later earlier workweek hundred thousand twenties thirties forties "
    "fifties sixties seventies eighties nineties fortnight's century's ½"
)
CORE = frozenset(_SIGNS.split()).union(
    MONTHS, WEEKDAYS, UNITS, PARTS, MEALS, SEASONS, FIRST_WORDS, TENS, (word for word in ONES if word != "one")
) | {f"{unit}'s" for unit in UNITS}
