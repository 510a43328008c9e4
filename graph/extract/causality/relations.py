"""Relations: what a cue pattern found in one sentence, as tokens, before anything is decided about it."""

from dataclasses import dataclass
from enum import StrEnum

from spacy.tokens import Token


class Group(StrEnum):
    """Families of cues. The order is that of trust: an earlier family is read first where two share a token."""

    STRONG = "V1"  # cause, trigger, bring about
    LINK = "VT"  # lead to, result in
    ORIGIN = "VF"  # result from, stem from
    NOMINAL = "NOUN"  # the cause of, the result of
    CONNECTIVE = "CONN"  # because, due to, in response to: the cause follows the cue
    FORWARD = "CONNF"  # so, therefore, as a result: the effect follows the cue
    HYPHEN = "HYPH"  # heat-induced
    CONSEQUENCE = "CONSEQ"  # ..., killing two
    REACTION = "REACT"  # ..., demanding a ban
    WEAK = "V2"  # produce, make, prevent
    CLAUSE = "SUB"  # as, when, after, if
    PURPOSE = "PURP"  # to + infinitive
    PREPOSITION = "PREP"  # from, by, after, with, over


@dataclass(slots=True)
class Relation:
    """A cue with the heads of its arguments.

    `at` and `width` give the cue's tokens; `verb` carries negation and modality; subtrees rooted at the tokens in
    `cut_cause` and `cut_effect` do not belong to the argument.
    """

    cue: str
    group: Group
    pattern: str
    at: int
    width: int
    cause: Token | None
    effect: Token | None
    verb: Token | None = None
    cut_cause: tuple[int, ...] = ()
    cut_effect: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        return f"{self.group}|{self.cue}|{self.pattern}"

    @property
    def family(self) -> str:
        return f"{self.group}|{self.pattern}"
