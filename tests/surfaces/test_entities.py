"""Entities by hand, from the command to the graph: merged, found under the other name, taken back."""

import json
from typing import Any

import pytest

from backstory.cli import exits
from tests.surfaces.conftest import Command

SCOPE = ("--scope", "kitchen")


def _json(done: Any) -> Any:
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def told(shared_command: Command) -> Command:
    for text in (
        "We hired Marguerite Dubois for the bakery.",
        "Then Daisy Dubois fixed the oven.",
        "Daisy Dubois left at noon.",
    ):
        assert shared_command("remember", text, *SCOPE, "--wait").returncode == 0
    return shared_command


def _entities(told: Command) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in _json(told("entities", "list", *SCOPE, "--json"))["entities"]}


def test_two_names_become_one_and_two_again(told: Command) -> None:
    before = _entities(told)
    keep, other = before["Marguerite Dubois"], before["Daisy Dubois"]
    assert (keep["mentions"], other["mentions"]) == (1, 2)
    done = _json(told("entities", "merge", keep["id"], other["id"], *SCOPE, "--json"))
    assert (done["kind"], done["entity"], done["other"]) == ("merged", other["id"], keep["id"])
    assert done["edges"] >= 2
    merged = _entities(told)
    assert "Daisy Dubois" not in merged
    assert (merged["Marguerite Dubois"]["mentions"], merged["Marguerite Dubois"]["aliases"]) == (3, ["Daisy Dubois"])
    undone = told("entities", "undo", other["id"], *SCOPE)
    assert undone.returncode == 0, undone.stderr
    assert {name: one["mentions"] for name, one in _entities(told).items()} == {
        name: one["mentions"] for name, one in before.items()
    }


def test_what_cannot_be_merged_says_so(told: Command) -> None:
    unknown = told("entities", "merge", "no-such", "nor-this", *SCOPE, "--json")
    assert unknown.returncode == exits.BY_CODE["not_found"]
    assert told("entities", "merge", "only-one", *SCOPE).returncode == exits.USAGE


def test_the_scope_of_another_knows_nothing_of_them(told: Command) -> None:
    ids = [one["id"] for one in _entities(told).values()][:2]
    assert told("entities", "merge", *ids, "--scope", "garage", "--json").returncode == exits.BY_CODE["not_found"]
