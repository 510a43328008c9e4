"""What the daemon asks for by name: the application over its container, and its runner where it has one."""

from fastapi import FastAPI

from infra.container import Container
from infra.runner import Runner
from services.memory import MemoryService
from services.rest.app import Activity, create_app


def application(container: Container, runner: Runner | None) -> tuple[FastAPI, Activity]:
    """The application, and what tells when it was last asked."""
    activity = Activity()
    return create_app(MemoryService(container, runner), activity), activity
