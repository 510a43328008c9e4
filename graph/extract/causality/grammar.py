"""The grammar as a whole: all relations of one sentence, in the order in which their cues are read."""

from spacy.tokens import Doc

from graph.extract.causality import clauses, connectives, nominals, verbs
from graph.extract.causality.relations import Group, Relation
from graph.extract.causality.tree import is_verb

_TRANSITIVE = (Group.STRONG, Group.WEAK)


def relations(doc: Doc, start: int, end: int) -> list[Relation]:
    """Relations among the tokens [start, end) of one sentence. Connectives are read first: a longer cue eats its parts."""
    used: set[int] = set()
    found = list(connectives.find(doc, start, end, used))
    for token in doc[start:end]:
        fired: list[Relation] = []
        if is_verb(token) or token.tag_.startswith("VB"):
            fired = list(verbs.find(token, used))
        found += fired
        found += clauses.find(token, used, bare=not any(r.group in _TRANSITIVE for r in fired))
        found += nominals.find(doc, token, start, end, used)
    return found
