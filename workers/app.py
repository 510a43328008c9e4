"""The Celery application that workers and beat run: `celery -A workers.app worker -Q backstory.interactive`.

Nothing heavy is imported here: drivers and models are made in each child after the fork (workers.process).
"""

from celery import Celery

from infra import settings
from infra.broker import application
from infra.schedule import beat_schedule

TASK_MODULES = ("workers.ingest", "workers.decision_extractor", "workers.relay", "workers.graph_rebuild", "workers.curator")


def make_app() -> Celery:
    """The application for the settings of this process. Raises ConfigError for settings that cannot be used."""
    chosen = settings.load(mode="server")
    assert chosen.server is not None  # noqa: S101 (mode "server" is refused without it)
    return application(chosen.server.broker_url.get_secret_value(), include=TASK_MODULES, beat_schedule=beat_schedule(chosen))


app = make_app()
