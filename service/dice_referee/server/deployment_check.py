"""Checks of ``serve --check``: what a start accepts, although sessions or clients would suffer."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from dice_referee.server.bind_address import UNIX_PREFIX, has_address
from dice_referee.server.local_redis import OLDEST, candidates
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.redis.url import parse
from dice_referee.sessions.store import StoreFull, StoreUnavailable
from dice_referee.settings import Settings

UNANSWERED = ("LOADING", "CLUSTERDOWN", "MASTERDOWN")
"""Error codes of a server that recovers without a change of settings."""


def faults(settings: Settings) -> Iterator[str]:
    for name, value in (("HOST", settings.host), ("METRICS_BIND", settings.metrics_bind)):
        path = value.removeprefix(UNIX_PREFIX)
        if path != value and not path.startswith("/"):
            yield f"{name} must have an absolute path after unix:, not {path!r}"
    if not settings.host.startswith(UNIX_PREFIX) and not has_address(settings.host):
        yield f"HOST has no address: {settings.host}"
    if settings.redis_url:
        for node in parse(settings.redis_url).nodes:
            if node.port and not has_address(node.host):
                yield f"REDIS_URL names a host without an address: {node.host}"
        return
    if not _is_writable(Path(settings.var_dir)):
        yield f"VAR_DIR cannot be written, sessions would be off: {settings.var_dir}"
    if not candidates():
        yield "no redis-server or valkey-server, and no REDIS_URL: sessions would be off"


def _is_writable(directory: Path) -> bool:
    existing = next(
        path for path in (directory.absolute(), *directory.absolute().parents) if path.exists()
    )
    try:
        tempfile.TemporaryFile(dir=existing).close()
    except OSError:
        return False
    return True


def redis_state(settings: Settings) -> tuple[str, list[str]]:
    """Returns a line about the Redis of the settings, and a line for each of its faults.

    Stores a session that expires within a minute.
    """
    where = f"Redis at {parse(settings.redis_url).where}"
    store = RedisStore(settings.redis_url, settings.redis_timeout_ms)
    try:
        return _state(store, where)
    except StoreFull as refusal:
        return f"{where}: memory is full ({refusal.word})", []
    except StoreUnavailable as refusal:
        if refusal.word.isupper() and refusal.word not in UNANSWERED:
            return f"{where} refuses", [f"{where} refuses: {refusal.word} {refusal}"]
        return f"{where}: no answer ({refusal.word})", []
    finally:
        store.close()


def _state(store: RedisStore, where: str) -> tuple[str, list[str]]:
    """Returns the lines of a server that answers. Raises StoreUnavailable, StoreFull."""
    server = store.server()
    version = server.get("valkey_version") or server["redis_version"]
    policy, megabytes = server["maxmemory_policy"], server["maxmemory"] >> 20
    wrong = []
    if tuple(map(int, str(server["redis_version"]).split(".")[:2])) < OLDEST:
        wrong.append(f"{where} is {version}: {'.'.join(map(str, OLDEST))} or later is needed")
    if policy != "noeviction":
        wrong.append(
            f"{where} has maxmemory-policy {policy}, which deletes sessions: set noeviction"
        )
    store.rehearse()
    memory = f"maxmemory {megabytes} MB" if megabytes else "no maxmemory"
    return f"{where}: {version}, {memory}, {policy}, all rights", wrong
