"""Sessions in Redis 6.2 or later, or Valkey: a single server, behind Sentinel, or a cluster.

Keys, with a hash tag for each session: ``referee:{id}`` is a hash (``v``, ``doc``, ``n``, ``keys``,
``a:<hash of a token>`` once its holder has arrived, ``here``, the leases of connected seats, or
``gone``), ``referee:{id}:log`` a stream
whose ids are ``<version>-0`` with the fields ``e``, the compressed entry, ``n``, ``s``, the version
of the last kept event, and ``m``, in some lines the compressed state after the
line. ``n`` is the nonce of a write, by which a repeated write is done only once and answered the
same. Channel ``referee:bell:<id>`` has the new entries and the state of each
write, nudges, and changes of connected seats.
``referee:rate:{client}:sessions`` is a client's debt for the sessions that it has created, a number
that expires within a minute. If the server of that slot is unavailable, one or two slashes at the
end of the tag choose another slot. ``referee:{id}:nudge:<seat>`` is the debt of a seat for its last
nudge.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from redis.exceptions import NoScriptError

from dice_referee.sessions.compression import (
    compress,
    compress_entry,
    decompress,
    decompress_entry,
)
from dice_referee.sessions.feed import message_of
from dice_referee.sessions.redis.client import Observe, RedisClient, Report
from dice_referee.sessions.redis.driver import Driver, servers, subscription
from dice_referee.sessions.redis.notifications import (
    CHANNEL,
    CONNECTED,
    NUDGE,
    RedisSubscriber,
    seats_of,
)
from dice_referee.sessions.redis.scripts import scripts
from dice_referee.sessions.redis.url import Topology, parse
from dice_referee.sessions.store import (
    MOMENT_VERSIONS,
    Attendance,
    CorruptSession,
    KeptLine,
    Log,
    LogLine,
    Notifications,
    Past,
    Quota,
    Seats,
    SessionDeleted,
    SessionNotFound,
    StoredSession,
    StoreFull,
    StoreUnavailable,
    TooManySessions,
    VersionConflict,
)

SLOTS_TRIED = 3
"""Maximum number of a cluster's slots to try for a key that any slot may hold."""


def _line(id: str, version: int, entry: bytes) -> LogLine:
    return LogLine(version, decompress_entry(entry, version, id))


def _lines(id: str, first: int, entries: Sequence[bytes]) -> list[LogLine]:
    return [_line(id, version, entry) for version, entry in enumerate(entries, first)]


def _past(id: str, version: int, moment: bytes, entries: Sequence[bytes]) -> Past:
    state = decompress(moment, id) if moment else b""
    return Past(version, state, tuple(_lines(id, version + 1, entries)))


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
        moment: bytes = b"",
        game: str = "",
    ) -> int:
        owed = 0 if quota is None else self._count_session(quota)
        state = compress(game, moment) if moment else b""
        lines = [compress_entry(game, entry) for entry in entries]
        self._run("create", id, document, ttl_seconds, secrets.token_bytes(8), state, *lines)
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

    def read(self, id: str, *, keyed: bool = False) -> StoredSession:
        version, document, *keys = self._run("read", id, *(("keys",) if keyed else ()))
        return StoredSession(int(version), document, *keys)

    def write(
        self,
        id: str,
        expected: int,
        document: bytes,
        entry: bytes,
        ttl_seconds: int,
        keys: bytes = b"",
        moment: bytes = b"",
        following: Sequence[bytes] = (),
        kept: int | None = None,
        game: str = "",
        state: bytes = b"",
    ) -> None:
        entries = (entry, *following)
        message = message_of(expected + 1, entries, state)
        step = (expected, document, ttl_seconds, CHANNEL + id, message, secrets.token_bytes(8))
        stored = compress(game, moment) if moment else b""
        result = (keys, stored, "" if kept is None else kept)
        lines = [compress_entry(game, line) for line in entries]
        self._run("write", id, *step, *result, *lines)

    def log(self, id: str, after: int, most: int) -> Log:
        version, first, entries, connected = self._run("log", id, after + 1, most)
        return Log(int(version), _lines(id, first, entries), seats_of(connected))

    def kept(self, id: str, version: int) -> KeptLine | None:
        last, *line = self._run("kept", id, version, MOMENT_VERSIONS)
        if not line:
            return None
        entry, before, *past = line
        return KeptLine(_line(id, last, entry), before, _past(id, *past))

    def past(self, id: str, version: int) -> Past:
        return _past(id, *self._run("past", id, version, MOMENT_VERSIONS))

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

    def attendance(self, id: str, secrets: Sequence[str]) -> Attendance:
        connected, *arrivals = self._run("arrived", id, *secrets)
        return Attendance([come is not None for come in arrivals], seats_of(connected))

    def hold(self, id: str, seat: int, holder: str, seconds: int) -> None:
        self._run("hold", id, seat, holder, seconds, CHANNEL + id, CONNECTED)

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
        memory: Mapping[str, Any] = {}
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

    def server(self) -> Mapping[str, Any]:
        """Returns what a server says of itself, as redis-py reads INFO. Raises StoreUnavailable."""
        answer: Mapping[str, Any]
        answer = self._client.ask("config", lambda driver: servers(driver)[0].info())
        return answer

    def rehearse(self) -> None:
        """Creates, changes, reads and deletes a session, by every script and command.

        The session expires within a minute. Raises StoreUnavailable.
        """
        id, ttl = self.choose_id(lambda: f"rehearsal-{secrets.token_hex(8)}"), 60
        channel = CHANNEL + id

        def notify(driver: Driver) -> None:
            with subscription(driver) as pubsub:
                pubsub.subscribe(channel)
                pubsub.get_message(timeout=self._seconds)
            servers(driver)[0].publish(channel, b"")

        self.create(id, b"{}", ttl, quota=Quota(id, 1))
        self.arrive(id, "token", 0, b"{}", ttl)
        self.write(id, 0, b"{}", b"{}", ttl, b"key", b"{}")
        self.read(id, keyed=True)
        self.log(id, 0, 1)
        self.kept(id, 1)
        self.past(id, 1)
        self.attendance(id, ["token"])
        self.hold(id, 0, "rehearsal", ttl)
        self._client.ask("config", notify)
        self.delete(id, 1, b"{}", ttl)

    def notifications(
        self,
        notify: Callable[[str, bytes], None],
        nudge: Callable[[str, int], None] = lambda *_: None,
        connect: Callable[[str, Seats], None] = lambda *_: None,
    ) -> Notifications:
        return RedisSubscriber(self._client.pubsub, notify, nudge, connect)

    def open_breakers(self) -> int:
        return self._client.open_breakers()

    def close(self) -> None:
        self._client.close()

    def _run(self, name: str, id: str, *arguments: str | bytes | int) -> Any:
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
