"""An Extractor port whose work is done by a child process: reading holds the interpreter's lock, and questions must not wait.

A text that kills or hangs the child takes nothing else with it: the child is replaced, and the failure is that text's own.
"""

import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from threading import Lock
from typing import ClassVar

from graph.errors import BackstoryError, DeadlineExceeded, ModelUnavailable
from graph.model.extraction import Extraction, Passage
from infra.extract_frames import EXTRACTIONS, PASSAGES, receive, send

END_SECONDS = 5.0


class ExtractorDied(BackstoryError):
    """The child ended while it worked. Tried again like any fault of a text, and not like an absent model."""

    code: ClassVar[str] = "model_unavailable"
    retryable: ClassVar[bool] = True


class ChildExtractor:
    """Extractor over one child, started at the first call; calls wait for each other.

    `seconds_for` tells how long a call may take by its number of characters; past it the child is killed and
    DeadlineExceeded raised. ModelUnavailable when no child can be started.
    """

    def __init__(self, seconds_for: Callable[[int], float]) -> None:
        self._seconds_for = seconds_for
        self._lock = Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._way: socket.socket | None = None

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        if not passages:
            return []
        seconds = self._seconds_for(sum(len(passage.text) for passage in passages))
        with self._lock:
            try:
                return EXTRACTIONS.validate_json(self._exchanged(PASSAGES.dump_json(list(passages)), seconds))
            except BaseException:
                self._end()  # whatever stands half read on the way must not be taken for the next answer
                raise

    def close(self) -> None:
        with self._lock:
            self._end()

    def _exchanged(self, body: bytes, seconds: float) -> bytes:
        way = self._open()
        way.settimeout(seconds)
        try:
            send(way, body)
            answer = receive(way)
        except TimeoutError as error:
            raise DeadlineExceeded(f"not read within {seconds:.1f} s") from error
        except OSError as error:
            raise ExtractorDied("the extractor ended while it worked on this") from error
        if answer is None:
            raise ExtractorDied("the extractor ended while it worked on this")
        return answer

    def _open(self) -> socket.socket:
        if self._way is not None and self._child is not None and self._child.poll() is None:
            return self._way
        self._end()
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                command = [sys.executable, "-P", "-m", "infra.extract_child", str(theirs.fileno())]
                self._child = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)  # noqa: S603
        except OSError as error:
            ours.close()
            raise ModelUnavailable(f"the extractor cannot be started: {error.strerror or error}") from error
        self._way = ours
        return ours

    def _end(self) -> None:
        if self._way is not None:
            self._way.close()
            self._way = None
        if self._child is not None:
            self._child.kill()
            self._child.wait(timeout=END_SECONDS)
            self._child = None
