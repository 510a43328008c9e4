"""Golden rows of what doors decide: scopes and access, tools' limits and certainty, what a text is for."""

import re
from typing import Any

from bench.golden_rows import Given, covers, decided
from graph.errors import ConfigError, InvalidInput
from graph.model import access
from graph.retrieve.routing.tasks import classified
from services import choosing

decided("classify", "0001-one-gate.md")

_EXPLICIT = "agentAccess: bot->[global,agent:bot], coder->[global,custom:work]"
_ENTRY = re.compile(r"([\w-]+)->\[([^\]]*)\]")


def _policy(config: str) -> access.AccessPolicy:
    written = _EXPLICIT if config == "explicit" else config
    listed = {agent: scopes.split(",") for agent, scopes in _ENTRY.findall(written)}
    return access.policy(definitions=["custom:work"], access=listed)


@covers("scope_access")
def accessible(given: Given) -> Any:
    return {"accessible": _policy(given["config"]).allows(given["agent"], given["scope"])}


@covers("scope_default")
def default_scope(given: Given) -> Any:
    policy = _policy(given["config"])
    scopes = policy.accessible(given["agent"])
    everything = sorted(policy.definitions, key=lambda scope: (scope != "global", scope))
    return {"default_scope": policy.writes_to(given["agent"]), "accessible": everything if scopes is None else scopes}


@covers("scope_parse")
def parsed(given: Given) -> Any:
    found = access.parsed(given["scope"])
    return {"type": found[0], "id": found[1]} if found else {"type": None, "id": None}


@covers("scope_format")
def configurable(given: Given) -> Any:
    return {"valid": access.is_configurable(given["scope"])}


@covers("scope_config")
def config(given: Given) -> Any:
    try:
        found = access.policy(given["definitions"], given.get("default", "global"), given.get("agentAccess"))
    except ConfigError:
        return {"error": True}
    return {"error": False, "warning": bool(found.warnings)}


@covers("tool_store")
def store(given: Given) -> Any:
    scope = given.get("scope", "global")
    if given.get("agent") and not access.policy().allows(given["agent"], scope):
        return {"error": "scope_access_denied"}
    chosen = choosing.to_store(given["text"], given.get("top_similarity"))
    importance = choosing.changes(given).get("importance")
    return {"action": chosen.action, "importance": importance}


@covers("tool_forget")
def forget(given: Given) -> Any:
    if "memoryId" in given:
        chosen = choosing.by_prefix(given["memoryId"], given.get("ids", ()))
        return {"action": "deleted"} if chosen.place is not None else {"error": chosen.action}
    if "query" not in given:
        return {"error": "missing_param"}
    chosen = choosing.to_forget(given["matches"])
    return {"action": chosen.action, "error": chosen.action}


@covers("tool_update")
def update(given: Given) -> Any:
    changed = choosing.changes(given)
    if not changed:
        return {"action": "no_updates", "error": "no_updates"}
    new_text = "text" in changed
    common = {"re_embedded": new_text, "timestamp": "unchanged"}
    if new_text and choosing.to_store(changed["text"], None).action != "created":
        return common | {"action": "noise_filtered", "error": "noise_filtered"}
    if choosing.is_id(given["memoryId"]):
        return common | {"resolved_as": "id prefix", "action": "updated"}
    chosen = choosing.to_update(given["matches"])
    return common | {"resolved_as": "query", "action": chosen.action, "picked": "first" if chosen.place == 0 else None}


@covers("tool_recall")
def recall(given: Given) -> Any:
    return {"effective_limit": choosing.clamped(given["limit"], choosing.RECALL_LIMITS)}


@covers("tool_list")
def listed(given: Given) -> Any:
    limit = choosing.clamped(given["limit"], choosing.LIST_LIMITS)
    return {"effective_limit": limit, "effective_offset": choosing.skipped(given["offset"])}


@covers("id_prefix")
def prefix(given: Given) -> Any:
    ids = [given["id"] + f"-{number}" for number in range(given["matches"])]
    chosen = choosing.by_prefix(given["id"], ids)
    return {"resolved": chosen.place is not None, "error": chosen.action}


@covers("bulk_delete")
def bulk(given: Given) -> Any:
    try:
        choosing.bulk_filter(given["scopes"], given["before"])
    except InvalidInput as error:
        return {"error": error.message}
    return {"allowed": True}


@covers("classify")
def classify(given: Given) -> Any:
    try:
        task = classified(given["text"])
    except InvalidInput as error:
        return {"error": error.message}
    return {
        "intent": task.intent,
        "domain_scores": task.domains,
        "requires_memory": task.requires_memory,
        "memory_worthy_hint": task.memory_worthy,
    }
