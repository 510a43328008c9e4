"""All names of one passage, in order of place, each with its sentence and whether the passage defines it."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from spacy.tokens import Doc

from graph.extract.names.defined import lead_name, other_names, short_forms, title_names
from graph.extract.names.kinds import type_of
from graph.extract.names.patterns import technical_names
from graph.extract.names.people import speaker_name
from graph.extract.names.runs import parsed_names
from graph.extract.names.scripts import latin_names, other_script_names
from graph.extract.names.seen import Seen
from graph.extract.names.versions import unversioned
from graph.extract.parsing import Parsed
from graph.model.entities import EntityType
from graph.model.extraction import NameSeen, Passage
from graph.model.observations import Span
from graph.text.names import name_key, name_words, usable_name

NOWHERE = -1
_CODE = (EntityType.DOCUMENT, EntityType.CONCEPT)
_NOT_NOMINAL = ("ADP", "SCONJ", "CCONJ", "PRON", "AUX", "INTJ")
TITLE_WORDS_OF_A_DOCUMENT = 5


def find(parsed: Parsed, passage: Passage) -> tuple[NameSeen, ...]:
    """Names of a passage: first its author and title (no span, sentence -1), then by place, each once per sentence.

    A name has one type in a passage. The lead's name has `defines` and its other forms as aliases. What was not parsed (code,
    other languages) still gives names by pattern. Never raises for a strange text.
    """
    starts = [sentence.span.start for sentence in parsed.sentences]
    technical = technical_names(parsed.text)
    prose = [_original(one, parsed) for name in parsed_names(parsed.doc) for one in (name, *unversioned(name))]
    kept = _apart(prose, technical)
    versions = [bare for name in technical for bare in unversioned(name)]
    foreign = latin_names(parsed.text) if parsed.partial == "language" else ()
    seen = _merged([*technical, *versions, *kept, *other_script_names(parsed.text), *foreign])
    types = _types(seen)
    named = _once_per_sentence(_placed(one, starts, types) for one in seen)
    return (*_author(passage), *_titles(passage, types), *_with_lead(named, parsed, passage, types))


def _original(seen: Seen, parsed: Parsed) -> Seen:
    """The same name at its place in the passage's own text, which may hold mark-up and line breaks in it."""
    span = parsed.characters(seen.start, seen.end)
    return Seen(span.start, span.end, seen.text, seen.type)


def _apart(names: Iterable[Seen], technical: Sequence[Seen]) -> list[Seen]:
    """Names that are no piece of a path or an identifier, and no run of words around one. `technical` by place, apart."""
    starts = [one.start for one in technical]
    kept = []
    for name in names:
        at = bisect_right(starts, name.start) - 1
        within = at >= 0 and technical[at].end >= name.end and technical[at].end - technical[at].start > name.end - name.start
        around = [one for one in technical[max(at, 0) : bisect_right(starts, name.end)] if _inside(one, name)]
        if not within and not any(one.type in _CODE for one in around):
            kept.append(name)
    return kept


def _inside(one: Seen, other: Seen) -> bool:
    return other.start <= one.start and one.end <= other.end and one.end - one.start < other.end - other.start


def _merged(found: Iterable[Seen]) -> list[Seen]:
    """Usable names by place; of exact repeats the first with a type stays, nested names stay."""
    kept: dict[tuple[int, int], Seen] = {}
    for one in found:
        if usable_name(name_words(one.text)):
            known = kept.get((one.start, one.end))
            if known is None or known.type is EntityType.OTHER:
                kept[one.start, one.end] = one
    return sorted(kept.values(), key=lambda one: (one.start, -one.end))


def _types(seen: Sequence[Seen]) -> dict[str, EntityType]:
    """One type per key: the one seen most often, OTHER only where nothing better was seen; ties by first place."""
    votes: dict[str, dict[EntityType, int]] = {}
    for one in seen:
        tally = votes.setdefault(name_key(one.text), {})
        tally[one.type] = tally.get(one.type, 0) + (1 if one.type is EntityType.OTHER else 1000)
    return {key: max(tally, key=lambda kind: tally[kind]) for key, tally in votes.items()}


def _placed(one: Seen, starts: Sequence[int], types: dict[str, EntityType]) -> NameSeen:
    return NameSeen(
        text=one.text,
        type=types[name_key(one.text)],
        sentence=max(0, bisect_right(starts, one.start) - 1),
        span=Span(start=one.start, end=one.end),
    )


def _once_per_sentence(names: Iterable[NameSeen]) -> list[NameSeen]:
    first: dict[tuple[str, int], NameSeen] = {}
    for name in names:
        first.setdefault((name_key(name.text), name.sentence), name)
    return list(first.values())


def _author(passage: Passage) -> list[NameSeen]:
    name = speaker_name(passage.author)
    return [NameSeen(text=name, type=EntityType.PERSON, sentence=NOWHERE, span=None)] if name else []


def _titles(passage: Passage, types: dict[str, EntityType]) -> list[NameSeen]:
    found = []
    for name in title_names(passage.title):
        kind = types.get(name_key(name), type_of(name))
        if kind is EntityType.OTHER and len(name_words(name)) >= TITLE_WORDS_OF_A_DOCUMENT:
            kind = EntityType.DOCUMENT
        forms = tuple(short_forms(name)) if kind is EntityType.PERSON else ()
        found.append(NameSeen(text=name, type=kind, sentence=NOWHERE, span=None, defines=True, aliases=forms))
    return found


def _with_lead(names: list[NameSeen], parsed: Parsed, passage: Passage, types: dict[str, EntityType]) -> list[NameSeen]:
    """Mark the name that the lead defines, with its short forms and other names; add it where nothing else found it."""
    strict = not passage.title
    lead = lead_name(parsed.doc.text, strict=strict)
    if lead is None or not _nominal(parsed.doc, *lead, strict=strict, seen=name_key(lead[1]) in types):
        return names
    place, text = lead
    span, key = parsed.characters(place, place + len(text)), name_key(text)
    same = next((name for name in names if name_key(name.text) == key), None)
    defined = NameSeen(
        text=text,
        type=types.get(key) or type_of(text),
        sentence=same.sentence if same else parsed.sentence_of(0),
        span=span,
        defines=True,
        aliases=tuple(dict.fromkeys([*short_forms(text), *other_names(parsed.doc.text)])),
    )
    rest = [name for name in names if (name_key(name.text), name.sentence) != (key, defined.sentence)]
    at = bisect_right([name.span.start if name.span else -1 for name in rest], span.start - 1)
    return [*rest[:at], defined, *rest[at:]]


def _nominal(doc: Doc, start: int, name: str, *, strict: bool, seen: bool) -> bool:
    """Whether the lead is a name at all: in a document any noun phrase with a noun, in talk a proper one."""
    span = doc.char_span(start, start + len(name), alignment_mode="expand")
    if span is None or span[0].pos_ in _NOT_NOMINAL:
        return False
    if seen:
        return True
    if any(token.pos_ in ("VERB", "AUX") and token.dep_ not in ("amod", "compound") for token in span):
        return any(token.ent_type_ in ("WORK_OF_ART", "PERSON") for token in span)
    return any(token.pos_ == "PROPN" or (not strict and token.pos_ == "NOUN") for token in span)
