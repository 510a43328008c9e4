"""What a stated event is about: content stems with nouns folded onto verbs, codes and numbers.

Two tellings of one event share little grammar ("the disk filled up", "because of the full disk"), so forms are folded harder
than for the search index: irregular forms and nominalisations onto their verb, a few states onto the event that brings them.
"""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from graph.text.folding import fold
from graph.text.terms import STOP_WORDS, stem

# Forms that English stemming leaves apart, each group onto its first word.
_FAMILIES = """
lose loss losses lost|fail failure failures|expire expiry expiration|grow growth grew grown|break broke broken breakage
fall fell fallen|run ran running|go went gone|send sent|lead led|leave left|rise rose risen|freeze froze frozen
write wrote written|begin began begun|build built|buy bought|sell sold sale sales|choose chose chosen choice|feed fed
hold held|keep kept|make made|meet met|pay paid payment|say said|shut shutdown|sleep slept|speak spoke spoken speech
spend spent|steal stole stolen theft|take took taken|tear tore torn|tell told|think thought|throw threw thrown|win won
fill full fills|empty emptied emptiness|slow slowness slowdown slower slowly|delay late lateness|refuse refusal|deny denial
remove removal|delete deletion|arrive arrival|approve approval|renew renewal|die death dead died|give gave given gift
know knew known knowledge|see saw seen sight|drop dropped|leak leakage|short shortage|store storage|bear born birth
fly flew flown flight|sink sank sunk|drive drove driven|forget forgot forgotten|hide hid hidden|ride rode ridden
shake shook shaken|swear swore sworn|wear wore worn|weave wove woven|fight fought|catch caught|teach taught|bring brought
blow blew blown|burn burnt|seek sought|bind bound|find found|grind ground|wind wound|strike struck|swing swung|hang hung
stick stuck|dig dug
quit resign resigned resignation|night nightly overnight|day daily|week weekly|month monthly|year yearly annual annually
heat hot heated|cold cool cooled|strong strengthen strength|weak weaken weakness|long lengthen length|wide widen width
high height|deep deepen depth|ill illness sick sickness|absent absence lack lacking missing|wrong error mistake incorrect
overheat overheated|marry marriage wedding|move moved relocation relocate|hire hired|injure injury hurt|succeed success
decide decision|conclude conclusion|receive receipt|describe description|explode explosion|invade invasion|divide division
collide collision|expand expansion|persuade persuasion|permit permission|omit omission|admit admission|submit submission
produce production|reduce reduction|destroy destruction|construct construction build|solve solution|resolve resolution
revolve revolution|absorb absorption|consume consumption|deceive deception|perceive perception|analyse analyze analysis
enter entry entrance|depart departure|press pressure|expose exposure|close closure|seize seizure|mix mixture
maintain maintenance|appear appearance|disappear disappearance|accept acceptance|resist resistance|interfere interference
occur occurrence|depend dependence dependency|exist existence|differ difference|prefer preference|refer reference
complain complaint|restrain restraint|constrain constraint|poison poisoned poisonous|rain rainy rained|snow snowy snowed
"""
# Words that carry little of what a statement is about.
_LIGHT = frozenset(
    stem(word)
    for word in """
    already again also just still even only really very too rather soon later before after until since while during
    because due reason cause result lead why therefore hence thus so consequence thing things something anything nothing
    get got become became seem seemed happen happened occurred went go come came make made keep kept start started begin
    one two first last next new old other another same such some any all many much more most few several every each own
    now then today yesterday tomorrow time day morning evening hour minute always never often once no nor up down out off
    over under back away through around between against within without upon across along behind could should may might must
    can shall need want let put set say said tell told know think well way lot bit part
    thank thanks please sorry welcome hello hey hi bye wow yeah yes yep yup okay ok sure oh ah aw congrats cheers
    glad great good nice cool awesome amazing lovely wonderful fun best love like enjoy feel feeling hope wish try look sound
    seem mean talk chat see check crazy happy proud excited feels sounds looks totally definitely absolutely guess gonna
    """.split()
)
# Number words keep things apart as digits do; "one" and "two" are too often mere grammar.
_NUMBERS = frozenset(
    "three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen "
    "twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million".split()
)
_OPPOSITES = """
import export|east west|north south|old new|open close|raise lower|increase decrease|rise drop|win lose|start stop|begin end
enable disable|allow forbid|accept refuse|pass fail|add remove|buy sell|hire dismiss|grandmother grandfather|mother father
brother sister|upstream downstream|inbound outbound|left right|upper lower|first last|fast slow|hot cold
true false|male female
arrive depart|encode decode|encrypt decrypt|upgrade downgrade|success failure|succeed fail|grow shrink|read write
internal external
"""
_VERB_ENDINGS = ("ed", "ing")
_DETERMINERS = frozenset("a an the its our their my his her your this that these those".split())
_POINTING = re.compile(
    r"\W*(?:(?:that|because|since|as|so|and|but|then|also|now|after|when|while|if)\s+)?"
    r"(?:th(?:is|ese|ose)\b|that\s+(?!the\b|a\b|an\b|we\b|it\b|all\b|no\b)\w+\s+(?:is|was|has|had|did|does|will|would|could|can)\b"
    r"|(?:it|they|he|she|here)\b)",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"^\W*(?:if|unless|suppose|supposing|imagine|in case)\b|\b(?:would|might|could)\s+(?:have\s+)?\w", re.IGNORECASE
)
_TOKEN = re.compile(r"[^\W_]+(?:[-_./:#@][^\W_]+)*", re.UNICODE)


def _folded_families() -> dict[str, str]:
    table: dict[str, str] = {}
    for group in re.split(r"[|\n]", _FAMILIES):
        forms = group.split()
        for form in forms:
            table.setdefault(form, stem(forms[0]))
            table.setdefault(stem(form), stem(forms[0]))
    return table


_FAMILY_OF = _folded_families()


def _folded_opposites() -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for pair in re.split(r"[|\n]", _OPPOSITES.strip()):
        one, other = (root(word) for word in pair.split())
        table[one] = table.get(one, frozenset()) | {other}
        table[other] = table.get(other, frozenset()) | {one}
    return table


@lru_cache(maxsize=200_000)
def root(word: str) -> str:
    """The folded word's stem, with irregular forms and nominalisations brought onto their verb."""
    return _FAMILY_OF.get(word) or _FAMILY_OF.get(stem(word)) or stem(word)


_OPPOSITES_OF = _folded_opposites()


@dataclass(frozen=True, slots=True)
class Content:
    """Content roots, also in order; codes (anything with a digit), names (capitals inside a sentence), what looks verbal.

    `telling`: it holds content words at all, and not only such as stand in any talk ("thanks", "that was great").
    """

    roots: frozenset[str]
    order: tuple[str, ...]
    telling: bool
    codes: frozenset[str]
    names: frozenset[str]
    verbal: frozenset[str]


@lru_cache(maxsize=10_000)
def content(text: str) -> Content:
    """What `text` is about. Light words stay only when nothing else is there."""
    heavy: list[str] = []
    light: list[str] = []
    codes: set[str] = set()
    names: set[str] = set()
    verbal: set[str] = set()
    before = ""
    for match in _TOKEN.finditer(text):
        surface = match.group()
        if any(c.isdigit() for c in surface) or fold(surface) in _NUMBERS:
            codes.add(fold(surface))
        if match.start() > 0 and surface[0].isupper():
            names.add(root(fold(surface)))
        for word in map(fold, re.split(r"[-_./:#@]", surface)):
            if word and word not in STOP_WORDS:
                (light if root(word) in _LIGHT or word in _LIGHT else heavy).append(root(word))
                verbal |= {root(word)} if _looks_verbal(word, before) else set()
            before = word
    kept = heavy or light
    return Content(frozenset(kept), tuple(kept), bool(heavy), frozenset(codes), frozenset(names), frozenset(verbal))


def _looks_verbal(word: str, before: str) -> bool:
    """Whether a folded word may be a verb: by its form, unless it stands behind an article as adjectives do."""
    return before not in _DETERMINERS and (word in _FAMILY_OF or word.endswith(_VERB_ENDINGS))


def pointing(text: str) -> bool:
    """Whether what a text tells of is only pointed at ("this change broke it", "it was rejected"): its first noun phrase
    is a demonstrative or a pronoun, so that its words alone do not say what is meant.
    """
    return bool(_POINTING.match(text))


def asserted(sentence: str) -> bool:
    """Whether a sentence states something: not a question, not a condition or a mere possibility."""
    return not sentence.rstrip().endswith(("?", "？")) and not _HYPOTHETICAL.search(sentence)


def opposed(one: Content, other: Content) -> bool:
    """Whether what each says beyond the other keeps them apart: unlike codes or numbers, unlike names, opposites, contrast."""
    if one.codes and other.codes and not one.codes & other.codes:
        return True
    if one.names - other.roots and other.names - one.roots:
        return True
    rest = other.roots - one.roots
    if any(_OPPOSITES_OF.get(word, frozenset()) & rest for word in one.roots - other.roots):
        return True
    return contrasted(one, other)


def contrasted(one: Content, other: Content) -> bool:
    """Whether one word stands in the place of another among words that are alike ("the search worker", "the mail worker").

    Verbs are let pass: two tellings of one event differ in them more often than not.
    """
    changes = SequenceMatcher(None, one.order, other.order, autojunk=False).get_opcodes()
    for tag, a1, a2, b1, b2 in changes:
        was, now = set(one.order[a1:a2]), set(other.order[b1:b2])
        told_elsewhere = was & other.roots or now & one.roots
        if tag == "replace" and a2 - a1 == b2 - b1 and not told_elsewhere and not (was & one.verbal or now & other.verbal):
            return True
    return False
