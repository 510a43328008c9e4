"""Where things are for a client: the data directory, the socket of its daemon, defaults from the environment.

The same rules as the daemon's settings, said again in the standard library: a client may import no other room.
"""

import json
import os
import sys
from typing import Any

DEFAULT_SCOPE = "global"
LOCK_NAME = "owner.lock"
SOCKET_NAME = "daemon.sock"
LOG_NAME = "daemon.log"


def data_directory(given: str | os.PathLike[str] | None = None) -> str:
    """The data directory: `given`, else $BACKSTORY_DATA, else the platform's own place for user data. Absolute."""
    chosen = os.fspath(given) if given else os.environ.get("BACKSTORY_DATA") or _platform_place()
    return os.path.abspath(os.path.expanduser(chosen))  # noqa: PTH100, PTH111  (pathlib would cost a client's start)


def _platform_place() -> str:
    home = os.path.expanduser("~")  # noqa: PTH111
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or home, "backstory")  # noqa: PTH118
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support", "backstory")  # noqa: PTH118
    return os.path.join(os.environ.get("XDG_DATA_HOME", "").strip() or os.path.join(home, ".local", "share"), "backstory")  # noqa: PTH118


def url(given: str | None = None) -> str | None:
    """The URL to talk to instead of a local daemon: `given`, else $BACKSTORY_URL."""
    return given or os.environ.get("BACKSTORY_URL") or None


def scope(given: str | None = None) -> str:
    """The scope: `given`, else $BACKSTORY_SCOPE, else `global`."""
    return given or os.environ.get("BACKSTORY_SCOPE") or DEFAULT_SCOPE


def owner(directory: str) -> dict[str, Any]:
    """What the owner of a data directory says of itself (pid, socket, url); empty when nobody does."""
    try:
        with open(os.path.join(directory, LOCK_NAME), encoding="utf-8") as file:  # noqa: PTH118, PTH123
            said = json.load(file)
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}
