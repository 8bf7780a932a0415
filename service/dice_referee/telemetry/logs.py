"""Lines of JSON, or of text on a terminal.

They never hold a token, a body, a name, a query or an address of a client.

A fault is logged with its kind and the places it went through, without its message: the message may
contain anything.
"""

import logging
import os
import re
import sys
import traceback
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from threading import Lock, Timer
from time import monotonic, time
from typing import Any, NamedTuple

import orjson

ATOMIC_BYTES = 4096
"""Bytes that a pipe takes whole: lines of several processes must not be mixed."""

LINES = 10_000
"""Lines that wait while the log is not read; the oldest are lost first."""

FLUSH_SECONDS = 0.1
"""Seconds that the line of an answer waits for others to be written with it."""

MINUTE = 60.0
"""Seconds of which a line tells the refusals by rate limits."""

CLIENTS = 10_000
"""Maximum number of clients in the line; more are not counted."""

EXPORTER = "opentelemetry.exporter."
"""Loggers of what sends spans: they quote the collector, and nothing of a client."""

_CONSTANT = re.compile(r"[A-Za-z ,-]*")
"""The part of a message that stands in a program: no number, quotation or name of something."""


class AccessRecord(NamedTuple):
    """An answer as logs and spans describe it."""

    request_id: str
    method: str
    route: str
    """A pattern of the contract, never a path."""
    status: int
    ms: float | None = None
    """Milliseconds until the answer, if they are known."""
    game: str = ""
    ruleset: str = ""
    problem: str = ""
    """The code of the problem that was the answer: ``sessions-away``."""
    reason: str = ""
    """Reason of the store's refusal: the first word of its error, or a kind of error."""


class RefusalRecord(NamedTuple):
    """The refusals by rate limits of a minute."""

    refusals: int
    clients: int


Record = AccessRecord | RefusalRecord
EVENTS = {AccessRecord: "request", RefusalRecord: "rate limits"}


def trace(error: BaseException) -> list[str]:
    """Returns the kinds of the error and of its causes, each after the places it went through."""
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
    """Returns the end of a path, without the place of installation."""
    return "/".join(Path(path).parts[-3:])


class LogFormat(StrEnum):
    """Forms of a line: one for programs and one for people."""

    JSON = "json"
    TEXT = "text"

    @classmethod
    def of(cls, chosen: str) -> "LogFormat":
        """Returns the form that was chosen; without a choice, text on a terminal alone."""
        return cls(chosen or ("text" if sys.stderr.isatty() else "json"))


class Lines:
    """Writes facts as lines of the form that the process has chosen."""

    def __init__(self) -> None:
        self.format = LogFormat.JSON

    def encoded(self, line: Mapping[str, Any], at: float) -> bytes:
        """Returns the line, with its time in seconds since 1970."""
        return _in_words(line, at) if self.format is LogFormat.TEXT else _in_json(line, at)


LINES_OF_LOG = Lines()
"""The one form of all lines of this process; whoever reads the settings sets it."""


def _in_words(line: Mapping[str, Any], at: float) -> bytes:
    """Returns the line for people: time, event, then each fact that is known."""
    facts = {k: v for k, v in line.items() if k not in ("event", "level", "pid", "trace")}
    text = " ".join([line["event"], *(f"{name}={value}" for name, value in facts.items())])
    words = f"{datetime.fromtimestamp(at):%H:%M:%S} {line['level']}: {text}"
    lines = [words, *(f"  {place}" for place in line.get("trace", ()))]
    # A terminal obeys what it cannot print.
    printable = ("".join(c if c.isprintable() else "?" for c in one) for one in lines)
    return "".join(f"{one}\n" for one in printable).encode()


def _in_json(line: Mapping[str, Any], at: float) -> bytes:
    stamped = {**line, "timestamp": datetime.fromtimestamp(at, UTC)}
    return orjson.dumps(stamped, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z)


def log_event(event: str, level: str = "warning", **facts: Any) -> None:
    """Writes a line at once, past all buffers: the process may be forking."""
    os.write(2, LINES_OF_LOG.encoded({**facts, "event": event, "level": level}, time()))


class LineFormatter(logging.Formatter):
    """Formats the records of gunicorn and of libraries as lines of the log.

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
        return LINES_OF_LOG.encoded(line, record.created).decode().rstrip()

    def _words(self, record: logging.LogRecord) -> str:
        if os.getpid() == self._master or record.levelno == logging.INFO:
            return record.getMessage()
        args = record.args if isinstance(record.args, tuple) else ()
        # asyncio appends its objects to its message, line by line.
        words = str(record.msg).partition("\n")[0]
        if not record.args:
            # It may be formatted already: cut where a value could begin.
            return _CONSTANT.match(words)[0].rstrip()  # type: ignore[index]
        values = tuple(_root_kind(one) if isinstance(one, BaseException) else one for one in args)
        is_safe = all(isinstance(one, int | float) for one in values)
        if values and (is_safe or record.name.startswith(EXPORTER)):
            return words % values
        return words


def _root_kind(error: BaseException) -> str:
    """Returns the kind of the first cause of an error."""
    return next(line for line in trace(error) if " " not in line)


def write_records(records: Iterable[tuple[Record, float]]) -> None:
    """Writes a line for each record and its time, in seconds since 1970."""
    out, held = sys.stderr.buffer, b""
    for record, at in records:
        known = {k: value for k, value in record._asdict().items() if value not in ("", None)}
        event = EVENTS[type(record)]
        # Operators search for failures by the level.
        level = "warning" if known.get("status", 0) >= 500 else "info"
        line = LINES_OF_LOG.encoded({**known, "event": event, "level": level}, at)
        if len(held) + len(line) > ATOMIC_BYTES:
            out.write(held)
            out.flush()
            held = b""
        held += line
    out.write(held)
    out.flush()


def _start_timer(seconds: float, work: Callable[[], None]) -> bool:
    """Starts a timer, and returns False if the system allows no more threads."""
    timer = Timer(seconds, work)
    timer.daemon = True
    with suppress(RuntimeError):
        timer.start()
        return True
    return False


class BufferedLog:
    """The lines of answers and of refusals, written some times a second by a thread of its own.

    Adding a line never waits, not even while the log is not read. Safe to use from many threads.
    """

    def __init__(self, write: Callable[[list[tuple[Record, float]]], None] = write_records) -> None:
        self.write = write
        self._records: deque[tuple[Record, float]] = deque(maxlen=LINES)
        self._due, self._writing = False, Lock()

    def add(self, record: Record) -> None:
        """Queues a line, to be written soon."""
        self._records.append((record, time()))
        if not self._due:
            # Set first: the timer may have ended before this thread goes on.
            self._due = True
            if not _start_timer(FLUSH_SECONDS, self.flush):
                self._due = False

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


class RefusalCount:
    """Counts the refusals by rate limits, and writes a line about those of each minute.

    ``clock``: seconds since any moment. Safe to use from many threads.
    """

    def __init__(
        self, write: Callable[[RefusalRecord], None], clock: Callable[[], float] = monotonic
    ) -> None:
        self._write, self._clock, self._lock = write, clock, Lock()
        self._refusals, self._clients, self._ends = 0, set[Hashable](), 0.0

    def add(self, client: Hashable) -> None:
        """Counts a refusal; ``client`` never appears in the log."""
        self.write_due()
        with self._lock:
            if not self._refusals:
                self._ends = self._clock() + MINUTE
            self._refusals += 1
            if len(self._clients) < CLIENTS:
                self._clients.add(client)

    def write_due(self) -> None:
        """Writes the line once the minute that began with the first refusal is over."""
        if self._refusals and self._clock() >= self._ends:
            self.flush()

    def flush(self) -> None:
        """Writes what was counted, whether the minute is over or not."""
        with self._lock:
            record = RefusalRecord(self._refusals, len(self._clients))
            self._refusals, self._clients = 0, set()
        if record.refusals:
            self._write(record)


ACCESS_LOG = BufferedLog()
"""The log of the answers of this process."""
log_request = ACCESS_LOG.add
REFUSALS = RefusalCount(ACCESS_LOG.add)
"""The refusals by rate limits of this process."""
count_refusal = REFUSALS.add


def flush_log() -> None:
    """Writes all that waits, as before the process ends."""
    REFUSALS.flush()
    ACCESS_LOG.flush()
