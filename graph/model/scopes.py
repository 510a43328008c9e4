"""A scope is the access boundary of a memory. It is part of every id and filtered in every query."""

import re
from typing import Annotated

from pydantic import AfterValidator

from graph.errors import InvalidScope

DEFAULT_SCOPE = "global"
MAX_SCOPE_LENGTH = 128
_ALLOWED = re.compile(r"[^\W_][\w.:@/+-]*", re.UNICODE)


def checked_scope(scope: str) -> str:
    """Return `scope` unchanged, or raise InvalidScope: 1 to 128 letters, digits and `_ . : @ / + -`, first no sign."""
    if len(scope) > MAX_SCOPE_LENGTH or not _ALLOWED.fullmatch(scope):
        raise InvalidScope(
            f"scope {scope[:40]!r} is not usable: write 1 to {MAX_SCOPE_LENGTH} letters, digits or _ . : @ / + -, "
            "beginning with a letter or digit"
        )
    return scope


Scope = Annotated[str, AfterValidator(checked_scope)]
