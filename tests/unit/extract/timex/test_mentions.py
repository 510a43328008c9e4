"""Time mentions of a passage: sentence by sentence, at their own places."""

from datetime import UTC, datetime

from graph.extract.parsing import parse
from graph.extract.timex import find
from graph.model.extraction import Passage
from graph.model.ids import ObservationId
from graph.model.times import Granularity


def test_mentions_know_their_sentence_and_place() -> None:
    text = "We met yesterday.\n\n```\ndate = 2019-01-01\n```\n\nIt ships in May 2024."
    passage = Passage(id=ObservationId("o"), text=text, authored_at=datetime(2024, 2, 3, 9, tzinfo=UTC))
    first, second = find(parse([text])[0], passage)
    assert (first.text, first.sentence, first.start) == ("yesterday", 0, datetime(2024, 2, 2, tzinfo=UTC))
    assert second.span.of(text) == second.text == "May 2024"
    assert second.granularity is Granularity.MONTH


def test_an_undated_passage_resolves_nothing_relative() -> None:
    passage = Passage(id=ObservationId("o"), text="We met yesterday, on 5 May 2021.")
    first, second = find(parse([passage.text])[0], passage)
    assert (first.start, first.end, first.granularity) == (None, None, None)
    assert second.start == datetime(2021, 5, 5, tzinfo=UTC)
