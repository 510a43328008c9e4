"""Golden rows of the gate, the noise filter and automatic capture."""

import re
from typing import Any

from bench.golden_rows import Given, covers, decided
from graph.ingest.capture import detect_category, should_capture
from graph.ingest.gate import Caller, Gate
from graph.ingest.noise import NoiseFilter, is_retrieved_noise

DECISION = "0001-one-gate.md"
_OPTIONS = {"filterDenials": "denials", "filterMetaQuestions": "meta_questions", "filterBoilerplate": "boilerplate"}
_DESCRIBED = re.compile(r"(\d+)\+? chars then \"(.*)\"")

for feature in ("gate", "gate_skip", "noise_filter", "should_capture", "detect_category"):
    decided(feature, DECISION)


@covers("gate_skip", "gate_skip_min_length", "gate_skip_head", reference="lancedb-pro")
def skipped(given: Given) -> Any:
    return {"skip": Gate().judge(given["query"], min_length=given.get("min_length")).skip}


@covers("gate", reference="clawmem")
def english_gate(given: Given) -> Any:
    verdict = Gate(languages=("en",), runtimes=True).judge(given["prompt"])
    return {"skip": verdict.skip, "force": verdict.force}


@covers("gate_hook_min", reference="clawmem")
def surfaces(given: Given) -> Any:
    return {"hook_surfaces": not Gate(languages=("en",), runtimes=True).judge(given["prompt"], Caller.HOOK).skip}


@covers("gate", reference="orchestrator")
def flags(given: Given) -> Any:
    verdict = Gate(languages=("zh",)).judge(given["text"])
    reasons = {"light": "lightweight-message-skip"}
    if verdict.reason.startswith("command:"):
        reason = verdict.reason
    else:
        reason = "triggered-by-keywords" if verdict.asks else reasons.get(verdict.reason, "no-explicit-memory-trigger")
    return {
        "process": verdict.asks,
        "write": verdict.write,
        "recall": verdict.recall,
        "reflect": verdict.reflect,
        "reason": reason,
    }


@covers("noise_filter", "noise_filter_options", reference="lancedb-pro")
def noise(given: Given) -> Any:
    options = {_OPTIONS[name]: value for name, value in given.get("options", {}).items()}
    return {"noise": NoiseFilter(**options).is_noise(given["text"])}


@covers("retrieved_noise", reference="clawmem")
def retrieved_noise(given: Given) -> Any:
    return {"noise": is_retrieved_noise(given["text"])}


@covers("should_capture", reference="lancedb-pro")
def captured(given: Given) -> Any:
    return {"capture": should_capture(_written_out(given["text"]))}


@covers("detect_category", reference="lancedb-pro")
def category(given: Given) -> Any:
    return {"category": detect_category(given["text"]).value}


def _written_out(text: str) -> str:
    """A text that a row only describes ("501+ chars then ...") as it would be."""
    described = _DESCRIBED.fullmatch(text)
    return "x" * int(described.group(1)) + " " + described.group(2) if described else text
