"""Priors: a passage that states a verdict, a reason, a date or a person is the wanted one more often."""

import time

import pytest

from graph.extract.parsing import outline, parse
from graph.extract.signals import priors, signals
from graph.model.extraction import Passage
from graph.model.ids import ObservationId


def held(text: str, title: str = "", section: str = "") -> set[str]:
    (parsed,) = parse([text])
    found = signals(parsed, Passage(id=ObservationId("x"), text=text, title=title, section=section))
    return {name for name, value in found.items() if value and name != "length"}


@pytest.mark.parametrize(
    ("text", "title", "section", "wanted", "unwanted"),
    [
        ("This PEP has been rejected for lack of interest.", "PEP 9: A", "", {"verdict", "fate", "change"}, {"header"}),
        ("The council declined to accept it.", "", "", {"verdict"}, set()),
        ("We decided to drop the plugin.", "", "", {"verdict"}, set()),
        ("I'm rejecting this proposal.", "", "", {"verdict", "fate"}, set()),
        ("There is no interest.", "", "Rejection Notice", {"verdict", "reason_heading"}, set()),
        ("There is no interest.", "", "Rejected Alternatives", {"reason_heading"}, {"verdict"}),
        ("It broke because the cache was cold.", "", "", {"cause"}, {"verdict", "fate"}),
        ("Anna Schmidt wrote it on 12 May 2021.", "", "", {"person", "date"}, {"verdict"}),
        ("Status: Final\nCreated: 04-Dec-2000\nType: Note", "", "", {"header", "date"}, {"verdict"}),
        ("The parser reads a file.", "", "", set(), {"verdict", "fate", "cause", "date", "person", "header", "change"}),
    ],
)
def test_signals(text: str, title: str, section: str, wanted: set[str], unwanted: set[str]) -> None:
    found = held(text, title, section)
    assert wanted <= found
    assert not unwanted & found


def test_priors_are_log_odds_per_intent() -> None:
    text = "This document was withdrawn in 2003 because Guido van Rossum objected."
    (parsed,) = parse([text])
    assert priors(parsed, Passage(id=ObservationId("x"), text=text)) == {
        "WHY": round(2 + 1 + 0.5 + 2.4849, 4),
        "WHEN": 2.0,
        "ENTITY": 2.0,
        "WHAT": 1.0,
    }


@pytest.mark.parametrize("unit", ["this document ", "the council ", "we ", "4 may ", "I have have ", "1999-", "not "])
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    began = time.process_time()
    priors(outline(text), Passage(id=ObservationId("x"), text=text))
    assert time.process_time() - began < 2.0
