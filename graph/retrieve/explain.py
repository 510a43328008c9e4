"""Explanation: each hit's path as steps and as one readable chain; dates for WHEN, facts for ENTITY."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from graph.model.edges import Direction, EdgeKind, Walked
from graph.model.entities import Fact
from graph.model.observations import Observation
from graph.model.questions import DatedItem, FactLine, Hit, PathStep
from graph.retrieve.ranking import Ranked
from graph.retrieve.walk import Trail

SNIPPET_CHARS = 90
_PHRASES: Mapping[tuple[EdgeKind, Direction], str] = {
    (EdgeKind.CAUSES, Direction.IN): "caused by",
    (EdgeKind.CAUSES, Direction.OUT): "led to",
    (EdgeKind.NEXT, Direction.OUT): "followed by",
    (EdgeKind.NEXT, Direction.IN): "preceded by",
    (EdgeKind.SIMILAR, Direction.OUT): "similar to",
    (EdgeKind.SIMILAR, Direction.IN): "similar to",
    (EdgeKind.CITES, Direction.OUT): "cites",
    (EdgeKind.CITES, Direction.IN): "cited by",
    (EdgeKind.PART_OF, Direction.IN): "which says",
    (EdgeKind.PART_OF, Direction.OUT): "part of",
    (EdgeKind.MENTIONS, Direction.OUT): "mentions",
    (EdgeKind.MENTIONS, Direction.IN): "mentioned in",
    (EdgeKind.ABOUT, Direction.IN): "defined in",
    (EdgeKind.ABOUT, Direction.OUT): "is about",
    (EdgeKind.SUPERSEDES, Direction.IN): "superseded by",
    (EdgeKind.SUPERSEDES, Direction.OUT): "supersedes",
    (EdgeKind.SUPPORTS, Direction.IN): "supported by",
    (EdgeKind.CONTRADICTS, Direction.IN): "contradicted by",
}


def phrase(kind: EdgeKind, direction: Direction) -> str:
    """The words between two nodes of a chain."""
    return _PHRASES.get((kind, direction), kind.value.lower().replace("_", " "))


def snippet(text: str, limit: int = SNIPPET_CHARS) -> str:
    """The text on one line, cut at a word where it is longer than `limit` characters."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    return line[:limit].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def said(observation: Observation) -> str:
    """When and by whom: "3 May 2024, Ana", either part left out when unknown."""
    date = observation.authored_at
    parts = [f"{date.day} {date:%B} {date.year}" if date else "", observation.author or ""]
    return ", ".join(part for part in parts if part)


def sentence_at(observation: Observation | None, index: int) -> str:
    """The words of a sentence of an observation; empty when there is no such sentence."""
    if observation is None or not 0 <= index < len(observation.sentences):
        return ""
    return snippet(observation.sentences[index].of(observation.text), 2 * SNIPPET_CHARS)


class Names:
    """What the nodes of paths are called: observations by their words, entities and records by their names."""

    def __init__(self, observations: Mapping[str, Observation], labels: Mapping[str, str]) -> None:
        self._observations = observations
        self._labels = labels

    def of(self, node: str) -> str:
        observation = self._observations.get(node)
        return snippet(observation.text) if observation else self._labels.get(node, node)

    def observation(self, node: str | None) -> Observation | None:
        return self._observations.get(node or "")


def steps(trail: Trail, names: Names) -> tuple[PathStep, ...]:
    """The trail's edges, from anchor to hit."""
    return tuple(_step(walked, names) for walked in trail.walked)


def _step(walked: Walked, names: Names) -> PathStep:
    edge = walked.edge
    source = names.observation(edge.evidence or edge.source)
    return PathStep(
        source=walked.at,
        target=walked.to,
        kind=edge.kind,
        direction=walked.hop.direction,
        weight=edge.weight,
        label=names.of(walked.to),
        sentence=sentence_at(source, edge.sentence),
        evidence=edge.evidence,
    )


def chain(trail: Trail, names: Names) -> str:
    """The trail in words: "checkout was slow <- caused by <- cache disabled (3 May 2024, Ana: '...')"."""
    links = (
        f" <- {phrase(walked.edge.kind, walked.hop.direction)} <- {names.of(walked.to)}{_source(walked, names)}"
        for walked in trail.walked
    )
    return names.of(trail.anchor) + "".join(links)


def _source(walked: Walked, names: Names) -> str:
    """Who said so and when, with the sentence that states the edge where it is known."""
    target = names.observation(walked.to)
    stated = names.observation(walked.edge.evidence or walked.edge.source)
    speaker = stated if walked.edge.kind is EdgeKind.CAUSES and stated else target
    words = sentence_at(stated, walked.edge.sentence) if walked.edge.kind is EdgeKind.CAUSES else ""
    source = said(speaker) if speaker else ""
    if not source and not words:
        return ""
    return f" ({source}: '{words}')" if source and words else f" ({source or repr(words)})"


def hit(ranked: Ranked, observation: Observation, record_key: str | None, names: Names) -> Hit:
    """One result as answered. `explanation` is its chain, or how a direct hit was found."""
    trail = ranked.fused.best
    direct = ranked.fused.direct
    breakdown = {"fused": ranked.fused.score, **ranked.fused.by_path, **ranked.added}
    if direct is not None:
        breakdown["direct"] = direct
    return Hit(
        id=observation.id,
        key=observation.key,
        text=observation.text,
        score=ranked.score,
        kind=observation.kind.value,
        title=observation.title,
        section=observation.section,
        authored_at=observation.authored_at,
        author=observation.author,
        source=observation.source,
        record=record_key,
        session=observation.session,
        scope=observation.scope,
        status=observation.status.value,
        metadata=observation.metadata,
        path=steps(trail, names) if trail else (),
        anchor=trail.anchor if trail else observation.id,
        paths=ranked.fused.paths,
        explanation=chain(trail, names) if trail else _found_directly(observation),
        breakdown=breakdown,
    )


def _found_directly(observation: Observation) -> str:
    source = said(observation)
    return f"{snippet(observation.text)} ({source})" if source else snippet(observation.text)


def dated(hits: Sequence[Hit], observations: Mapping[str, Observation]) -> tuple[DatedItem, ...]:
    """For WHEN: the times that the hits speak of, else when they were said; in order of time, then of rank."""
    items = [(item, rank) for rank, found in enumerate(hits) for item in _dates(observations[found.id])]
    items.sort(key=lambda pair: (pair[0].start, pair[1]))
    return tuple(item for item, _ in items)


def _dates(observation: Observation) -> list[DatedItem]:
    text = snippet(observation.text)
    spoken = [
        DatedItem(hit=observation.id, start=start, end=_moment(time.get("end")), text=str(time.get("text") or text))
        for time in observation.marks.get("times", ())
        if isinstance(time, Mapping) and (start := _moment(time.get("start")))
    ]
    if spoken:
        return spoken
    start = observation.valid_from or observation.authored_at
    return [DatedItem(hit=observation.id, start=start, end=observation.valid_to, text=text)] if start else []


def _moment(value: object) -> datetime | None:
    if isinstance(value, datetime):
        return value
    try:
        moment = datetime.fromisoformat(str(value)) if value else None
    except ValueError:
        return None
    return moment if moment and moment.tzinfo else None


def fact_line(fact: Fact, score: float) -> FactLine:
    return FactLine(
        id=fact.id,
        subject=fact.subject,
        predicate=fact.phrase or fact.predicate,
        object=fact.object,
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
        status=fact.status.value,
        score=score,
        evidence=tuple(fact.evidence),
    )
