"""ask, why, when, who, recall, trace."""

from argparse import Namespace
from typing import Any

from backstory import calls
from backstory.cli import exits, printing
from backstory.cli.session import out, print_json, scopes, send

SHOWN = 5  # results for people


def ask(options: Namespace) -> int:
    return _asked(options, None)


def why(options: Namespace) -> int:
    return _asked(options, "WHY")


def when(options: Namespace) -> int:
    return _asked(options, "WHEN")


def who(options: Namespace) -> int:
    return _asked(options, "ENTITY")


def what(options: Namespace) -> int:
    return _asked(options, "WHAT")


def recall(options: Namespace) -> int:
    """Ask by rules or one backend; the envelope says where the question went and why."""
    asked, where, given = " ".join(options.question), scopes(options), _given(options) | {"trace": options.trace or None}
    if options.backend:
        call = calls.search(asked, where, options.backend, **given)
    else:
        call = calls.recall(asked, where, options.profile, **given)
    body = send(options, call)
    if options.json:
        print_json(body)
    else:
        printing.envelope(body)
    return exits.OK


def trace(options: Namespace) -> int:
    """Ask with a trace: what every leg proposed, and with which scores."""
    body = _answer(options, None, traced=True)
    if options.json:
        print_json(body)
        return exits.OK
    printing.answer(body)
    out("\nTrace:")
    for name, leg in (body.get("trace") or {}).items():
        _leg(name, leg)
    return exits.OK


def _asked(options: Namespace, intent: str | None) -> int:
    body = _answer(options, intent, traced=False)
    if options.json:
        print_json(body)
    else:
        printing.answer(body)
    return exits.OK


def _answer(options: Namespace, intent: str | None, *, traced: bool) -> dict[str, Any]:
    call = calls.ask(" ".join(options.question), scopes(options), intent=intent, trace=traced or None, **_given(options))
    body: dict[str, Any] = send(options, call)
    return body


def _given(options: Namespace) -> dict[str, Any]:
    """The fields of a question that options name."""
    return {
        "limit": options.limit or (None if options.json else SHOWN),
        "as_of": options.as_of,
        "session": options.session,
        "author": options.author,
        "include_inactive": options.all_states or None,
        "without": options.without,
    }


def _leg(name: str, leg: Any) -> None:
    """One leg of the trace; lists are shown entry by entry, everything else on one line."""
    if isinstance(leg, list):
        out(f"  {name}: {len(leg)}")
        for entry in leg[:10]:
            out(f"    {printing.snippet(str(entry), printing.WIDTH)}")
    else:
        out(f"  {name}: {printing.snippet(str(leg), printing.WIDTH)}")
