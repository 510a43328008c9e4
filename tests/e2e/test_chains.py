"""A causes B causes C, told in three sessions in three word orders: `why C` returns B and A with the path that led there."""

from typing import Any

import pytest

from tests.e2e.conftest import Shell

# (rows as (session, date, text), question, texts that must come first among what is not the effect itself)
CHAINS: dict[str, tuple[list[tuple[str, str, str]], str, list[int]]] = {
    "because, so, plain": (
        [
            ("s1", "2025-03-03T09:00:00Z", "The intern deleted the replication slot by mistake."),
            (
                "s2",
                "2025-03-10T09:00:00Z",
                "Because the replication slot had been deleted, the standby database fell two days behind.",
            ),
            (
                "s3",
                "2025-05-20T09:00:00Z",
                "Finance published wrong revenue numbers, since the standby database was two days behind.",
            ),
        ],
        "Why did finance publish wrong revenue numbers?",
        [1, 0],
    ),
    "led to, due to, as a result": (
        [
            ("a", "2024-01-05T08:00:00Z", "Cutting the maintenance budget led to worn brake pads on the delivery vans."),
            ("b", "2024-02-11T08:00:00Z", "Due to the worn brake pads, three delivery vans were taken off the road."),
            (
                "c",
                "2024-03-01T08:00:00Z",
                "Three delivery vans were off the road. As a result, the bakery lost its hotel contract.",
            ),
        ],
        "What made the bakery lose its hotel contract?",
        [1, 0],
    ),
    "caused, so, why": (
        [
            ("x", "2023-07-01T10:00:00Z", "A firmware update caused the thermostats to reset every night."),
            ("y", "2023-07-09T10:00:00Z", "The thermostats reset every night, so the greenhouse dropped below freezing."),
            ("z", "2023-08-02T10:00:00Z", "The seedlings died because the greenhouse dropped below freezing."),
        ],
        "How come the seedlings died?",
        [1, 0],
    ),
}

NOISE = [
    "The cafeteria will close at four on Friday.",
    "Marta prefers tea over coffee in the morning.",
    "We moved the stand-up meeting to half past nine.",
    "The new office chairs arrived because the old ones were sold.",
    "The onboarding guide has a chapter on expense reports.",
    "Jonas booked a trip to Lisbon for the conference.",
    "The dentist rescheduled the appointment due to a strike.",
    "A loose cable caused the projector to flicker during the talk.",
]


@pytest.mark.parametrize("name", CHAINS)
def test_why_reaches_the_causes_of_the_cause(shell: Shell, name: str) -> None:
    story, question, wanted = CHAINS[name]
    rows: list[dict[str, Any]] = [
        {"text": t, "session": s, "authored_at": at, "key": f"{s}-{i}"} for i, (s, at, t) in enumerate(story)
    ]
    rows += [
        {"text": t, "session": "noise", "key": f"n{i}", "authored_at": "2024-02-01T00:00:00Z"} for i, t in enumerate(NOISE)
    ]
    shell.ingest(rows)

    answer = shell.json("why", question)

    effect = story[2][2]
    others = [hit for hit in answer["results"] if hit["text"] != effect]
    assert [hit["text"] for hit in others[:2]] == [story[i][2] for i in wanted], [h["text"] for h in answer["results"]]
    root = others[1]
    assert [step["kind"] for step in root["path"]].count("CAUSES") == 2, root["path"]
    assert all(step["direction"] == "in" for step in root["path"] if step["kind"] == "CAUSES"), (
        "causes are walked against the edge"
    )


def test_a_cause_is_found_though_it_shares_no_word_with_the_question(shell: Shell) -> None:
    shell.ingest(
        [
            {
                "text": "The certificate of the gateway expired on Sunday.",
                "session": "ops",
                "authored_at": "2025-01-05T10:00:00Z",
            },
            {
                "text": "Card payments were refused because the gateway's certificate had expired.",
                "session": "pay",
                "authored_at": "2025-01-06T10:00:00Z",
            },
            {
                "text": "Customers cancelled their orders since card payments were refused.",
                "session": "shop",
                "authored_at": "2025-01-08T10:00:00Z",
            },
            *({"text": text, "session": "noise"} for text in NOISE),
        ]
    )

    answer = shell.json("why", "Why did people cancel orders?")

    texts = [hit["text"] for hit in answer["results"]]
    assert "The certificate of the gateway expired on Sunday." in texts[:3], texts
