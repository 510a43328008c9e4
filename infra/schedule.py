"""What beat sends, and when: hints only. Two beats at once are harmless, and none for a while is caught up by the next."""

from typing import Any

from infra.settings import Settings


def beat_schedule(settings: Settings) -> dict[str, dict[str, Any]]:
    """Entries of Celery's beat; intervals in seconds, from the settings."""
    due = settings.schedule
    return {
        "relay": {"task": "backstory.relay", "schedule": due.relay, "options": {"expires": max(due.relay * 5, 5)}},
        "curate": {"task": "backstory.curator", "schedule": due.curate, "options": {"expires": due.curate}},
    }
