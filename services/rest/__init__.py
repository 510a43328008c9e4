"""The REST door: FastAPI under /v1 over a Unix socket or loopback TCP.

`app.py` makes the application, `routes.py` and `inspection.py` hold the routes, `guard.py` what every request must pass,
`schemas.py` what it may send. May be imported from here: `create_app`.
"""

from services.rest.app import create_app

__all__ = ["create_app"]
