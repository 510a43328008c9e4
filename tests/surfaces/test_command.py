"""The command: every one has help with an example, JSON, and an exit code that says what happened."""

import json
from typing import Any

import pytest

from backstory import errors
from backstory.cli import exits
from backstory.cli.options import COMMANDS, parser_for
from tests.surfaces.conftest import Command

CHAIN = {
    "a": ("The nightly vacuum ran long because the invoice table was bloated.", "2026-03-01T08:00:00Z"),
    "b": ("Because the nightly vacuum ran long, invoices were blocked every morning.", "2026-03-02T08:00:00Z"),
}


def _json(done: Any) -> Any:
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def told(shared_command: Command) -> Command:
    for author, (text, at) in CHAIN.items():
        done = shared_command("remember", text, "--author", author, "--at", at, "--source", "notes.md", "--wait", "--json")
        assert done.returncode == 0, done.stderr
        assert _json(done)["state"] == "done"
    return shared_command


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_every_command_has_an_example_of_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parser_for([name]).parse_args([name, "--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert f"Example: backstory {name}" in text
    assert "--json" in text
    assert "--scope" in text


def test_every_code_of_the_error_tree_has_an_exit_code_of_its_own() -> None:
    assert set(errors.BY_CODE) == set(exits.BY_CODE)
    assert len(set(exits.BY_CODE.values())) == len(exits.BY_CODE)
    assert not {exits.OK, exits.USAGE} & set(exits.BY_CODE.values())


def test_the_clients_errors_are_those_of_the_service() -> None:
    from graph import errors as ours  # noqa: PLC0415  (this is the one place where both are known)

    def tree(kind: Any) -> dict[str, str]:
        found = {kind.code: kind.__name__}
        for child in kind.__subclasses__():
            found |= tree(child) if child.__module__ == kind.__module__ else {}
        return found

    assert tree(ours.BackstoryError) | {"unreachable": "Unreachable"} == tree(errors.BackstoryError)


def test_why_prints_who_said_it_when_and_where(told: Command) -> None:
    done = told("why", "were invoices blocked every morning")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].startswith("WHY")
    assert "2026-03-02 · b · notes.md" in done.stdout


def test_why_as_json_is_one_object_with_paths(told: Command) -> None:
    body = _json(told("why", "were invoices blocked", "--json"))
    assert {"intents", "results", "degraded", "warnings"} <= body.keys()
    assert body["intents"] == ["WHY"]
    assert {hit["author"] for hit in body["results"]} == {"a", "b"}
    (cause,) = [hit for hit in body["results"] if hit["author"] == "a"]
    assert cause["path"] == [] or {"from", "to", "kind", "direction", "weight"} <= cause["path"][0].keys()


def test_options_may_stand_before_the_command_or_after_it(told: Command) -> None:
    before = _json(told("--json", "--scope", "global", "ask", "vacuum"))
    after = _json(told("ask", "vacuum", "--scope", "global", "--json"))
    assert [hit["id"] for hit in before["results"]] == [hit["id"] for hit in after["results"]]


def test_looking_commands_print_something_for_people_and_for_programs(told: Command) -> None:
    (event, *_) = _json(told("receipts", "--json"))["receipts"]
    for words in (
        ["show", event["event_id"]],
        ["facts"],
        ["timeline"],
        ["timeline", "--since", "2026-03-02", "--newest"],
        ["status"],
        ["receipts"],
        ["receipts", event["event_id"]],
        ["dead-letters"],
        ["trace", "why were invoices blocked"],
        ["daemon", "status"],
        ["doctor"],
    ):
        for_people, for_programs = told(*words), told(*words, "--json")
        assert for_people.returncode == for_programs.returncode == 0, (words, for_people.stderr, for_programs.stderr)
        assert for_people.stdout.strip(), words
        assert isinstance(_json(for_programs), dict), words


def test_status_has_the_seven_counts(told: Command) -> None:
    counts = _json(told("status", "--json"))["counts"]
    assert {"events", "observations", "entities", "facts", "edges", "pending", "dead_letters"} <= counts.keys()
    assert counts["events"] == counts["observations"] == 2


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["show", "nothing-of-that-name"], "not_found"),
        (["remember", "   "], "invalid_input"),
        (["remember", "x", "--scope", "../up"], "invalid_scope"),
        (["remember", "x", "--at", "long ago"], "invalid_input"),
        (["remember", "x", "--meta", "nameless"], "invalid_input"),
        (["ask", ""], "invalid_input"),
        (["ask", "x", "--limit", "500"], "invalid_input"),
        (["ingest"], "invalid_input"),
    ],
)
def test_what_cannot_be_done_says_so_and_exits_with_its_code(told: Command, words: list[str], code: str) -> None:
    done = told(*words, "--json")
    assert done.returncode == exits.BY_CODE[code], done.stderr
    assert _json(done)["error"]["code"] == code
    assert done.stderr.startswith("backstory: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [[], ["remembr", "x"], ["ask"], ["ask", "x", "--limit", "few"]])
def test_wrong_usage_exits_with_two(told: Command, words: list[str]) -> None:
    done = told(*words)
    assert done.returncode == exits.USAGE
    assert "usage: backstory" in done.stderr


def test_the_same_key_with_another_text_is_a_conflict(told: Command) -> None:
    assert told("remember", "first", "--key", "k", "--scope", "keys").returncode == 0
    again = told("remember", "first", "--key", "k", "--scope", "keys")
    assert (again.returncode, "known already" in again.stdout) == (0, True)
    assert told("remember", "second", "--key", "k", "--scope", "keys").returncode == exits.BY_CODE["conflict"]


def test_text_comes_from_standard_input_too(told: Command) -> None:
    done = told("remember", "--scope", "piped", "--wait", stdin="Said through a pipe: the kettle is blue.\n")
    assert done.returncode == 0, done.stderr
    assert "kettle" in told("ask", "kettle", "--scope", "piped").stdout


def test_recalled_text_cannot_steer_the_terminal(told: Command) -> None:
    told("remember", "The \x1b[31mred\x1b[0m \u202elever stops the mill.", "--scope", "steer", "--wait")
    shown = told("ask", "lever mill", "--scope", "steer").stdout
    assert "lever stops the mill" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
