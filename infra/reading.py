"""Reading with a language model: the rules' extractor as it is, or with the model of the settings over it."""

import time
from contextlib import ExitStack

from graph.errors import ConfigError
from graph.ports import Extractor
from infra.clock import SystemClock
from infra.settings import ExtractSettings


def with_model(settings: ExtractSettings, rules: Extractor, stack: ExitStack) -> Extractor:
    """The extractor that the settings want; what must be closed goes on the stack. Raises ConfigError without url or model."""
    if settings.by == "rules":
        return rules
    if not (settings.url and settings.model):
        raise ConfigError(f"extract.by is {settings.by}: set extract.url and extract.model")
    from graph.extract.llm import LlmExtractor, Mode  # noqa: PLC0415  (spaCy and httpx only where they are used)
    from infra.models.chat import HttpChat  # noqa: PLC0415

    prices = (settings.prompt_price, settings.completion_price)
    chat = HttpChat(
        settings.url,
        settings.model,
        SystemClock(),
        key=settings.api_key.get_secret_value(),
        timeout=settings.timeout,
        prices=None if prices[0] is None or prices[1] is None else (prices[0], prices[1]),
    )
    stack.callback(chat.close)
    return LlmExtractor(rules, chat, wait=time.sleep, mode=Mode(settings.by), calls=settings.calls)
