"""When facts held: one timeline per functional predicate of a subject, and what a denial closes.

Everything is worked out from all tellings at once, so the order in which they were learnt does not matter. Undated tellings
can neither close nor be closed. Nothing is retired but by a newer value of a functional predicate, or by a denial that says
"no longer" of the very same triple; other denials are linked as contradictions and left standing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graph.link.facts import identity
from graph.model.edges import Edge, EdgeKind
from graph.model.entities import Fact
from graph.model.ids import ObservationId
from graph.text.names import name_key

MAX_RUNS = 64  # times that one value may come back
CEASED = ("no longer", "any more", "anymore", "any longer", "stopped", "ceased", "quit", "used to")


@dataclass(frozen=True, slots=True, order=True)
class Telling:
    """That a value held (or, denied, no longer held) from `since` on, and who says so."""

    since: datetime
    denied: bool
    value: str
    source: ObservationId


@dataclass(slots=True)
class Run:
    """A stretch of time in which a value held; `rival` when another value was told for the same moment."""

    value: str
    since: datetime
    sources: list[ObservationId]
    until: datetime | None = None
    follows: "Run | None" = None
    rivals: list["Run"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Settled:
    """Facts whose intervals changed, and SUPERSEDES and CONTRADICTS edges between the observations that tell them."""

    facts: list[Fact]
    edges: list[Edge]


def tellings(fact: Fact, dates: Mapping[str, datetime | None]) -> list[Telling]:
    """One telling per dated piece of evidence. What the text states as the beginning counts before the day it was said."""
    value = name_key(fact.object)
    dated = sorted((moment, source) for source in fact.evidence if (moment := dates.get(source)) is not None)
    if not dated:
        return [Telling(fact.valid_from, fact.negated, value, source) for source in fact.evidence[:1] if fact.valid_from]
    (first, source), *rest = dated
    ended = fact.valid_to if len(dated) == 1 and fact.valid_to and fact.valid_to <= first else None
    since = min(moment for moment in (first, fact.valid_from, ended) if moment is not None)
    return [Telling(since, fact.negated, value, source), *(Telling(moment, fact.negated, value, who) for moment, who in rest)]


def runs(told: Iterable[Telling]) -> list[Run]:
    """Stretches of values in the order of time. A newer value ends those that held; a denial ends its own value."""
    found: list[Run] = []
    held: list[Run] = []
    for telling in sorted(set(told)):
        same = next((run for run in held if run.value == telling.value), None)
        if telling.denied:
            if same is not None and telling.since > same.since:
                same.until = telling.since
                held.remove(same)
        elif same is not None:
            same.sources.append(telling.source)
        else:
            run = Run(telling.value, telling.since, [telling.source])
            older = [other for other in held if other.since < telling.since]
            for other in older:
                other.until = telling.since
            run.follows = older[-1] if older else None
            run.rivals = [other for other in held if other.since == telling.since]
            held = [other for other in held if other not in older] + [run]
            found.append(run)
    return found


def settle(facts: Sequence[Fact], dates: Mapping[str, datetime | None]) -> Settled:
    """Work out the intervals of one timeline: all values of a functional predicate of a subject, denials included."""
    told = {telling for fact in facts for telling in tellings(fact, dates)}
    base = {(name_key(fact.object), fact.negated): fact for fact in sorted(facts, key=lambda f: f.id) if _is_base(fact)}
    by_id: dict[str, Fact] = {fact.id: fact for fact in facts}
    changed: list[Fact] = []
    edges: list[Edge] = []
    count: dict[str, int] = {}
    for run in runs(told):
        number = count[run.value] = count.get(run.value, -1) + 1
        root = base.get((run.value, False))
        if root is None or number >= MAX_RUNS:
            continue
        fact = _shown(root, by_id, run, number)
        if fact != by_id.get(fact.id):
            changed.append(fact)
        edges += _history(root, run)
    return Settled(changed, edges)


def _is_base(fact: Fact) -> bool:
    return fact.id == identity(fact.scope, fact.subject, fact.predicate, fact.object, negated=fact.negated)


def returns(fact: Fact) -> bool:
    """Whether a fact stands for a value that came back; the first run of a value is the fact that texts state."""
    return not _is_base(fact)


def _shown(root: Fact, by_id: Mapping[str, Fact], run: Run, number: int) -> Fact:
    """The fact of a run: the first run of a value is its own fact, each return is another."""
    id_ = identity(root.scope, root.subject, root.predicate, root.object, negated=False, run=number)
    fact = by_id.get(id_) or root.model_copy(update={"id": id_, "valid_to": None, "valid_from": None})
    begin: datetime | None = run.since
    if not number and (run.follows is None or run.since == run.until):
        # What the text states, unless that was worked out when earlier tellings were not known yet.
        begin = fact.valid_from if fact.valid_from is not None and fact.valid_from <= run.since else None
    ends = [moment for moment in (run.until, fact.valid_to) if moment is not None]
    update: dict[str, object] = {"valid_from": begin, "valid_to": min(ends) if ends else None}
    if number:
        update |= {"evidence": tuple(sorted(set(run.sources))), "authored_at": run.since}
    return fact.model_copy(update=update)


def _history(root: Fact, run: Run) -> list[Edge]:
    edges = []
    if run.follows is not None and run.sources[0] != run.follows.sources[-1]:
        edges.append(_edge(EdgeKind.SUPERSEDES, root, run.sources[0], run.follows.sources[-1]))
    edges += [_edge(EdgeKind.CONTRADICTS, root, run.sources[0], rival.sources[0]) for rival in run.rivals]
    return [edge for edge in edges if edge.source != edge.target]


def _edge(kind: EdgeKind, fact: Fact, source: str, target: str) -> Edge:
    return Edge(kind, source, target, fact.scope, fact.confidence, evidence=source, note=f"{fact.subject} {fact.phrase}"[:200])


def ceased(fact: Fact) -> bool:
    """Whether a denial says that something ended, rather than that it is not so."""
    return fact.negated and (fact.valid_to is not None or any(word in fact.phrase.lower() for word in CEASED))


def contradiction(fact: Fact, other: Fact) -> list[Edge]:
    """Two unlike statements about one thing, both left standing: linked between the first tellings of each."""
    one, two = sorted((min(fact.evidence), min(other.evidence)))
    return [] if one == two else [_edge(EdgeKind.CONTRADICTS, fact, one, two)]
