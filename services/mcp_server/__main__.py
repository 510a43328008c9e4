"""`python -P -m services.mcp_server`: the stdio server. It prints nothing but protocol and ends with whoever started it."""

import argparse
import os
import threading
import time

from backstory import AsyncBackstory
from services.mcp_server.server import create_server

PARENT_LOOK_SECONDS = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="services.mcp_server")
    parser.add_argument("--data")
    parser.add_argument("--url")
    parser.add_argument("--scope")
    parser.add_argument("--parent", type=int, help="the process to end with (default: the one that started this)")
    options = parser.parse_args()
    _end_with(options.parent or os.getppid())
    create_server(AsyncBackstory(data=options.data, url=options.url, scope=options.scope)).run("stdio")


def _end_with(parent: int) -> None:
    """An agent that is killed does not always close our input; being handed to another parent tells us too."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_LOOK_SECONDS)
        os._exit(0)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()


if __name__ == "__main__":
    main()
