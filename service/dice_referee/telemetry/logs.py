"""Log lines as JSON, or as text on a terminal.

They never contain a token, a body, a name, a query or an address of a client. A fault is logged
with its type and traceback, but without its message, which may contain anything.
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
from enum import StrEnum
from pathlib import Path
from threading import Lock, Timer
from time import time
from typing import Any, NamedTuple

import orjson

ATOMIC_BYTES = 4096
"""Maximum bytes that a pipe writes atomically, so lines of several processes do not mix."""

LINES = 10_000
"""Maximum queued lines while the log is not read. The oldest lines are dropped first."""

FLUSH_SECONDS = 0.1
"""Seconds for which the line of an answer is buffered."""

EXPORTER = "opentelemetry.exporter."
"""Loggers of exporters, whose messages quote the collector and no client."""

_CONSTANT = re.compile(r"[A-Za-z ,-]*")
"""Constant part of a message, without numbers, quotations or names."""


class AccessRecord(NamedTuple):
    request_id: str
    method: str
    route: str
    """Pattern of the contract, never a path."""
    status: int
    ms: float | None = None
    """Milliseconds until the answer, if known."""
    game: str = ""
    ruleset: str = ""
    problem: str = ""
    """Code of the answered problem: ``sessions-away``."""
    reason: str = ""
    """Reason of the store's refusal: the first word of its error, or a kind of error."""


def trace(error: BaseException) -> list[str]:
    """Returns the traceback without messages, causes first."""
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
    """Returns the end of a path, without the directory of the installation."""
    return "/".join(Path(path).parts[-3:])


class LogFormat(StrEnum):
    JSON = "json"
    TEXT = "text"

    @classmethod
    def of(cls, chosen: str) -> "LogFormat":
        return cls(chosen or ("text" if sys.stderr.isatty() else "json"))


class Lines:
    def __init__(self) -> None:
        self.format = LogFormat.JSON

    def encode(self, line: Mapping[str, Any], at: float) -> bytes:
        """Returns the line, with its time in seconds since 1970."""
        return _in_words(line, at) if self.format is LogFormat.TEXT else _in_json(line, at)


LINES_OF_LOG = Lines()
"""Format of all lines of this process. The reader of the settings sets it."""


def _in_words(line: Mapping[str, Any], at: float) -> bytes:
    facts = {k: v for k, v in line.items() if k not in ("event", "level", "pid", "trace")}
    text = " ".join([line["event"], *(f"{name}={value}" for name, value in facts.items())])
    words = f"{datetime.fromtimestamp(at):%H:%M:%S} {line['level']}: {text}"
    lines = [words, *(f"  {place}" for place in line.get("trace", ()))]
    # Terminals execute unprintable characters.
    printable = ("".join(c if c.isprintable() else "?" for c in text) for text in lines)
    return "".join(f"{text}\n" for text in printable).encode()


def _in_json(line: Mapping[str, Any], at: float) -> bytes:
    stamped = {**line, "timestamp": datetime.fromtimestamp(at, UTC)}
    return orjson.dumps(stamped, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z)


def log_event(event: str, level: str = "warning", **facts: Any) -> None:
    """Writes a line immediately, without buffers, because the process may be forking."""
    os.write(2, LINES_OF_LOG.encode({**facts, "event": event, "level": level}, time()))


class LineFormatter(logging.Formatter):
    """Formats the records of gunicorn and of libraries as log lines.

    The process that creates it has no clients, and its messages are written whole. In forked
    processes a message may contain input of a client, so only constants and numbers are written.
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
        return LINES_OF_LOG.encode(line, record.created).decode().rstrip()

    def _words(self, record: logging.LogRecord) -> str:
        if os.getpid() == self._master or record.levelno == logging.INFO:
            return record.getMessage()
        args = record.args if isinstance(record.args, tuple) else ()
        # asyncio appends its objects to its message, line by line.
        words = str(record.msg).partition("\n")[0]
        if not record.args:
            # It may already be formatted, so it is truncated where a value could begin.
            return _CONSTANT.match(words)[0].rstrip()  # type: ignore[index]
        values = tuple(_root_kind(arg) if isinstance(arg, BaseException) else arg for arg in args)
        is_safe = all(isinstance(value, int | float) for value in values)
        if values and (is_safe or record.name.startswith(EXPORTER)):
            return words % values
        return words


def _root_kind(error: BaseException) -> str:
    return next(line for line in trace(error) if " " not in line)


def write_records(records: Iterable[tuple[AccessRecord, float]]) -> None:
    """Writes a line for each record and its time, in seconds since 1970."""
    out, held = sys.stderr.buffer, b""
    for record, at in records:
        known = {k: value for k, value in record._asdict().items() if value not in ("", None)}
        # Operators search for failures by the level.
        level = "warning" if known.get("status", 0) >= 500 else "info"
        line = LINES_OF_LOG.encode({**known, "event": "request", "level": level}, at)
        if len(held) + len(line) > ATOMIC_BYTES:
            out.write(held)
            out.flush()
            held = b""
        held += line
    out.write(held)
    out.flush()


def _start_timer(seconds: float, work: Callable[[], None]) -> bool:
    """Starts a timer. Returns False if the system allows no more threads."""
    timer = Timer(seconds, work)
    timer.daemon = True
    with suppress(RuntimeError):
        timer.start()
        return True
    return False


class BufferedLog:
    """Buffered lines of answers, which a thread writes some times a second.

    Adding a line never blocks, even while the log is not read. Thread-safe.
    """

    def __init__(
        self, write: Callable[[list[tuple[AccessRecord, float]]], None] = write_records
    ) -> None:
        self.write = write
        self._records: deque[tuple[AccessRecord, float]] = deque(maxlen=LINES)
        self._due, self._writing = False, Lock()

    def add(self, record: AccessRecord) -> None:
        self._records.append((record, time()))
        if not self._due:
            # Set first, because the timer may end before this thread continues.
            self._due = True
            if not _start_timer(FLUSH_SECONDS, self.flush):
                self._due = False

    def flush(self) -> None:
        """Writes all lines, unless another thread is writing them."""
        # Cleared first: a line that is added from here on starts another timer.
        self._due = False
        while self._records and self._writing.acquire(blocking=False):
            try:
                with suppress(OSError, ValueError):
                    self.write([self._records.popleft() for _ in range(len(self._records))])
            finally:
                self._writing.release()


ACCESS_LOG = BufferedLog()
log_request = ACCESS_LOG.add


def flush_log() -> None:
    ACCESS_LOG.flush()
