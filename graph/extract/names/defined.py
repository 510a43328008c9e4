"""Names that a passage defines: its title, what its lead speaks of ("X (...) is a", "X, the"), and their other forms."""

import re

from graph.text.names import name_words, usable_name

LEAD_CHARS = 200
ALIAS_CHARS = 260
MAX_LEAD_WORDS = 9
MAX_TITLE_CHARS = 500
_CONNECTORS = frozenset("of the de von van der la le di da del and for in on to a".split())
_HONORIFICS = frozenset(
    "sir dr lord lady saint st prince princess king queen mr mrs ms general colonel captain major rev reverend count countess "
    "duke duchess baron baroness emperor empress pope president professor prof".split()
)
_NOT_FIRST = frozenset(
    "he she it they we i you this that these those there here what who in on after during when as at by for from if while "
    "since because although with without to so but and or also my our your his her their its however then now today "
    "yesterday tomorrow yes no please note thanks".split()
)
_MARK = re.compile(r" ?\(| is | was | are | were |, | has | had |;|:| refers | be ")
_ARTICLE = re.compile(r"(?:the|an?) ", re.IGNORECASE)
_QUOTES = " \"'“‘«`”’»"
_DEFINING = re.compile(r" (?:is|was|are|were) (?:an?|the|one of) | ?\(|, an? |, the | refers ")
_ALSO_KNOWN = re.compile(
    r"(?:known(?: professionally| commonly| simply| mononymously)? as|née|born as|stage name|nicknamed|abbreviated(?: as)?"
    r"|called|a\.?k\.?a\.?|, or|renamed to|short for)\s+(?:the )?[\"“']?"
    r"((?:[A-Z](?:\.|[\w'’-]{1,40}))(?: (?:of |the |de |van |von )?[A-Z](?:\.|[\w'’-]{1,40})){0,4})"
)
_ACRONYM = re.compile(r"\(([A-Z][A-Za-z.&-]{1,9})[);,]")
_PARENTHESIS = re.compile(r"\([^()]{0,200}\)")
_IDENTIFIER_TITLE = re.compile(r"((?:PEP|RFC|ADR|BIP|EIP|KIP|[A-Z]{2,8})[ -]?\d{1,6})\s*[:–—-]\s*(\S.*)")


def title_names(title: str) -> list[str]:
    """The title without parentheses, its part before the first comma, and the two sides of "PEP 1 - Purpose"."""
    plain = " ".join(_PARENTHESIS.sub(" ", title[:MAX_TITLE_CHARS]).split())
    numbered = _IDENTIFIER_TITLE.match(plain)
    forms = [plain, plain.split(",")[0].strip(), *(part.strip() for part in (numbered.groups() if numbered else ()))]
    return list(dict.fromkeys(form for form in forms if usable_name(name_words(form))))


def lead_name(text: str, *, strict: bool) -> tuple[int, str] | None:
    """Place and form of the name that the text's first words define, if any.

    `strict` (talk, where a sentence may begin with any word) wants "X is a", "X (" or "X, a" after it.
    """
    head = text[:LEAD_CHARS]
    start = len(head) - len(head.lstrip(_QUOTES + "\n"))
    article = _ARTICLE.match(head, start)
    start = article.end() if article else start
    mark = _MARK.search(head, start + 1)
    if not mark or (strict and not _DEFINING.match(text, mark.start())):
        return None
    start += len(head[start : mark.start()]) - len(head[start : mark.start()].lstrip(_QUOTES))
    name = head[start : mark.start()].rstrip(_QUOTES)
    words = name_words(name)
    if not words or len(words) > MAX_LEAD_WORDS or words[0] in _NOT_FIRST or not (name[:1].isupper() or name[:1].isdigit()):
        return None
    return (start, name) if usable_name(words) else None


def _cut_forms(words: list[str]) -> list[str]:
    """Every prefix and suffix of at least two words that is not cut at a connector."""
    found = []
    for cut in range(1, len(words) - 1):
        if words[cut].lower() not in _CONNECTORS:
            found.append(" ".join(words[cut:]))
        if words[len(words) - 1 - cut].lower() not in _CONNECTORS:
            found.append(" ".join(words[: len(words) - cut]))
    return found


def short_forms(name: str) -> list[str]:
    """Without honorific; first and last word of a name all in capitals; prefixes and suffixes of two words and more.

    A form that drops a number or a version is no form of the same thing.
    """
    words = name.split()
    bare = list(words)
    while len(bare) > 2 and bare[0].lower().rstrip(".") in _HONORIFICS:
        bare = bare[1:]
    forms = [" ".join(bare)]
    if any(any(c.isdigit() for c in word) for word in bare):
        return [form for form in forms if form != name]
    if len(bare) >= 3 and all(w[:1].isupper() for w in bare) and not any(w.lower() in _CONNECTORS for w in bare):
        forms.append(f"{bare[0]} {bare[-1]}")
    forms += _cut_forms(bare)
    return [form for form in dict.fromkeys(forms) if form != name and usable_name(name_words(form))]


def other_names(text: str) -> list[str]:
    """Names that the lead gives beside the first: "known as Y", "née Y", a parenthesised acronym."""
    found = [match.group(1) for match in _ALSO_KNOWN.finditer(text, 0, ALIAS_CHARS)]
    acronym = _ACRONYM.search(text, 0, 140)
    if acronym and text.find("(") == acronym.start():
        found.append(acronym.group(1))
    return [name for name in dict.fromkeys(found) if usable_name(name_words(name))]
