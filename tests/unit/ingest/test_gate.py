"""The gate turns away what asks nothing, and nobody who asks."""

import json
from pathlib import Path

import pytest

from bench.golden import main, matches
from graph.ingest.capture import Category, detect_category, should_capture
from graph.ingest.gate import Caller, Gate, normalised
from graph.ingest.noise import NoiseFilter, is_retrieved_noise
from graph.text.tiers import raised, tier_of
from tests.data import dataset

GATE = Gate()


@pytest.mark.parametrize("caller", [Caller.TOOL, Caller.API, Caller.CLI])
@pytest.mark.parametrize("text", ["hi", "find x", "git status", "ok", "/clear", "1", "HEARTBEAT", "👍", "/remember x", ""])
def test_an_explicit_caller_is_never_turned_away(text: str, caller: Caller) -> None:
    assert not GATE.judge(text, caller).skip


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ok", "light"),
        ("thx!", "length"),
        ("thank you!", "acknowledgement"),
        ("go ahead.", "continuation"),
        ("hey there, quick one", "greeting"),
        ("docker ps -a", "shell"),
        ("/clear everything", "slash"),
        ("please run HEARTBEAT now", "heartbeat"),
        ("[System note] restarted", "system"),
        ("🎉🎉 🎉🎉🎉", "emoji"),
        ("debug", "probe"),
        ("Fix login bug", "length"),
        ("<system-reminder>do not forget</system-reminder>", "empty"),
    ],
)
def test_what_asks_nothing_is_skipped_and_the_rule_is_named(text: str, reason: str) -> None:
    verdict = GATE.judge(text)
    assert (verdict.skip, verdict.reason, verdict.tier) == (True, reason, 0)


@pytest.mark.parametrize(
    "text",
    [
        "Highway toll rules changed last year",
        "history of the parser module",
        "Hi, could you look at why the payment service fails after the migration?",
        "make the retry logic use the same backoff as the importer does",
        "testing the importer takes an hour",
        "nothing works since the upgrade",
        "今天的部署为什么失败",
        "why?!",
    ],
)
def test_a_question_is_looked_up_whatever_its_first_letters(text: str) -> None:
    assert not GATE.judge(text).skip


def test_words_of_memory_force_a_look_up_in_several_languages() -> None:
    for text in ("recall", "git log from yesterday", "你记得吗", "Weißt du noch?", "what did we pick"):
        verdict = GATE.judge(text)
        assert (verdict.skip, verdict.force) == (False, True), text
    assert not GATE.judge("remembrance day is near us").force


def test_commands_and_keywords_set_what_is_asked_for() -> None:
    assert GATE.judge("/REMEMBER the port").write
    assert GATE.judge("/memory").recall
    assert GATE.judge("以后默认用中文").write
    assert not GATE.judge("要不要换数据库呢？").write
    assert GATE.judge("from now on answer in German").write


def test_continue_is_a_look_up_only_with_an_active_goal() -> None:
    assert GATE.judge("继续").skip
    verdict = GATE.judge("continue", active_goal=True)
    assert (verdict.skip, verdict.recall) == (False, True)


def test_a_hook_wants_longer_prompts_unless_memory_is_named() -> None:
    assert GATE.judge("Fix login bug now!", Caller.HOOK).skip
    assert not GATE.judge("what did we say", Caller.HOOK).skip


def test_wrappers_are_tidied_away_before_judging() -> None:
    assert normalised("[cron:daily x] what now") == "what now"
    assert normalised("Conversation info (untrusted metadata): a\nb\n\nthe question") == "the question"
    assert normalised("[Mon 2026-01-05 10:00 GMT+1] the question") == "the question"
    assert normalised("<relevant-memories>\nold\n</relevant-memories>\nthe question") == "the question"


def test_recalled_memories_never_become_new_ones() -> None:
    block = "<relevant-memories>\n[decision] We prefer tabs.\n</relevant-memories>"
    assert NoiseFilter().is_noise(block)
    assert not should_capture(block + "\nI prefer spaces")
    assert NoiseFilter().is_noise(block + "\nok")


def test_a_greeting_before_a_decision_is_not_noise() -> None:
    assert NoiseFilter().is_noise("hello again")
    assert not NoiseFilter().is_noise("Hi team, we decided to move to Postgres because SQLite locked up.")
    assert not NoiseFilter(denials=False).is_noise("I don't recall that")
    assert is_retrieved_noise("I don't have any memory of it")
    assert not is_retrieved_noise("The port is 9443.")


def test_capture_takes_statements_with_a_trigger_and_no_orders_to_the_memory() -> None:
    assert should_capture("We decided to use Redis for the queue")
    assert should_capture("我喜欢茶")
    assert not should_capture("Please delete that old memory entry, I prefer so")
    assert not should_capture("🎉🎉🎉🎉 I prefer this")
    assert detect_category("It is likely to rain") is Category.FACT
    assert detect_category("She likes tea") is Category.PREFERENCE


def test_a_tier_is_raised_when_its_classifier_was_not_sure() -> None:
    assert [tier_of("thanks a lot"), tier_of("the port"), tier_of("why? and how?")] == [0, 1, 3]
    assert [raised(1, 0.6), raised(1, 0.7), raised(3, 0.1)] == [2, 1, 3]


def test_golden_rows_compare_by_the_expected_keys_with_a_tolerance() -> None:
    assert matches({"a": 1.0, "note": "x"}, {"a": 1.0001, "b": 2})
    assert not matches({"a": True}, {"a": 1})
    assert not matches({"a": [1, 2]}, {"a": [1]})
    assert matches({"a": None}, {"a": None})
    assert matches(None, {"type": None})
    assert not matches(None, {"type": "agent"})
    assert matches({"error": "Budget exceeded"}, {"error": "budget_exceeded"})


def test_a_failed_golden_row_fails_the_run_and_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.jsonl"
    row = {"reference": "clawmem", "feature": "gate", "input": {"prompt": "ok"}, "expected": {"skip": False}}
    rows.write_text(json.dumps(row) + "\n" + json.dumps(row | {"feature": "unheard-of"}) + "\n", encoding="utf-8")
    assert main([str(rows)]) == 1
    printed = capsys.readouterr().out
    assert "FAILED gate" in printed
    assert main([]) == 2


@pytest.mark.data
def test_every_golden_row_of_a_covered_feature_passes_or_is_decided() -> None:
    assert main([str(dataset("..", "spec", "golden_cases.jsonl"))]) == 0
