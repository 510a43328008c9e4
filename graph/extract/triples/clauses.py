"""What hangs on a verb: objects, prepositions, adverbs, later clauses, complements."""

from dataclasses import dataclass

from spacy.tokens import Token

from graph.extract.triples.phrases import RELATIVES, predicate
from graph.extract.triples.subjects import Source, Subject

_OBJECTS = ("dobj", "attr", "oprd", "dative", "acomp")


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb with its subject and dependents, each list in the order of the sentence.

    `object_is_relative` when a relative pronoun is the object: the noun before the clause stands for it.
    """

    verb: Token
    subject: Subject
    objects: tuple[Token, ...]
    prepositions: tuple[Token, ...]
    adverbs: tuple[Token, ...]
    complements: tuple[Token, ...]
    object_is_relative: bool

    @property
    def after(self) -> list[Token]:
        """Prepositions, adverbs and infinitives of purpose behind the verb; other clauses only where nothing else is there."""
        later = [token for token in (*self.prepositions, *self.adverbs) if token.i > self.verb.i]
        kept = [token for token in later if token.dep_ != "advcl" or token.tag_ == "VB"]
        return sorted(kept if kept or self.objects else later, key=lambda token: token.i)


def clause_of(verb: Token, subject: Subject) -> Clause:
    taken = {token.i for token in predicate(verb)}
    objects, prepositions, adverbs, complements = [], [], [], []
    relative = False
    for child in verb.children:
        if child.dep_ in _OBJECTS:
            pronoun = verb.dep_ == "relcl" and subject.source is Source.OWN and child.lower_ in RELATIVES
            relative = relative or pronoun
            if not pronoun:
                objects.append(child)
        elif child.dep_ in ("prep", "agent"):
            prepositions.append(child)
        elif child.dep_ == "npadvmod" or (child.dep_ in ("advmod", "advcl") and child.i > verb.i and child.i not in taken):
            adverbs.append(child)
        elif child.dep_ in ("xcomp", "ccomp"):
            complements.append(child)
    return Clause(
        verb, subject, tuple(objects), tuple(prepositions), tuple(adverbs), tuple(complements), object_is_relative=relative
    )
