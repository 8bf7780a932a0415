"""The directory in which the processes of a service count together; it goes when they are gone.

Each process counts in files of its own, which outlive it: what was counted was counted. The files
of those that are gone are folded into one, so that there are never more than there are workers.

gunicorn's master makes the directory before anything is imported that counts, and holds a lock
on it that its workers inherit. A master that is killed leaves it behind for the next one, which
sweeps whatever nobody holds. While one master replaces another they share it.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "referee-metrics-"
HOLD = "held"
FOLD = "fold"
GONE = "gone"
"""Where in a file's name the number of its process would stand."""
YOUNG_SECONDS = 60.0
"""Age under which a directory that nobody holds may be about to be held."""
PATIENCE_SECONDS = 1.0
"""Seconds that readers are waited for; if they take longer, files are folded the next time."""


def spool(told: str | None, place: str) -> "Spool":
    """The directory that was told, or else a new one in this place.

    A master that is reloaded or replaced is told its own. What ended ones have left is removed.
    """
    if told:
        path = Path(told)
        own = path.name.startswith(PREFIX) and path.parent == Path(place)
    else:
        for left in Path(place).glob(f"{PREFIX}*"):
            _sweep(left)
        path, own = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place)), True
    if path not in _KNOWN:
        _KNOWN[path] = Spool(path, own=own)
    return _KNOWN[path]


def _sweep(left: Path) -> None:
    """Remove it if it is ours and nobody holds it."""
    with suppress(OSError):
        if left.is_symlink() or left.stat().st_uid != os.getuid():
            return
        hold = left / HOLD
        if not hold.exists() and time.time() - left.stat().st_mtime < YOUNG_SECONDS:
            return
        with open(hold, "ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left, ignore_errors=True)


class Spool:
    """The directory ``path``; held and some day removed only if it is our ``own``."""

    def __init__(self, path: Path, *, own: bool) -> None:
        self.path, self._pid = path, os.getpid()
        self._held = open(path / HOLD, "ab") if own else None  # noqa: SIM115
        if self._held is not None:
            fcntl.flock(self._held, fcntl.LOCK_SH)

    def fold(self, pid: int = 0) -> None:
        """Put together what processes have counted that are gone, ``pid`` among them."""
        # The library looks for the directory when it is imported, so not before now.
        from prometheus_client.multiprocess import mark_process_dead

        with _locked(self.path, fcntl.LOCK_EX) as locked:
            for file in self.path.glob("*_*.db"):
                kind, _, process = file.stem.rpartition("_")
                if not process.isdecimal() or (int(process) != pid and _is_there(int(process))):
                    continue
                mark_process_dead(int(process), str(self.path))  # type: ignore[no-untyped-call]
                if not locked or kind not in ("counter", "histogram"):
                    continue
                _add(file, self.path / f"{kind}_{GONE}.db")
                file.unlink()

    def close(self) -> None:
        """The service ends. Who goes last removes the directory, if it is our own."""
        if self._held is None or self._pid != os.getpid():
            return
        self._held.close()
        self._held = None
        end = time.monotonic() + PATIENCE_SECONDS
        _sweep(self.path)
        # Workers that had to be killed are there for a moment longer, and another master for long.
        while self.path.exists() and time.monotonic() < end:
            time.sleep(0.05)
            _sweep(self.path)


_KNOWN: dict[Path, Spool] = {}
"""The directories of this process: a reload asks for its own once more."""


def _add(file: Path, whole: Path) -> None:
    """Add the values of one file to those of another."""
    from prometheus_client.mmap_dict import MmapedDict

    sums = MmapedDict(str(whole))  # type: ignore[no-untyped-call]
    # Whoever was killed while it made the file has counted nothing.
    if file.stat().st_size:
        for key, value, _, _ in MmapedDict.read_all_values_from_file(str(file)):  # type: ignore[no-untyped-call]
            sums.write_value(key, sums.read_value(key)[0] + value, 0.0)  # type: ignore[no-untyped-call]
    sums.close()  # type: ignore[no-untyped-call]


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Nothing is folded meanwhile, so that nothing is seen twice or not at all."""
    with _locked(path, fcntl.LOCK_SH):
        yield


@contextmanager
def _locked(path: Path, kind: int) -> Iterator[bool]:
    """Whether the files are ours for this while; not if others take too long."""
    end = time.monotonic() + PATIENCE_SECONDS
    with open(path / FOLD, "ab") as file:
        while True:
            try:
                fcntl.flock(file, kind | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > end:
                    yield False
                    return
                time.sleep(0.005)
                continue
            yield True
            return
