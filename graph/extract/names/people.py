"""Who speaks: the name of an author as a person's name, without address, role or handle mark."""

import re

_ROLES = frozenset(
    "user assistant system human ai tool bot agent model developer function unknown anonymous me root admin nobody".split()
)
_ADDRESS = re.compile(r"<[^<>]{0,200}>|\([^()]{0,200}\)")


def speaker_name(author: str | None) -> str:
    """The person's name in "Ana Costa <ana@x.org>", "@ana", "ana.costa@x.org"; empty for roles and for nobody."""
    if not author:
        return ""
    name = " ".join(_ADDRESS.sub(" ", author).split()).strip(" \"'@,")
    if not name:
        name = author.strip(" <>\"'")
    if re.fullmatch(r"[\w.+-]{1,64}@[\w.-]{1,255}", name):
        name = re.sub(r"[._+-]+", " ", name.split("@")[0]).title()
    return "" if name.lower() in _ROLES or not re.search(r"[^\W\d_]", name) else name
