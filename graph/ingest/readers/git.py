"""Git history: one record per commit, read through the `git` executable with bounded output.

A commit's own names are its hash, the hash's usual short forms, and the number that a forge wrote at the end of its subject.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from graph.ingest.readers.content import shortened
from graph.ingest.readers.dates import moment
from graph.ingest.readers.source import Item, Source
from graph.model.scopes import DEFAULT_SCOPE

MAX_MESSAGE_CHARS = 200_000
MAX_ERROR_CHARS = 300
CHUNK_BYTES = 1 << 16
_FORMAT = "%H%n%an%n%aI%n%P%n%B"
_HEAD_LINES = 4
_QUIET_TRAILER = re.compile(r"^(?:Signed-off-by|Co-authored-by|Change-Id): .*$", re.IGNORECASE)
_CO_AUTHOR = re.compile(r"^Co-authored-by: *([^<\n]+?) *(?:<.*)?$", re.IGNORECASE | re.MULTILINE)


class GitReader:
    """Reads the commits of a repository, oldest first. `merges` takes merge commits in too; `limit` keeps the newest ones."""

    def __init__(
        self, repo: Path, *, scope: str = DEFAULT_SCOPE, merges: bool = False, limit: int | None = None, revision: str = "HEAD"
    ) -> None:
        self._source = Source(repo.resolve(), scope, "git")
        self._merges = merges
        self._limit = limit
        self._revision = revision

    def read(self) -> Iterator[Item]:
        """A draft per commit; a problem when there is no git, no repository, or no commit."""
        git = shutil.which("git")
        if git is None:
            yield self._source.problem("", "the git executable is not on the path")
            return
        arguments = [git, "--no-pager", "-c", "i18n.logOutputEncoding=UTF-8", "-c", "core.fsmonitor=false", "log", "-z"]
        arguments += [
            "--reverse",
            "--topo-order",
            "--no-show-signature",
            "--no-color",
            "--no-notes",
            "--no-mailmap",
            f"--format={_FORMAT}",
        ]
        arguments += [] if self._merges else ["--no-merges"]
        arguments += [] if self._limit is None else [f"--max-count={self._limit}"]
        arguments += ["--end-of-options", self._revision, "--"]
        yield from self._run(arguments)

    def _run(self, arguments: list[str]) -> Iterator[Item]:
        try:
            process = subprocess.Popen(  # noqa: S603 - a fixed program; the revision stands after --end-of-options
                arguments, cwd=self._source.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            yield self._source.problem("", error.strerror or "no such folder")
            return
        with process:
            try:
                for entry in _entries(process):
                    item = self._commit(entry)
                    if item is not None:
                        yield item
            finally:
                process.stdout.close() if process.stdout else None
            complaint = process.stderr.read(MAX_ERROR_CHARS * 4).decode(errors="replace") if process.stderr else ""
        if process.returncode:
            yield self._source.problem("", shortened(complaint.strip().split("\n")[0], MAX_ERROR_CHARS) or "git log failed")

    def _commit(self, entry: str) -> Item | None:
        sha, author, date, parents, message = ([*entry.split("\n", _HEAD_LINES), ""])[: _HEAD_LINES + 1]
        text, co_authors = _without_trailers(message[:MAX_MESSAGE_CHARS])
        subject = text.split("\n", 1)[0].strip()
        metadata = {
            "repo": self._source.path.name,
            "merge": len(parents.split()) > 1,
            "co_authors": co_authors,
        }
        return self._source.draft(
            sha[:12],
            text=text or f"(commit {sha[:12]} without a message)",
            at=sha,
            title=subject or None,
            record=sha,
            record_kind="commit",
            author=author or None,
            authored_at=moment(date),
            position=0,
            source=f"{self._source.name}@{sha[:12]}",
            metadata={name: value for name, value in metadata.items() if value},
        )


def _entries(process: "subprocess.Popen[bytes]") -> Iterator[str]:
    """What stands between NUL bytes in the output, decoded; a commit that is not UTF-8 keeps what can be read."""
    held = b""
    stream = process.stdout
    while stream and (chunk := stream.read(CHUNK_BYTES)):
        *whole, held = (held + chunk).split(b"\x00")
        yield from (entry.decode(errors="replace") for entry in whole)
    if held.strip():
        yield held.decode(errors="replace")


def _without_trailers(message: str) -> tuple[str, list[str]]:
    """The message without sign-offs, and who co-authored it."""
    lines = [line.rstrip() for line in message.strip().split("\n")]
    kept = "\n".join(line for line in lines if not _QUIET_TRAILER.match(line)).strip()
    return kept, _CO_AUTHOR.findall(message)


def read(source: Source) -> Iterator[Item]:
    """Drafts of the repository at the source's path."""
    yield from GitReader(source.path, scope=source.scope).read()


def is_repository(folder: Path) -> bool:
    return (folder / ".git").exists() or ((folder / "HEAD").is_file() and (folder / "objects").is_dir())
