"""Made chains of causes: 200 of two to four causes, each told in its own note on its own day, among 5,000 other notes.

The question shares no content word with any cause; only the edges lead there. The effect's own note is not counted. Seeded,
so that every run sees the same.
"""

import random
from datetime import UTC, datetime, timedelta

from bench.datasets import Asked, DataSet
from graph.model.events import EventDraft

SEED = 20251130
CHAINS, OTHERS = 200, 5000
NAME = "chains"
START = datetime(2024, 1, 8, 9, tzinfo=UTC)
SPAN_DAYS = 600
CAUSAL_SHARE = 0.4  # of the other notes

KINDS = (
    "billing nightly staging legacy internal regional primary secondary mobile public shared outdated archived central "
    "portable remote temporary orange northern experimental encrypted bundled weekly hidden vintage floating marine alpine "
    "municipal wooden electric borrowed foreign youngest tallest rented crimson western coastal underground"
).split()
THINGS = (
    "scheduler gateway invoice printer greenhouse elevator dashboard telescope bakery ferry library antenna archive aquarium "
    "turbine kiosk warehouse orchard compiler camera conveyor freezer thermostat drone beacon reservoir generator locker "
    "scanner tractor pipeline catalogue window modem fountain sprinkler ladder carousel projector furnace trailer barrier "
    "keyboard helmet parcel mirror lantern cabinet choir curator beekeeper courier notary plumber surgeon referee tenant "
    "apprentice violinist ranger accountant botanist pilot sculptor dispatcher brewery cinema harbour museum nursery stadium "
    "quarry vineyard lighthouse"
).split()
DEEDS = (
    "lost mislaid sold repaired copied deleted painted buried shipped refused borrowed flooded dropped ignored reheated "
    "misread photographed soaked unplugged overfilled blocked swapped rejected forgot scratched polished duplicated locked "
    "evacuated cancelled postponed rewired insured translated counted weighed auctioned sealed dismantled renamed"
).split()
OBJECTS = (
    "ledger certificate carpet backup label visa fuse battery contract recipe map permit ticket password passport curtain "
    "pump bridge menu mattress transcript blueprint tarpaulin envelope parachute calendar violin antidote receipt compass "
    "saddle umbrella lawsuit diploma microphone telegram hammock bandage sandwich thermometer wardrobe chandelier tractate "
    "fossil inventory almanac crate anchor banner corridor doorbell fence glacier hinge kettle magnet napkin oven pillow "
    "quilt radiator staircase trumpet vaccine whistle zipper"
).split()
ORDERS = ("{effect} because {cause}.", "{cause}, so {effect}.", "Since {cause}, {effect}.", "{cause}. As a result, {effect}.")


class _Teller:
    """Tells statements; within one chain no content word comes twice."""

    def __init__(self, random_: random.Random) -> None:
        self._random = random_
        self._told: set[str] = set()

    def statement(self, used: set[str]) -> str:
        """A new "the KIND THING DID the OBJECT" without any of the `used` words, which are added to."""
        while True:
            words = [self._random.choice(several) for several in (KINDS, THINGS, DEEDS, OBJECTS)]
            text = "the {} {} {} the {}".format(*words)
            content = set(words)
            if text not in self._told and not content & used:
                used |= content
                self._told.add(text)
                return text


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _draft(key: str, text: str, day: float) -> EventDraft:
    return EventDraft(
        text=_sentence(text), scope=NAME, key=key, session=f"day-{int(day)}", authored_at=START + timedelta(days=day)
    )


def _chain(number: int, teller: _Teller, random_: random.Random) -> tuple[list[EventDraft], Asked]:
    """The effect's note names its first cause; each cause's note names the one before it; the root stands alone."""
    used: set[str] = set()
    length = random_.randint(2, 4)
    told = [teller.statement(used) for _ in range(length + 1)]
    day = random_.uniform(20, SPAN_DAYS)
    drafts = []
    for place, statement in enumerate(told):
        text = f"{statement}."
        if place < length:
            order = random_.choice(ORDERS)
            cause, effect = told[place + 1], statement
            text = order.format(cause=cause, effect=effect)
        drafts.append(_draft(f"chain-{number}/{place}", text, day))
        day -= random_.uniform(1, 4)
    gold = frozenset(f"chain-{number}/{place}" for place in range(1, length + 1))
    own = frozenset({f"chain-{number}/0"})
    return drafts, Asked(f"chain-{number}", f"Why is it that {told[0]}?", gold, (f"{length} causes",), NAME, exclude=own)


def _other(number: int, teller: _Teller, random_: random.Random) -> EventDraft:
    used: set[str] = set()
    text = f"{teller.statement(used)}."
    if random_.random() < CAUSAL_SHARE:
        text = random_.choice(ORDERS).format(cause=teller.statement(used), effect=teller.statement(used))
    return _draft(f"other-{number}", text, random_.uniform(0, SPAN_DAYS))


def generated() -> DataSet:
    """The set; drafts in order of their dates, as they would have come in."""
    random_ = random.Random(SEED)  # noqa: S311  (made data, not a secret)
    teller = _Teller(random_)
    drafts, asked = [], []
    for number in range(CHAINS):
        told, question = _chain(number, teller, random_)
        drafts += told
        asked.append(question)
    drafts += [_other(number, teller, random_) for number in range(OTHERS)]
    drafts.sort(key=lambda draft: (draft.authored_at or START, draft.key or ""))
    return DataSet(NAME, drafts, asked, depth=5)
