"""Settling facts against the stored ones: the timelines that a fresh observation touches are worked out anew."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graph.link.facts import CAUSAL_PREDICATES, edges_of, identity
from graph.link.intervals import Settled, Telling, ceased, contradiction, returns, settle, tellings
from graph.link.ports import LinkPorts, whole
from graph.model.edges import Direction, Edge, EdgeKind, Hop
from graph.model.entities import Fact
from graph.model.observations import Observation
from graph.text.names import name_key

MAX_TIMELINE = 200  # facts of one subject and predicate that are ordered in time
MAX_FACTS = 64  # facts that one observation is evidence of
MAX_EVIDENCE = 500  # pieces of evidence of one fact that are ordered in time
ENDS = {"left": ("works_at", "member_of", "lives_in")}  # what an event ends, for the same subject and object


@dataclass(frozen=True, slots=True)
class _Told:
    """What the evidence of facts says, and when."""

    evidence: dict[str, list[Edge]]
    dates: dict[str, datetime | None]

    def of(self, facts: Iterable[Fact]) -> list[Telling]:
        return [
            telling
            for fact in facts
            if not returns(fact)
            for telling in tellings(fact, self.evidence.get(fact.id, ()), self.dates)
        ]


def settled_facts(ports: LinkPorts, scope: str, fresh: Sequence[Observation]) -> Settled:
    """What changes in the intervals of facts because of the fresh observations, and what contradicts what."""
    facts = _facts_of(ports, scope, fresh)
    lines = [*_functional(ports, scope, facts), *_others(ports, scope, facts)]
    evidence = _evidence(ports, scope, [fact for line in lines for fact in line])
    moving = [line for line in lines if _moves(line, evidence)]
    told = _Told(evidence, _dates(ports, scope, [fact for line in moving for fact in line], evidence))
    done = Settled([], [])
    for line in moving:
        _settle_line(done, line, told)
    return done


def _settle_line(done: Settled, line: Sequence[Fact], told: _Told) -> None:
    """One timeline. Denials that end nothing are set aside and linked as contradictions."""
    ending = [fact for fact in line if fact.predicate in ENDS]
    values = [fact for fact in line if fact.predicate not in ENDS or len(line) == 1]
    denials = [fact for fact in values if fact.negated and not (ceased(fact) or fact.functional)]
    said = told.of(fact for fact in values if fact not in denials)
    if len(line) > 1:
        said += [Telling(one.since, True, one.value, one.source) for one in told.of(ending)]
    more = settle([fact for fact in values if fact not in denials], said)
    done.facts.extend(more.facts)
    done.edges.extend(more.edges)
    done.edges.extend(
        edge for fact in more.facts if returns(fact) for source in fact.evidence for edge in edges_of(fact, source)
    )
    for denial in denials:
        same = [fact for fact in values if not fact.negated and name_key(fact.object) == name_key(denial.object)]
        done.edges.extend(edge for fact in same for edge in contradiction(fact, denial))


def _facts_of(ports: LinkPorts, scope: str, fresh: Sequence[Observation]) -> list[Fact]:
    """The triples that the observations are evidence of (a stated cause has no interval)."""
    ids = [observation.id for observation in fresh]
    walked = ports.reader.expand(ids, [Hop(EdgeKind.EVIDENCE, Direction.IN, fanout=MAX_FACTS)], whole(scope)) if ids else []
    facts = sorted({step.to for step in walked})
    found = ports.lookup.facts(whole(scope), ids=facts, limit=len(facts)) if facts else []
    return [fact for fact in found if fact.predicate not in CAUSAL_PREDICATES]


def _functional(ports: LinkPorts, scope: str, facts: Iterable[Fact]) -> list[list[Fact]]:
    """For each functional predicate of a subject that is touched: all its facts, and the events that end such a state."""
    touched = {(fact.subject_id, fact.predicate) for fact in facts if fact.functional and fact.subject_id}
    touched |= {(fact.subject_id, state) for fact in facts if fact.subject_id for state in ENDS.get(fact.predicate, ())}
    lines = []
    for subject, predicate in sorted(touched, key=str):
        names = [predicate, *(event for event, states in ENDS.items() if predicate in states)]
        found = [
            fact
            for name in names
            for fact in ports.lookup.facts(whole(scope), subject_ids=[str(subject)], predicate=name, limit=MAX_TIMELINE)
            if fact.subject_id == subject
        ]
        if any(fact.functional for fact in found):
            lines.append(found)
    return lines


def _others(ports: LinkPorts, scope: str, facts: Iterable[Fact]) -> list[list[Fact]]:
    """Each triple of another predicate that is touched, with its denial, its returns and the events that end it."""
    plain = [fact for fact in facts if not fact.functional and fact.predicate not in ENDS]
    ended = [
        (fact.subject, state, fact.object) for fact in facts if not fact.functional for state in ENDS.get(fact.predicate, ())
    ]
    wanted = {_key(fact): (fact.subject, fact.predicate, fact.object) for fact in plain}
    wanted |= {(name_key(s), p, name_key(o)): (s, p, o) for s, p, o in ended}
    ids = {key: _family(scope, *words) for key, words in wanted.items()}
    asked = sorted({id_ for family in ids.values() for id_ in family})
    stored = ports.lookup.facts(whole(scope), ids=asked, limit=len(asked)) if asked else []
    by_id: dict[str, Fact] = {fact.id: fact for fact in stored}
    lines = [[by_id[id_] for id_ in family if id_ in by_id] for _, family in sorted(ids.items())]
    return [line for line in lines if line and not any(fact.functional for fact in line)]


def _key(fact: Fact) -> tuple[str, str, str]:
    return (name_key(fact.subject), fact.predicate, name_key(fact.object))


def _family(scope: str, subject: str, predicate: str, object_: str) -> list[str]:
    """Ids of a triple, its first return, its denial, and of the events that end it."""
    events = [event for event, states in ENDS.items() if predicate in states]
    return [
        identity(scope, subject, predicate, object_, negated=False),
        identity(scope, subject, predicate, object_, negated=False, run=1),
        identity(scope, subject, predicate, object_, negated=True),
        *(identity(scope, subject, event, object_, negated=False) for event in events),
    ]


def _moves(line: Sequence[Fact], evidence: Mapping[str, Sequence[Edge]]) -> bool:
    """Whether anything can end in a timeline: most triples are only told, and told again."""
    return len(line) > 1 or any(edge.valid_to is not None for edge in evidence.get(line[0].id, ()))


def _evidence(ports: LinkPorts, scope: str, facts: Iterable[Fact]) -> dict[str, list[Edge]]:
    """The EVIDENCE edges of facts, each with the interval that its observation states."""
    ids = sorted({fact.id for fact in facts})
    found: defaultdict[str, list[Edge]] = defaultdict(list)
    if ids:
        for step in ports.reader.expand(ids, [Hop(EdgeKind.EVIDENCE, Direction.OUT, fanout=MAX_EVIDENCE)], whole(scope)):
            found[step.at].append(step.edge)
    return dict(found)


def _dates(
    ports: LinkPorts, scope: str, facts: Iterable[Fact], evidence: Mapping[str, Sequence[Edge]]
) -> dict[str, datetime | None]:
    """When the evidence of facts was authored."""
    sources = sorted({edge.target for fact in facts for edge in evidence.get(fact.id, ())})
    return {o.id: o.authored_at for o in ports.reader.observations(sources, whole(scope))}
