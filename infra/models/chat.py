"""HttpChat: a ChatModel over any OpenAI-compatible endpoint. One request per call; what it answers is told, not judged."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from graph.errors import Busy, ConfigError, ModelUnavailable
from graph.ports import Clock, Completion

MAX_REPLY_BYTES = 4_000_000
_DURATION = re.compile(r"\A(?:(\d{1,6})h)?(?:(\d{1,6})m(?!s))?(?:(\d{1,9}(?:\.\d{1,6})?)s)?(?:(\d{1,9})ms)?\Z")
_RESETS = ("x-ratelimit-reset-requests", "x-ratelimit-reset-tokens")
_REMAINS = ("x-ratelimit-remaining-requests", "x-ratelimit-remaining-tokens")


class HttpChat:
    """ChatModel over HTTP. `prices` are the cost of one prompt and one completion token, where they are known.

    Raises Busy for 429 and 503 with the seconds that the endpoint asks to wait, and before a request while a told limit
    lasts; ModelUnavailable for what may pass; ConfigError for what will not.
    """

    def __init__(
        self,
        url: str,
        model: str,
        clock: Clock,
        *,
        key: str = "",
        timeout: float = 60.0,
        prices: tuple[float, float] | None = None,
    ) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(base_url=url.rstrip("/") + "/", headers=headers, timeout=timeout)
        self._model, self._clock, self._prices = model, clock, prices
        self._not_before = 0.0

    @property
    def id(self) -> str:
        return self._model

    def close(self) -> None:
        self._client.close()

    def complete(self, system: str, user: str, schema: Mapping[str, Any]) -> Completion:
        held = self._not_before - self._clock.monotonic()
        if held > 0:
            raise Busy("the endpoint's limit is used up", retry_after=held)
        body = {
            "model": self._model,
            "temperature": 0,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "response_format": {"type": "json_schema", "json_schema": {"name": "reading", "schema": dict(schema)}},
        }
        try:
            response = self._client.post("chat/completions", json=body)
        except httpx.HTTPError as error:
            raise ModelUnavailable(f"the model's endpoint did not answer: {type(error).__name__}") from error
        self._heed(response)
        self._judge(response)
        return self._completion(response)

    def _heed(self, response: httpx.Response) -> None:
        """Remember until when a limit lasts that this response says is used up."""
        waits = [
            seconds_of(response.headers.get(reset, ""))
            for remain, reset in zip(_REMAINS, _RESETS, strict=True)
            if response.headers.get(remain) == "0"
        ]
        known = [wait for wait in waits if wait is not None]
        if known:
            self._not_before = self._clock.monotonic() + max(known)

    def _judge(self, response: httpx.Response) -> None:
        code = response.status_code
        if code in (429, 503):
            raise Busy(f"the model's endpoint answered {code}", retry_after=self._retry_after(response))
        if code >= 500 or code == 408:
            raise ModelUnavailable(f"the model's endpoint answered {code}")
        if code >= 400:
            raise ConfigError(f"the model's endpoint refuses the request: {code}")
        if code >= 300:
            raise ConfigError(f"the model's endpoint is elsewhere: {code}")

    def _retry_after(self, response: httpx.Response) -> float | None:
        """Seconds, from Retry-After (a number or a date) or the rate limit's own headers."""
        told = response.headers.get("retry-after", "")
        if re.fullmatch(r"\d{1,6}(?:\.\d{1,3})?", told):
            return float(told)
        try:
            at = parsedate_to_datetime(told)
        except ValueError:
            waits = [wait for name in _RESETS if (wait := seconds_of(response.headers.get(name, ""))) is not None]
            return max(waits) if waits else None
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        return max(0.0, (at - _aware(self._clock.now())).total_seconds())

    def _completion(self, response: httpx.Response) -> Completion:
        if len(response.content) > MAX_REPLY_BYTES:
            raise ModelUnavailable("the model's reply is too long")
        try:
            body = response.json()
            text = body["choices"][0]["message"]["content"] or ""
            usage = body.get("usage") or {}
            prompt, completion = int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise ModelUnavailable("the model's endpoint answered something else than a completion") from error
        cost = None if self._prices is None else prompt * self._prices[0] + completion * self._prices[1]
        return Completion(str(text), prompt, completion, cost)


def seconds_of(duration: str) -> float | None:
    """Seconds of a limit's reset as endpoints write it: "1s", "6m0s", "350ms", "12"; None for anything else."""
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,6})?", duration):
        return float(duration)
    match = _DURATION.match(duration) if duration else None
    if match is None:
        return None
    hours, minutes, seconds, millis = (float(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + seconds + millis / 1000


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
