"""Times as files write them: ISO 8601, RFC 2822, epoch numbers, and the plain day forms of headers and exports."""

import re
from datetime import UTC, date, datetime, time
from email.utils import parsedate_to_datetime
from typing import Any

_MILLIS_FROM = 1e11  # larger epoch numbers are milliseconds, from 1e14 on microseconds
_MICROS_FROM = 1e14
_NUMBER = re.compile(r"-?\d{9,16}(?:\.\d+)?")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_FORMS = (
    "%d-%b-%Y",
    "%d-%B-%Y",
    "%d %b %Y",
    "%d %B %Y",
    "%b %d %Y",
    "%B %d %Y",
    "%Y/%m/%d",
    "%Y/%m/%d %H:%M",
    "%Y/%m/%d %H:%M:%S",
    "%Y.%m.%d",
    "%I:%M %p on %d %B %Y",
    "%d %B %Y %H:%M",
    "%B %d %Y %H:%M",
    "%Y-%m-%d %H:%M:%S %z",
)


def moment(value: Any) -> datetime | None:
    """The time that `value` states, with its offset where it has one; None when it states none (or only a year)."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _epoch(float(value))
    return _spoken(value.strip()) if isinstance(value, str) else None


def _epoch(number: float) -> datetime | None:
    if not _NUMBER.fullmatch(f"{number:.6f}"):
        return None
    scale = 1e6 if abs(number) >= _MICROS_FROM else 1e3 if abs(number) >= _MILLIS_FROM else 1
    try:
        return datetime.fromtimestamp(number / scale, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def _spoken(text: str) -> datetime | None:
    if _NUMBER.fullmatch(text):
        return _epoch(float(text))
    if len(text) < 8 or len(text) > 64:
        return None
    for read in (datetime.fromisoformat, _by_form, parsedate_to_datetime):
        try:
            return read(text)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return None


def _by_form(text: str) -> datetime:
    plain = " ".join(_ORDINAL.sub("", text).replace(",", " ").split())
    for form in _FORMS:
        try:
            return datetime.strptime(plain, form)  # noqa: DTZ007 - a day without a zone stays naive: its offset is unknown
        except ValueError:
            continue
    raise ValueError(text)
