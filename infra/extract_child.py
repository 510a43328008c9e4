"""The extracting child: `python -P -m infra.extract_child FD` reads passages from a socket and answers with extractions.

It ends when the other side does. It is nicer than the daemon, so that questions go before reading.
"""

import os
import socket
import sys

from graph.extract.rules import RuleExtractor
from infra.extract_frames import EXTRACTIONS, PASSAGES, receive, send

NICENESS = 5


def main() -> None:
    os.nice(NICENESS)
    with socket.socket(fileno=int(sys.argv[1])) as daemon:
        extractor = RuleExtractor()
        while (body := receive(daemon)) is not None:
            send(daemon, EXTRACTIONS.dump_json(extractor.extract(PASSAGES.validate_json(body))))


if __name__ == "__main__":
    main()
