"""Decisions: what was decided, between which alternatives, for which reasons, and what became of it.

`verdicts` finds the sentences that decide something, `alternatives` what else was in question. The reasons are the causes
that the text gives for the deciding sentence, and a sentence that names itself a reason beside it.
"""

import re
from collections.abc import Iterator, Sequence

from graph.extract.decisions.alternatives import considered, rejected_for
from graph.extract.decisions.verdicts import Verdict, verdicts
from graph.extract.parsing import Parsed
from graph.model.extraction import CausalClaim, Decision, Passage, RelationKind
from graph.model.observations import Span

MAX_DECISIONS = 8  # of one passage
REASON_DISTANCE = 1  # sentences between a decision and a reason that names itself
_LEAD = re.compile(r"(?:reason(?:s|ing)?|rationale|why)\s{0,10}[:–—-]\s{0,10}", re.IGNORECASE)


def find(parsed: Parsed, passage: Passage, causes: Sequence[CausalClaim]) -> tuple[Decision, ...]:
    """The decisions of a passage in the order of the text. Questions, possibilities, denials and quotations decide nothing."""
    found = list(verdicts(parsed, passage))[:MAX_DECISIONS]
    pool = considered(parsed)
    return tuple(_decision(parsed, verdict, causes, pool) for verdict in found)


def _decision(parsed: Parsed, verdict: Verdict, causes: Sequence[CausalClaim], pool: Sequence[str]) -> Decision:
    named = dict.fromkeys(rejected_for(parsed, verdict))
    chosen = verdict.decided.lower()
    named.update(dict.fromkeys(other for other in pool if other.lower() not in chosen))
    return Decision(
        decided=verdict.decided,
        alternatives=tuple(named),
        reasons=tuple(dict.fromkeys(_reasons(parsed, verdict, causes))),
        status=verdict.status,
        sentence=verdict.sentence,
    )


def _reasons(parsed: Parsed, verdict: Verdict, causes: Sequence[CausalClaim]) -> Iterator[str]:
    for claim in causes:
        told = claim.strict or claim.kind == RelationKind.PURPOSE
        if told and not (claim.negated or claim.hypothetical) and _explains(parsed, claim, verdict):
            yield claim.cause_text
    after = verdict.sentence + REASON_DISTANCE
    if after < len(parsed.sentences) and (lead := _LEAD.match(line := parsed.sentences[after].span.of(parsed.text))):
        yield " ".join(line[lead.end() :].split()).rstrip(".")


def _explains(parsed: Parsed, claim: CausalClaim, verdict: Verdict) -> bool:
    """Whether the claim's effect is the deciding clause, told in its own sentence or pointed back to from the next."""
    spans = parsed.sentences[verdict.sentence].span
    if claim.effect is None:
        return False
    inside = spans.start <= claim.effect.start and claim.effect.end <= spans.end
    told_back = claim.sentence == verdict.sentence + 1 and claim.effect_text.rstrip(".") in _plain(spans.of(parsed.text))
    return (inside and _covers(claim.effect, verdict.verb)) or told_back


def _covers(effect: Span, verb: Span) -> bool:
    return effect.start <= verb.start and verb.end <= effect.end


def _plain(text: str) -> str:
    return " ".join(text.split())
