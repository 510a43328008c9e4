"""Golden rows of routing: rules, modes, backends, dispatch, selection, categories, plans and hook profiles."""

from datetime import UTC, datetime, timedelta
from typing import Any

from bench.golden_rows import Given, covers, decided
from graph.errors import BudgetExceeded, InvalidInput
from graph.model.questions import Intent
from graph.retrieve.intent import intents
from graph.retrieve.modes import mode
from graph.retrieve.routing import adaptive, backends, categories, configurations, limits, relevance, rules, selection
from graph.retrieve.routing.clauses import plan
from graph.retrieve.routing.costs import CostPoint, preset_table, shipped_costs
from graph.retrieve.routing.dispatch import Attempt, BackendAnswer, Dispatcher, fallback_line
from graph.retrieve.routing.envelope import RoutedStatus
from graph.retrieve.window import spoken_window
from graph.text.tiers import STRATEGIES, WITHOUT_CLASSIFIER, raised, tier_of

# The names of the sources for the logical backends, per profile.
_OLD_NAMES = {
    "keyword": "qmd:search",
    "vector": "qmd:vsearch",
    "hybrid": "qmd:query",
    "graph": "cognee",
    "recent": "totalrecall",
    "decisions": "lossless",
}
_CELLS = {"canonical": "canonical-hybrid", "v10": "observational-memory-v10", "v11": "observational-memory-v11"}
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
DECISION = "0002-one-rule-table.md"

for feature in ("fallback", "route_7rule", "route_13rule"):
    decided(feature, DECISION)


@covers("route_7rule")
def seven_rules(given: Given) -> Any:
    rule = rules.route(given["query"], "router-7").rule
    primary, _, way = _OLD_NAMES[rule.primary].partition(":")
    return {
        "rule": rule.number,
        "primary": primary,
        "mode": way or None,
        "fallback_chain": [_OLD_NAMES[name] for name in rule.fallback],
    }


@covers("route_13rule")
def thirteen_rules(given: Given) -> Any:
    rule = rules.route(given["query"], "router-13").rule
    return {
        "rule": rule.id,
        "primary_class": rule.primary,
        "co_primary_class": rule.co_primary,
        "fallback_class": rule.fallback[0] if rule.fallback else None,
        "hint": rule.hint,
    }


@covers("route_13rule_dispatch")
def turns(given: Given) -> Any:
    rule = next(rule for rule in rules.profile("router-13") if rule.id == given["rule"])
    classes = {
        "retrieval_engine": ["qmd", "openviking"],
        "memory_store": ["totalrecall", "vertex"],
        "knowledge_graph": ["nowledge"],
        "context_engine": ["lossless"],
    }
    places = [(name, [backend for backend in classes[name] if backend in given["ready"]]) for name in rule.chain]
    ranks = ("primary", "secondary", "tertiary")
    slots = backends.interleaved(places, co_primary=rule.co_primary is not None)
    return {"order": [f"{slot.place}:{ranks[slot.rank]}({slot.backend})" for slot in slots]}


@covers("route_13rule_filter")
def filtered(given: Given) -> Any:
    return {"eligible": backends.eligible(given["hint"], given["backends"])}


@covers("backend_state_order")
def states(given: Given) -> Any:
    order = backends.by_state(given["primary"], given["fallback"])
    return {"dispatch": order, "excluded": [name for name in {**given["primary"], **given["fallback"]} if name not in order]}


@covers("default_install")
def two_installed(given: Given) -> Any:
    rule = next(rule for rule in rules.profile("router-7") if rule.number == given["query_rule"])
    chain = [_OLD_NAMES[name] for name in rule.chain]
    present = [name for name in chain if name.split(":")[0] in given["installed"]]
    return {"skipped_silently": [name for name in chain if name not in present], "execution_order": present, "logged": False}


@covers("retrieval_mode")
def retrieval_mode(given: Given) -> Any:
    return {"mode": mode(given["query"])}


@covers("graph_intent")
def graph_intent(given: Given) -> Any:
    first = intents(given["query"])[0]
    temporal = first.intent is Intent.WHEN and spoken_window(given["query"], _NOW).window is not None
    confidence = first.confidence
    return {"intent": first.intent.value, "confidence": confidence, "temporal": temporal, "llm_needed": confidence < 0.8}


@covers("relevance_qmd")
def qmd(given: Given) -> Any:
    return {"normalized": relevance.of_bm25(given["raw_bm25"])}


@covers("relevance_totalrecall")
def totalrecall(given: Given) -> Any:
    return {"normalized": round(relevance.of_age(given["age_days"]), 3)}


class _Steps:
    """A clock that the played backends move."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return _NOW + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds


@covers("fallback")
def fallback(given: Given) -> Any:
    """Play the row's backends through the dispatcher, under the names by which the row calls them."""
    played = _played(given)
    clock, called = _Steps(), []

    def ask(name: str) -> BackendAnswer:
        called.append(name)
        answer, ms = played[name]
        clock.seconds += ms / 1000
        return answer

    limit = given.get("timeout_ms", 5000) / 1000
    result = Dispatcher(clock, limit).dispatch("q", list(played), ask, trace=True)
    steps = [step for step in result.trace or () if step["next"]]
    first = played[called[0]][0]
    found: dict[str, Any] = {
        "status": result.status.value,
        "accepted": result.routed_to,
        "returned": result.routed_to,
        "fallbacks_used": result.fallbacks_used,
        "normalized_relevance": result.normalized_relevance,
        "error_code": result.error_code,
        "routed_to": result.routed_to,
        "results": list(result.results),
        "result_count": result.result_count,
        "backend_duration_ms": result.backend_duration_ms,
    }
    if steps:
        timed_out = steps[0]["error_code"] == "QUERY_TIMEOUT"
        attempt = Attempt(steps[0]["backend"], first, steps[0]["ms"])
        found["primary_marked"] = steps[0]["error_code"]
        found["log_line_prefix"] = "TIMEOUT" if timed_out else fallback_line(_NOW, "q", attempt, "x").split()[1]
    if len(called) == 1:
        found["reason"] = "first acceptable result wins; secondary never called"
    return found


def _played(given: Given) -> dict[str, tuple[BackendAnswer, float]]:
    ordinals = ("first", "second", "third", "fourth", "fifth")
    if "attempts" in given:
        return {
            name: (_answer(row), row.get("duration_ms", 1.0)) for name, row in zip(ordinals, given["attempts"], strict=False)
        }
    rows: dict[str, Any] = {name: given[name] for name in ("primary", "secondary", "next") if name in given}
    if "primary" not in rows:
        rows = {"primary": {"status": "success", "normalized_relevance": 0.9}} | rows
    ms = {"primary": given.get("primary_duration_ms", 1.0)}
    return {name: (_answer(row), ms.get(name, 1.0)) for name, row in rows.items()}


def _answer(row: Any) -> BackendAnswer:
    if isinstance(row, int | float):
        return BackendAnswer(RoutedStatus.SUCCESS, float(row))
    value = row.get("normalized_relevance", row.get("relevance", 0.0))
    code = "BACKEND_ERROR" if row.get("status") == "error" else None
    return BackendAnswer(RoutedStatus(row.get("status", "success")), value, error_code=code)


@covers("log_format")
def log_format(given: Given) -> Any:
    answer = BackendAnswer(RoutedStatus.ERROR, error_code=given["error_code"], error_message="x")
    line = fallback_line(_NOW, given["query"], Attempt(given["backend"], answer, 1.0), given["next"])
    wanted = ("FALLBACK", f'query="{given["query"]}"', f"backend={given['backend']}", f"error_code={given['error_code']}")
    parts = [*wanted, 'error_message="', f"next={given['next']}"]
    dated = line.startswith("[2026-01-01T00:00:00+00:00] ")
    return {"contains": [part for part in parts if part in line], "timestamp": "[ISO-8601 UTC] prefix" if dated else "none"}


@covers("preset_route")
def preset_route(given: Given) -> Any:
    choice = selection.choose(given["category"], preset_table(given["preset"]), shipped_costs(), given.get("budget"))
    return {"backend": choice.backend, "cost_usd": choice.usd}


@covers("budget")
def budget(given: Given) -> Any:
    costs = shipped_costs()
    if "synthetic" in given:
        points = {_CELLS[name]: CostPoint(accuracy, usd) for name, (usd, accuracy) in given["synthetic"].items()}
        costs = {backend: {given["category"]: point} for backend, point in points.items()}
    mode_ = selection.BudgetMode(given.get("mode", "cheapest-fallback"))
    try:
        choice = selection.choose(given["category"], preset_table(given["preset"]), costs, given["per_query_usd"], mode_)
    except BudgetExceeded as error:
        return {"error": "budget-exceeded", **error.fields}
    except InvalidInput:
        return {"error": "unknown-category"}
    return {
        "backend": choice.backend,
        "estimated_cost_usd": choice.usd,
        "budget_exceeded": choice.budget_exceeded,
        "reason": choice.reason,
    }


@covers("augmented_route")
def augmented_route(given: Given) -> Any:
    backend, name = configurations.augmented(given["preset"], given["category"])
    return {"backend": backend, "retrievalConfig": name}


@covers("retrieval_config_fallback")
def registered(given: Given) -> Any:
    return {"config": configurations.best_registered(given["category"], given["registered"])}


@covers("retrieval_config_spec")
def spec(given: Given) -> Any:
    found = configurations.configuration(given["id"])
    return {"id": found.id, "hyde": found.hyde, "rerankCandidateMultiplier": found.multiplier, "readerTopK": found.top_k}


@covers("adaptive")
def adapted(given: Given) -> Any:
    category = given.get("category", "multi-session")
    cells = [
        adaptive.Cell(_CELLS[name], row[2]["n"] if len(row) > 2 else 1, row[0], row[1]) for name, row in given["cells"].items()
    ]
    learnt = adaptive.pick(given["preset"], cells, given.get("min_samples", adaptive.MIN_SAMPLES))
    return {"backend": learnt or adaptive.table(given["preset"], ())[category]}


@covers("classifier_parse")
def parsed(given: Given) -> Any:
    return {"category": categories.parsed(given["raw"]).value}


@covers("category_example")
def categorised(given: Given) -> Any:
    return {"category": categories.categorised(given["query"]).value}


@covers("query_tier_heuristic")
def tier(given: Given) -> Any:
    found = tier_of(given["query"])
    return {"tier": found, "strategy": STRATEGIES[found]}


@covers("query_tier_confidence")
def raised_tier(given: Given) -> Any:
    found = raised(given["tier"], given["confidence"], given["threshold"], given["max_tier"])
    return {"tier": found, "strategy": f"{STRATEGIES[found]} at least" if found > given["tier"] else STRATEGIES[found]}


@covers("query_tier_failure")
def failed_tier(given: Given) -> Any:  # noqa: ARG001 - the row only says that the model failed
    guess = WITHOUT_CLASSIFIER
    return {"tier": guess.tier, "strategy": guess.strategy, "confidence": guess.confidence, "sources": list(guess.sources)}


@covers("plan")
def planned(given: Given) -> Any:
    return {"clauses": [[clause.kind, clause.priority] for clause in plan(given["query"])]}


@covers("profile")
def hook_profile(given: Given) -> Any:
    found = limits.hook_profile(given["profile"])
    return {
        "token_budget": found.token_budget,
        "max_results": found.max_results,
        "vector": found.vector,
        "expansion_and_rerank": found.expansion_and_rerank,
    }


@covers("profile_threshold")
def kept(given: Given) -> Any:
    return {"kept": limits.hook_profile(given["profile"]).keeps(given["score"], given["best"])}


@covers("recency_intent")
def recent(given: Given) -> Any:
    return {"recency": limits.asks_for_recent(given["query"])}
