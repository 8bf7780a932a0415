"""JSON lines: never a token, a body, a name, a query or an address of a client.

A fault is told by its kind and by the places it went through, not by its message: nobody knows
what somebody else's code writes into it.
"""

import logging
import os
import re
import sys
import traceback
from collections.abc import Iterable, Mapping, MutableMapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import structlog

_TOLD = re.compile(r"[A-Za-z ,-]*")
"""Words that were written down beforehand: no number, no quotation, no name of something."""

logger: Any = structlog.get_logger()

AT_ONCE = 4096
"""Bytes that a pipe takes whole: whatever several processes write to one must not be mixed."""

Line = tuple[str, str, str, int, float]
"""Request id, method, route, status and seconds of an answer. The route is a pattern, no path."""


def configure() -> None:
    """Write logs to standard error as JSON. Called once, by whoever starts the service."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _without_message,
            structlog.processors.JSONRenderer(serializer=orjson.dumps),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.BytesLoggerFactory(file=sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )


def _without_message(_: Any, __: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """The line of an event, with the trace of its error instead of the error itself."""
    error = event.pop("exc_info", None)
    return {**event, "trace": trace(error)} if isinstance(error, BaseException) else event


def trace(error: BaseException) -> list[str]:
    """The kinds of the error and of those it came from, each after the places it went through."""
    told: list[str] = []
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        frames = traceback.extract_tb(cause.__traceback__)
        places = [f"{_place(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
        told = [*places, type(cause).__qualname__, *told]
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return told


def _place(path: str) -> str:
    """The end of a path: where the service is installed is nobody's business."""
    return "/".join(Path(path).parts[-3:])


def say(line: str) -> None:
    """What the master has to tell, at once and whole, whatever is being forked meanwhile."""
    told = {"event": line, "level": "warning", "timestamp": datetime.now(UTC)}
    os.write(2, orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z))


class Lines(logging.Formatter):
    """What gunicorn and the libraries log, as lines like ours.

    The process that it is made in has no clients, and may say all. Those that it forks have, and
    where something is amiss nobody knows what a message was filled with: numbers alone are told.
    """

    def __init__(self) -> None:
        super().__init__()
        self._master = os.getpid()

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "event": self._words(record),
            "level": record.levelname.lower(),
            "pid": record.process,
            "timestamp": datetime.fromtimestamp(record.created, UTC),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["trace"] = trace(record.exc_info[1])
        return orjson.dumps(line, option=orjson.OPT_UTC_Z).decode()

    def _words(self, record: logging.LogRecord) -> str:
        if os.getpid() == self._master or record.levelno == logging.INFO:
            return record.getMessage()
        args = record.args if isinstance(record.args, tuple) else ()
        # asyncio appends what it holds to its message, line by line.
        words = str(record.msg).partition("\n")[0]
        if not record.args:
            # It may have been filled in before: what is told ends where that could begin.
            return _TOLD.match(words)[0].rstrip()  # type: ignore[index]
        if args and all(isinstance(one, int | float) for one in args):
            return words % args
        return words


def write_requests(lines: Iterable[tuple[Line, str, str, float]]) -> None:
    """A line for each answer: of which game, by which ruleset, and when, since 1970."""
    out, held = sys.stderr.buffer, bytearray()
    for line in lines:
        written = _line(*line)
        if len(held) + len(written) > AT_ONCE:
            out.write(held)
            out.flush()
            held.clear()
        held += written
    out.write(held)
    out.flush()


def _line(answered: Line, game: str, ruleset: str, at: float) -> bytes:
    request_id, method, route, status, seconds = answered
    line: dict[str, object] = {
        "request_id": request_id,
        "method": method,
        "route": route,
        "status": status,
        "ms": round(seconds * 1000, 2),
    }
    if game:
        line["game"] = game
    if ruleset:
        line["ruleset"] = ruleset
    line["event"], line["level"] = "request", "info"
    line["timestamp"] = datetime.fromtimestamp(at, UTC)
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z)
