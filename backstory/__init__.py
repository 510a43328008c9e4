"""Backstory: the memory of AI agents. This package is what users import and type.

`Backstory` and `AsyncBackstory` talk to the daemon of a data directory (found, or started) or to a URL. Standard library
only, and httpx for the asynchronous client; no other room of the project is imported.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from backstory.aio import AsyncBackstory
    from backstory.client import Backstory
    from backstory.errors import BackstoryError

__all__ = ["AsyncBackstory", "Backstory", "BackstoryError"]

_HOMES = {"AsyncBackstory": "backstory.aio", "Backstory": "backstory.client", "BackstoryError": "backstory.errors"}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: the command line needs none of them, and must start fast."""
    if name in _HOMES:
        from importlib import import_module  # noqa: PLC0415  (see above)

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'backstory' has no attribute {name!r}")
