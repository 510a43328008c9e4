"""Entry point of the command: parse, run, and turn every error into a sentence and an exit code."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from backstory.cli import exits
from backstory.cli.options import parser_for
from backstory.errors import BackstoryError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code (see backstory.cli.exits)."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = parser_for(words).parse_args(words)
    module, function = options.home.split(":")
    try:
        code = int(getattr(import_module(f"backstory.cli.{module}"), function)(options))
        sys.stdout.flush()
    except BackstoryError as error:
        _complain(error, as_json=options.json)
        return exits.of(error.code)
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    except BrokenPipeError:  # the reader of our output went away: nothing is left to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return exits.OK
    return code


def _complain(error: BackstoryError, *, as_json: bool) -> None:
    if as_json:
        import json  # noqa: PLC0415  (rarely needed)

        print(json.dumps({"error": {"code": error.code, "message": error.message, **error.fields}}, default=str))
    print(f"backstory: {error.message}", file=sys.stderr)
