"""Exit codes: one table for the whole command."""

OK = 0
USAGE = 2
INTERRUPTED = 130

BY_CODE: dict[str, int] = {
    "internal": 1,
    "invalid_input": 3,
    "invalid_scope": 4,
    "invalid_time": 5,
    "too_large": 6,
    "conflict": 7,
    "not_found": 8,
    "forbidden": 9,
    "unreadable": 10,  # some input could not be read; the rest went in
    "config": 11,
    "store": 12,
    "store_unavailable": 13,
    "store_read_only": 14,
    "store_full": 15,
    "schema_too_new": 16,
    "model_mismatch": 17,
    "already_owned": 18,
    "model_unavailable": 19,
    "deadline_exceeded": 20,
    "busy": 21,
    "unreachable": 22,
    "budget_exceeded": 25,
}
UNREADABLE = BY_CODE["unreadable"]
FAILED_WORK = 23  # what was waited for ended on the dead-letter list
UNWELL = 24  # doctor found something
NOT_DONE = BY_CODE["deadline_exceeded"]
NOT_RUNNING = 3  # `daemon status` when none runs, as init scripts have it


def of(code: str) -> int:
    return BY_CODE.get(code, BY_CODE["internal"])
