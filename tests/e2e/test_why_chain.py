"""A causes B causes C, told in three sessions in three word orders: `why C` walks back to B and A, whatever else is stored."""

from collections.abc import Iterator

import pytest

from graph.extract.rules import RuleExtractor
from graph.link.content import content
from graph.model.edges import Direction, EdgeKind
from graph.model.questions import Answer, Intent, Question
from graph.retrieve.asker import Asker
from tests.support.memory import Memory, Room, opened
from tests.unit.link.chains import chains

STORIES = {
    "Why did the shop go down?": (
        "The disk of the build host filled up.",
        "Nightly backups failed because the disk was full.",
        "Due to the failed nightly backups, the shop went down and stayed down.",
    ),
    "Why was payroll late?": (
        "A contractor cut the fibre cable in Harbour Street.",
        "Because the fibre cable was cut, the branch office lost its connection.",
        "The lost connection of the branch office led to late payroll.",
    ),
    "Why did we roll back the release?": (
        "The intern renamed a column of the ledger.",
        "The renamed column caused a crash of the export job.",
        "We rolled the release back because the export job crashed.",
    ),
}
SCOPE = "chains"
OWN_STORIES = 5  # the first chains of the file are the like of those told here


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """All three stories, one link a session, among 78 plain statements of other things."""
    with opened(tmp_path_factory.mktemp("chains"), RuleExtractor()) as found:
        room = Room(found, SCOPE)
        others = [one.stated for chain in chains()[OWN_STORIES:] for one in chain[:2]]
        for number in range(3):
            room.record(*(story[number] for story in STORIES.values()), session=f"session {number}")
            room.record(*others[number::3], session=f"other {number}")
            found.work()
        yield found


def _ask(memory: Memory, question: str) -> Answer:
    asker = Asker(memory.graph, memory.lookup, memory.vectors, memory.embedder, memory.clock)
    return asker.ask(Question(text=question, scopes=(SCOPE,), limit=10))


@pytest.mark.parametrize("question", list(STORIES))
def test_the_causes_come_first_among_what_is_not_the_effect_itself(memory: Memory, question: str) -> None:
    first, second, effect = STORIES[question]
    assert not content(question).roots & content(first).roots, "question and first cause share a word"
    answer = _ask(memory, question)
    assert answer.intents[0].intent is Intent.WHY
    found = [hit.text for hit in answer.results]
    assert effect in found[:3]
    assert set([text for text in found if text != effect][:2]) == {first, second}


@pytest.mark.parametrize("question", list(STORIES))
def test_the_path_walks_causes_backward_from_the_effect(memory: Memory, question: str) -> None:
    first, _, effect = STORIES[question]
    room = Room(memory, SCOPE)
    hit = next(hit for hit in _ask(memory, question).results if hit.text == first)
    assert [(step.kind, step.direction) for step in hit.path][-1] == (EdgeKind.CAUSES, Direction.IN)
    assert {step.kind for step in hit.path} <= {EdgeKind.CAUSES, EdgeKind.SIMILAR}
    assert hit.path[0].source == room.named(effect[:20]).id
    assert hit.path[-1].target == hit.id


def test_no_story_borrows_a_cause_of_another(memory: Memory) -> None:
    of = {text: number for number, story in enumerate(STORIES.values()) for text in story}
    joined = [pair for pair in Room(memory, SCOPE).told(EdgeKind.CAUSES) if set(pair) & of.keys()]
    assert len(joined) == 6
    assert all(of.get(cause) == of.get(effect) for cause, effect in joined)
