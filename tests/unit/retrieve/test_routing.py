"""Each rule is reached, selection keeps its budget, and a dispatch says what happened."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from graph.errors import BudgetExceeded, DeadlineExceeded, InvalidInput, StoreUnavailable
from graph.retrieve.routing import adaptive, backends, categories, configurations, limits, relevance, rules, selection
from graph.retrieve.routing.clauses import plan
from graph.retrieve.routing.costs import CostPoint, preset_table, shipped_costs
from graph.retrieve.routing.dispatch import BackendAnswer, Dispatcher
from graph.retrieve.routing.envelope import Decision, RoutedResult, RoutedStatus
from graph.retrieve.routing.tasks import classified
from tests.support.clock import SetClock

SEVEN = {
    "find the function parseAuthToken": ("exact_symbol", "keyword"),
    "search for retry": ("exact_symbol", "keyword"),
    "parse_auth_token": ("exact_symbol", "keyword"),
    "who calls parseAuthToken": ("exact_symbol", "keyword"),
    "the relationship between OrderController and PaymentService": ("relationship", "graph"),
    "why did we leave Mongo": ("decision_recall", "decisions"),
    "why did we choose PostgreSQL over MySQL": ("decision_recall", "decisions"),
    "explain the retry strategy": ("concept_behavior", "vector"),
    "what was the last edit": ("recent_context", "recent"),
    "that thing with the tokens": ("recent_context", "recent"),
    "docs/*.md": ("file_path", "keyword"),
    "src/components/LoginForm.tsx": ("file_path", "keyword"),
    "middleware": ("ambiguous_default", "hybrid"),
}
THIRTEEN = {
    "a thorough search of invoices": "hybrid_search",
    "find the class Billing": "exact_symbol",
    "what depends on Billing": "relationship",
    "what was just decided": "recent_decision",
    "last month we decided on S3": "historical_decision",
    "a decision on naming": "unscoped_decision",
    "where is retry handled": "concept_behavior",
    "the last change": "recent_context",
    "extension .py": "file_path_pattern",
    "how did the schema evolve": "evolution_query",
    "our expertise": "expertise_query",
    "drill further down": "context_expand",
    "tokens": "ambiguous_default",
}
MODES = {
    "what did we do yesterday": "timeline",
    "why did it fail": "causal",
    "notes similar to this": "discovery",
    "how is it built and also who owns it": "complex",
    "the REDIS_URL setting": "keyword",
    "explain it": "semantic",
    "the people of the team in the north": "hybrid",
}


@pytest.mark.parametrize(("question", "expected"), SEVEN.items())
def test_a_question_per_rule_of_router_7(question: str, expected: tuple[str, str]) -> None:
    rule = rules.route(question, "router-7").rule
    assert (rule.id, rule.primary) == expected


@pytest.mark.parametrize(("question", "rule"), THIRTEEN.items())
def test_a_question_per_rule_of_router_13(question: str, rule: str) -> None:
    assert rules.route(question, "router-13").rule.id == rule


@pytest.mark.parametrize(("question", "rule"), MODES.items())
def test_a_question_per_retrieval_mode(question: str, rule: str) -> None:
    assert rules.route(question, "router-modes").rule.id == rule


@pytest.mark.parametrize(("name", "asked"), [("router-7", SEVEN), ("router-13", THIRTEEN), ("router-modes", MODES)])
def test_every_rule_of_every_profile_is_reached_and_names_known_places(name: str, asked: dict[str, object]) -> None:
    reached = {rules.route(question, name).rule.id for question in asked}
    assert reached == {rule.id for rule in rules.profile(name)}
    known = {*backends.Backend, *backends.CLASSES}
    assert all(place in known for rule in rules.profile(name) for place in rule.chain)


def test_routing_is_not_silently_the_default() -> None:
    """A router once sent every question to its last rule while its unit checks stayed green."""
    assert len({rules.route(question, "router-7").rule.chain for question in SEVEN}) >= 6


def test_an_unknown_profile_is_refused_and_parts_of_words_do_not_fire() -> None:
    with pytest.raises(InvalidInput):
        rules.profile("router-8")
    assert rules.route("a relatively small set", "router-13").rule.id == "ambiguous_default"


def test_aliases_lead_to_logical_backends_that_declare_what_they_can_do() -> None:
    assert backends.resolve("qmd:vsearch") is backends.Backend.VECTOR
    assert backends.resolve("Cognee") is backends.Backend.GRAPH
    assert backends.resolve("nobody") is None
    assert set(backends.MODES) == set(backends.Backend)
    hints = {rule.hint for rule in rules.profile("router-13") if rule.hint}
    assert all(any(hint in modes for modes in backends.MODES.values()) for hint in hints)


class Played:
    """Backends that answer as told, and take as long as told."""

    def __init__(self, clock: SetClock, **answers: object) -> None:
        self.clock, self.answers, self.called = clock, answers, list[str]()

    def __call__(self, name: str) -> BackendAnswer:
        self.called.append(name)
        told = self.answers[name]
        if isinstance(told, Exception):
            raise told
        if isinstance(told, tuple):
            told, seconds = told
            self.clock.forward(timedelta(seconds=seconds))
        status = RoutedStatus.SUCCESS if told else RoutedStatus.EMPTY
        results = (RoutedResult(content=name, relevance=float(str(told))),) if told else ()
        return BackendAnswer(status, float(str(told)), results)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"a": 0.6, "b": 0.9}, ("a", "success", 0, ["a"])),
        ({"a": 0.39, "b": 0.4}, ("b", "success", 1, ["a", "b"])),
        ({"a": 0.21, "b": 0.35, "c": 0.1}, ("b", "partial", 2, ["a", "b", "c"])),
        ({"a": 0, "b": 0.5}, ("b", "success", 1, ["a", "b"])),
        ({"a": StoreUnavailable("x"), "b": 0.5}, ("b", "success", 1, ["a", "b"])),
        ({"a": (0.9, 5.2), "b": 0.5}, ("b", "success", 1, ["a", "b"])),
        ({"a": 0, "b": 0}, (None, "empty", 1, ["a", "b"])),
        ({"a": StoreUnavailable("x"), "b": 0}, (None, "empty", 1, ["a", "b"])),
        ({"a": StoreUnavailable("x"), "b": DeadlineExceeded("x")}, (None, "error", 1, ["a", "b"])),
        ({}, (None, "empty", 0, [])),
    ],
)
def test_the_first_good_answer_wins_and_else_the_best_is_partial(
    answers: dict[str, object], expected: tuple[object, ...]
) -> None:
    clock = SetClock()
    ask = Played(clock, **answers)
    found = Dispatcher(clock).dispatch("why?", list(answers), ask, trace=True)
    assert (found.routed_to, found.status.value, found.fallbacks_used, ask.called) == expected
    assert found.query_echo == "why?"
    assert found.fallback_chain == tuple(answers)
    assert (found.error_code is not None) == (found.status is RoutedStatus.ERROR)
    assert len(found.trace or ()) == len(ask.called)
    assert "why?" not in str(found.trace)


def test_a_time_limit_that_is_enforced_counts_as_a_time_out() -> None:
    def impatient(call: Callable[[], BackendAnswer], seconds: float) -> BackendAnswer:
        raise DeadlineExceeded(f"over {seconds}")

    decision = Decision(profile="router-7", rule="default")
    found = Dispatcher(SetClock(), within=impatient).dispatch("q", ["a"], Played(SetClock(), a=0.9), decision, trace=True)
    assert [step["error_code"] for step in found.trace or ()] == ["QUERY_TIMEOUT"]
    assert (found.degraded, found.decision) == (("a",), decision)


def test_hard_refuses_soft_weighs_and_cheapest_takes_the_cheapest() -> None:
    costs = {"dear": {"c": CostPoint(0.9, 0.03)}, "cheap": {"c": CostPoint(0.3, 0.02)}}
    table = {"c": "dear"}
    with pytest.raises(BudgetExceeded) as refused:
        selection.choose("c", table, costs, 0.025, selection.BudgetMode.HARD)
    assert refused.value.fields == {"backend": "dear", "cost": 0.03, "budget": 0.025}
    soft = selection.choose("c", table, costs, 0.025, selection.BudgetMode.SOFT)
    assert (soft.backend, soft.budget_exceeded) == ("dear", True)
    cheapest = selection.choose("c", table, costs, 0.025)
    assert (cheapest.backend, cheapest.budget_exceeded) == ("cheap", False)
    assert selection.choose("c", table, costs, 0.001).budget_exceeded
    wrong = {"dear": {"c": CostPoint(0.0, 0.03)}, "cheap": {"c": CostPoint(0.3, 0.02)}}
    assert selection.choose("c", table, wrong, 0.025, selection.BudgetMode.SOFT).backend == "cheap"
    useless = {"dear": {"c": CostPoint(0.9, 0.03)}, "cheap": {"c": CostPoint(0.0, 0.02)}}
    assert selection.choose("c", table, useless, 0.025, selection.BudgetMode.SOFT).backend == "dear"
    with pytest.raises(InvalidInput):
        selection.choose("unknown", table, costs)


def test_tables_are_complete_and_single_categories_can_be_replaced() -> None:
    every = {category.value for category in categories.Category}
    for preset in ("minimize-cost", "balanced", "maximize-accuracy"):
        assert set(preset_table(preset)) == every
        assert all(set(points) == every for points in shipped_costs().values())
    assert preset_table("balanced", {"multi-session": "canonical-hybrid"})["multi-session"] == "canonical-hybrid"
    with pytest.raises(InvalidInput):
        preset_table("cheap")
    with pytest.raises(InvalidInput):
        configurations.augmented("balanced-augmented", "multi-session")
    assert configurations.augmented("minimize-cost-augmented", "?") == ("canonical-hybrid", "canonical")


def test_outcomes_teach_a_table_only_where_there_are_enough() -> None:
    seen = [adaptive.Outcome("multi-session", "canonical-hybrid", 0.02, right) for right in (1, 0, 1)]
    seen += [adaptive.Outcome("multi-session", "observational-memory-v11", 0.04, 1)]
    assert adaptive.table("maximize-accuracy", seen)["multi-session"] == "observational-memory-v11"
    assert adaptive.table("balanced", seen)["multi-session"] == "canonical-hybrid"
    assert adaptive.table("maximize-accuracy", seen, min_samples=3)["multi-session"] == "canonical-hybrid"
    taught = adaptive.table("minimize-cost", seen, min_samples=9, fallback={"multi-session": "mine"})
    assert taught["multi-session"] == "mine"
    assert len(taught) == 6


@pytest.mark.parametrize(
    ("question", "category"),
    [
        ("What did you recommend for dinner?", "single-session-assistant"),
        ("Where do I currently live?", "knowledge-update"),
        ("How many weeks ago did I start?", "temporal-reasoning"),
        ("How many cities did I visit in total?", "multi-session"),
        ("What is my dog called?", "single-session-user"),
    ],
)
def test_categories_are_told_by_their_words(question: str, category: str) -> None:
    assert categories.categorised(question).value == category


def test_a_plan_has_a_clause_per_topic_and_never_more_than_four() -> None:
    clauses = plan("why did it fail? and who owns it? and what is REDIS_URL? and how long? and where?")
    assert len(clauses) <= 4
    assert clauses[0].kind == "graph"
    assert [clause.priority for clause in clauses] == sorted(clause.priority for clause in clauses)
    assert [(clause.kind, clause.priority) for clause in plan("explain the config")] == [("bm25", 1), ("vector", 3)]


def test_relevance_means_the_same_on_every_surface() -> None:
    assert relevance.of_log_odds(0.0) == 0.5
    assert relevance.of_log_odds(-1000.0) == 0.0
    assert relevance.of_bm25(0.2) == pytest.approx(0.6)
    assert relevance.of_age(-3) == 1.0
    assert relevance.of_cosine(-0.2) == 0.0


def test_hook_profiles_show_nothing_when_even_the_best_is_weak() -> None:
    assert not limits.hook_profile("balanced").keeps(0.19, 0.19)
    assert limits.hook_profile("deep").keeps(0.19, 0.19)
    with pytest.raises(InvalidInput):
        limits.hook_profile("slow")
    assert limits.asks_for_recent("where were we")
    assert not limits.asks_for_recent("explain the design")


def test_tasks_are_told_by_whole_words_of_latin_and_parts_of_other_scripts() -> None:
    assert classified("the capital of France").domains == {}
    assert classified("API 调试").domains == {"technology": 2}
    assert classified("要不要换数据库").intent == "decide"
    assert not classified("要不要换数据库").memory_worthy
    assert classified("should we compare them").intent == "compare"
    with pytest.raises(InvalidInput):
        classified("  ")
