"""What an extraction adds to an observation: sentences, kind, priors, and marks that can be compared and read. Pure."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graph.link import causes, references
from graph.model.extraction import Extraction, Passage, TimeMention
from graph.model.ids import point_id
from graph.model.observations import Observation
from graph.model.points import Point, Space, Vector

ANNOTATED = 2  # revision of an observation that was read; a projected one has 1
MAX_TITLE_CHARS = 200  # of a title, before each sentence that is embedded
OWN_MARKS = ("claims", "explains", "references", "decisions", "times", "ambiguous", "extraction")


def passage_of(observation: Observation, previous: Observation | None) -> Passage:
    """The observation as an extractor reads it, with the passage before it in its record."""
    return Passage(
        id=observation.id,
        text=observation.text,
        title=observation.title,
        section=observation.section,
        author=observation.author,
        role=observation.role,
        authored_at=observation.authored_at,
        authored_offset=observation.authored_offset,
        previous=previous.text if previous else "",
    )


def annotated(observation: Observation, extraction: Extraction, ambiguous: Sequence[str] = ()) -> Observation:
    """The observation as read. The same extraction gives the same result, and what others marked stays."""
    claims = causes.claims_of(observation.text, extraction.sentences, extraction.causes)
    found: dict[str, Any] = {
        "claims": claims,
        "explains": causes.explains(claims),
        "references": references.kept(extraction.references),
        "decisions": [decision.model_dump(mode="json") for decision in extraction.decisions],
        "times": [_time(mention) for mention in extraction.times],
        "ambiguous": sorted(set(ambiguous)),
    }
    others = {key: value for key, value in observation.marks.items() if key not in OWN_MARKS}
    marks = others | extraction.marks | {key: value for key, value in found.items() if value}
    return observation.model_copy(
        update={
            "sentences": extraction.sentences,
            "kind": extraction.kind,
            "confidence": extraction.confidence,
            "priors": extraction.priors,
            "marks": marks,
            "revision": max(ANNOTATED, observation.revision),
        }
    )


def _time(mention: TimeMention) -> dict[str, Any]:
    return {
        "text": mention.text,
        "sentence": mention.sentence,
        "start": _iso(mention.start),
        "end": _iso(mention.end),
        "granularity": mention.granularity.value if mention.granularity else None,
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def texts_of(observation: Observation) -> list[tuple[Space, int, str]]:
    """What is embedded of an observation beside its passage: each sentence under its title, each claim's two sides."""
    title = observation.title[:MAX_TITLE_CHARS]
    prefix = f"{title}: " if title else ""
    sentences = [
        (Space.SENTENCE, number, prefix + span.of(observation.text)) for number, span in enumerate(observation.sentences)
    ]
    claims = observation.marks.get(causes.CLAIMS, ())
    sides = ((Space.CAUSE, "cause"), (Space.EFFECT, "effect"))
    return sentences + [(space, number, claim[side]) for number, claim in enumerate(claims) for space, side in sides]


def point_of(observation: Observation, space: Space, ordinal: int, vector: Vector) -> Point:
    """A point owned by an observation, with what a search may filter by."""
    return Point(
        id=point_id(space, observation.scope, observation.id, ordinal),
        space=space,
        owner=observation.id,
        scope=observation.scope,
        dense=vector,
        ordinal=ordinal,
        status=observation.status,
        authored_at=observation.authored_at,
        session=observation.session,
        author=observation.author,
        valid_from=observation.valid_from,
        valid_to=observation.valid_to,
        revision=observation.revision,
    )
