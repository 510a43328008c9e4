"""Each observation keeps its nearest; newcomers take their place in the lists of others; work stays bounded."""

import pytest

from graph.link.neighbours import NEIGHBOURS, nearest
from graph.link.weights import due
from graph.model.edges import EdgeKind
from tests.support.memory import Room
from tests.support.values import entity

WATER = [
    f"The {place} pump lost water pressure again." for place in "north south east west upper lower old new inner outer".split()
]


def test_at_most_k_neighbours_leave_an_observation_and_the_cosine_is_their_weight(room: Room) -> None:
    room.tell(*WATER, "Anna plays the cello on Sundays.")
    edges = room.edges(EdgeKind.SIMILAR)
    sources = [edge.source for edge in edges]
    assert max(sources.count(source) for source in sources) == NEIGHBOURS
    assert room.named("Anna").id not in sources
    weights = {(edge.source, edge.target): edge.weight for edge in edges}
    both = {pair: weight for pair, weight in weights.items() if pair[::-1] in weights}
    assert all(weights[pair[::-1]] == pytest.approx(weight, abs=1e-4) for pair, weight in both.items())
    assert min(weights.values()) >= 0.5


def test_one_batch_or_many_give_the_same_neighbours(room: Room) -> None:
    other = Room(room.memory, room.scope + "-other")
    room.tell(*WATER)
    for text in reversed(WATER):
        other.tell(text)
    assert room.told(EdgeKind.SIMILAR) == other.told(EdgeKind.SIMILAR)
    assert len(room.told(EdgeKind.SIMILAR)) == NEIGHBOURS * len(WATER)


def test_ties_go_to_the_lower_id() -> None:
    assert list(nearest(dict.fromkeys("abcdefghij", 0.9))) == list("abcdefgh")


def test_a_common_name_is_recounted_ever_more_rarely() -> None:
    rare, common = entity("e", mentions=3), entity("e", mentions=3200)
    newcomers = [f"o{number}" for number in range(2000)]
    assert all(due(rare, [one]) for one in newcomers)
    assert 4 <= sum(due(common, [one]) for one in newcomers) <= 20
