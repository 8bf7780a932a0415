"""Soak test: ``make soak``, or ``python -m tests.load.soak --seconds 600``.

Players, onlookers, fuzzers and a hostile crowd use the deployed service at once, while Redis, a
worker and a service fail. Then all sessions, logs and worker memories are checked. Exits with 1 on
any fault. ``tests/e2e/attack`` measures the effect of a crowd on honest clients.
"""

import argparse
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from multiprocessing import get_context
from threading import Event, Thread
from typing import Any

from tests.e2e.attack.fuzz import fuzz
from tests.e2e.attack.mutations import SECRET, sessions
from tests.e2e.attack.siege import started_crowd
from tests.e2e.attack.watch import ProcessWatch, complaints
from tests.e2e.faults.clients import GAMES, PATIENCE, Client, Table, check_table
from tests.engines.proxy import Proxy
from tests.engines.servers import ENGINES, Single
from tests.engines.stack import Stack
from tests.unlimited import QUICK

PAUSE = 0.02
FOLLOWED, QUIET = 15.0, 5.0
"""Seconds for which an onlooker follows a table, and those without an event before a reconnect."""
WARM = 0.1
"""Fraction of the time before the first memory sample."""
MAX_GROWTH_MB = 40.0
"""Maximum growth of a worker after warm-up, by value tables and fragmentation."""
FULL = 500
"""Maximum events of a session here, so that clients reach the limit. The default is 10,000."""
FUZZERS = 2
BUSY = {429, 503}
"""Refusals that any client must expect, with Retry-After."""


class Onlooker(Thread):
    """Follows a client's table by streams or polls. Must see the events that the client sees."""

    def __init__(self, port: int, client: Client, end: Event, *, streamed: bool) -> None:
        super().__init__(daemon=True)  # ends with a run that has failed
        self._port, self._client, self._end, self._streamed = port, client, end, streamed
        self.seen, self.wrong = 0, list[str]()

    def run(self) -> None:
        while not self._end.wait(PAUSE):
            if self._client.tables:
                self._look(self._client.tables[-1])

    def _look(self, table: Table) -> None:
        entries, until = list[dict[str, Any]](), time.monotonic() + FOLLOWED
        while time.monotonic() < until and not self._end.wait(PAUSE):
            with suppress(OSError, ValueError, HTTPException):
                for entry in (self._streams if self._streamed else self._polls)(table, entries):
                    entries.append(entry)
        self.seen += len(entries)
        versions = [entry["version"] for entry in entries]
        if versions != [*range(1, len(versions) + 1)]:
            self.wrong.append(f"an onlooker missed an event, or saw one twice: {versions}")
        known = min(len(entries), len(table.accepted))
        if entries[:known] != table.accepted[:known]:
            self.wrong.append("an onlooker was told something else than the client")

    @contextmanager
    def _asking(self, target: str, **headers: str) -> Iterator[Any]:
        line = HTTPConnection("127.0.0.1", self._port, timeout=QUIET)
        try:
            fields = {name.replace("_", "-"): value for name, value in headers.items()}
            line.request("GET", target, None, fields)
            answer = line.getresponse()
            if answer.status != 200 and answer.status not in BUSY:
                self.wrong.append(f"an onlooker got {answer.status} at {target}")
            yield answer
        finally:
            line.close()

    def _polls(self, table: Table, entries: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        with self._asking(f"{table.at}/events?after={len(entries)}&wait=1") as answer:
            if answer.status == 200:
                yield from json.loads(answer.read())["events"]

    def _streams(self, table: Table, entries: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        sent = {"Accept": "text/event-stream", "Last_Event_ID": str(len(entries))}
        with self._asking(f"{table.at}/events", **sent) as answer:
            while answer.status == 200 and not self._end.is_set() and (text := answer.readline()):
                if text.startswith(b'data: {"version"'):
                    yield json.loads(text[6:])


class Soak:
    """A run, and its faults."""

    def __init__(self, seconds: float, number: int) -> None:
        self._seconds, self._number = seconds, number
        self.wrong = list[str]()

    def expect(self, holds: bool, fault: str) -> None:
        if not holds:
            self.wrong.append(fault)
            print(f"WRONG: {fault}", flush=True)

    def run(self) -> None:
        """Runs everything at once, and checks what is left."""
        with ExitStack() as closing:
            enter = closing.enter_context
            # With fsync, a killed Redis loses no acknowledged write.
            redis = enter(Single(ENGINES[0], "--appendfsync", "always"))
            proxy = enter(Proxy(redis.port))
            url = f"redis://127.0.0.1:{proxy.port}"
            settings: dict[str, Any] = {"REDIS_URL": url, "REDIS_TIMEOUT_MS": 300} | QUICK
            stack = enter(Stack(2, SESSION_EVENTS=FULL, **settings))
            pool = enter(ProcessPoolExecutor(FUZZERS, get_context("spawn")))
            share = self._number // FUZZERS
            known = sessions(stack.port, 3)
            fuzzed = [
                pool.submit(fuzz, stack.port, known, share, seed, self._seconds)
                for seed in range(FUZZERS)
            ]
            tables, logs = self._play(stack, redis, proxy)
            self._check(stack, tables)
            results = [future.result(self._seconds + PATIENCE) for future in fuzzed]
            counts = sum((result.counts for result in results), Counter[str]())
            print(f"fuzzed: {sum(result.sent for result in results)}, {dict(counts)}")
            bad = {code for code in counts if code[0] == "5"} - {"503"}
            self.expect(not bad and counts["200"] > 0, f"statuses of fuzzed requests: {counts}")
            secrets = [SECRET, *(secret for result in results for secret in result.secrets)]
            secrets += [secret for table in tables for secret in (table.host, *table.seats)]
            logs += [service.log() for service in stack.services]
            for log in (*logs, stack.nginx.log(), stack.nginx.lines()):
                lines = complaints(log, secrets)
                lines = [line for line in lines if "was sent SIGKILL" not in line]
                self.expect(not lines, f"in the log: {lines[:3]}")

    def _play(self, stack: Stack, redis: Single, proxy: Proxy) -> tuple[list[Table], list[str]]:
        """Plays while faults happen. Returns the tables, and the logs of stopped services."""
        seconds, end, logs = self._seconds, Event(), list[str]()
        clients = [
            Client(stack.port, number, *game, longest=FULL) for number, game in enumerate(GAMES)
        ]
        onlookers = [
            Onlooker(stack.port, client, end, streamed=number % 2 == 0)
            for number, client in enumerate(clients)
        ]
        players = [Thread(target=self._player, args=(client,)) for client in clients]

        def slow_redis() -> None:
            proxy.latency = 0.05
            time.sleep(min(10, seconds / 20))
            proxy.latency = 0.0

        def killed_redis() -> None:
            redis.kill()
            time.sleep(min(5, seconds / 20))
            redis.start()

        def killed_worker() -> None:
            os.kill(stack.services[0].workers()[-1], signal.SIGKILL)

        def restarted_service() -> None:
            logs.append(stack.restart(0))

        def hostile_crowd() -> None:
            started_crowd(stack.port, length := min(60, round(seconds / 8))).wait(length + 60)

        faults: tuple[Callable[[], None], ...] = (
            slow_redis, killed_redis, killed_worker, restarted_service, hostile_crowd, killed_redis,
            killed_worker,
        )  # fmt: skip
        watches = [ProcessWatch(partial(stack.services.__getitem__, number)) for number in range(2)]
        started = time.monotonic()
        for thread in (*onlookers, *players):
            thread.start()
        with ExitStack() as watching:
            time.sleep(seconds * WARM)
            for watch in watches:
                watching.enter_context(watch)
            for number, fault in enumerate(faults):
                moment = (0.15 + 0.1 * number) * seconds
                time.sleep(max(0.0, started + moment - time.monotonic()))
                print(f"{time.monotonic() - started:5.0f} s  {fault.__name__}", flush=True)
                fault()
            time.sleep(max(0.0, started + seconds - time.monotonic()))
        end.set()
        for client in clients:
            client.leave()
        for thread in (*onlookers, *players):
            thread.join(2 * PATIENCE)
            self.expect(not thread.is_alive(), f"{thread} does not end")
        for onlooker in onlookers:
            self.expect(not onlooker.wrong, "; ".join(onlooker.wrong[:3]))
        moves, seen = sum(client.moves for client in clients), [one.seen for one in onlookers]
        print(f"{moves} moves; onlookers saw {seen} events")
        self.expect(moves > 0 and all(seen), "somebody did not get to play or to see")
        for growth in (growth for watch in watches for growth in watch.growth()):
            print(growth)
            fault_text = f"worker {growth.pid} grows"
            self.expect(growth.last_mb - growth.first_mb < MAX_GROWTH_MB, fault_text)
        return [table for client in clients for table in client.tables], logs

    def _player(self, client: Client) -> None:
        try:
            client.play()
        except Exception as error:
            self.expect(False, f"a client: {str(error)[:200]!r}")
            raise

    def _check(self, stack: Stack, tables: list[Table]) -> None:
        """Checks each session against its client's record."""
        for table in tables:
            try:
                check_table(stack, table)
            except (AssertionError, LookupError, ValueError) as error:
                self.expect(False, f"session {table.state['id']}: {error!r:.300}")
        events, full = sum(len(table.accepted) for table in tables), sum(t.full for t in tables)
        print(f"{len(tables)} sessions ({full} of them full) with {events} events are checked")


def main() -> int:
    """Returns 0 if the run found no fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--fuzz", type=int, default=980_000, help="maximum fuzzed requests")
    arguments = parser.parse_args()
    started, soak = time.monotonic(), Soak(arguments.seconds, arguments.fuzz)
    soak.run()
    outcome = f"wrong: {len(soak.wrong)}" if soak.wrong else "all is well"
    print(f"# {time.monotonic() - started:.0f} s; {outcome}")
    return 1 if soak.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
