"""forget, restore, pin: change the state of observations, entities or facts. Every one can be taken back."""

from argparse import Namespace

from backstory import calls
from backstory.calls import Call
from backstory.cli import exits
from backstory.cli.session import out, print_json, scope, send
from backstory.errors import NotFound


def forget(options: Namespace) -> int:
    """Put items out of sight; `restore` brings them back."""
    return _moved(options, calls.set_status(scope(options), options.ids, "forgotten", options.reason), "moved")


def restore(options: Namespace) -> int:
    """Bring forgotten, archived or superseded items back."""
    return _moved(options, calls.set_status(scope(options), options.ids, "active", options.reason), "moved")


def pin(options: Namespace) -> int:
    """Pin observations, or with --off unpin them."""
    return _moved(options, calls.pin(scope(options), options.ids, pinned=not options.off), "changed")


def _moved(options: Namespace, call: Call, told: str) -> int:
    """Send the call; `told` is the field of the answer that names the ids that changed."""
    moved = send(options, call)[told]
    if options.json:
        print_json({"moved": moved})
    else:
        out(f"{len(moved)} of {len(options.ids)} changed")
    if not moved:
        raise NotFound("none of these ids is in the scope in another state")
    return exits.OK
