"""When facts held: one timeline per functional predicate of a subject, one per triple of any other.

Everything is worked out from all tellings at once, so the order in which they were learnt does not matter. Undated tellings
can neither close nor be closed. Nothing is retired but by a newer value of a functional predicate, or by a telling that it
ended ("no longer", "until June", "left"); a plain denial is linked as a contradiction, and both are left standing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graph.link.facts import identity
from graph.model.edges import Edge, EdgeKind
from graph.model.entities import Fact
from graph.text.names import name_key

MAX_RUNS = 64  # times that one value may come back
CEASED = ("no longer", "any more", "anymore", "any longer", "stopped", "ceased", "quit", "used to")


@dataclass(frozen=True, slots=True)
class Telling:
    """That a value held (or, `ended`, no longer held) from `since` on, and who says so.

    `begin` is a beginning that the text states, `until` an end that it expects.
    """

    since: datetime
    ended: bool
    value: str
    source: str
    begin: datetime | None = None
    until: datetime | None = None

    @property
    def order(self) -> tuple[datetime, bool, str, str]:
        return (self.since, self.ended, self.value, self.source)


@dataclass(slots=True)
class Run:
    """A stretch of time in which a value held, what it followed, and other values told for the same moment.

    `again`: it is told to have ended before, be it that nobody told of the time before that.
    """

    value: str
    since: datetime
    sources: list[str]
    begin: datetime | None = None
    expected: datetime | None = None
    until: datetime | None = None
    ended_by: str | None = None
    again: bool = False
    follows: "Run | None" = None
    rivals: list["Run"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Settled:
    """Facts whose intervals changed, and SUPERSEDES and CONTRADICTS edges between the observations that tell them."""

    facts: list[Fact]
    edges: list[Edge]


def tellings(fact: Fact, evidence: Iterable[Edge], dates: Mapping[str, datetime | None]) -> list[Telling]:
    """What each piece of evidence says of a fact: EVIDENCE edges bear the interval that their observation states."""
    value = name_key(fact.object)
    told: list[Telling] = []
    for edge in evidence:
        authored, begin, end = dates.get(edge.target), edge.valid_from, edge.valid_to
        over = end is not None and (authored is None or end <= authored)
        known = [moment for moment in (begin, authored) if moment is not None]
        if fact.negated:
            told += [Telling(max(known), True, value, edge.target)] if known else []
        elif over and end is not None:
            told.append(Telling(end, True, value, edge.target))
            told += [Telling(begin, False, value, edge.target, begin)] if begin is not None and begin < end else []
        elif known:
            told.append(Telling(min(known), False, value, edge.target, begin, end))
    return told


def runs(told: Iterable[Telling]) -> list[Run]:
    """Stretches of values in the order of time. A newer value ends those that held; a telling of an end ends its own value."""
    found: list[Run] = []
    held: list[Run] = []
    over: set[str] = set()
    for telling in sorted(set(told), key=lambda one: one.order):
        held = [run for run in held if not _expired(run, telling.since)]
        same = next((run for run in held if run.value == telling.value), None)
        if telling.ended:
            over.add(telling.value)
            if same is not None and telling.since > same.since:
                same.until, same.ended_by = telling.since, telling.source
                held.remove(same)
        elif same is not None:
            same.sources.append(telling.source)
            same.expected = telling.until or same.expected
        else:
            run = _begun(telling, held)
            run.again = telling.value in over
            held = [other for other in held if other.until is None] + [run]
            found.append(run)
    for run in held:
        run.until = run.expected
    return found


def _expired(run: Run, moment: datetime) -> bool:
    """Whether a run has come to the end that was expected of it; it ends there."""
    if run.expected is None or run.expected > moment:
        return False
    run.until = run.expected
    return True


def _begun(telling: Telling, held: Sequence[Run]) -> Run:
    """A new run; what was held since before ends where it begins."""
    run = Run(telling.value, telling.since, [telling.source], telling.begin, telling.until)
    older = [other for other in held if other.since < telling.since]
    for other in older:
        other.until = telling.since
    run.follows = older[-1] if older else None
    run.rivals = [other for other in held if other.since == telling.since]
    return run


def settle(facts: Sequence[Fact], told: Iterable[Telling]) -> Settled:
    """Work out the intervals of one timeline: all values of a functional predicate of a subject, or a single triple."""
    base = {name_key(fact.object): fact for fact in sorted(facts, key=lambda f: f.id) if not returns(fact) and not fact.negated}
    by_id: dict[str, Fact] = {fact.id: fact for fact in facts}
    changed: list[Fact] = []
    edges: list[Edge] = []
    count: dict[str, int] = {}
    for run in runs(told):
        number = count[run.value] = count.get(run.value, -1) + 1
        root = base.get(run.value)
        if root is None or number >= MAX_RUNS:
            continue
        fact = _shown(root, by_id, run, number)
        if fact != by_id.get(fact.id):
            changed.append(fact)
        edges += _history(root, run)
    return Settled(changed, edges)


def returns(fact: Fact) -> bool:
    """Whether a fact stands for a value that came back; the first run of a value is the fact that texts state."""
    return fact.id != identity(fact.scope, fact.subject, fact.predicate, fact.object, negated=fact.negated)


def _shown(root: Fact, by_id: Mapping[str, Fact], run: Run, number: int) -> Fact:
    """The fact of a run: the first run of a value is its own fact, each return is another."""
    id_ = identity(root.scope, root.subject, root.predicate, root.object, negated=False, run=number)
    fact = by_id.get(id_) or root.model_copy(update={"id": id_})
    begin = run.since if number or run.again or run.follows is not None else run.begin
    update: dict[str, object] = {"valid_from": begin, "valid_to": run.until}
    if number:
        update |= {"evidence": tuple(sorted(set(run.sources))), "authored_at": run.since}
    return fact.model_copy(update=update)


def _history(root: Fact, run: Run) -> list[Edge]:
    """The observation that brings a value supersedes the last that told the one before, one that ends it the last of it."""
    edges = []
    if run.follows is not None:
        edges.append(_edge(EdgeKind.SUPERSEDES, root, run.sources[0], run.follows.sources[-1]))
    if run.ended_by is not None:
        edges.append(_edge(EdgeKind.SUPERSEDES, root, run.ended_by, run.sources[-1]))
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
