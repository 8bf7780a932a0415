"""One JSON line a request: never a token, never a body, never a player's name."""

import logging
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import orjson
import structlog

logger: Any = structlog.get_logger()


def configure() -> None:
    """Write logs to standard error as JSON. Called once, by whoever starts the service."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(serializer=orjson.dumps),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.BytesLoggerFactory(file=sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )


def log_request(
    request_id: str, method: str, route: str, status: int, seconds: float, **more: str
) -> None:
    """A request was answered."""
    logger.info(
        "request",
        request_id=request_id,
        method=method,
        route=route,
        status=status,
        ms=round(seconds * 1000, 2),
        **more,
    )


def write_requests(lines: Iterable[tuple[str, str, str, int, float, float]]) -> None:
    """Lines like those of ``log_request``, for answers that are logged in bulk."""
    out = sys.stderr.buffer
    out.write(b"".join([_line(*line) for line in lines]))
    out.flush()


def _line(
    request_id: str, method: str, route: str, status: int, seconds: float, at: float
) -> bytes:
    line = {
        "request_id": request_id,
        "method": method,
        "route": route,
        "status": status,
        "ms": round(seconds * 1000, 2),
        "event": "request",
        "level": "info",
        "timestamp": datetime.fromtimestamp(at, UTC),
    }
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_UTC_Z)
