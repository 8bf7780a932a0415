"""Settings of the service, each an environment variable."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from ipaddress import IPv6Address
from pathlib import Path
from types import MappingProxyType
from typing import Any

from marshmallow import Schema, ValidationError
from marshmallow.fields import Boolean, Field, Integer, String
from marshmallow.validate import OneOf, Range

ORIGIN = re.compile(r"https?://[\w.:\[\]-]+", re.ASCII)
LIKENESS = 0.8
"""Minimum similarity, from 0 to 1, by which a name counts as a misspelling."""

HOUR, DAY = 3600, 86_400
"""Seconds."""
GIB = 1 << 30
"""Bytes."""
RATE = 60_000_000
"""Maximum requests per minute: a request per microsecond, the resolution of the counters."""
DIGITS = 15
"""Digits of an invalid number that a message shows."""


class BadSetting(ValueError):
    """Environment variables have invalid values: a line for each."""


def number(default: int, most: int, least: int = 1) -> Any:
    """Returns a field with a whole number from ``least`` to ``most``."""
    right = f"must be a whole number from {least} to {most}"
    metadata = {"validate": Range(least, most, error=right), "right": right, "most": most}
    return field(default=default, metadata=metadata)


def text(validate: Callable[[str], object], default: str = "") -> Any:
    """Returns a field with a text. ``validate`` raises ValidationError."""
    return field(default=default, metadata={"validate": validate})


def _check_host(host: str) -> None:
    """Refuses a port, and brackets around anything but an IPv6 address."""
    if ":" not in host and "[" not in host:
        return
    if host.startswith("unix:") and host != "unix:":
        return
    try:
        IPv6Address(host[1:-1] if host.startswith("[") and host.endswith("]") else host)
    except ValueError:
        raise ValidationError("must be an address without a port or unix:/path") from None


def _check_origin(origin: str) -> None:
    if not ORIGIN.fullmatch(origin):
        raise ValidationError("must be an origin like http://192.0.2.2:8000")


def _check_file(path: str) -> None:
    """Refuses a file without a secret, because a second store would start without it."""
    with suppress(OSError, ValueError):
        if Path(path).read_text("utf-8").strip():
            return
    raise ValidationError("must name a file with the secret")


@dataclass(frozen=True, slots=True)
class Constants:
    """Values that were settings up to 0.8.0. Tests replace them."""

    threads: int = 8
    """Threads of a worker for slow operations."""
    worker_requests: int = 1_000_000
    """Requests after which a worker is replaced, plus up to a random tenth."""
    query_limit: int = 4096
    """Maximum bytes of a query string."""
    nesting_limit: int = 16
    """Maximum levels of lists and objects in a body."""
    log_limit: int = 10_000
    """Maximum events in the log of a game."""
    write_seconds: int = 30
    """Seconds that a client has to receive a piece of an answer."""
    session_events: int = 10_000
    """Maximum entries in the log of a session."""
    stream_seconds: int = 300
    """Lifetime of a stream in seconds, after which the client reconnects."""
    heartbeat_seconds: int = 15
    """Seconds of silence after which a stream sends a heartbeat."""
    wait_limit: int = 30
    """Maximum seconds that a client may ask to wait for news."""


CONSTANTS = frozenset(constant.name.upper() for constant in fields(Constants))
REMOVED = {
    **{name: f"it is {getattr(Constants(), name.lower())}" for name in CONSTANTS},
    "RATE_TABLES": "tables of odds count for the limit of their request",
    "SESSIONS_LIMIT": "maxmemory of Redis is the limit",
}
"""Former settings with their replacements."""


@dataclass(frozen=True, slots=True)
class Settings(Constants):
    """Settings. Each field is the environment variable of its name in capitals: ``BODY_LIMIT``."""

    host: str = text(_check_host, "127.0.0.1")
    """Address to listen at. A socket, ``unix:/path``, needs no port."""
    port: int = number(8000, 65_535)
    """Port to listen at."""
    hosts: str = ""
    """Allowed names in ``Host``, separated by commas. By default those of this machine if it
    listens there, else all.
    """
    public_url: str = text(_check_origin)
    """Origin of links to tables on pages opened at this machine. By default that of the page."""
    # The maximum is the number of processor threads of the largest machine of 2026.
    workers: int = number(2, 1024)
    """Number of worker processes."""
    metrics_bind: str = ""
    """Second address, ``127.0.0.1:9464`` or ``unix:/path``, for metrics and probes. By default
    none.
    """

    body_limit: int = number(1 << 20, GIB)
    """Maximum bytes of a request body."""
    batch_body_limit: int = number(8 << 20, GIB)
    """Maximum bytes of the body of a batch."""
    batch_limit: int = number(10_000, 10_000_000)
    """Maximum positions in a batch."""

    request_seconds: int = number(10, HOUR)
    """Seconds for the headers and body of a request to arrive."""
    # Linux allows a process 1,048,576 open files, unless its administrator changes that.
    connections: int = number(1000, 1_000_000)
    """Maximum simultaneous connections of a worker."""
    unread_limit: int = number(64 << 20, 1024 * GIB)
    """Maximum bytes of unread answers in a worker. Large bodies share this memory."""
    log_answers: bool = False
    """Logs every answer. Refusals and faults are always logged, unless a rate limit refuses."""
    log_format: str = text(OneOf(("json", "text"), error="must be json or text"))
    """Format of log lines, ``json`` or ``text``. By default text on a terminal, JSON elsewhere."""
    tracing: bool = False
    """Sends spans by OpenTelemetry. Needs the extra ``tracing``, and reads ``OTEL_*``."""

    redis_url: str = ""
    """Redis that stores sessions, see ``sessions/redis/url.py``. By default ``gunicorn_conf.py``
    starts a local Redis. Other servers then have no sessions.
    """
    redis_url_file: str = text(_check_file)
    """File that contains the value of REDIS_URL, such as a credential of systemd. By default none.
    """
    # A worker pings Redis before it is ready, within a minute.
    redis_timeout_ms: int = number(150, 30_000)
    """Maximum milliseconds of each wait for Redis: to connect, and for an answer."""
    var_dir: str = "var"
    """Directory of the files of the local Redis."""
    # The maximum is far below the overflow in Redis, which then never expires a key.
    session_ttl: int = number(604_800, 3650 * DAY)
    """Lifetime of a session in seconds after its last entry. An unused session expires after a day.
    """
    session_origins: str = ""
    """Origins whose pages may use sessions, separated by commas. By default those of this machine.
    """
    streams_per_session: int = number(50, 1_000_000)
    """Maximum streams of a session in a worker. A remote client may use half of them."""
    streams: int = number(500, 1_000_000)
    """Maximum simultaneous streams and polls of a worker."""
    streams_per_client: int = number(250, 1_000_000, least=0)
    """Maximum streams and polls of a remote client in a worker. By default half of STREAMS if only
    STREAMS is set. 0 means no limit.
    """

    rate_stateless: int = number(6000, RATE, least=0)
    """Requests per minute of a client at a worker, but for those below. 0 means no limit, here
    and below.
    """
    rate_batch: int = number(60, RATE, least=0)
    """Batches, audits, reviews, comparisons, proofs of dice per minute of a client at a worker."""
    rate_odds: int = number(3000, RATE, least=0)
    """Positions per minute of a client at a worker with odds."""
    rate_sessions: int = number(60, RATE, least=0)
    """Sessions per minute that a client may create, counted in Redis for all workers."""
    rate_events: int = number(1200, RATE, least=0)
    """Requests to sessions per minute of a client at a worker."""
    rate_loopback: bool = False
    """Limits clients on this machine too, in operations that store nothing."""
    trusted_proxies: str = ""
    """Proxies with a trusted X-Forwarded-For: addresses, networks, ``unix``, separated by commas.
    """

    @classmethod
    def read(
        cls,
        environment: Mapping[str, str],
        readers: Mapping[str, Callable[[str], object]] = MappingProxyType({}),
    ) -> "Settings":
        """Reads the settings of an environment. ``readers`` check texts by name of the setting.

        Raises BadSetting with a line for each mistake. A reader raises ValueError.
        """
        texts = {name: given for name in _FIELDS if (given := environment.get(name.upper()))}
        lines = dict[str, str]()
        if {"redis_url", "redis_url_file"} <= texts.keys():
            del texts["redis_url_file"]
            lines["redis_url_file"] = "REDIS_URL and REDIS_URL_FILE must not both be set"
        values: dict[str, Any]
        try:
            values = _SCHEMA.load(texts)
        except ValidationError as error:
            values = dict(error.valid_data or {})
            for name, reasons in error.messages_dict.items():
                lines[name] = f"{name.upper()} {reasons[0]}, not {_shown(texts[name])}"
        if "redis_url_file" in values:
            values["redis_url"] = Path(values["redis_url_file"]).read_text("utf-8").strip()
        for setting, read in readers.items():
            if given := values.get(setting.lower()):
                try:
                    read(given)
                except ValueError as error:
                    lines[setting.lower()] = f"{setting} {error}"
        if lines:
            raise BadSetting("\n".join(lines[name] for name in _FIELDS if name in lines))
        if "host" in values:
            values["host"] = values["host"].strip("[]")
        if "streams" in values:
            values.setdefault("streams_per_client", (values["streams"] + 1) // 2)
        return cls(**values)


def _field(default: object, validate: Any = None, right: str = "", **_: object) -> Field[Any]:
    if isinstance(default, bool):
        return Boolean(truthy={"1"}, falsy={"0"}, error_messages={"invalid": "must be 0 or 1"})
    if isinstance(default, int):
        return Integer(validate=validate, error_messages={"invalid": right})
    return String(validate=validate)


def _shown(given: str) -> str:
    whole = len(given) <= DIGITS or not given.isdecimal()
    return repr(given) if whole else f"{given[:DIGITS]!r}..."


_FIELDS = {
    setting.name: _field(setting.default, **setting.metadata)
    for setting in fields(Settings)
    if setting.name.upper() not in CONSTANTS
}
_SCHEMA = Schema.from_dict(_FIELDS, name="Settings")()


def obsolete(environment: Mapping[str, str]) -> list[str]:
    """Returns a warning for each variable that is a former setting."""
    return [
        f"{name} is no longer a setting; {REMOVED[name]}"
        for name in sorted(environment.keys() & REMOVED.keys())
    ]


def misspelt(environment: Mapping[str, str]) -> list[str]:
    """Returns a warning for each variable that looks like a misspelt setting."""
    known = sorted(name.upper() for name in _FIELDS)
    unknown = sorted(environment.keys() - REMOVED.keys() - set(known))
    meant = {name: get_close_matches(name, known, 1, LIKENESS) for name in unknown}
    return [f"{name} is not a setting; {near[0]} is" for name, near in meant.items() if near]
