"""Entities: made from the names that texts bear, found again by exact key or alias, never merged by company or likeness.

One key is one entity, whatever type a tagger gives it this time: taggers disagree with themselves, and a name that is
sometimes a person and sometimes a product would fall apart. Only two *definitions* that disagree ("Mercury is a planet",
"Mercury is a messaging service") make two entities; from then on a mention that fits neither type stays unresolved.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graph.model.entities import Entity, EntityType
from graph.model.extraction import NameSeen
from graph.model.ids import EntityId, entity_id
from graph.model.observations import Observation
from graph.model.views import View
from graph.ports import Lookup
from graph.text.entities import plain_key
from graph.text.names import name_key, name_words, usable_name

MAX_ALIASES = 32
MAX_NAME_CHARS = 300
NEVER_LOOKED_FOR = 0  # mentions of an entity that was not yet looked for in what was stored before it


@dataclass(frozen=True, slots=True)
class Named:
    """A name that leads to an entity, and where it stands in its observation."""

    entity: EntityId
    name: str
    sentence: int
    defines: bool
    title: bool


@dataclass(slots=True)
class Resolver:
    """Resolves the names of one batch in one scope; `changed` holds the entities to write, by id."""

    scope: str
    known: defaultdict[str, list[Entity]] = field(default_factory=lambda: defaultdict(list))
    changed: dict[EntityId, Entity] = field(default_factory=dict)
    defined: set[EntityId] = field(default_factory=set)

    def load(self, lookup: Lookup, view: View, keys: Iterable[str]) -> None:
        """Read all entities that bear one of `keys` by name or alias."""
        asked = sorted(set(keys) - self.known.keys())
        for key in asked:
            self.known[key] = []
        for entity in lookup.entities_by_key(asked, view):
            for key in entity_keys(entity):
                if entity.id not in {held.id for held in self.known[key]}:
                    self.known[key].append(entity)

    def resolve(self, seen: NameSeen) -> Entity | None:
        """The entity that a name means, made when there is none; None when it could be several."""
        key = plain_key(seen.text, seen.type)
        exact = [entity for entity in self.known[key] if entity.name_key == key]
        found = exact or self.known[key]
        if not found:
            return self._make(entity_id(self.scope, EntityType.OTHER, key), key, seen)
        if len(found) > 1:
            typed = [entity for entity in found if entity.type is seen.type is not EntityType.OTHER]
            return self._learn(typed[0], seen) if len(typed) == 1 else None
        (entity,) = found
        if seen.defines and seen.span and exact and _disagree(seen.type, entity.type) and entity.id in self.defined_types():
            return self._make(entity_id(self.scope, seen.type, key), key, seen)
        return self._learn(entity, seen)

    def find(self, name: str) -> Entity | None:
        """The one entity that bears a name already, or None. Makes nothing."""
        key = name_key(name)
        found = [entity for entity in self.known[key] if entity.name_key == key] or self.known[key]
        return found[0] if len(found) == 1 else None

    def defined_types(self) -> set[EntityId]:
        """Entities whose type comes from a definition: those that some observation is about, here or in the store."""
        return self.defined | {entity.id for held in self.known.values() for entity in held if entity.about}

    def _make(self, id_: EntityId, key: str, seen: NameSeen) -> Entity:
        aliases = _aliases((), (seen.text, *seen.aliases), key)
        return self._keep(
            Entity(id=id_, scope=self.scope, name=surface(seen.text), name_key=key, type=seen.type, aliases=aliases), seen
        )

    def _learn(self, entity: Entity, seen: NameSeen) -> Entity:
        """Take over a type where none was known, new aliases (which send the entity back to the dictionary), a better form."""
        aliases = _aliases(entity.aliases, (seen.text, *seen.aliases), entity.name_key)
        update: dict[str, object] = {}
        if aliases != entity.aliases:
            update = {"aliases": aliases, "mentions": NEVER_LOOKED_FOR, "revision": entity.revision + 1}
        if seen.type is not EntityType.OTHER and (entity.type is EntityType.OTHER or self._redefines(entity, seen)):
            update["type"] = seen.type
        if entity.name_key == name_key(seen.text) and better_form(seen.text, entity.name):
            update["name"] = surface(seen.text)
        return self._keep(entity.model_copy(update=update) if update else entity, seen, changed=bool(update))

    def _redefines(self, entity: Entity, seen: NameSeen) -> bool:
        return seen.defines and seen.type is not entity.type and entity.id not in self.defined_types()

    def _keep(self, entity: Entity, seen: NameSeen, *, changed: bool = True) -> Entity:
        if seen.defines and seen.type is not EntityType.OTHER:
            self.defined.add(entity.id)
        if changed:
            self.changed[entity.id] = entity
            for key in entity_keys(entity):
                self.known[key] = [held for held in self.known[key] if held.id != entity.id] + [entity]
        return entity


def surface(name: str) -> str:
    """A name as it is shown: white space collapsed, at most MAX_NAME_CHARS long."""
    return " ".join(name.split())[:MAX_NAME_CHARS]


def better_form(new: str, old: str) -> bool:
    """A fixed order of forms, so that the order of arrival does not choose: capitals first, then the alphabet."""
    return (new == new.lower(), surface(new)) < (old == old.lower(), old)


def entity_keys(entity: Entity) -> tuple[str, ...]:
    """The keys under which the dictionary knows an entity: its own and those of its aliases."""
    return tuple(dict.fromkeys((entity.name_key, *(name_key(alias) for alias in entity.aliases))))


def _aliases(old: Sequence[str], new: Sequence[str], key: str) -> tuple[str, ...]:
    """Other names only: a form of fewer words ("Korean War" of a memorial of that war) may mean something else."""
    kept = {name_key(alias): alias for alias in old}
    for alias in new:
        alias_key, alias_words = name_key(alias), name_words(alias)
        if usable_name(alias_words) and not set(alias_words) <= set(key.split(" ")):
            kept.setdefault(alias_key, surface(alias))
    return tuple(kept[k] for k in sorted(kept)[:MAX_ALIASES])


def _disagree(one: EntityType, other: EntityType) -> bool:
    vague = {EntityType.OTHER, EntityType.CONCEPT, EntityType.TOPIC}
    return one is not other and not {one, other} & vague


def homonyms(lookup: Lookup, view: View, names: Mapping[str, Sequence[Observation]]) -> set[str]:
    """Of bare given names, those that two or more known persons begin with: they stay by themselves and are listed."""
    unclear = set()
    for key in sorted(names):
        longer = [
            entity
            for entity in lookup.entity_list(view, prefix=key + " ", limit=16)
            if entity.type is EntityType.PERSON and entity.name_key.startswith(key + " ")
        ]
        if len(longer) > 1:
            unclear.add(key)
    return unclear
