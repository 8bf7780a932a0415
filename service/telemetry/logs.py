"""JSON lines: never a token, a body, a name, a query or an address of a client.

A fault is logged with its kind and the places it went through, without its message: the message may
contain anything.
"""

import logging
import os
import re
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock, Timer
from time import time
from typing import Any, NamedTuple

import orjson

ATOMIC_BYTES = 4096
"""Bytes that a pipe takes whole: lines of several processes must not be mixed."""

LINES = 10_000
"""Lines that wait while the log is not read; the oldest are lost first."""

FLUSH_SECONDS = 0.1
"""Seconds that the line of an answer waits for others to be written with it."""

_CONSTANT = re.compile(r"[A-Za-z ,-]*")
"""The part of a message that stands in a program: no number, quotation or name of something."""


class AccessRecord(NamedTuple):
    """An answer as logs and spans describe it."""

    request_id: str
    method: str
    route: str
    """A pattern of the contract, never a path."""
    status: int
    ms: float
    """Milliseconds until the answer."""
    game: str = ""
    ruleset: str = ""
    problem: str = ""
    """The code of the problem that was the answer: ``sessions-away``."""
    reason: str = ""
    """Why the store of the sessions refused: the first word of what it said, or a kind of error."""


def trace(error: BaseException) -> list[str]:
    """The kinds of the error and of its causes, each after the places it went through."""
    lines: list[str] = []
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        frames = traceback.extract_tb(cause.__traceback__)
        places = [f"{_place(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
        lines = [*places, type(cause).__qualname__, *lines]
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return lines


def _place(path: str) -> str:
    """The end of a path, without where the service is installed."""
    return "/".join(Path(path).parts[-3:])


def _encoded(line: Mapping[str, Any], at: float) -> bytes:
    """The line, with its time in seconds since 1970."""
    stamped = {**line, "timestamp": datetime.fromtimestamp(at, UTC)}
    return orjson.dumps(stamped, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z)


def log_event(event: str, level: str = "warning", **facts: Any) -> None:
    """Writes a line at once, past all buffers: the process may be forking."""
    os.write(2, _encoded({**facts, "event": event, "level": level}, time()))


class JsonFormatter(logging.Formatter):
    """Formats the records of gunicorn and of libraries as JSON lines.

    The process that makes it has no clients, and its messages are written whole. In the processes
    that it forks a message may hold what a client has sent: only constants and numbers are written.
    """

    def __init__(self) -> None:
        super().__init__()
        self._master = os.getpid()

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        line = {
            "event": self._words(record),
            "level": record.levelname.lower(),
            "pid": record.process,
            **({"trace": trace(error)} if error else {}),
        }
        return _encoded(line, record.created).decode().rstrip()

    def _words(self, record: logging.LogRecord) -> str:
        if os.getpid() == self._master or record.levelno == logging.INFO:
            return record.getMessage()
        args = record.args if isinstance(record.args, tuple) else ()
        # asyncio appends its objects to its message, line by line.
        words = str(record.msg).partition("\n")[0]
        if not record.args:
            # It may be formatted already: cut where a value could begin.
            return _CONSTANT.match(words)[0].rstrip()  # type: ignore[index]
        if args and all(isinstance(one, int | float) for one in args):
            return words % args
        return words


def write_records(records: Iterable[tuple[AccessRecord, float]]) -> None:
    """Writes a line for each answer and its time, in seconds since 1970."""
    out, held = sys.stderr.buffer, b""
    for record, at in records:
        known = {name: value for name, value in record._asdict().items() if value != ""}
        line = _encoded({**known, "event": "request", "level": "info"}, at)
        if len(held) + len(line) > ATOMIC_BYTES:
            out.write(held)
            out.flush()
            held = b""
        held += line
    out.write(held)
    out.flush()


class BufferedLog:
    """The lines of answers, written some times a second by a thread of its own.

    Adding a line never waits, not even while the log is not read. Safe to use from many threads.
    """

    def __init__(
        self, write: Callable[[list[tuple[AccessRecord, float]]], None] = write_records
    ) -> None:
        self.write = write
        self._records: deque[tuple[AccessRecord, float]] = deque(maxlen=LINES)
        self._due, self._writing = False, Lock()

    def add(self, record: AccessRecord) -> None:
        """Has a line written soon."""
        self._records.append((record, time()))
        if not self._due:
            self._due = True
            timer = Timer(FLUSH_SECONDS, self.flush)
            timer.daemon = True
            timer.start()

    def flush(self) -> None:
        """Writes the lines, unless another thread does: it writes all of them."""
        # First of all: a line that is added from here on starts another timer.
        self._due = False
        while self._records and self._writing.acquire(blocking=False):
            try:
                with suppress(OSError, ValueError):
                    self.write([self._records.popleft() for _ in range(len(self._records))])
            finally:
                self._writing.release()


ACCESS_LOG = BufferedLog()
"""The log of the answers of this process."""
log_request = ACCESS_LOG.add
flush_log = ACCESS_LOG.flush
