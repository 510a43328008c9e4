"""Ownership: one process at a time, and never a dead one."""

import subprocess
import sys
from pathlib import Path

import pytest

from graph.errors import AlreadyOwned, StoreReadOnly
from infra import owner
from tests.surfaces.conftest import ROOT, environment

HOLD = "import sys, pathlib; from infra import owner; o = owner.take(pathlib.Path(sys.argv[1])); o.announce(socket='/s'); "


def _holder(directory: Path, then: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-P", "-c", HOLD + then, str(directory)],
        env=environment(),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
    )


def test_a_second_owner_is_refused_and_told_who_is_there(tmp_path: Path) -> None:
    holder = _holder(tmp_path, "print('held', flush=True); sys.stdin.read()")
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    try:
        with pytest.raises(AlreadyOwned) as caught:
            owner.take(tmp_path)
        assert str(holder.pid) in caught.value.message
        assert "/s" in caught.value.message
    finally:
        holder.kill()
        holder.communicate()


def test_the_lock_of_a_killed_owner_is_taken_over(tmp_path: Path) -> None:
    holder = _holder(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    holder.communicate()
    assert owner.read(tmp_path)["pid"] == holder.pid
    with owner.take(tmp_path):
        assert owner.read(tmp_path)["pid"] != holder.pid


def test_two_owners_in_one_process_are_refused_too(tmp_path: Path) -> None:
    with owner.take(tmp_path), pytest.raises(AlreadyOwned):
        owner.take(tmp_path)
    with owner.take(tmp_path):
        pass


def test_a_directory_marked_read_only_is_refused_even_to_the_superuser(tmp_path: Path) -> None:
    directory = tmp_path / "sealed"
    directory.mkdir(mode=0o500)
    directory.chmod(0o555)
    with pytest.raises(StoreReadOnly):
        owner.take(directory)
    assert list(directory.iterdir()) == []


def test_a_new_directory_is_private(tmp_path: Path) -> None:
    with owner.take(tmp_path / "deep" / "new"):
        assert (tmp_path / "deep" / "new").stat().st_mode & 0o777 == 0o700
        assert (tmp_path / "deep" / "new" / owner.LOCK_NAME).stat().st_mode & 0o777 == 0o600
