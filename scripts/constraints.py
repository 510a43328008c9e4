"""Resolve every dependency, extras and tools included, and write the exact versions to constraints.txt."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
TORCH = "torch==2.13.0"
HEAD = """\
# Exact versions of everything that is installed, extras and tools included; one set for Python 3.11, 3.12 and 3.13.
# Made anew with `make constraints`.
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", str(report)]
        subprocess.run([*pip, "--group", "dev", ".[server]", TORCH], cwd=ROOT, check=True)  # noqa: S603 (our own command)
        installs = [item["metadata"] for item in json.loads(report.read_text(encoding="utf-8"))["install"]]
    pins = {f"{m['name']}=={m['version'].split('+')[0]}" for m in installs if m["name"] != "backstory-memory"}
    lines = sorted(pins, key=str.lower)
    (ROOT / "constraints.txt").write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
