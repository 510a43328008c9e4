"""install: writes the hooks and the MCP server into a coding agent's settings, or takes them out; shows the change first."""

import difflib
import json
import os
import shlex
import shutil
import sys
import tempfile
from argparse import Namespace
from pathlib import Path
from typing import Any

from backstory.cli import exits
from backstory.cli.session import out, print_json
from backstory.errors import Unreadable

# Event of Claude Code -> our hook, and its time limit there in seconds.
EVENTS = {
    "SessionStart": ("session-start", 8),
    "UserPromptSubmit": ("prompt", 8),
    "Stop": ("stop", 8),
    "PreCompact": ("pre-compact", 8),
    "SessionEnd": ("session-end", 8),
}
SERVER = "backstory"


def install(options: Namespace) -> int:
    """Show what would change in the agent's files, and with --yes write it. Entries of others are left as they are."""
    changes = [_changed(path, edit, options) for path, edit in _files(options).items()]
    diff = "".join(change[1] for change in changes)
    if options.yes:
        for path, _, text in changes:
            _write(path, text)
    if options.json:
        print_json({"diff": diff, "written": bool(options.yes and diff), "files": [str(path) for path, _, _ in changes]})
        return exits.OK
    out(diff or "Nothing to change.")
    if diff and not options.yes:
        out("Not written: repeat with --yes.")
    return exits.OK


def _files(options: Namespace) -> dict[Path, Any]:
    """The files to edit. A project's settings stand beside it, the user's in their home."""
    if options.project:
        project = Path(options.project)
        return {project / ".claude" / "settings.json": _with_hooks, project / ".mcp.json": _with_server}
    return {Path.home() / ".claude" / "settings.json": _with_hooks, Path.home() / ".claude.json": _with_server}


def _changed(path: Path, edit: Any, options: Namespace) -> tuple[Path, str, str]:
    """The path, the difference, and the new text."""
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    try:
        settings = json.loads(before or "{}")
    except ValueError as error:
        raise Unreadable(f"{path} is not JSON ({error}); it is left alone", file=str(path)) from error
    if not isinstance(settings, dict):
        raise Unreadable(f"{path} does not hold a JSON object; it is left alone", file=str(path))
    known = json.dumps(settings, sort_keys=True)
    edit(settings, options)
    same = json.dumps(settings, sort_keys=True) == known
    after = before if same else json.dumps(settings, indent=2, ensure_ascii=False) + "\n"
    lines = difflib.unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), str(path), str(path))
    return path, "".join(lines), after


def _with_hooks(settings: dict[str, Any], options: Namespace) -> None:
    """Our hook of each event, once; what else stands there stays."""
    hooks = settings.setdefault("hooks", {})
    for event, (name, seconds) in EVENTS.items():
        groups = [group for group in (_without_ours(group) for group in hooks.get(event, [])) if group]
        if not options.remove:
            groups.append({"hooks": [{"type": "command", "command": _hook_command(name, options), "timeout": seconds}]})
        if groups:
            hooks[event] = groups
        else:
            hooks.pop(event, None)
    if not hooks:
        del settings["hooks"]


def _with_server(settings: dict[str, Any], options: Namespace) -> None:
    servers = settings.setdefault("mcpServers", {})
    servers.pop(SERVER, None)
    if not options.remove:
        words = [*_command(), "mcp", *_shared(options)]
        servers[SERVER] = {"command": words[0], "args": words[1:]}
    if not servers:
        del settings["mcpServers"]


def _without_ours(group: Any) -> Any:
    """A group of hooks without our own; None when nothing is left of it."""
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
        return group
    kept = [one for one in group["hooks"] if not (isinstance(one, dict) and _is_ours(str(one.get("command", ""))))]
    return {**group, "hooks": kept} if kept else None


def _is_ours(command: str) -> bool:
    return "backstory" in command and " hook " in command


def _hook_command(name: str, options: Namespace) -> str:
    profile = ["--profile", options.profile] if name in ("prompt", "session-start") else []
    return shlex.join([*_command(), "hook", name, *profile, *_shared(options)])


def _command() -> list[str]:
    """How to run us from anywhere: the installed command, else this interpreter."""
    beside = Path(sys.executable).with_name("backstory")
    found = str(beside) if beside.exists() else shutil.which("backstory")
    return [found] if found else [sys.executable, "-P", "-m", "backstory"]


def _shared(options: Namespace) -> list[str]:
    words = [word for name in options.scope or () for word in ("--scope", name)]
    return words + (["--data", str(Path(options.data).absolute())] if options.data else [])


def _write(path: Path, text: str) -> None:
    """Replace the file at once, so that nobody ever reads half of it; keep what stood there beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        shutil.copy2(path, path.with_name(path.name + ".before-backstory"))
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    Path(temporary).replace(path)
