"""Sessions in Redis 6.2 or later, or Valkey: a single server, behind Sentinel, or a cluster.

Keys, with a hash tag for each session: ``referee:{id}`` is a hash (``v``, ``doc``, ``n``,
``k:<idempotency key>``, ``m:<version>``, ``a:<hash of a token>`` once its holder has arrived, or
``gone``), ``referee:{id}:log`` a stream whose ids are ``<version>-0`` with the fields ``e``, ``n``
and ``s``, the version of the last event that was not taken back. ``n`` is the nonce of a write, by
which a repeated write is done only once and answered the same. Channel ``referee:bell:<id>`` has
the new entries and the state of each write, and nudges.
``referee:rate:{client}:sessions`` is a client's debt for the sessions that it has created, a number
that expires within a minute. If the server of that slot is unavailable, one or two slashes at the
end of the tag choose another slot. ``referee:{id}:nudge:<seat>`` is the debt of a seat for its last
nudge.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from redis.exceptions import NoScriptError

from dice_referee.sessions.feed import message_of
from dice_referee.sessions.redis.client import Observe, RedisClient, Report
from dice_referee.sessions.redis.driver import Driver, servers
from dice_referee.sessions.redis.notifications import CHANNEL, NUDGE, RedisSubscriber
from dice_referee.sessions.redis.scripts import scripts
from dice_referee.sessions.redis.url import Topology, parse
from dice_referee.sessions.store import (
    CorruptSession,
    LogLine,
    Notifications,
    Quota,
    SessionDeleted,
    SessionNotFound,
    StandingLine,
    StoredSession,
    StoreFull,
    StoreUnavailable,
    TooManySessions,
    VersionConflict,
)

SLOTS_TRIED = 3
"""Maximum number of a cluster's slots to try for a key that any slot may hold."""


class RedisStore:
    """Store on Redis. It connects with the first command, so each process does after its fork.

    ``url`` has the form of ``url.py``, else BadAddress is raised. ``timeout_ms`` bounds each wait
    for a server.
    """

    def __init__(
        self,
        url: str,
        timeout_ms: int = 150,
        observe: Observe = lambda *_: None,
        report: Report = lambda *_: None,
    ) -> None:
        self._address, self._seconds = parse(url), timeout_ms / 1000
        self._scripts = scripts()
        self._client = RedisClient(self._address, self._seconds, observe, report)

    def choose_id(self, new_id: Callable[[], str]) -> str:
        return self._reachable(new_id() for _ in range(SLOTS_TRIED))

    def _reachable(self, tags: Iterator[str]) -> str:
        """Returns the first of these hash tags whose server answers, within a single wait.

        Raises StoreUnavailable. Only a cluster has several servers.
        """
        if self._address.topology is not Topology.CLUSTER:
            return next(tags)
        until, away = monotonic() + self._seconds, StoreUnavailable()
        for tag in tags:
            try:
                self._client.ping(f"referee:{{{tag}}}")
                return tag
            except StoreUnavailable as error:
                away = error
            if monotonic() > until:
                break
        raise away

    def create(
        self,
        id: str,
        document: bytes,
        ttl_seconds: int,
        entries: Sequence[bytes] = (),
        quota: Quota | None = None,
    ) -> int:
        owed = 0 if quota is None else self._count_session(quota)
        self._run("create", id, document, ttl_seconds, secrets.token_bytes(8), *entries)
        return owed

    def _count_session(self, quota: Quota) -> int:
        """Counts a session of this client. Raises TooManySessions."""
        # In a cluster the key of a client and the keys of a session are on different nodes, so this
        # is a script of its own.
        tag = self._reachable(f"{quota.client}{'/' * number}" for number in range(SLOTS_TRIED))
        key = f"referee:rate:{{{tag}}}:sessions"
        status, owed = self._evaluate("count", [key], quota.limit)
        if status != b"ok":
            raise TooManySessions(owed)
        return int(owed)

    def read(self, id: str, key: str | None = None) -> StoredSession:
        answer: list[Any] = self._run("read", id, *(() if key is None else (key,)))
        version, document, *stored = answer
        return StoredSession(int(version), document, *stored[:2])

    def write(
        self,
        id: str,
        expected: int,
        document: bytes,
        entry: bytes,
        ttl_seconds: int,
        key: str | None = None,
        record: bytes | None = None,
        moment: bytes = b"",
        following: Sequence[bytes] = (),
        standing: int | None = None,
        state: bytes = b"",
    ) -> None:
        message = message_of(expected + 1, (entry, *following), state)
        step = (expected, document, ttl_seconds, CHANNEL + id, message, secrets.token_bytes(8))
        result = (key or "", record or b"", moment, "" if standing is None else standing)
        self._run("write", id, *step, *result, entry, *following)

    def log(self, id: str, after: int, most: int) -> tuple[int, list[LogLine]]:
        version, first, entries = self._run("log", id, after + 1, most)
        return int(version), [LogLine(number, entry) for number, entry in enumerate(entries, first)]

    def standing(self, id: str, version: int) -> StandingLine | None:
        line = self._run("standing", id, version)
        return StandingLine(*line) if line else None

    def arrive(
        self,
        id: str,
        secret: str,
        expected: int | None = None,
        document: bytes = b"",
        ttl_seconds: int = 0,
    ) -> bool:
        step = () if expected is None else (expected, document, ttl_seconds)
        (news,) = self._run("arrive", id, secret, *step)
        return bool(news)

    def arrivals(self, id: str, secrets: Sequence[str]) -> list[bool]:
        return [come is not None for come in self._run("arrived", id, *secrets)]

    def nudge(self, id: str, seat: int) -> int:
        key = f"referee:{{{id}}}:nudge:{seat}"
        status, owed = self._evaluate("count", [key], 1, CHANNEL + id, NUDGE + b"%d" % seat)
        return 0 if status == b"ok" else int(owed)

    def delete(self, id: str, expected: int, tombstone: bytes, ttl_seconds: int) -> None:
        self._run("bury", id, expected, tombstone, ttl_seconds, CHANNEL + id)

    def ping(self) -> bool:
        return self._client.check()

    def warnings(self) -> list[str]:
        """Returns warnings about server settings that lose sessions or stop play."""
        memory: dict[str, Any] = {}
        # The permission may be missing. If the server is unavailable, every session request says
        # so.
        with suppress(StoreUnavailable):
            memory = self._client.ask("config", lambda driver: servers(driver)[0].info("memory"))
        policy, lines = memory.get("maxmemory_policy", "noeviction"), list[str]()
        if memory.get("maxmemory") == 0:
            lines.append("redis: maxmemory is 0: its memory has no limit, so no session is refused")
        if policy != "noeviction":
            problem = f"maxmemory-policy is {policy}: sessions may be evicted; set noeviction"
            lines.append(f"redis: {problem}")
        return lines

    def notifications(
        self,
        notify: Callable[[str, bytes], None],
        nudge: Callable[[str, int], None] = lambda *_: None,
    ) -> Notifications:
        return RedisSubscriber(self._client.pubsub, notify, nudge)

    def open_breakers(self) -> int:
        return self._client.open_breakers()

    def close(self) -> None:
        """Closes all connections. The next command opens new connections."""
        self._client.close()

    def _run(self, name: str, id: str, *arguments: str | bytes | int) -> Any:
        """Runs a script about a session and returns its reply without the status."""
        key = f"referee:{{{id}}}"
        keys = (key, f"{key}:log")
        used = [keys[number] for number in self._scripts[name].keys]
        answer = self._evaluate(name, used, *arguments)
        match answer[0]:
            case b"ok":
                return answer[1:]
            case b"missing":
                raise SessionNotFound(id)
            case b"gone":
                raise SessionDeleted(answer[1])
            case b"stale":
                raise VersionConflict(id)
            case b"full":
                raise StoreFull("four fifths of maxmemory are used", word="maxmemory")
            case _:
                raise CorruptSession(id)

    def _evaluate(self, name: str, keys: list[str], *arguments: str | bytes | int) -> Any:
        script = self._scripts[name]

        def command(driver: Driver) -> Any:
            try:
                return driver.evalsha(script.digest, len(keys), *keys, *arguments)
            except NoScriptError:
                # Not register_script: in a cluster it loads the script on every master, or fails.
                return driver.eval(script.source, len(keys), *keys, *arguments)

        ask = self._client.read_log if name == "log" else self._client.ask
        return ask(name, command, keys[0])
