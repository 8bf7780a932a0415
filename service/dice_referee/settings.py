"""The settings of the service, each an environment variable."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from difflib import get_close_matches
from ipaddress import IPv6Address
from pathlib import Path

ORIGIN = re.compile(r"https?://[\w.:\[\]-]+", re.ASCII)
LIKENESS = 0.8
"""Likeness, from 0 to 1, from which a name is taken for a misspelling of another."""

HOUR, DAY = 3600, 86_400
"""Seconds."""
GIB = 1 << 30
"""Bytes."""
RATE = 60_000_000
"""Requests a minute: one each microsecond, the smallest time that the counters tell apart."""
DIGITS = 15
"""Digits of a number that is read at all; no bound has more."""
MOST = {
    "PORT": 65_535,
    # As many as the largest machine of 2026 has threads of its processors.
    "WORKERS": 1024,
    "BODY_LIMIT": GIB,
    "BATCH_BODY_LIMIT": GIB,
    "BATCH_LIMIT": 10_000_000,
    "REQUEST_SECONDS": HOUR,
    # A process of Linux may have 1,048,576 files open, unless its administrator says otherwise.
    "CONNECTIONS": 1_000_000,
    "UNREAD_LIMIT": 1024 * GIB,
    # A worker asks Redis before it is ready, and has a minute for that.
    "REDIS_TIMEOUT_MS": 30_000,
    # Far below what overflows in Redis, which then refuses a key or keeps it for ever.
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
"""The largest value of every setting that is a number; ``settings.md`` names them."""


class BadSetting(ValueError):
    """An environment variable that cannot be what it says."""


@dataclass(frozen=True, slots=True)
class Constants:
    """Values that were settings up to 0.8.0; tests replace them."""

    threads: int = 8
    """Threads that a worker keeps for slow operations."""
    worker_requests: int = 1_000_000
    """Requests after which a worker is replaced, plus up to a tenth more at random."""
    query_limit: int = 4096
    """Maximum bytes of a query string."""
    nesting_limit: int = 16
    """Maximum levels of lists and objects in a body."""
    log_limit: int = 10_000
    """Maximum events in the log of a game."""
    write_seconds: int = 30
    """Seconds that a client has to take a piece of an answer."""
    session_events: int = 10_000
    """Maximum entries in the log of a session."""
    stream_seconds: int = 300
    """Seconds that a stream lasts; then the client comes back."""
    heartbeat_seconds: int = 15
    """Seconds of silence after which a stream says that it is still there."""
    wait_limit: int = 30
    """Maximum seconds that a client may ask to wait for news."""


CONSTANTS = frozenset(field.name.upper() for field in fields(Constants))
REMOVED = {
    **{name: f"it is {getattr(Constants(), name.lower())}" for name in CONSTANTS},
    "RATE_TABLES": "tables of odds count for the limit of their request",
    "SESSIONS_LIMIT": "maxmemory of Redis is the limit",
}
"""Former settings, and what replaces each."""


@dataclass(frozen=True, slots=True)
class Settings(Constants):
    """Each field here is the environment variable of its name in capitals: ``BODY_LIMIT``."""

    host: str = "127.0.0.1"
    """Address to listen at; ``unix:/path`` is a socket, and needs no port."""
    port: int = 8000
    """Port to listen at."""
    hosts: str = ""
    """Names in ``Host`` to which the service answers, with commas; empty: those of this machine if
    it listens there, else all."""
    public_url: str = ""
    """Origin of the links to tables on pages that are opened at this machine; empty: theirs."""
    workers: int = 2
    """Processes that answer."""
    metrics_bind: str = ""
    """Second address, ``127.0.0.1:9464`` or ``unix:/path``, for metrics and probes; empty: none."""

    body_limit: int = 1 << 20
    """Bytes of a request body."""
    batch_body_limit: int = 8 << 20
    """Bytes of the body of a batch."""
    batch_limit: int = 10_000
    """Positions in a batch."""

    request_seconds: int = 10
    """Seconds for the headers and body of a request to arrive."""
    connections: int = 1000
    """Connections that a worker holds at the same time."""
    unread_limit: int = 64 << 20
    """Bytes of unread answers that a worker holds; large bodies are taken within what is left."""
    log_answers: bool = False
    """Logs successful responses too; refusals and faults are always logged."""
    log_format: str = ""
    """Form of the lines of the log, ``json`` or ``text``; empty: text on a terminal alone."""
    tracing: bool = False
    """Sends spans by OpenTelemetry; needs the extra ``tracing``, and reads ``OTEL_*``."""

    redis_url: str = ""
    """The Redis that keeps sessions, see ``sessions/redis/url.py``; empty: a local one, which
    ``gunicorn_conf.py`` starts; under other servers there are no sessions then."""
    redis_url_file: str = ""
    """File that holds the value of REDIS_URL, such as a credential of systemd; empty: none."""
    redis_timeout_ms: int = 150
    """Milliseconds that each wait for Redis takes at most: to connect, and for an answer."""
    var_dir: str = "var"
    """Directory of the files of the local Redis."""
    session_ttl: int = 604_800
    """Seconds that a session is kept after its last entry; one without use: a day at most."""
    session_origins: str = ""
    """Origins whose pages may use sessions, separated by commas; empty: those of this machine."""
    streams_per_session: int = 50
    """Streams of a session that a worker holds: half for each remote client."""
    streams: int = 500
    """Streams and polls that a worker holds at the same time."""
    streams_per_client: int = 250
    """Those that a worker holds for one client, but for this machine; half of STREAMS if that is
    set alone; 0 is no limit."""

    rate_stateless: int = 6000
    """Requests a minute of a client, but for those that follow; 0 is no limit, here and below."""
    rate_batch: int = 60
    """Batches, audits, reviews, comparisons and proofs of dice a minute of a client."""
    rate_odds: int = 3000
    """Positions a minute of which a client asks the odds."""
    rate_sessions: int = 60
    """Sessions that a client creates a minute."""
    rate_events: int = 1200
    """Requests to sessions a minute of a client."""
    rate_loopback: bool = False
    """Limits clients on this machine too, in operations that store nothing."""
    trusted_proxies: str = ""
    """Proxies whose X-Forwarded-For is believed: addresses, networks, ``unix``, with commas."""

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


def ignored(environment: Mapping[str, str]) -> list[str]:
    """Returns a sentence for each variable that was a setting, or looks like a misspelt one."""
    known = sorted({field.name.upper() for field in fields(Settings)} - CONSTANTS)
    unknown = sorted(environment.keys() - REMOVED.keys() - set(known))
    meant = {name: get_close_matches(name, known, 1, LIKENESS) for name in unknown}
    return [
        f"{name} is no longer a setting; {REMOVED[name]}"
        for name in sorted(environment.keys() & REMOVED.keys())
    ] + [f"{name} is no setting; {found[0]} is" for name, found in meant.items() if found]


def _value(name: str, text: str, default: object) -> int | str | bool:
    if isinstance(default, bool):
        if text not in ("0", "1"):
            raise BadSetting(f"{name} must be 0 or 1, not {text!r}")
        return text == "1"
    if isinstance(default, int):
        least = 0 if name.startswith("RATE_") or name == "STREAMS_PER_CLIENT" else 1
        most = MOST[name]
        if text.isascii() and text.isdecimal() and len(text) > DIGITS:
            # Python converts no number of thousands of digits, and a log has to show it.
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
    """Reads the address to listen at; that of IPv6 loses the brackets of a URL."""
    if ":" not in text and "[" not in text:
        return text
    if text.startswith("unix:") and text != "unix:":
        return text
    with suppress(ValueError):
        address = text[1:-1] if text.startswith("[") and text.endswith("]") else text
        IPv6Address(address)
        return address
    raise BadSetting(f"HOST must be an address without a port or unix:/path, not {text!r}")
