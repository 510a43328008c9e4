"""The commands, their options and an example of each."""

import argparse
from collections.abc import Callable
from typing import NamedTuple

VALUED = frozenset({"--scope", "--data", "--url"})  # shared options that take a value

Add = Callable[[argparse.ArgumentParser], None]


class Command(NamedTuple):
    """`home` is "module:function" under backstory.cli; it is imported only when the command runs."""

    home: str
    summary: str
    example: str
    add: Add | None = None


def _question(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", nargs="+", help="the question, quoted or not")
    parser.add_argument("--limit", type=int, metavar="N", help="how many results (default 5; 10 with --json)")
    parser.add_argument("--as-of", metavar="TIME", help="as it stood at this moment (ISO 8601)")
    parser.add_argument("--session", help="only what was said in this session")
    parser.add_argument("--author", help="only what this author said")
    parser.add_argument("--all-states", action="store_true", help="also what is archived, superseded or forgotten")
    parser.add_argument("--without", action="append", metavar="LEG", help="leave a leg or an edge kind out; may be repeated")


def _recall(parser: argparse.ArgumentParser) -> None:
    _question(parser)
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--profile", choices=("router-7", "router-13", "router-modes"), help="the rules that choose a backend")
    chosen.add_argument("--backend", help="keyword, vector, hybrid, graph, recent, decisions, observations, or an alias")
    parser.add_argument("--trace", action="store_true", help="with --json: what every backend of the chain did")


def _remember(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", help="what to remember; `-` or nothing reads standard input")
    for name in ("author", "role", "session", "record", "title", "section", "source", "key"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--at", dest="authored_at", metavar="TIME", help="when it was said (ISO 8601); unknown if not given")
    parser.add_argument("--meta", action="append", metavar="NAME=VALUE", help="metadata; may be repeated")
    _wait(parser)


def _wait(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wait", action="store_true", help="return when all is linked")
    parser.add_argument("--timeout", type=float, default=3600.0, metavar="SECONDS", help="how long to wait (default 3600)")


def _ingest(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders")
    parser.add_argument("--git", action="append", default=[], metavar="REPO", help="a git repository's history")
    parser.add_argument("--format", metavar="F", help="do not detect the format, read as F")
    _wait(parser)


def _id(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="id of an observation, entity, fact, record or event")


def _ids(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID", help="full ids, as --json prints them")


def _states(parser: argparse.ArgumentParser) -> None:
    _ids(parser)
    parser.add_argument("--reason", default="", help="why; kept with the change")


def _pins(parser: argparse.ArgumentParser) -> None:
    _ids(parser)
    parser.add_argument("--off", action="store_true", help="unpin")


def _facts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("about", nargs="*", help="a name; without one, all facts")
    parser.add_argument("--predicate")
    parser.add_argument("--as-of", metavar="TIME", help="as they held at this moment (ISO 8601)")
    parser.add_argument("--history", action="store_true", help="also superseded ones")
    parser.add_argument("--limit", type=int, default=100, metavar="N")


def _timeline(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("about", nargs="*", help="a name; without one, everything")
    parser.add_argument("--since", metavar="TIME", help="from this moment on (ISO 8601)")
    parser.add_argument("--until", metavar="TIME", help="before this moment (ISO 8601)")
    parser.add_argument("--session")
    parser.add_argument("--newest", action="store_true", help="newest first")
    parser.add_argument("--limit", type=int, default=50, metavar="N")


def _receipts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="*", metavar="ID", help="event ids; without any, the scope's")
    parser.add_argument("--state", choices=("accepted", "stored", "recallable", "linked", "done", "failed"))
    parser.add_argument("--limit", type=int, default=50, metavar="N")


def _dead_letters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", nargs="?", choices=("list", "replay"), default="list")
    parser.add_argument("ids", nargs="*", metavar="ID", help="which to replay; without any, all of the scope")
    parser.add_argument("--limit", type=int, default=50, metavar="N")


def _entities(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", nargs="?", choices=("list", "merge", "split", "undo"), default="list")
    parser.add_argument("ids", nargs="*", metavar="ID", help="merge: KEEP OTHER; split, undo: one; list: how names begin")
    parser.add_argument("--observations", nargs="+", metavar="ID", help="split: those that mean the other thing")
    parser.add_argument("--name", help="split: what the other thing is called")
    parser.add_argument("--type", help="split: what it is (person, service, ...); without it, as before")
    parser.add_argument("--limit", type=int, default=100, metavar="N")


def _serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="loopback address (default 127.0.0.1)")
    parser.add_argument("--port", type=int, default=7867, help="port (default 7867)")


def _daemon(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("start", "stop", "status"))
    parser.add_argument("--idle-exit", type=float, metavar="SECONDS", help="end after so long without requests or work")


def _rebuild(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--links", action="store_true", help="only extractions and links; texts and their vectors stay")
    parser.add_argument("--no-wait", action="store_true", help="return at once; the daemon does the work")
    parser.add_argument("--timeout", type=float, default=24 * 3600.0, metavar="SECONDS", help="how long to wait")


def _doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repair", action="store_true", help="mend what drifted between ledger, graph and vectors")


def _hook(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("event", choices=("prompt", "session-start", "stop", "pre-compact", "session-end"))
    parser.add_argument("--profile", choices=("speed", "balanced", "deep"), default="balanced", help="how much is shown")
    parser.add_argument("--limit-ms", type=int, default=2000, metavar="MS", help="answer within this time, if need be empty")
    parser.add_argument("--format", default="claude-code", metavar="F", help="how transcripts are written")


def _install(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("agent", choices=("claude-code",))
    parser.add_argument("--project", metavar="DIR", help="settings of a project instead of the user's")
    parser.add_argument("--profile", choices=("speed", "balanced", "deep"), default="balanced", help="how much is shown")
    parser.add_argument("--remove", action="store_true", help="take our entries out again")
    parser.add_argument("--yes", action="store_true", help="write; without it the change is only shown")


COMMANDS: dict[str, Command] = {
    "hook": Command(
        "hooking:hook", "answer a coding agent's hook (JSON in, JSON out)", "backstory hook prompt < event.json", _hook
    ),
    "install": Command(
        "installing:install", "write an agent's settings, or take ours out", "backstory install claude-code --yes", _install
    ),
    "init": Command("tending:init", "make a data directory and its daemon", "backstory init --data ./memory"),
    "serve": Command("tending:serve", "serve in the foreground, on the socket and TCP", "backstory serve --port 7867", _serve),
    "mcp": Command("tending:mcp", "speak MCP on standard input and output", "backstory mcp --scope my-project"),
    "daemon": Command("tending:daemon_", "start, stop or look at the daemon", "backstory daemon status", _daemon),
    "ingest": Command(
        "ingesting:ingest",
        "take in files, folders, transcripts, git history",
        "backstory ingest docs/decisions ~/.claude/projects --git . --wait",
        _ingest,
    ),
    "remember": Command(
        "telling:remember",
        "remember one text",
        'backstory remember "We chose Postgres because the vacuum blocked invoices" --author ana --wait',
        _remember,
    ),
    "ask": Command("asking:ask", "ask a question", 'backstory ask "Why did we move billing to Postgres?"', _question),
    "why": Command("asking:why", "ask for causes and reasons", "backstory why is billing on Postgres", _question),
    "when": Command("asking:when", "ask for a time", "backstory when did billing move", _question),
    "who": Command("asking:who", "ask for people and things", "backstory who moved billing to Postgres", _question),
    "what": Command("asking:what", "ask for what was said", "backstory what did we say about billing", _question),
    "recall": Command(
        "asking:recall",
        "ask by routing rules or one backend",
        "backstory recall --profile router-7 'who owns AuthService'",
        _recall,
    ),
    "show": Command("looking:show", "show one item and what it is joined to", "backstory show 3f6c2a1e-... --json", _id),
    "trace": Command("asking:trace", "ask, and show what every leg found", 'backstory trace "Why Postgres?" --json', _question),
    "forget": Command("keeping:forget", "put items out of sight", "backstory forget 3f6c2a1e-...", _states),
    "restore": Command("keeping:restore", "bring forgotten items back", "backstory restore 3f6c2a1e-...", _states),
    "pin": Command("keeping:pin", "pin observations", "backstory pin 3f6c2a1e-...", _pins),
    "facts": Command("looking:facts", "list facts, also as of a moment", "backstory facts billing --as-of 2026-01-01", _facts),
    "timeline": Command("looking:timeline", "list what was said, in order of time", "backstory timeline billing", _timeline),
    "status": Command("looking:status", "counts, backlog, model, version", "backstory status --json"),
    "receipts": Command("looking:receipts", "how far events have come", "backstory receipts --state failed", _receipts),
    "dead-letters": Command(
        "looking:dead_letters", "work that failed for good, and replay", "backstory dead-letters replay", _dead_letters
    ),
    "entities": Command(
        "entities:entities", "list, merge and split what is named", "backstory entities merge 3f6c... 9a1b...", _entities
    ),
    "rebuild": Command("tending:rebuild", "make vectors and links anew from the ledger", "backstory rebuild", _rebuild),
    "doctor": Command("tending:doctor", "check everything", "backstory doctor", _doctor),
}


def parser_for(arguments: list[str]) -> argparse.ArgumentParser:
    """The parser. Only the command that is asked for gets its options, which keeps the start short."""
    wanted = _command_in(arguments)
    parser = argparse.ArgumentParser(
        prog="backstory",
        description="The memory of AI agents: what was decided, what caused what, who and when, with the path to each answer.",
        epilog='Example: backstory ask "Why did we move billing to Postgres?"',
    )
    _shared(parser)
    parser.set_defaults(json=False, scope=None, data=None, url=None)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        if wanted in (None, name):
            about = command.summary[0].upper() + command.summary[1:] + "."
            _add(
                commands.add_parser(name, help=command.summary, description=about, epilog=f"Example: {command.example}"),
                command,
            )
    return parser


def _command_in(arguments: list[str]) -> str | None:
    """The first word that is neither an option nor the value of one, when it is a command."""
    words = iter(arguments)
    for word in words:
        if word in VALUED:
            next(words, None)
        elif not word.startswith("-"):
            return word if word in COMMANDS else None
    return None


def _add(parser: argparse.ArgumentParser, command: Command) -> None:
    if command.add is not None:
        command.add(parser)
    _shared(parser)
    parser.set_defaults(home=command.home)


def _shared(parser: argparse.ArgumentParser) -> None:
    """Options that stand before the command or after it; one that is not given leaves what stood before."""

    def add(name: str, action: str, about: str, **more: str) -> None:
        parser.add_argument(name, action=action, default=argparse.SUPPRESS, help=about, **more)  # type: ignore[arg-type]  # options by name

    add("--json", "store_true", "print one JSON object")
    add("--scope", "append", "scope (default: $BACKSTORY_SCOPE, else global); may be repeated to ask", metavar="SCOPE")
    add("--data", "store", "data directory (default: $BACKSTORY_DATA, else the platform's place)", metavar="DIR")
    add("--url", "store", "talk to this URL instead of a local daemon (default: $BACKSTORY_URL)", metavar="URL")
