"""Whether two names may mean one thing: yes, no, or not to be decided from the names alone. Pure, symmetric, cautious.

What differs in a number, a version, a code or a given name is never the same, however alike the rest. Nothing is decided by
likeness of spelling beyond fixed variants, and nothing by company (what two names are mentioned with).
"""

import re
import unicodedata

from graph.model.entities import EntityType
from graph.text.folding import fold
from graph.text.names import name_key

UNTYPED = frozenset({EntityType.OTHER, EntityType.TOPIC})
MIN_SQUASHED_CHARS = 5  # shorter names written together or apart are too often two things
MIN_TYPO_CHARS = 8
_HONORIFICS = frozenset(
    "mr mrs ms miss mx dr prof professor sir dame lord lady saint st rev reverend capt captain mme mlle herr frau".split()
)
_LEGAL_FORMS = frozenset("inc incorporated corp corporation co company ltd limited llc plc gmbh ag sa bv srl oy ab kg".split())
_VARIANTS = (
    (re.compile(r"ou(?=r(?:s|ed|ing|ite)?\b)"), "o"),  # colour, color
    (re.compile(r"is(?=(?:e|es|ed|ing|ation|ations|er|ers)\b)"), "iz"),  # organisation, organization
    (re.compile(r"tre(?=s?\b)"), "ter"),  # centre, center
    (re.compile(r"ogue(?=s?\b)"), "og"),  # catalogue, catalog
)
_QUALIFIER = re.compile(r"\(([^()]{1,80})\)\s*$")


def bare(name: str) -> str:
    """The name without emoji, other pictures and marks that only decorate it; a name of nothing else stays as it is."""
    kept = "".join(" " if decorates(char) else char for char in name)
    kept = " ".join(re.sub(r"\(\s*\)", " ", kept).split())
    return kept or " ".join(name.split())


def plain_key(name: str, type_: EntityType) -> str:
    """The name key without what changes nothing: emoji, a company's legal form, a person's title where two words are left."""
    words = _without_legal_form(name_key(bare(name))).split(" ")
    untitled = _untitled(words) if type_ is EntityType.PERSON else words
    return " ".join(untitled if len(untitled) > 1 else words)


def decorates(char: str) -> bool:
    """Whether a character is an emoji, another picture or a mark that changes one."""
    code = ord(char)
    joiner = code in (0x200D, 0xFE0E, 0xFE0F, 0x20E3) or 0x1F3FB <= code <= 0x1F3FF or 0xE0000 <= code <= 0xE007F
    return joiner or unicodedata.category(char) in ("So", "Cn", "Co")


def may_merge(name_a: str, type_a: EntityType, name_b: str, type_b: EntityType) -> bool | None:
    """True: one thing. False: two. None: the names alone do not say, and must stay apart until something else does.

    Symmetric. Two types that are both known and differ keep the same name apart.
    """
    if type_a is not type_b and not {type_a, type_b} & UNTYPED:
        return False
    a, b = bare(name_a), bare(name_b)
    qualified = _qualifiers(a, b)
    if qualified is not None:
        return None if qualified else False
    key_a, key_b = _spelled(name_key(a)), _spelled(name_key(b))
    if numbers(a) != numbers(b):
        return False
    if key_a == key_b:
        return True
    if EntityType.PERSON in (type_a, type_b):
        return _same_person(key_a.split(), key_b.split())
    return _same_thing(key_a, key_b)


def _qualifiers(a: str, b: str) -> bool | None:
    """None when neither or both equally bear a qualifier ("Mercury (planet)"); else whether the rest is alike."""
    one, other = _QUALIFIER.search(a), _QUALIFIER.search(b)
    if not one and not other:
        return None
    if one and other and fold(one.group(1)) == fold(other.group(1)):
        return None
    return name_key(_QUALIFIER.sub("", a)) == name_key(_QUALIFIER.sub("", b))


def numbers(name: str) -> tuple[str, ...]:
    """What in a name counts or codes: digit runs, with the letters that are written with them, and roman numerals; in order."""
    found = []
    for word in re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", name)):
        if any(char.isdigit() for char in word):
            found.append(word.casefold())
        elif re.fullmatch(r"[IVX]{1,4}", word) and word not in ("I", "X", "V"):
            found.append(word)
    return tuple(found)


def _spelled(key: str) -> str:
    """The key in one spelling of the variants, with "and" for "&"."""
    for pattern, spelling in _VARIANTS:
        key = pattern.sub(spelling, key)
    return key.replace(" & ", " and ")


def _same_person(a: list[str], b: list[str]) -> bool | None:
    """Given names that differ are two people; a name that lacks a part may be either."""
    titled = bool(a) and bool(b) and a[0] in _HONORIFICS and b[0] in _HONORIFICS and a[0] != b[0]
    a, b = _untitled(a), _untitled(b)
    if a == b:
        return None if len(a) == 1 and titled else True
    if len(a) == 1 or len(b) == 1:
        single, full = (a, b) if len(a) == 1 else (b, a)
        return None if len(full) > 1 and single[0] in (full[0], full[-1]) else False
    if a[-1] != b[-1]:
        return None if set(a) < set(b) or set(b) < set(a) else False
    if a[0] == b[0]:
        return _same_middle(a[1:-1], b[1:-1])
    return None if _initial_of(a[0], b[0]) else False


def _untitled(words: list[str]) -> list[str]:
    while len(words) > 1 and words[0] in _HONORIFICS:
        words = words[1:]
    return words


def _initial_of(a: str, b: str) -> bool:
    return (len(a) == 1 or len(b) == 1) and a[:1] == b[:1]


def _same_middle(a: list[str], b: list[str]) -> bool | None:
    if not a or not b:
        return None
    agree = len(a) == len(b) and all(x == y or _initial_of(x, y) for x, y in zip(a, b, strict=True))
    return None if agree else False


def _same_thing(a: str, b: str) -> bool | None:
    squashed_a, squashed_b = a.replace(" ", ""), b.replace(" ", "")
    if squashed_a == squashed_b and len(squashed_a) >= MIN_SQUASHED_CHARS:
        return True
    plain_a, plain_b = _without_legal_form(a), _without_legal_form(b)
    if plain_a == plain_b:
        return True
    if _initials(a) == b or _initials(b) == a:
        return None
    if set(plain_a.split()) < set(plain_b.split()) or set(plain_b.split()) < set(plain_a.split()):
        return None
    close = min(len(squashed_a), len(squashed_b)) >= MIN_TYPO_CHARS and one_edit(squashed_a, squashed_b)
    return None if close else False


def _without_legal_form(key: str) -> str:
    words = key.split()
    while len(words) > 1 and words[-1] in _LEGAL_FORMS:
        words = words[:-1]
    return " ".join(words)


def _initials(key: str) -> str:
    words = key.split()
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def one_edit(a: str, b: str) -> bool:
    """Whether one insertion, deletion, substitution or swap of neighbours leads from a to b (Damerau 1964)."""
    if abs(len(a) - len(b)) > 1:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    rest_a, rest_b = a[start:], b[start:]
    swapped = len(rest_a) > 1 and len(rest_b) > 1 and rest_a[:2] == rest_b[1::-1] and rest_a[2:] == rest_b[2:]
    return rest_a[1:] == rest_b or rest_a == rest_b[1:] or rest_a[1:] == rest_b[1:] or swapped


def resolve_bare(name: str, known: dict[str, EntityType]) -> list[str]:
    """The known names that a name may mean, in their order: more than one, and it stays unresolved and is listed."""
    same = [other for other, kind in known.items() if may_merge(name, kind, other, kind) is True]
    return same or [other for other, kind in known.items() if may_merge(name, kind, other, kind) is None]
