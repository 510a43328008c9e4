"""What a note is, and what it decides."""

import pytest

from graph.extract.rules import RuleExtractor
from graph.model.extraction import Extraction, Passage
from graph.model.ids import ObservationId
from graph.model.observations import ObservationKind
from tests.unit.extract.phrasings.kinds import DECISIONS, KINDS, UNDECIDED


def extract(text: str, section: str = "") -> Extraction:
    return RuleExtractor().extract([Passage(id=ObservationId("x"), text=text, section=section)])[0]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_a_note_has_its_kind(text: str, kind: ObservationKind) -> None:
    assert extract(text).kind == kind


@pytest.mark.parametrize(("text", "decided", "alternatives", "reasons", "status"), DECISIONS)
def test_a_decision_holds_what_was_decided(
    text: str, decided: str, alternatives: tuple[str, ...], reasons: tuple[str, ...], status: str
) -> None:
    found = extract(text).decisions
    assert [(d.decided, d.alternatives, d.reasons, d.status) for d in found] == [(decided, alternatives, reasons, status)]
    assert decided[:4] in extract(text).sentences[found[0].sentence].of(text)


@pytest.mark.parametrize("text", UNDECIDED)
def test_what_decides_nothing_is_no_decision(text: str) -> None:
    assert not extract(text).decisions


def test_a_decision_section_decides_with_its_first_sentence() -> None:
    found = extract("One queue per tenant. It costs more.", section="Decision").decisions
    assert [(d.decided, d.sentence) for d in found] == [("One queue per tenant", 0)]
    assert not extract("One queue per tenant. It costs more.", section="Considered options").decisions


def test_injected_memories_say_nothing_new() -> None:
    text = "<relevant-memories>\nAnna moved to Rome because of her job.\n</relevant-memories>\nWhat is new?"
    found = extract(text)
    assert not found.causes
    assert not found.triples
    assert not found.decisions
    assert found.kind == ObservationKind.QUESTION
    assert len(found.sentences) == 2
