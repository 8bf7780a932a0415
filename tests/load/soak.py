"""Soak tests: ``make soak``, or ``python -m tests.load.soak --seconds 600``.

Runs mixed load with faults on the deployed service, sieges of the deployed service and of ``make
run``, and a million fuzzed requests. Prints the observations, and exits with 1 on any fault.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from threading import Event
from typing import Any

from dice_referee.server.local_redis import RedisBinary
from dice_referee.settings import Settings
from tests.e2e.deploy.stack import Stack
from tests.e2e.faults.clients import GAMES, PATIENCE, Client, Table, check_table
from tests.engines.proxy import Proxy
from tests.engines.servers import ENGINES, Single
from tests.load.fuzz import WILD
from tests.load.heavy import BODIES, ENTRIES, LOG, long_session
from tests.load.hostile import CALM_SECONDS, QUICK_MS, burdened, siege, started_beside, waits
from tests.load.memory import confined, memory_group, parent, unread_clients
from tests.load.mixed import PLAIN, Caller, Logbook, NotingPlayer, Onlooker
from tests.load.mutations import SECRET
from tests.load.watch import Growth, ProcessWatch, complaints
from tests.programs import ROOT
from tests.unlimited import NO_RATES, QUICK
from tests.wire import Line, request, serving

WARM = 0.1
"""Fraction of the time before the first memory sample."""
MAX_P99_MS = 250.0
"""Maximum p99 of session requests, in ms, while a long session is read without a pause."""
MAX_GROWTH_MB = 40.0
"""Maximum growth of a worker after warm-up, by value tables and fragmentation."""
FULL = 500
"""Maximum events of a session here, so that clients reach the limit. The default is 10,000."""
UNREAD_MB = Settings().unread_limit / (1 << 20)
DEAF, MEMORY_MB = 40, 512
"""Number of clients, and the least memory in MB that any shipped file gives the service."""
OWN = ("sessions",)
SIEGES = 2
"""Attempts at a siege, since other work may burden the machine. Two failed attempts are a fault."""
BAR = f"p99 below {QUICK_MS:.0f} ms or twice that of calm, no failures"
"""Bar for honest clients under attack, as defined by ``Siege.is_held``."""
FUZZERS = 3
EXAMPLES = 400
"""Examples per operation for schemathesis: at least 20,000 requests in total."""


def say(text: str) -> None:
    print(text, flush=True)


def percentiles(waits: list[float]) -> str:
    waits = sorted(waits)
    p50, p99 = (waits[int(len(waits) * part)] for part in (0.5, 0.99))
    return f"{len(waits):8} requests   p50 {p50:7.1f} ms   p99 {p99:7.1f} ms   longest {waits[-1]:8.1f} ms"


class Soak:
    """The parts of the soak and their faults."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.repeated: list[str] = []
        """Sieges that missed their bar and were repeated."""

    def expect(self, holds: bool, fault: str) -> None:
        if not holds:
            self.wrong.append(fault)
            say(f"WRONG: {fault}")

    def attempt(self, name: str, bar: str, holds: Callable[[], bool]) -> None:
        """Runs a siege, and repeats a siege that misses its bar. Prints every miss."""
        for number in range(1, SIEGES + 1):
            if holds():
                return
            say(f"  {name}: over its bar ({bar}) in attempt {number} of {SIEGES}")
            if number < SIEGES:
                self.repeated.append(name)
        self.expect(False, f"{name}: over its bar in every attempt")

    def conclusion(self) -> str:
        """Returns the last line: the number of faults, and the repeated sieges."""
        outcome = f"wrong: {len(self.wrong)}" if self.wrong else "all is well"
        return f"{outcome}; repeated: {', '.join(self.repeated)}" if self.repeated else outcome

    # Mixed load ---------------------------------------------------------------------------------

    def mixed(self, seconds: float, engine: RedisBinary) -> None:
        """Runs clients of every kind, with faults."""
        say(
            f"# Mixed load for {seconds:.0f} s: nginx, two services of two workers, {engine.program.name}, faults"
        )
        with ExitStack() as stack:
            enter = stack.enter_context
            # With fsync, a killed Redis loses no acknowledged write.
            redis = enter(Single(engine, "--appendfsync", "always"))
            proxy = enter(Proxy(redis.port))
            url = f"redis://127.0.0.1:{proxy.port}"
            limits = {"REDIS_TIMEOUT_MS": 300, "SESSION_EVENTS": FULL} | NO_RATES
            deployed = enter(Stack(2, REDIS_URL=url, **limits))
            self._play(seconds, deployed, redis, proxy)

    def _play(self, seconds: float, deployed: Stack, redis: Single, proxy: Proxy) -> None:
        book, end, logs = Logbook(), Event(), []
        clients = [
            Client(deployed.port, number, *game, longest=FULL) for number, game in enumerate(GAMES)
        ]
        callers = [Caller(deployed.port, kind, book, end) for kind in PLAIN]
        onlookers = [
            Onlooker(deployed, client, book, end, streamed=number % 2 == 0)
            for number, client in enumerate(clients)
        ]

        def slow() -> None:
            proxy.latency = 0.05
            time.sleep(min(10, seconds / 20))
            proxy.latency = 0.0

        def no_redis() -> None:
            redis.kill()
            time.sleep(min(5, seconds / 20))
            redis.start()

        def kill_worker(number: int) -> None:
            os.kill(deployed.services[number].workers()[-1], signal.SIGKILL)

        def restart() -> None:
            logs.append(deployed.services[0].log())
            deployed.restart(0)

        def hostile() -> None:
            length = min(60, round(seconds / 8))
            started_beside("crowd", deployed.port, length, 500, 200, 200).wait(length + 60)

        faults = (
            (0.15, "Redis takes 50 ms longer", slow), (0.25, "Redis is killed and started again", no_redis),
            (0.35, "a worker is killed", partial(kill_worker, 0)), (0.45, "a service is restarted", restart),
            (0.55, "900 hostile clients", hostile), (0.75, "Redis is killed and started again", no_redis),
            (0.85, "a worker is killed", partial(kill_worker, 0)),
        )  # fmt: skip
        watches = [
            ProcessWatch(partial(deployed.services.__getitem__, number)) for number in range(2)
        ]
        started = time.monotonic()
        pool = [*callers, *onlookers]
        players = [NotingPlayer(client, book) for client in clients]
        for thread in (*pool, *players):
            thread.start()
        with ExitStack() as watching:
            time.sleep(seconds * WARM)
            for watch in watches:
                watching.enter_context(watch)
            for part, name, fault in faults:
                time.sleep(max(0.0, started + part * seconds - time.monotonic()))
                say(f"  {time.monotonic() - started:5.0f} s  {name}")
                fault()
            time.sleep(max(0.0, started + seconds - time.monotonic()))
        end.set()
        for client in clients:
            client.leave()
        for thread in (*pool, *players):
            thread.join(2 * PATIENCE)
            self.expect(not thread.is_alive(), f"{thread} does not end")
        self._tell(book, clients, onlookers, watches)
        tables = [table for client in clients for table in client.tables]
        self.check(deployed, tables)
        secrets = [secret for table in tables for secret in (table.host, *table.seats)]
        for log in (
            *logs,
            *(service.log() for service in deployed.services),
            deployed.nginx.log(),
            deployed.nginx.lines(),
        ):
            lines = [line for line in complaints(log, secrets) if "was sent SIGKILL" not in line]
            self.expect(not lines, f"in the log: {lines[:3]}")

    def check(self, line: Line, tables: list[Table]) -> None:
        """Checks each session against its client's record, and prints the findings."""
        damaged = list[str]()
        for table in tables:
            try:
                check_table(line, table)
            except (AssertionError, LookupError, ValueError) as error:
                damaged.append(table.state["id"])
                cause = str(error)[:300] if isinstance(error, AssertionError) else repr(error)[:300]
                self.expect(False, f"session {table.state['id']} is not what was told: {cause}")
        events, full = sum(len(table.accepted) for table in tables), sum(t.full for t in tables)
        outcome = "each is what its client was told, legal and fair"
        if damaged:
            outcome = f"{len(damaged)} of them are not what was told: {', '.join(damaged)}"
        say(f"  {len(tables)} sessions ({full} of them full) with {events} events: {outcome}")

    def _tell(
        self,
        book: Logbook,
        clients: list[Client],
        onlookers: list[Onlooker],
        watches: list[ProcessWatch],
    ) -> None:
        everything = [wait for waits in book.waits.values() for wait in waits]
        for kind in sorted(book.waits):
            say(f"  {kind:12} {percentiles(book.waits[kind])}")
        say(f"  {'all':12} {percentiles(everything)}")
        say(f"  answers: {dict(sorted(book.answers.items()))}")
        moves, repeats = (
            sum(client.moves for client in clients),
            sum(len(table.repeats) for client in clients for table in client.tables),
        )
        away, broken = (
            sum(len(client.away) for client in clients),
            sum(client.broken for client in clients),
        )
        say(
            f"  clients: {moves} moves, {repeats} asked for again, {away} times 503, {broken} broken connections"
        )
        say(
            f"  onlookers: {sum(onlooker.seen for onlooker in onlookers)} events seen, {sum(onlooker.reconnections for onlooker in onlookers)} times come back"
        )
        self.expect(
            moves > 0 and all(onlooker.seen for onlooker in onlookers),
            "somebody did not get to play or to see",
        )
        self.expect(not book.errors, f"undocumented errors: {dict(book.errors)}")
        self._grown([growth for watch in watches for growth in watch.growth()])

    def _grown(self, workers: list[Growth], most: float = MAX_GROWTH_MB) -> None:
        for worker in workers:
            say(
                f"  worker {worker.pid}: RSS {worker.first_mb} MB at the start, {worker.last_mb} MB at the end, {worker.kb_a_minute} KB a minute at last"
            )
            self.expect(worker.last_mb - worker.first_mb < most, f"worker {worker.pid} grows")

    # A siege ------------------------------------------------------------------------------------

    def besieged(self, seconds: float) -> None:
        """Runs slow and hostile clients, for longer than any deadline."""
        say(f"# 500 half headers, 200 half bodies, 200 who do not read, for {seconds:.0f} s")
        with serving() as peace, serving() as server, ProcessWatch(lambda: server) as watch:
            self._siege("make run", server, peace, seconds)
            self._died(watch)
        # Unread answers are buffered up to a limit.
        self._grown(watch.growth(), MAX_GROWTH_MB + UNREAD_MB)
        with serving() as peace, Stack(2) as stack:
            self._siege("deployed", stack, peace, seconds)

    def burdened(self, seconds: float) -> None:
        """Sends costly requests from a single address, within the limits in force."""
        say(f"# One hostile address with four connections, {seconds:.0f} s of each kind of body")
        # All light clients share an address. The hostile address has the batch limit of any client.
        limits: dict[str, Any] = {"RATE_LOOPBACK": 1, "RATE_STATELESS": 60_000, "RATE_BATCH": 60}
        with serving() as peace, serving(**limits) as server:
            for kind in BODIES:

                def holds(kind: str = kind) -> bool:
                    report = burdened(server.port, peace.port, seconds, kind)
                    say(
                        f"  {kind}: p99 {report.calm.p99} ms when calm, {report.beside.p99} ms beside it, {report.attacked.p99} ms under attack (longest {report.attacked.longest} ms); its answers {report.crowd}"
                    )
                    return report.is_held

                self.attempt(kind, BAR, holds)

    def read(self, seconds: float, engine: RedisBinary) -> None:
        """Runs readers of a long session, within the limits in force."""
        say(f"# Eight readers of a session with {ENTRIES} entries, for {seconds:.0f} s")

        def holds() -> bool:
            # Each attempt has its own Redis, where the readers' limits are fresh.
            with Single(engine) as redis, serving(REDIS_URL=redis.url, RATE_EVENTS=1200) as server:
                long = long_session(redis.url)
                calm, *_ = waits(min(seconds, CALM_SECONDS), server.port, own=OWN)
                readers = started_beside("heavy", server.port, round(seconds), LOG, *long)
                beside, *_ = waits(seconds, server.port, own=OWN)
                report, _ = readers.communicate(timeout=seconds + 60)
            say(f"  sessions of others, calm: {calm}")
            say(f"  sessions of others, beside: {beside}")
            say(f"    the answers of the readers: {report.splitlines()[-1]}")
            return beside.p99 < MAX_P99_MS and not beside.failures

        bar = f"p99 of the others below {MAX_P99_MS:.0f} ms, all of them 200"
        self.attempt("readers of a long session", bar, holds)

    def confined(self) -> None:
        """Runs clients that do not read the longest answers, in the deployed memory."""
        if parent() is None:
            self.expect(False, "no memory cgroup can be made here")
            return
        say(f"# {DEAF} clients that do not read answers of 65 MB, in {MEMORY_MB} MB of memory")
        with (
            memory_group(MEMORY_MB << 20) as group,
            confined(group) as server,
            ExitStack() as stack,
        ):
            wires = unread_clients(server, stack, DEAF)
            time.sleep(5)
            wires[0].send(request("GET", "/livez", close=True))
            length = len(wires[0].rest())
            say(f"  {group.peak_mb} MB at most, {group.kills} killed; {length} bytes to who reads")
            self.expect(not group.kills, "a worker was killed for its memory")
            self.expect(length > 50_000_000, "an answer was cut")

    def _siege(self, name: str, line: Line, peace: Line, seconds: float) -> None:
        def holds() -> bool:
            report = siege(line.port, peace.port, seconds)
            say(
                f"  {name}: p99 {report.calm.p99} ms when calm, {report.beside.p99} ms beside it, {report.attacked.p99} ms under attack ({report.attacked.requests} requests, longest {report.attacked.longest} ms)"
            )
            say(f"    {report.crowd}")
            return report.is_held

        self.attempt(name, BAR, holds)

    def _died(self, watch: ProcessWatch) -> None:
        self.expect(not watch.died(), f"workers have died: {watch.died()}")

    # Fuzzing ------------------------------------------------------------------------------------

    def fuzzed(self, number: int, examples: int, seconds: float) -> None:
        """Sends requests by the million."""
        say(
            f"# {number} fuzzed requests ({1 - WILD:.0%} on kept connections), and schemathesis with {examples} examples an operation"
        )
        started = time.monotonic()
        with serving(**QUICK) as server, ProcessWatch(lambda: server, 5) as watch:
            fuzzers = [
                started_beside("fuzz", server.port, number // FUZZERS, seed, round(seconds))
                for seed in range(FUZZERS)
            ]
            checked = self._schemathesis(examples)
            counts, secrets = Counter[str](), [SECRET]
            for fuzzer in fuzzers:
                out, _ = fuzzer.communicate(timeout=seconds + 120)
                self.expect(fuzzer.returncode == 0, f"a fuzzer failed: {out[-300:]}")
                last = json.loads(out.splitlines()[-1])
                secrets += last.pop("secrets", [])
                counts.update(last)
            sent = counts.pop("sent")
            printed, _ = checked.communicate(timeout=seconds + 600)
            say(
                f"  {sent} requests in {time.monotonic() - started:.0f} s: {dict(sorted(counts.items()))}"
            )
            sends = re.findall(r"(\d+) requests by schemathesis", printed)
            say(
                f"  schemathesis: {sends[0] if sends else '?'} requests, {printed.strip().splitlines()[-1]}"
            )
            self.expect(checked.returncode == 0, f"schemathesis: {printed[-2000:]}")
            self.expect(sent >= number * 0.999, f"only {sent} requests in {seconds:.0f} s")
            self.expect(
                bool(sends) and int(sends[0]) >= min(20_000, 40 * examples),
                "too few by schemathesis",
            )
            bad = {code for code in counts if code[0] == "5"} - {"503"}
            self.expect(not bad, f"undocumented statuses: {bad}")
            lines = complaints(server.log(), secrets)
            self.expect(not lines, f"in the log: {lines[:3]}")
            self._died(watch)
        self._grown(watch.growth())

    def _schemathesis(self, examples: int) -> subprocess.Popen[str]:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "tests.load.counting",
            "tests/contract/test_schemathesis.py",
        ]
        environment = {**os.environ, "SCHEMATHESIS_EXAMPLES": str(examples)}
        return subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


def main() -> int:
    """Returns 0 if the run found no fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="of mixed load")
    parser.add_argument("--siege", type=float, default=60, help="seconds of each siege")
    parser.add_argument("--fuzz", type=int, default=980_000, help="requests of bytes")
    parser.add_argument(
        "--fuzz-seconds", type=float, default=900, help="the most that they may take"
    )
    parser.add_argument(
        "--examples", type=int, default=EXAMPLES, help="of schemathesis, each operation"
    )
    arguments = parser.parse_args()
    started, soak = time.monotonic(), Soak()
    if arguments.seconds:
        soak.mixed(arguments.seconds, ENGINES[0])
    if arguments.siege:
        soak.besieged(arguments.siege)
        soak.burdened(arguments.siege / 2)
        soak.read(arguments.siege / 2, ENGINES[0])
        soak.confined()
    if arguments.fuzz:
        soak.fuzzed(arguments.fuzz, arguments.examples, arguments.fuzz_seconds)
    say(f"# {time.monotonic() - started:.0f} s; {soak.conclusion()}")
    return 1 if soak.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
