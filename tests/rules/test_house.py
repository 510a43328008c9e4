"""The rules of the house that a linter does not know: sizes, first lines, contracts, words that must not appear."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("backstory", "graph", "services", "workers", "infra", "bench", "tests", "demo")
MAX_LINES = 400
MAX_FUNCTION_LINES = 60
MODULES = sorted(p for room in ROOMS for p in (ROOT / room).rglob("*.py"))


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_a_module_fits_on_a_few_screens_and_says_what_lives_there(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert source.count("\n") <= MAX_LINES, f"{_name(path)} has more than {MAX_LINES} lines"
    if source.strip():
        assert ast.get_docstring(ast.parse(source)), f"{_name(path)} does not say what lives there"


@pytest.mark.parametrize("path", [p for p in MODULES if "tests" not in p.parts], ids=_name)
def test_functions_are_short(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MAX_FUNCTION_LINES, f"{_name(path)}:{node.lineno} {node.name} has {length} lines"


def test_ports_stay_small() -> None:
    for path in (ROOT / "graph" / "ports").glob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "Protocol" for base in node.bases):
                methods = [m.name for m in node.body if isinstance(m, ast.FunctionDef) and not m.decorator_list]
                assert len(methods) <= 7, f"{node.name} has {len(methods)} methods"


def test_the_environment_is_read_in_one_place() -> None:
    readers = [
        _name(path)
        for path in MODULES
        if path.parts[len(ROOT.parts)] in {"graph", "services", "workers", "infra"}
        and ("os.environ" in path.read_text(encoding="utf-8") or "getenv(" in path.read_text(encoding="utf-8"))
    ]
    assert [name for name in readers if name != "infra/settings.py"] == []


def test_no_port_of_ours_is_mocked() -> None:
    words = ("Magic" + "Mock", "Async" + "Mock", "mock." + "patch", "mocker" + ".")
    found = [_name(p) for p in MODULES if "tests" in p.parts and any(w in p.read_text(encoding="utf-8") for w in words)]
    assert found == []


@pytest.mark.parametrize(
    "tool", [["lint-imports"], ["mypy"], ["ruff", "check", "."], ["ruff", "format", "--check", "."]], ids=lambda t: t[0]
)
def test_the_tools_are_content(tool: list[str]) -> None:
    """Import contracts, strict types and lint hold in the ordinary test run."""
    command = [str(Path(sys.executable).parent / tool[0]), *tool[1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=170)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def test_the_public_package_imports_no_other_room() -> None:
    """`import backstory` works, and stays light, in a process that holds nothing else of ours."""
    code = (
        "import sys; before = set(sys.modules); import backstory; backstory.Backstory; "
        "print(sorted({m.split('.')[0] for m in set(sys.modules) - before}))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(ast.literal_eval(done.stdout))
    assert loaded.isdisjoint({"graph", "services", "workers", "infra", "bench", "numpy", "pydantic", "httpx", "rich"})
