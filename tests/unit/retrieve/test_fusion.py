"""Fusion: the best way counts, ties are settled, and order does not depend on the order of the input."""

import math

from hypothesis import given
from hypothesis import strategies as st

from graph.model.edges import Direction, Edge, EdgeKind, Hop, Walked
from graph.retrieve.fusion import ScoredTrail, fuse
from graph.retrieve.meta_paths import MetaPath
from graph.retrieve.walk import Trail

NODES = ["a", "b", "c", "d"]
HOP = Hop(EdgeKind.CAUSES, Direction.IN)
PATHS = [MetaPath("cause", (HOP,)), MetaPath("effect", (HOP,))]


def trail(anchor: str, end: str, path: MetaPath) -> Trail:
    edge = Edge(EdgeKind.CAUSES, end, anchor, "global")
    return Trail(path, anchor, (Walked(anchor, end, HOP, edge),))


logits = st.floats(-20, 20, allow_nan=False)
directs = st.dictionaries(st.sampled_from(NODES), logits)
trails = st.lists(
    st.builds(
        ScoredTrail,
        st.builds(trail, st.sampled_from(NODES), st.sampled_from(NODES), st.sampled_from(PATHS)),
        logits,
    )
)


@given(directs, trails)
def test_a_score_is_the_best_of_all_ways(direct: dict[str, float], ways: list[ScoredTrail]) -> None:
    for hit in fuse(direct, ways):
        scores = [way.score for way in ways if way.trail.end == hit.id]
        assert hit.score == max([*scores, *([direct[hit.id]] if hit.id in direct else [])])


@given(directs, trails)
def test_a_further_way_never_lowers_a_score(direct: dict[str, float], ways: list[ScoredTrail]) -> None:
    before = {hit.id: hit.score for hit in fuse(direct, ways)}
    after = {hit.id: hit.score for hit in fuse(direct, [*ways, ScoredTrail(trail("a", "b", PATHS[0]), 0.0)])}
    assert all(after[id_] >= score for id_, score in before.items())


@given(directs, trails, st.randoms())
def test_the_order_is_that_of_score_paths_and_id_whatever_the_input_order(direct, ways, random) -> None:  # type: ignore[no-untyped-def]
    shuffled = list(ways)
    random.shuffle(shuffled)
    one, other = fuse(direct, ways), fuse(direct, shuffled)
    assert [hit.id for hit in one] == [hit.id for hit in other]
    keys = [(-hit.score, -hit.paths, hit.id) for hit in one]
    assert keys == sorted(keys)


@given(directs, trails)
def test_a_direct_hit_keeps_no_path_unless_a_path_is_better(direct: dict[str, float], ways: list[ScoredTrail]) -> None:
    for hit in fuse(direct, ways):
        assert (hit.best is None) == (hit.direct is not None and hit.score == hit.direct)


def test_equal_scores_are_settled_by_independent_paths() -> None:
    ways = [ScoredTrail(trail("a", "c", PATHS[0]), 1.0), ScoredTrail(trail("b", "c", PATHS[0]), 0.5)]
    first, second = fuse({"b": 1.0}, ways)[:2]
    assert (first.id, first.paths, second.id) == ("c", 2, "b")


def test_added_probabilities_exceed_the_best_one() -> None:
    (hit,) = fuse({"c": 0.0}, [ScoredTrail(trail("a", "c", PATHS[0]), -1.0)], add=True)
    expected = 0.5 + 1 / (1 + math.e)
    assert math.isclose(hit.score, math.log(expected / (1 - expected)), rel_tol=1e-9)
