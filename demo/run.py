"""Run the commands that a newcomer would type, on a data directory of the demo's own, and show what they print."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
DATA = HERE.parent / ".demo"
QUESTIONS = [
    ("why", "Why could installers stop probing DNS to find a nearby copy of the package index?"),
    ("why", "Why was the proposal about sorting dictionaries by value rejected?"),
    ("when", "When was the removal of the mirror authenticity API proposed?"),
    ("who", "Who wrote the proposal to add an Enum type to the standard library?"),
    ("ask", "What does the package index verify when release files are hosted externally?"),
]


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def backstory(*words: str, show: bool = True) -> int:
    """Run one `backstory` command in this interpreter's environment; its output goes straight to the terminal."""
    if show:
        _say("\n$ backstory " + " ".join(f'"{w}"' if " " in w else w for w in words))
    command = [str(Path(sys.executable).parent / "backstory"), "--data", str(DATA), *words]
    return subprocess.run(command, check=False, cwd=HERE.parent).returncode  # noqa: S603


def main() -> int:
    backstory("daemon", "stop", show=False)  # of a run that was broken off: it still owns the directory
    shutil.rmtree(DATA, ignore_errors=True)
    started = time.monotonic()
    try:
        codes = [backstory("ingest", "demo/records", "--wait"), backstory("status")]
        codes += [backstory(command, question, "--limit", "2") for command, question in QUESTIONS]
    finally:
        backstory("daemon", "stop", show=False)
    _say(f"\nDone in {time.monotonic() - started:.0f} s. Ask your own: .venv/bin/backstory --data {DATA.name} why ...")
    return max(codes)


if __name__ == "__main__":
    raise SystemExit(main())
