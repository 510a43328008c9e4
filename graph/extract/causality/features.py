"""Features of a relation, by which its weight in the decision is looked up."""

from collections.abc import Iterable

from graph.extract.causality.lexicon import argument_class, fine_classes, is_modal, is_negated
from graph.extract.causality.relations import Group, Relation

_UNTYPED = frozenset((Group.FORWARD, Group.HYPHEN, Group.CONSEQUENCE, Group.REACTION))


def features(relation: Relation) -> set[str]:
    """Names of the binary features that hold for one relation: its cue and pattern, and the classes of its arguments."""
    group, cue = relation.group.value, relation.cue
    found = {relation.key, f"{group}|{cue}", group}
    if relation.group not in _UNTYPED:
        effect, cause = argument_class(relation.effect), argument_class(relation.cause)
        found |= {f"{cue}|e={effect}", f"{cue}|c={cause}"}
        if relation.group != Group.PREPOSITION:
            found.add(f"{group}|c={cause}|e={effect}")
    effects, causes = fine_classes(relation.effect), fine_classes(relation.cause)
    found.update(f"{holder}|fe={name}" for name in effects for holder in (group, cue))
    found.update(f"{holder}|fc={name}" for name in causes for holder in (group, cue))
    found.update(f"{group}|fc={c}|fe={e}" for c in causes for e in effects)
    verb = relation.verb if relation.verb is not None else relation.effect
    if verb is not None:
        found.add(f"{group}|tag={verb.tag_}")
    if is_negated(verb):
        found |= {"negated", f"{group}|negated"}
    if is_modal(verb):
        found |= {"modal", f"{group}|modal"}
    return found


def all_features(relations: Iterable[Relation]) -> set[str]:
    return {name for relation in relations for name in features(relation)}
