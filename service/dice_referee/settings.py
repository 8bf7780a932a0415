"""Settings of the service, each an environment variable."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from difflib import get_close_matches
from ipaddress import IPv6Address
from pathlib import Path

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
"""Maximum digits of a number, which all bounds respect."""
MOST = {
    "PORT": 65_535,
    # The number of processor threads of the largest machine of 2026.
    "WORKERS": 1024,
    "BODY_LIMIT": GIB,
    "BATCH_BODY_LIMIT": GIB,
    "BATCH_LIMIT": 10_000_000,
    "REQUEST_SECONDS": HOUR,
    # Linux allows a process 1,048,576 open files, unless its administrator changes that.
    "CONNECTIONS": 1_000_000,
    "UNREAD_LIMIT": 1024 * GIB,
    # A worker pings Redis before it is ready, within a minute.
    "REDIS_TIMEOUT_MS": 30_000,
    # Far below the overflow in Redis, which then refuses a key or never expires it.
    "SESSION_TTL": 3650 * DAY,
    "STREAMS_PER_SESSION": 1_000_000,
    "STREAMS": 1_000_000,
    "STREAMS_PER_CLIENT": 1_000_000,
    "RATE_STATELESS": RATE,
    "RATE_BATCH": RATE,
    "RATE_ODDS": RATE,
    "RATE_SESSIONS": RATE,
    "RATE_EVENTS": RATE,
}
"""Maximum of every numeric setting. ``settings.md`` lists them."""


class BadSetting(ValueError):
    """The environment variable has an invalid value."""


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


CONSTANTS = frozenset(field.name.upper() for field in fields(Constants))
REMOVED = {
    **{name: f"it is {getattr(Constants(), name.lower())}" for name in CONSTANTS},
    "RATE_TABLES": "tables of odds count for the limit of their request",
    "SESSIONS_LIMIT": "maxmemory of Redis is the limit",
}
"""Former settings with their replacements."""


@dataclass(frozen=True, slots=True)
class Settings(Constants):
    """Settings. Each field is the environment variable of its name in capitals: ``BODY_LIMIT``."""

    host: str = "127.0.0.1"
    """Address to listen at. A socket, ``unix:/path``, needs no port."""
    port: int = 8000
    """Port to listen at."""
    hosts: str = ""
    """Allowed names in ``Host``, separated by commas. By default those of this machine if it
    listens there, else all.
    """
    public_url: str = ""
    """Origin of links to tables on pages opened at this machine. By default that of the page."""
    workers: int = 2
    """Number of worker processes."""
    metrics_bind: str = ""
    """Second address, ``127.0.0.1:9464`` or ``unix:/path``, for metrics and probes. By default
    none.
    """

    body_limit: int = 1 << 20
    """Maximum bytes of a request body."""
    batch_body_limit: int = 8 << 20
    """Maximum bytes of the body of a batch."""
    batch_limit: int = 10_000
    """Maximum positions in a batch."""

    request_seconds: int = 10
    """Seconds for the headers and body of a request to arrive."""
    connections: int = 1000
    """Maximum simultaneous connections of a worker."""
    unread_limit: int = 64 << 20
    """Maximum bytes of unread answers in a worker. Large bodies share this memory."""
    log_answers: bool = False
    """Logs every answer. Refusals and faults are always logged, unless a rate limit refuses."""
    log_format: str = ""
    """Format of log lines, ``json`` or ``text``. By default text on a terminal, JSON elsewhere."""
    tracing: bool = False
    """Sends spans by OpenTelemetry. Needs the extra ``tracing``, and reads ``OTEL_*``."""

    redis_url: str = ""
    """Redis that stores sessions, see ``sessions/redis/url.py``. By default ``gunicorn_conf.py``
    starts a local Redis. Other servers then have no sessions.
    """
    redis_url_file: str = ""
    """File that contains the value of REDIS_URL, such as a credential of systemd. By default none.
    """
    redis_timeout_ms: int = 150
    """Maximum milliseconds of each wait for Redis: to connect, and for an answer."""
    var_dir: str = "var"
    """Directory of the files of the local Redis."""
    session_ttl: int = 604_800
    """Lifetime of a session in seconds after its last entry. An unused session expires after a day.
    """
    session_origins: str = ""
    """Origins whose pages may use sessions, separated by commas. By default those of this machine.
    """
    streams_per_session: int = 50
    """Maximum streams of a session in a worker. A remote client may use half of them."""
    streams: int = 500
    """Maximum simultaneous streams and polls of a worker."""
    streams_per_client: int = 250
    """Maximum streams and polls of a remote client in a worker. By default half of STREAMS if only
    STREAMS is set. 0 means no limit.
    """

    rate_stateless: int = 6000
    """Requests per minute of a client, except for those below. 0 means no limit, here and below."""
    rate_batch: int = 60
    """Batches, audits, reviews, comparisons and proofs of dice per minute of a client."""
    rate_odds: int = 3000
    """Positions per minute of a client with odds."""
    rate_sessions: int = 60
    """Sessions per minute that a client may create."""
    rate_events: int = 1200
    """Requests to sessions per minute of a client."""
    rate_loopback: bool = False
    """Limits clients on this machine too, in operations that store nothing."""
    trusted_proxies: str = ""
    """Proxies with a trusted X-Forwarded-For: addresses, networks, ``unix``, separated by commas.
    """

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Settings":
        """Reads the settings of an environment. Raises BadSetting with the variable's name."""
        values: dict[str, int | str | bool] = {}
        for field in fields(cls):
            name = field.name.upper()
            if name not in CONSTANTS and (text := environment.get(name)):
                values[field.name] = _value(name, text, field.default)
        if isinstance(streams := values.get("streams"), int):
            values.setdefault("streams_per_client", (streams + 1) // 2)
        if isinstance(path := values.get("redis_url_file"), str):
            if "redis_url" in values:
                raise BadSetting("REDIS_URL and REDIS_URL_FILE must not both be set")
            values["redis_url"] = _secret("REDIS_URL_FILE", path)
        return cls(**values)  # type: ignore[arg-type]


def notices(environment: Mapping[str, str]) -> list[str]:
    """Returns a warning for each variable that is an obsolete or a misspelt setting."""
    known = sorted({field.name.upper() for field in fields(Settings)} - CONSTANTS)
    unknown = sorted(environment.keys() - REMOVED.keys() - set(known))
    meant = {name: get_close_matches(name, known, 1, LIKENESS) for name in unknown}
    return [
        f"{name} is no longer a setting; {REMOVED[name]}"
        for name in sorted(environment.keys() & REMOVED.keys())
    ] + [f"{name} is not a setting; {found[0]} is" for name, found in meant.items() if found]


def _value(name: str, text: str, default: object) -> int | str | bool:
    if isinstance(default, bool):
        if text not in ("0", "1"):
            raise BadSetting(f"{name} must be 0 or 1, not {text!r}")
        return text == "1"
    if isinstance(default, int):
        least = 0 if name.startswith("RATE_") or name == "STREAMS_PER_CLIENT" else 1
        most = MOST[name]
        if text.isascii() and text.isdecimal() and len(text) > DIGITS:
            # Python refuses to convert thousands of digits, and a log has to show the number.
            raise BadSetting(f"{name} must be {most} at most, not {text[:DIGITS]!r}...")
        if not (text.isascii() and text.isdecimal() and int(text) >= least):
            kind = "a positive integer" if least else "an integer from 0"
            raise BadSetting(f"{name} must be {kind}, not {text!r}")
        if int(text) > most:
            raise BadSetting(f"{name} must be {most} at most, not {text!r}")
        return int(text)
    if name == "PUBLIC_URL" and not ORIGIN.fullmatch(text):
        raise BadSetting(f"PUBLIC_URL must be an origin like http://192.0.2.2:8000, not {text!r}")
    if name == "LOG_FORMAT" and text not in ("json", "text"):
        raise BadSetting(f"LOG_FORMAT must be json or text, not {text!r}")
    return _address(text) if name == "HOST" else text


def _secret(name: str, path: str) -> str:
    """Reads the secret in a file. Raises BadSetting if it cannot be read or is empty."""
    try:
        text = Path(path).read_text("utf-8").strip()
    except (OSError, ValueError):
        text = ""
    if not text:
        raise BadSetting(f"{name} must name a file with the secret, not {path!r}")
    return text


def _address(text: str) -> str:
    """Reads the address to listen at, and removes the brackets of an IPv6 address."""
    if ":" not in text and "[" not in text:
        return text
    if text.startswith("unix:") and text != "unix:":
        return text
    with suppress(ValueError):
        address = text[1:-1] if text.startswith("[") and text.endswith("]") else text
        IPv6Address(address)
        return address
    raise BadSetting(f"HOST must be an address without a port or unix:/path, not {text!r}")
