"""An accepted event becomes observations that are found, in their record, in order, whatever came first."""

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from graph.errors import ModelUnavailable
from graph.ingest.projector import Projector
from graph.ingest.recorder import Recorder
from graph.model.edges import Direction, EdgeKind, Hop
from graph.model.events import EventDraft, ReceiptState, Step, Work
from graph.model.observations import Observation
from graph.model.points import Space, Vector
from graph.model.views import View
from graph.stores.embedded.graph import SqliteGraph
from graph.stores.embedded.ledger import SqliteLedger
from graph.stores.embedded.vectors import EdgeVectors
from graph.text.terms import query_sparse
from infra.models.minilm import MiniLM
from tests.support.clock import SetClock

ALL = View(scopes=None)
LEASE = timedelta(minutes=5)
Project = Callable[[Sequence[EventDraft]], None]


@pytest.fixture
def project(recorder: Recorder, projector: Projector, ledger: SqliteLedger) -> Project:
    def run(drafts: Sequence[EventDraft]) -> None:
        recorder.record(drafts)
        projector.run(ledger.claim(Step.PROJECT, 1000, LEASE))

    return run


def chain(graph: SqliteGraph) -> list[str]:
    """Texts along the NEXT edges from the one passage that nothing leads to; fails on a fork or a gap."""
    passages = {passage.id: passage for passage in graph.scan(ALL)}
    walked = graph.expand(sorted(passages), [Hop(EdgeKind.NEXT, Direction.OUT)], ALL)
    after = {step.at: step.to for step in walked}
    assert len(after) == len(walked), "a passage has two successors"
    heads = set(passages) - set(after.values())
    assert len(heads) == 1, f"{len(heads)} heads"
    row, at = [], heads.pop()
    while at:
        row.append(passages[at].text)
        at = after.get(at, "")
    return row


def test_an_event_is_recallable_with_all_that_was_said_of_it(
    project: Project, graph: SqliteGraph, ledger: SqliteLedger, vectors: EdgeVectors, embedder: MiniLM
) -> None:
    when = datetime(2024, 2, 3, tzinfo=UTC)
    project(
        [
            EventDraft(
                text="We moved to Postgres because SQLite locked up.",
                title="ADR-12: Database",
                section="Decision",
                record="adr/12",
                author="Ann",
                role="user",
                authored_at=when,
                session="s1",
                source="/x/adr.md",
                metadata={"status": "accepted"},
                position=4,
            )
        ]
    )
    (passage,) = graph.scan(ALL)
    assert (passage.text, passage.title, passage.section) == (
        "We moved to Postgres because SQLite locked up.",
        "ADR-12: Database",
        "Decision",
    )
    said = (passage.author, passage.role, passage.authored_at, passage.session, passage.position)
    assert said == ("Ann", "user", when, "s1", 4)
    assert (passage.source, passage.metadata, passage.part, passage.revision) == ("/x/adr.md", {"status": "accepted"}, 0, 1)
    (record,) = graph.records([passage.record_id], ALL)
    assert (record.key, record.title, record.author, record.authored_at) == ("adr/12", "ADR-12: Database", "Ann", when)
    assert {"ADR-12", "ADR 12", "adr/12"} <= set(record.identifiers)
    walked = graph.expand([passage.id], [Hop(EdgeKind.PART_OF, Direction.OUT)], ALL)
    assert [step.to for step in walked] == [record.id]
    (receipt,) = ledger.receipts()
    assert (receipt.state, receipt.marks["observations"]) == (ReceiptState.RECALLABLE, 1)
    assert [work.event_id for work in ledger.claim(Step.EXTRACT, 5, LEASE)] == [passage.event_id]
    dense = vectors.search(Space.PASSAGE, embedder.embed(["Why was the database changed?"])[0], ALL, 3)
    sparse = vectors.search(Space.PASSAGE, query_sparse("ADR-12 decision"), ALL, 3)
    assert [found.owner for found in dense] == [found.owner for found in sparse] == [passage.id]


def test_running_a_step_twice_has_the_effect_of_once(
    recorder: Recorder, projector: Projector, ledger: SqliteLedger, graph: SqliteGraph, vectors: EdgeVectors
) -> None:
    recorder.record([EventDraft(text=f"turn {i}", session="s") for i in range(5)])
    work = ledger.claim(Step.PROJECT, 10, LEASE)
    projector.run(work)
    before, points = graph.scan(ALL), vectors.revisions(Space.PASSAGE)
    counts = graph.counts(None)
    projector.run(work)
    assert graph.scan(ALL) == before
    assert vectors.revisions(Space.PASSAGE) == points
    assert graph.counts(None) == counts | {"pending": graph.counts(None)["pending"]}


@pytest.mark.parametrize("seed", range(2))
def test_neighbours_join_whatever_order_and_batches_they_arrive_in(seed: int, project: Project, graph: SqliteGraph) -> None:
    drafts = [EventDraft(text=f"turn {i:02}", record="r", position=i * 3) for i in range(20)]
    dice = random.Random(seed)  # noqa: S311 - a shuffle
    dice.shuffle(drafts)
    while drafts:
        size = dice.randint(1, 6)
        project(drafts[:size])
        del drafts[:size]
    assert chain(graph) == [f"turn {i:02}" for i in range(20)]


def test_a_passage_that_another_process_puts_between_meanwhile_is_joined_too(
    recorder: Recorder, ledger: SqliteLedger, graph: SqliteGraph, vectors: EdgeVectors, embedder: MiniLM
) -> None:
    clock = SetClock()
    other = Projector(ledger, graph, vectors, embedder, clock)

    class Interrupted(SqliteGraph):
        """The real graph; between the reading of a record and the writing of its edges, another projector does its work."""

        meanwhile: Sequence[Work] = ()

        def passages_of(self, record_ids: Sequence[str], view: View, limit: int = 500) -> list[Observation]:
            found = super().passages_of(record_ids, view, limit)
            work, self.meanwhile = self.meanwhile, ()
            if work:
                other.run(work)
            return found

    recorder.record([EventDraft(text=text, record="r", position=place) for text, place in (("a", 1), ("d", 4))])
    other.run(ledger.claim(Step.PROJECT, 10, LEASE))
    recorder.record([EventDraft(text="b", record="r", position=2)])
    mine = ledger.claim(Step.PROJECT, 10, LEASE)
    recorder.record([EventDraft(text="c", record="r", position=3)])
    slow = Interrupted(graph._database)
    slow.meanwhile = ledger.claim(Step.PROJECT, 10, LEASE)
    Projector(ledger, slow, vectors, embedder, clock).run(mine)
    assert chain(graph) == ["a", "b", "c", "d"]


def test_turns_without_a_position_follow_in_the_order_of_their_taking_in(
    project: Project, graph: SqliteGraph, clock: SetClock
) -> None:
    for batch in range(3):
        project([EventDraft(text=f"{batch}.{i}", session="s") for i in range(7)])
        clock.forward(timedelta(seconds=1))
    assert chain(graph) == [f"{batch}.{i}" for batch in range(3) for i in range(7)]


def test_a_session_is_a_record_and_a_lone_event_is_its_own(project: Project, graph: SqliteGraph) -> None:
    project([EventDraft(text="a", session="s"), EventDraft(text="b", session="s"), EventDraft(text="c"), EventDraft(text="d")])
    by_text = {passage.text: passage for passage in graph.scan(ALL)}
    assert by_text["a"].record_id == by_text["b"].record_id
    assert len({by_text[name].record_id for name in "acd"}) == 3


def test_records_of_two_scopes_never_meet(project: Project, graph: SqliteGraph) -> None:
    project([EventDraft(text="a", record="r", scope="x", position=1), EventDraft(text="b", record="r", scope="y", position=2)])
    assert len({passage.record_id for passage in graph.scan(ALL)}) == 2
    assert graph.expand([p.id for p in graph.scan(ALL)], [Hop(EdgeKind.NEXT, Direction.OUT)], ALL) == []


def test_a_long_text_is_cut_into_parts_that_the_model_reads_whole_title_included(
    project: Project, graph: SqliteGraph, embedder: MiniLM
) -> None:
    text = "The queue was full, so the worker stopped and the pager rang. " * 120
    title = "Incident report on the queue " * 30
    project([EventDraft(text=text, title=title[:2000], record="r")])
    parts: list[Observation] = sorted(graph.scan(ALL), key=lambda passage: passage.part)
    assert len(parts) > 3
    assert "".join("".join(part.text.split()) for part in parts) == "".join(text.split())
    room = embedder.max_tokens - embedder.max_tokens // 3
    assert max(embedder.count_tokens([part.text for part in parts])) <= room + 4
    assert len({part.key for part in parts}) == len(parts)
    assert chain(graph) == [part.text for part in parts]


def test_what_is_known_of_a_record_grows_and_its_author_is_dropped_when_another_speaks(
    project: Project, graph: SqliteGraph
) -> None:
    project([EventDraft(text="a", record="r", author="Ann", position=0)])
    project([EventDraft(text="b", record="r", author="Ann", title="#7 Fix", identifiers=("FIX-7",), position=1)])
    (record,) = {r.id: r for p in graph.scan(ALL) for r in graph.records([p.record_id], ALL)}.values()
    assert (record.title, record.author) == ("#7 Fix", "Ann")
    assert {"r", "#7", "FIX-7"} <= set(record.identifiers)
    project([EventDraft(text="c", record="r", author="Bob", position=2)])
    assert graph.records([record.id], ALL)[0].author is None


def test_a_text_that_was_cut_off_in_the_middle_goes_on_where_it_was(
    recorder: Recorder, ledger: SqliteLedger, graph: SqliteGraph, vectors: EdgeVectors, embedder: MiniLM
) -> None:
    class Tiring:
        """The real model, which gives up after some texts."""

        id, dim, revision, max_tokens = embedder.id, embedder.dim, embedder.revision, embedder.max_tokens
        count_tokens = staticmethod(embedder.count_tokens)
        left, seen = 3, 0

        def embed(self, texts: Sequence[str]) -> Vector:
            if self.left < len(texts):
                raise ModelUnavailable("tired")
            self.left -= len(texts)
            self.seen += len(texts)
            return embedder.embed(texts)

    model = Tiring()
    recorder.record([EventDraft(text=f"turn {number}", session="s") for number in range(5)])
    work = ledger.claim(Step.PROJECT, 10, LEASE)
    tired = Projector(ledger, graph, vectors, model, SetClock(), slice_size=1)
    with pytest.raises(ModelUnavailable):
        tired.run(work)
    assert {receipt.state for receipt in ledger.receipts()} == {ReceiptState.ACCEPTED}
    model.left = 2
    tired.run(work)
    assert model.seen == 5
    assert len(vectors.revisions(Space.PASSAGE)) == 5
    assert {receipt.state for receipt in ledger.receipts()} == {ReceiptState.RECALLABLE}
