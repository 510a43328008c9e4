"""LlmExtractor: the rules' reading, and beside or instead of it what a language model read; its failure leaves the rules'."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from graph.errors import BackstoryError, Busy, ModelUnavailable
from graph.extract.llm.prompt import nonce_of, system_prompt, user_prompt
from graph.extract.llm.reply import PassageReply, Reply, parsed, schema
from graph.extract.llm.support import Supported, supported
from graph.model.extraction import CausalClaim, Decision, Extraction, NameSeen, Passage, Triple
from graph.model.observations import Span
from graph.ports import ChatModel, Extractor

BATCH_CHARS = 12_000
BATCH_PASSAGES = 16
BACKOFF = 0.5  # seconds before the second call; doubled for each further one
MAX_WAIT = 30.0  # seconds that one wait may take, whatever the endpoint asks for


class Mode(StrEnum):
    """`llm`: what the model read replaces the rules' decisions, causes, triples; `both`: it is added to them."""

    LLM = "llm"
    BOTH = "both"


@dataclass(slots=True)
class _Spent:
    """Calls and tokens of one batch."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None


class LlmExtractor:
    """An Extractor over another one. One call per batch of passages, at most `calls` of them in all when calls fail.

    Waits between calls with `wait` (seconds). The marks hold under "llm" the model, the calls, this passage's share of tokens
    and cost, and how much was dropped as unsupported; or why the model's reading is absent.
    """

    def __init__(
        self, rules: Extractor, model: ChatModel, *, wait: Callable[[float], None], mode: Mode = Mode.BOTH, calls: int = 3
    ) -> None:
        self._rules, self._model, self._wait, self._mode, self._calls = rules, model, wait, mode, calls

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        read = self._rules.extract(passages)
        found: list[Extraction] = []
        for start, end in _batches(passages):
            found += self._batch(passages[start:end], read[start:end])
        return found

    def _batch(self, passages: Sequence[Passage], rules: Sequence[Extraction]) -> list[Extraction]:
        if not any(passage.text.strip() for passage in passages):
            return list(rules)
        spent = _Spent()
        reply, reason = self._asked(passages, spent)
        shares = [len(p.text) / max(1, sum(len(q.text) for q in passages)) for p in passages]
        if reply is None:
            return [_marked(e, self._bill(spent, share) | {"failed": reason}) for e, share in zip(rules, shares, strict=True)]
        by_number: dict[int, PassageReply] = {one.passage: one for one in reversed(reply.passages)}
        found = []
        for number, (passage, extraction, share) in enumerate(zip(passages, rules, shares, strict=True)):
            told = by_number.get(number)
            kept = supported(told, passage, extraction) if told is not None else Supported()
            bill = self._bill(spent, share) | {"dropped": kept.dropped}
            found.append(_marked(_joined(extraction, kept, self._mode) if told is not None else extraction, bill))
        return found

    def _asked(self, passages: Sequence[Passage], spent: _Spent) -> tuple[Reply | None, str]:
        """A valid reply, or None and why; never more than `calls` calls."""
        nonce = nonce_of(passages)
        system, user, reason = system_prompt(nonce), user_prompt(passages, nonce), ""
        while spent.calls < self._calls:
            spent.calls += 1
            pause = 0.0
            try:
                completion = self._model.complete(system, user, schema())
            except Busy as error:
                reason, pause = "busy", _pause(error.fields.get("retry_after"), spent.calls)
            except ModelUnavailable:
                reason, pause = "unavailable", _pause(None, spent.calls)
            except BackstoryError as error:
                return None, error.code
            else:
                _count(spent, completion.prompt_tokens, completion.completion_tokens, completion.cost)
                reply = parsed(completion.text)
                if reply is not None:
                    return reply, ""
                reason = "invalid reply"
            if pause and spent.calls < self._calls:
                self._wait(pause)
        return None, reason

    def _bill(self, spent: _Spent, share: float) -> dict[str, Any]:
        bill: dict[str, Any] = {
            "model": self._model.id,
            "calls": spent.calls,
            "prompt_tokens": round(spent.prompt_tokens * share),
            "completion_tokens": round(spent.completion_tokens * share),
        }
        return bill if spent.cost is None else bill | {"cost": round(spent.cost * share, 8)}


def _batches(passages: Sequence[Passage]) -> Iterator[tuple[int, int]]:
    """Ranges of passages that go into one call; a longer passage goes alone."""
    start, size = 0, 0
    for i, passage in enumerate(passages):
        if i > start and (size + len(passage.text) > BATCH_CHARS or i - start >= BATCH_PASSAGES):
            yield start, i
            start, size = i, 0
        size += len(passage.text)
    if passages:
        yield start, len(passages)


def _pause(asked: object, calls: int) -> float:
    wanted = float(asked) if isinstance(asked, int | float) else BACKOFF * 2 ** (calls - 1)
    return min(max(wanted, 0.0), MAX_WAIT)


def _count(spent: _Spent, prompt: int, completion: int, cost: float | None) -> None:
    spent.prompt_tokens += prompt
    spent.completion_tokens += completion
    if cost is not None:
        spent.cost = (spent.cost or 0.0) + cost


def _marked(extraction: Extraction, bill: dict[str, Any]) -> Extraction:
    return extraction.model_copy(update={"marks": extraction.marks | {"llm": bill}})


def _joined(rules: Extraction, kept: Supported, mode: Mode) -> Extraction:
    """The rules' reading with the model's. Sentences, times, references and priors stay the rules'; names are always joined."""
    own = rules if mode is Mode.BOTH else rules.model_copy(update={"decisions": (), "causes": (), "triples": ()})
    update = {
        "kind": kept.kind or rules.kind,
        "decisions": own.decisions + tuple(d for d in kept.decisions if not _decided(d, own.decisions)),
        "causes": own.causes + tuple(c for c in kept.causes if not any(_same_claim(c, o) for o in own.causes)),
        "triples": own.triples + tuple(t for t in kept.triples if not any(_same_triple(t, o) for o in own.triples)),
        "names": rules.names + tuple(n for n in kept.names if not _seen(n, rules.names)),
    }
    return rules.model_copy(update=update)


def _decided(one: Decision, others: Sequence[Decision]) -> bool:
    return any(one.sentence == other.sentence for other in others)


def _same_claim(one: CausalClaim, other: CausalClaim) -> bool:
    return _touch(one.cause, other.cause) and _touch(one.effect, other.effect)


def _touch(one: Span | None, other: Span | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.start < other.end and other.start < one.end


def _same_triple(one: Triple, other: Triple) -> bool:
    return one.subject.lower() == other.subject.lower() and one.object.lower() == other.object.lower()


def _seen(one: NameSeen, others: Sequence[NameSeen]) -> bool:
    return any(one.text.lower() == other.text.lower() or one.span == other.span for other in others)
