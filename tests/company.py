"""Processes that run tests side by side, and tests that have to be alone."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def _locked(path: Path, kind: int) -> Iterator[None]:
    with path.open("a") as file:
        fcntl.flock(file, kind)
        yield


@contextmanager
def company(folder: Path, alone: bool) -> Iterator[None]:
    """While this lasts nobody else is in this folder, if either wants to be alone."""
    door, room = folder / "door", folder / "room"
    if alone:
        # Who waits in the door keeps others from coming, until those who are there have gone.
        with _locked(door, fcntl.LOCK_EX), _locked(room, fcntl.LOCK_EX):
            yield
        return
    with room.open("a") as entered:
        with _locked(door, fcntl.LOCK_EX):
            fcntl.flock(entered, fcntl.LOCK_SH)
        yield
