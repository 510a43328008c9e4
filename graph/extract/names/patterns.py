"""Technical names by pattern: addresses, paths, tickets, versions, handles, topics, code identifiers.

Every pattern is linear: no two neighbouring repeats can match the same characters.
"""

import re
from collections.abc import Iterator

from graph.extract.names.kinds import TECHNOLOGIES, type_of
from graph.extract.names.ordinary import CODE_WORDS
from graph.extract.names.seen import Seen
from graph.model.entities import EntityType

MAX_IDENTIFIER_CHARS = 80
MAX_PATTERN_NAMES = 60

_FILE_TYPES = (
    "py|pyi|js|jsx|ts|tsx|mjs|rs|go|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|bash|ps1|sql|md|rst|txt|json|jsonl|yaml"
    "|yml|toml|ini|cfg|conf|env|xml|html|css|scss|lock|csv|tsv|log|proto|tf|ipynb|pdf|docx|xlsx|pptx|zip|gz|db|sqlite|vue"
)
_URL = re.compile(r"\bhttps?://[^\s<>\"'`()\[\]{}]{1,2000}")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_PATH = re.compile(r"(?<![\w/.~-])(?:~/|\.{1,2}/|/)?(?:[\w@.+-]{1,80}/){1,20}[\w@+-][\w@.+-]{0,120}")
_WINDOWS_PATH = re.compile(r"\b[A-Za-z]:\\(?:[\w .@+-]{1,80}\\){0,20}[\w.@+-]{1,120}")
_FILE = re.compile(rf"(?<![\w/.@-])[\w-]{{1,80}}(?:\.[\w-]{{1,40}}){{0,3}}\.(?:{_FILE_TYPES})\b(?![\w(])")
_TICKET = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,7}(?:-\d{1,7})?\b(?!-\w)")
_NUMBERED = re.compile(
    r"\b(?:PR|MR|PEP|RFC|ADR|BIP|EIP|KIP|[Ii]ssue|[Pp]ull [Rr]equest|[Tt]icket|[Bb]ug) ?(?:#|no\. ?|-)?\d{1,7}\b"
)
_ISSUE = re.compile(r"(?<![\w&#/])#\d{1,7}\b(?![-\w])")
_VERSION = re.compile(r"(?<![\w.])v\d{1,4}(?:\.\d{1,5}){1,3}(?:-?(?:alpha|beta|rc|dev|post)\.?\d{0,3})?\b")
_HANDLE = re.compile(r"(?<![\w.@/`])@[A-Za-z][\w-]{1,38}\b(?![.(/])")
_TOPIC = re.compile(r"(?<![\w&#/`])#[A-Za-z][\w-]{2,50}\b")
_HEX_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z")
_SNAKE = re.compile(r"(?<![\w.-])_{0,2}[A-Za-z][A-Za-z0-9]{0,40}(?:_[A-Za-z0-9]{1,40}){1,8}(?![\w-])")
_CAMEL = re.compile(r"(?<![\w.-])[a-z]{1,20}(?:[A-Z][a-z0-9]{0,30}){1,8}(?![\w-])")
_PASCAL = re.compile(r"(?<![\w.-])[A-Z][a-z0-9]{1,30}(?:[A-Z][a-z0-9]{0,30}){1,8}(?![\w-])")
_DOTTED = re.compile(r"(?<![\w./-])[A-Za-z_]\w{1,40}(?:\.[A-Za-z_]\w{0,40}){1,6}(?=\()")
_CALL = re.compile(r"(?<![\w./-])[a-z_]\w{2,40}(?=\(\))")
_CODE_SPAN = re.compile(r"(?<!`)`([^`\n]{2,80})`(?!`)")
_KEBAB = re.compile(r"(?<![\w.-])[a-z][a-z0-9]{0,30}(?:-[a-z0-9]{1,30}){1,6}(?![\w-])")
_WORD = re.compile(r"(?<![\w.@/#-])[A-Za-z][A-Za-z0-9]{1,20}(?![\w/@-])")

_STANDARDS = frozenset({"UTF", "SHA", "ISO", "MD", "AES", "RSA", "IEEE", "COVID", "GPT", "BM", "BASE", "X", "CRC", "MP", "H"})
_DIRECTIVES = frozenset({"#include", "#define", "#ifdef", "#ifndef", "#endif", "#pragma", "#else", "#undef", "#error"})
_KEBAB_TAIL = frozenset(
    "api service svc server client cli sdk db worker cluster prod staging dev app bot proxy gateway ui web core js py plugin "
    "provider operator controller agent daemon lib queue cache store exporter backend frontend".split()
)
_KEBAB_AFTER = re.compile(r"\s(?:service|package|plugin|repo|repository|module|library|crate|gem|cluster|job|branch|image)\b")
_FUNCTION_WORDS = frozenset("a an the of to in on at by for and or as not up out off so be is it old year day time".split())


def _is_path(text: str) -> bool:
    named_file = re.search(rf"\.(?:{_FILE_TYPES})\Z", text)
    rooted = text.startswith(("/", "./", "../", "~/")) and len(text) > 3
    return bool(named_file or rooted or text.count("/") >= 2) and bool(re.search(r"[A-Za-z]{2}", text))


def _is_ticket(text: str) -> bool:
    return text.split("-", maxsplit=1)[0] not in _STANDARDS


def _is_topic(text: str) -> bool:
    return not _HEX_COLOUR.match(text) and text not in _DIRECTIVES


def _is_kebab_name(text: str, after: str) -> bool:
    parts = text.split("-")
    if any(part in _FUNCTION_WORDS for part in parts):
        return False
    digits = any(part[0].isalpha() and any(c.isdigit() for c in part) for part in parts)
    technical = any(part in TECHNOLOGIES for part in parts)
    return digits or technical or parts[-1] in _KEBAB_TAIL or bool(_KEBAB_AFTER.match(after))


_RULES: tuple[tuple[re.Pattern[str], EntityType], ...] = (
    (_URL, EntityType.DOCUMENT),
    (_EMAIL, EntityType.OTHER),
    (_WINDOWS_PATH, EntityType.DOCUMENT),
    (_PATH, EntityType.DOCUMENT),
    (_FILE, EntityType.DOCUMENT),
    (_NUMBERED, EntityType.DOCUMENT),
    (_TICKET, EntityType.DOCUMENT),
    (_ISSUE, EntityType.DOCUMENT),
    (_VERSION, EntityType.OTHER),
    (_HANDLE, EntityType.PERSON),
    (_TOPIC, EntityType.TOPIC),
    (_DOTTED, EntityType.CONCEPT),
    (_SNAKE, EntityType.CONCEPT),
    (_CAMEL, EntityType.CONCEPT),
    (_PASCAL, EntityType.OTHER),
    (_CALL, EntityType.CONCEPT),
    (_KEBAB, EntityType.OTHER),
)


def _accepted(pattern: re.Pattern[str], text: str, after: str) -> bool:
    if pattern is _PATH:
        return _is_path(text)
    if pattern is _TICKET:
        return _is_ticket(text)
    if pattern is _TOPIC:
        return _is_topic(text)
    if pattern is _CALL:
        return text not in CODE_WORDS
    if pattern is _KEBAB:
        return _is_kebab_name(text, after)
    return True


def _matches(text: str) -> Iterator[Seen]:
    for pattern, kind in _RULES:
        for match in pattern.finditer(text):
            name = match.group().rstrip(".,;:!?-")
            if not _accepted(pattern, name, text[match.end() : match.end() + 20]):
                continue
            known = type_of(name)
            yield Seen(match.start(), match.start() + len(name), name, kind if known is EntityType.OTHER else known)
    for match in _CODE_SPAN.finditer(text):
        name = match.group(1).strip()
        if name and not re.search(r"\s", name) and re.search(r"[^\W\d_]{2}", name) and name.lower() not in CODE_WORDS:
            kind = type_of(name)
            yield Seen(match.start(1), match.end(1), name, EntityType.CONCEPT if kind is EntityType.OTHER else kind)
    for match in _WORD.finditer(text):
        if match.group().lower() in TECHNOLOGIES:
            yield Seen(match.start(), match.end(), match.group(), EntityType.TOOL)


def technical_names(text: str) -> list[Seen]:
    """Technical names in order of place; of overlapping ones the earlier rule's; at most MAX_PATTERN_NAMES distinct ones."""
    kept: list[Seen] = []
    taken = bytearray(len(text))
    names: set[str] = set()
    for seen in _matches(text):
        if seen.end - seen.start > MAX_IDENTIFIER_CHARS and seen.type is not EntityType.DOCUMENT:
            continue
        if any(taken[seen.start : seen.end]) or (len(names) >= MAX_PATTERN_NAMES and seen.text not in names):
            continue
        taken[seen.start : seen.end] = b"\x01" * (seen.end - seen.start)
        names.add(seen.text)
        kept.append(seen)
    return sorted(kept, key=lambda seen: seen.start)
