"""A causes B causes C, told in three sessions in three word orders: `why C` returns B and A with the path that led there."""

from typing import Any

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


def test_why_reaches_the_causes_of_the_cause(shell: Shell) -> None:
    """One scope per story: what is told in one is nothing to the others."""
    for number, (story, _, _) in enumerate(CHAINS.values()):
        rows: list[dict[str, Any]] = [{"text": t, "session": s, "authored_at": at} for s, at, t in story]
        rows += [{"text": text, "session": "noise", "authored_at": "2024-02-01T00:00:00Z"} for text in NOISE]
        shell.ingest([row | {"scope": f"story:{number}"} for row in rows])

    for number, (name, (story, question, wanted)) in enumerate(CHAINS.items()):
        answer = shell.json("why", question, "--scope", f"story:{number}")

        others = [hit for hit in answer["results"] if hit["text"] != story[2][2]]
        assert [hit["text"] for hit in others[:2]] == [story[i][2] for i in wanted], (name, answer["results"])
        causal = [step for step in others[1]["path"] if step["kind"] == "CAUSES"]
        assert len(causal) == 2, (name, others[1]["path"])
        assert all(step["direction"] == "in" for step in causal), "causes are walked against the stored edge"


def test_a_cause_is_found_though_it_shares_no_word_with_the_question(shell: Shell) -> None:
    shell.ingest(
        [
            {"text": "The certificate of the gateway expired on Sunday.", "session": "ops"},
            {"text": "Card payments were refused because the gateway's certificate had expired.", "session": "pay"},
            {"text": "Customers cancelled their orders since card payments were refused.", "session": "shop"},
            *({"text": text, "session": "noise"} for text in NOISE),
        ]
    )

    answer = shell.json("why", "Why did people cancel orders?")

    texts = [hit["text"] for hit in answer["results"]]
    assert "The certificate of the gateway expired on Sunday." in texts[:3], texts
