"""Names by the parse: statistical entities and maximal proper-noun runs."""

import re
from collections.abc import Iterator

from spacy.tokens import Doc, Span, Token

from graph.extract.names.given import GIVEN_NAMES
from graph.extract.names.kinds import LABELS, type_of
from graph.extract.names.ordinary import SHOUTED, is_command
from graph.extract.names.scripts import OTHER_SCRIPT
from graph.extract.names.seen import Seen
from graph.text.entities import decorates
from graph.text.names import CALENDAR, name_words

_CONNECTORS = frozenset({"of", "the", "de", "von", "van", "der", "la", "le", "di", "da", "del", "du", "bin", "al"})
_EDGES = " \t\n\"'“”‘’«»`*_~|()[]{}<>.,;:!?…-–—/\\#=+"
_POSSESSIVE = re.compile(r"['’]s\Z|(?<=s)['’]\Z")
_NOISE = re.compile(r"[\n|<>{}\[\]=`*()]|\\|:(?! [A-Z])|  ")
_NOT_NAMES = frozenset(
    "i ok okay yes no yeah hi hello hey thanks thank please sorry wow oh well lol todo fixme note nb fyi btw imo etc eg ie "
    "mr mrs ms dr sir madam mom dad mum am pm utc gmt today tomorrow yesterday monday tuesday n/a nan null none true false "
    "haha yay hmm ah aww congrats cheers bye".split()
)
_BREAKS = frozenset("the this that these those in on at if when we it he she they i you as and or but a an for by to".split())
_PLACES_IN_TEXT = frozenset(
    "step day page chapter section line figure table part item note option phase level week year row column list answer".split()
)
MAX_RUN_TOKENS = 12


def trimmed(start: int, text: str) -> tuple[int, str]:
    """The name without quotes, punctuation and possessive at its edges, and where it now starts."""
    first, last = 0, len(text)
    while first < last and (text[first] in _EDGES or decorates(text[first])):
        first += 1
    while last > first and (text[last - 1] in _EDGES or decorates(text[last - 1])):
        last -= 1
    lead, kept = first, _POSSESSIVE.sub("", text[first:last]).rstrip(_EDGES)
    return start + lead, kept


def _plausible(name: str) -> bool:
    """Whether a run of tokens can be a name; other scripts are left to their own patterns."""
    words = name_words(name)
    if not words or _NOISE.search(name) or not re.search(r"[^\W\d_]", name):
        return False
    if OTHER_SCRIPT.search(name) or (name.isupper() and all(word in SHOUTED for word in words)):
        return False
    return not all(word in _NOT_NAMES or word in CALENDAR or word.isdigit() for word in words)


def _entities(doc: Doc) -> Iterator[Seen]:
    for entity in doc.ents:
        if entity.label_ not in LABELS:
            continue
        for part in _unbroken(entity):
            command = bool(part[0].is_sent_start) and is_command(part[0].lower_)
            start, name = trimmed(part[command:].start_char, part[command:].text)
            tagged = any(token.pos_ == "PROPN" or token.text[:1].isupper() for token in part)
            if tagged and _plausible(name):
                yield Seen(start, start + len(name), name, type_of(name, entity.label_))


def _unbroken(entity: Span) -> Iterator[Span]:
    """An entity cut at line breaks, which the model reads across."""
    start = entity.start
    for token in entity:
        if token.is_space and "\n" in token.text:
            if token.i > start:
                yield entity.doc[start : token.i]
            start = token.i + 1
    if start < entity.end:
        yield entity.doc[start : entity.end]


def _capital(token: Token) -> bool:
    if token.lower_ in _BREAKS:
        return False
    if token.lower_ in GIVEN_NAMES and token.is_title:
        return True
    if token.pos_ == "PROPN":
        return bool(token.text[:1].isalnum())
    return bool(token.text[:1].isupper() and token.is_alpha and not token.is_sent_start and token.pos_ not in ("PRON", "INTJ"))


def _run_end(doc: Doc, start: int) -> int:
    """The end of the maximal run that begins at a capital: numbers after a name and connectors between names belong to it."""
    end = start + 1
    while end < len(doc) and end - start < MAX_RUN_TOKENS:
        token = doc[end]
        if _capital(token) or (token.like_num and doc[end - 1].pos_ == "PROPN"):
            end += 1
        elif token.lower_ in _CONNECTORS and end + 1 < len(doc) and _capital(doc[end + 1]) and doc[end + 1].is_alpha:
            end += 2
        elif token.lower_ == "of" and end + 2 < len(doc) and doc[end + 1].lower_ == "the" and _capital(doc[end + 2]):
            end += 3
        elif token.text == "-" and end + 1 < len(doc) and not token.whitespace_ and _capital(doc[end + 1]):
            end += 2
        else:
            break
    return end


def _numbered(doc: Doc, start: int) -> bool:
    """A capital noun that opens a sentence, with a number after it ("Room 101"), is a name and not a place in a text."""
    token = doc[start]
    follows = start + 1 < len(doc) and doc[start + 1].is_digit
    return bool(follows and token.is_title and token.is_alpha and token.pos_ == "NOUN" and token.lower_ not in _PLACES_IN_TEXT)


def _runs(doc: Doc) -> Iterator[Seen]:
    position = 0
    while position < len(doc):
        numbered = _numbered(doc, position)
        if not numbered and not _capital(doc[position]):
            position += 1
            continue
        end = position + 2 if numbered else _run_end(doc, position)
        command = bool(doc[position].is_sent_start) and is_command(doc[position].lower_)
        span = doc[position + command : end]
        start, name = trimmed(span.start_char, span.text)
        if _plausible(name):
            yield Seen(start, start + len(name), name, type_of(name))
        position = end


def _also_common(doc: Doc) -> frozenset[str]:
    """Words that the same text writes in lower case: their capital at a sentence's start says nothing."""
    return frozenset(token.text for token in doc if token.text.islower())


def parsed_names(doc: Doc) -> Iterator[Seen]:
    """Entities first, then runs; a single capital word that opens a sentence and is written small elsewhere is left out."""
    common = _also_common(doc)
    starts = {token.idx for token in doc if token.is_sent_start}
    for seen in (*_entities(doc), *_runs(doc)):
        if seen.start in starts and " " not in seen.text and seen.text.lower() in common:
            continue
        yield seen
