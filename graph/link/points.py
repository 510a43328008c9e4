"""Points of facts: a triple as words, dense and sparse, found by questions that ask for it."""

from collections.abc import Sequence

from graph.link.ports import LinkPorts
from graph.model.entities import Fact
from graph.model.ids import point_id
from graph.model.points import Point, Space
from graph.text.terms import document_sparse


def fact_points(ports: LinkPorts, facts: Sequence[Fact]) -> list[Point]:
    """One FACT point per fact, with its interval."""
    if not facts:
        return []
    vectors = ports.embedder.embed([fact.sentence for fact in facts])
    return [
        Point(
            id=point_id(Space.FACT, fact.scope, fact.id),
            space=Space.FACT,
            owner=fact.id,
            scope=fact.scope,
            dense=vector,
            sparse=document_sparse(fact.sentence),
            status=fact.status,
            authored_at=fact.authored_at,
            valid_from=fact.valid_from,
            valid_to=fact.valid_to,
            revision=fact.revision,
        )
        for fact, vector in zip(facts, vectors, strict=True)
    ]
