"""What commands share: the service they talk to, their scopes, and how one JSON object is printed."""

import json
import sys
from argparse import Namespace
from typing import Any

from backstory import places
from backstory.calls import Call
from backstory.transport import TIMEOUT, Transport


def send(options: Namespace, call: Call, *, timeout: float = TIMEOUT) -> Any:
    """Send one call to the daemon (found or started) or the URL that the options name."""
    transport = connect(options, timeout=timeout)
    try:
        return transport.request(*call)
    finally:
        transport.close()


def connect(options: Namespace, *, timeout: float = TIMEOUT) -> Transport:
    return Transport(places.data_directory(options.data), places.url(options.url), timeout=timeout)


def scope(options: Namespace) -> str:
    """The one scope to write to: the last one named."""
    return options.scope[-1] if options.scope else places.scope()


def scopes(options: Namespace) -> list[str]:
    """The scopes to look in."""
    return list(options.scope) if options.scope else [places.scope()]


def print_json(body: Any) -> None:
    """One object on standard output; characters that the terminal cannot show are escaped."""
    text = json.dumps(body, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)
    out(text)


def out(text: str = "") -> None:
    """A line on standard output that cannot fail for its characters."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding))
