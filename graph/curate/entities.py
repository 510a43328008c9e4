"""Entities by hand: two that are one are merged, one that is two is split, and both can be taken back.

Nothing is removed. A merged entity keeps its own edges and is superseded, so that its names lead to the other one and an
undo knows what was whose; a split keeps where it came from. Each operation is keyed: doing it twice has the effect of once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graph.curate.edges import Rewrite, edges_into, rewritten
from graph.curate.graph import Graph, everything
from graph.errors import InvalidInput, NotFound
from graph.model.edges import Direction, Edge, EdgeKind, Hop, Origin
from graph.model.entities import Entity, EntityType, Fact
from graph.model.ids import EntityId, entity_id
from graph.model.observations import Status
from graph.ports import Lookup, VectorStore
from graph.ports.graph import GraphBatch
from graph.text.names import name_key

MERGED, SPLIT = "merged", "split"
NAMING = (EdgeKind.MENTIONS, EdgeKind.ABOUT)
TRIPLE_ENDS = (EdgeKind.SUBJECT, EdgeKind.OBJECT)
MAX_FACTS = 100_000


@dataclass(frozen=True, slots=True)
class Change:
    """What was done: `entity` is the one that was merged away or split off (an undo names it), `other` the one that stays."""

    kind: str
    entity: EntityId
    other: EntityId
    edges: int
    facts: int


class EntityCurator:
    """Merges, splits and undoes. The caller has checked that the scope is its own."""

    def __init__(self, graph: Graph, lookup: Lookup, vectors: VectorStore) -> None:
        self._graph = graph
        self._lookup = lookup
        self._vectors = vectors

    def merge(self, scope: str, keep: str, absorb: str) -> Change:
        """Make `absorb` one with `keep`: its names, mentions and facts are `keep`'s from now on.

        Raises NotFound for an entity that is not active in the scope (unless it was merged into `keep` before), InvalidInput
        for an entity and itself.
        """
        if keep == absorb:
            raise InvalidInput("an entity cannot be merged with itself")
        kept, gone = self._entity(scope, keep), self._entity(scope, absorb, Status.ACTIVE, Status.SUPERSEDED)
        if gone.status is Status.SUPERSEDED and self._origin(scope, gone.id, EdgeKind.SUPERSEDES, Direction.IN) != keep:
            raise NotFound(f"no active entity {absorb} in this scope", entity=absorb)
        had = {(edge.kind, edge.source) for edge in edges_into(self._graph, scope, keep, (*NAMING, *TRIPLE_ENDS))}
        copied = [
            replace(edge, target=keep, origin=Origin.USER)
            for edge in edges_into(self._graph, scope, absorb, (*NAMING, *TRIPLE_ENDS))
            if (edge.kind, edge.source) not in had
        ]
        facts = _moved(self._facts(scope, absorb), gone.id, kept.id)
        renamed = _renamed(kept, (*kept.aliases, gone.name, *gone.aliases))
        bond = Edge(EdgeKind.SUPERSEDES, keep, absorb, scope, origin=Origin.USER, note=MERGED)
        self._graph.write(GraphBatch(entities=[renamed], facts=facts, edges=[*copied, bond]))
        self._set_status(scope, absorb, Status.SUPERSEDED, f"merged into {keep}")
        self._graph.recount(scope, [keep])
        return Change(MERGED, gone.id, kept.id, len(copied), len(facts))

    def split(self, scope: str, entity: str, observations: Sequence[str], name: str, type_: EntityType | None = None) -> Change:
        """Let what these observations say of `entity` be said of another one, named `name` (the same name is allowed).

        Raises NotFound when the entity is not active in the scope or none of the observations names it, InvalidInput for a
        name without a sign.
        """
        if not name_key(name):
            raise InvalidInput("the name of the new entity is empty")
        whole = self._entity(scope, entity)
        wanted = set(observations)
        leaving = [edge for edge in edges_into(self._graph, scope, entity, NAMING) if edge.source in wanted]
        new = entity_id(scope, f"{SPLIT} {entity}", name_key(name))
        if not leaving:
            raise NotFound("none of the observations names this entity", entity=entity)
        facts = [fact for fact in self._facts(scope, entity) if set(fact.evidence) <= wanted]
        ends = [e for e in edges_into(self._graph, scope, entity, TRIPLE_ENDS) if e.source in {fact.id for fact in facts}]
        gone = [*leaving, *ends]
        change = rewritten(self._graph, scope, gone, [replace(e, target=new, origin=Origin.USER) for e in gone])
        made = Entity(id=new, scope=scope, name=name.strip(), name_key=name_key(name), type=type_ or whole.type)
        bond = Edge(EdgeKind.DERIVED_FROM, new, entity, scope, origin=Origin.USER, note=SPLIT)
        moved = _moved(facts, whole.id, new)
        self._write(change, [bond], entities=[made], facts=moved)
        self._set_status(scope, new, Status.ACTIVE, "split again")
        self._graph.recount(scope, [entity, new])
        return Change(SPLIT, new, whole.id, len(gone), len(moved))

    def undo(self, scope: str, entity: str) -> Change:
        """Take back the merge or the split that `entity` came out of. Raises NotFound when there is none to take back."""
        other = self._origin(scope, entity, EdgeKind.SUPERSEDES, Direction.IN)
        if other is not None:
            return self._unmerge(scope, self._entity(scope, other), self._entity(scope, entity, Status.SUPERSEDED))
        other = self._origin(scope, entity, EdgeKind.DERIVED_FROM, Direction.OUT)
        if other is not None:
            return self._unsplit(scope, self._entity(scope, other), self._entity(scope, entity))
        raise NotFound("this entity was neither merged away nor split off", entity=entity)

    def _unmerge(self, scope: str, kept: Entity, gone: Entity) -> Change:
        """Its own edges are still there; what was copied from them, and what bore its names since, leaves the other one."""
        own = {(edge.kind, edge.source) for edge in edges_into(self._graph, scope, gone.id, (*NAMING, *TRIPLE_ENDS))}
        names = {gone.name_key, *map(name_key, gone.aliases)} - {kept.name_key}
        now = edges_into(self._graph, scope, kept.id, (*NAMING, *TRIPLE_ENDS))
        theirs = [
            edge
            for edge in now
            if name_key(edge.note) in names or (edge.origin is Origin.USER and (edge.kind, edge.source) in own)
        ]
        bonds = [e for e in edges_into(self._graph, scope, gone.id, (EdgeKind.SUPERSEDES,)) if e.note == MERGED]
        later = [replace(edge, target=gone.id) for edge in theirs if (edge.kind, edge.source) not in own]
        facts = [fact for fact in self._facts(scope, kept.id) if {(kind, fact.id) for kind in TRIPLE_ENDS} & own]
        back = _moved(facts, kept.id, gone.id, own)
        others = [alias for alias in kept.aliases if name_key(alias) not in names]
        change = rewritten(self._graph, scope, [*theirs, *bonds], later)
        self._write(change, [], entities=[_renamed(kept, others)], facts=back)
        self._set_status(scope, gone.id, Status.ACTIVE, "merge taken back")
        self._graph.recount(scope, [kept.id, gone.id])
        return Change(MERGED, gone.id, kept.id, len(theirs), len(back))

    def _unsplit(self, scope: str, whole: Entity, part: Entity) -> Change:
        gone = edges_into(self._graph, scope, part.id, (*NAMING, *TRIPLE_ENDS))
        bonds = self._bonds(scope, part.id, EdgeKind.DERIVED_FROM, Direction.OUT)
        facts = _moved(self._facts(scope, part.id), part.id, whole.id)
        change = rewritten(self._graph, scope, [*gone, *bonds], [replace(edge, target=whole.id) for edge in gone])
        self._write(change, [], entities=[], facts=facts)
        self._set_status(scope, part.id, Status.INVALIDATED, f"split from {whole.id} taken back")
        self._graph.recount(scope, [whole.id, part.id])
        return Change(SPLIT, part.id, whole.id, len(gone), len(facts))

    def _entity(self, scope: str, id_: str, *statuses: Status) -> Entity:
        found = self._lookup.entities([id_], everything(scope))
        if not found or found[0].status not in (statuses or (Status.ACTIVE,)):
            raise NotFound(f"no such entity {id_} in this scope", entity=id_)
        return found[0]

    def _facts(self, scope: str, entity: str) -> list[Fact]:
        return self._lookup.facts(everything(scope), subject_ids=[entity], limit=MAX_FACTS)

    def _bonds(self, scope: str, entity: str, kind: EdgeKind, direction: Direction) -> list[Edge]:
        walked = self._graph.expand([entity], [Hop(kind, direction)], everything(scope))
        return [step.edge for step in walked if step.edge.origin is Origin.USER and step.edge.note in {MERGED, SPLIT}]

    def _origin(self, scope: str, entity: str, kind: EdgeKind, direction: Direction) -> str | None:
        bonds = self._bonds(scope, entity, kind, direction)
        return (bonds[0].source if direction is Direction.IN else bonds[0].target) if bonds else None

    def _write(self, change: Rewrite, edges: Sequence[Edge], *, entities: Sequence[Entity], facts: Sequence[Fact]) -> None:
        batch = GraphBatch(entities=entities, facts=facts, edges=[*change.edges, *edges], drop=change.drop)
        self._graph.write(batch)

    def _set_status(self, scope: str, entity: str, status: Status, reason: str) -> None:
        self._graph.set_status(scope, [entity], status, reason)
        found = self._lookup.entities([entity], everything(scope))
        if found:
            self._vectors.set_status([entity], status, found[0].revision)


def _moved(facts: Iterable[Fact], old: EntityId, new: EntityId, only: set[tuple[EdgeKind, str]] | None = None) -> list[Fact]:
    """The facts with one entity in the place of the other; with `only`, at the ends that it names."""
    moved = []
    for fact in facts:
        ends = {"subject_id": (EdgeKind.SUBJECT, fact.subject_id), "object_id": (EdgeKind.OBJECT, fact.object_id)}
        update: dict[str, object] = {
            name: new for name, (kind, id_) in ends.items() if id_ == old and (only is None or (kind, fact.id) in only)
        }
        if update:
            moved.append(fact.model_copy(update=update | {"revision": fact.revision + 1}))
    return moved


def _renamed(entity: Entity, aliases: Iterable[str]) -> Entity:
    """The entity with exactly these aliases; a higher revision, since an equal one would keep those it had."""
    kept = {name_key(alias): alias for alias in aliases if name_key(alias) != entity.name_key}
    new = tuple(kept[key] for key in sorted(kept))
    return entity if new == entity.aliases else entity.model_copy(update={"aliases": new, "revision": entity.revision + 1})
