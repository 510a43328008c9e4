"""A daemon of its own for every test that asks for one, driven by the command as a user types it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

COMMAND = Path(sys.executable).parent / "backstory"


class Shell:
    """Runs `backstory` on one data directory, from a folder that is not the checkout."""

    def __init__(self, data: Path, cwd: Path) -> None:
        self.data = data
        self.cwd = cwd

    def run(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        command = [str(COMMAND), "--data", str(self.data), *words]
        env = {k: v for k, v in os.environ.items() if not k.startswith("BACKSTORY_")}
        done = subprocess.run(command, cwd=self.cwd, env=env, capture_output=True, text=True, check=False, timeout=170)
        if check:
            assert done.returncode == 0, f"{words}: exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        return done

    def json(self, *words: str) -> Any:
        return json.loads(self.run(*words, "--json").stdout)

    def counts(self) -> dict[str, int]:
        counts: dict[str, int] = self.json("status")["counts"]
        return counts

    def ingest(self, rows: list[dict[str, Any]], name: str = "rows.jsonl") -> None:
        """Write rows in the project's own JSONL and take them in, waiting until all is linked."""
        path = self.cwd / name
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        self.run("ingest", str(path), "--wait")


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    (tmp_path / "home").mkdir()
    shell = Shell(tmp_path / "data", tmp_path / "home")
    yield shell
    shell.run("daemon", "stop", check=False)
