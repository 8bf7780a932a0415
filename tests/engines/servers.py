"""Real servers for tests, in every topology that the service supports, on free ports.

All servers listen on 127.0.0.1. A test starts and closes its own: ``with Single(engine) as server:
RedisStore(server.url)``.
"""

import os
import random
import secrets
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import pytest
import redis
from redis.crc import key_slot

from dice_referee.server.local_redis import RedisBinary, candidates
from tests.engines.proxy import Proxy
from tests.programs import SEARCHED
from tests.stopwatch import Stopwatch

ENGINES = candidates(SEARCHED)
"""Every engine of this machine. The tests of the store run on all of them."""
NAMES = [engine.program.name.removesuffix("-server") for engine in ENGINES]
FIRST_SOONER = [
    pytest.param(engine, id=name, marks=[pytest.mark.long] if place else [])
    for place, (engine, name) in enumerate(zip(ENGINES, NAMES, strict=True))
]
"""The engines as parameters of tests: all but the first are ``long``."""
DEADLINE = 120.0
"""Timeout in seconds of every wait, long enough for a busy machine."""

SHARES = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
SHARE = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % SHARES
"""Number of this process among those that run the tests."""
_ports: set[int] = set()
"""Ports that this process has handed out."""


def wait_until(condition: str, holds: Callable[[], bool]) -> float:
    """Waits until the condition holds and returns the seconds waited."""
    watch = Stopwatch()
    while True:
        with suppress(redis.RedisError, OSError):
            if holds():
                return watch.seconds
        assert watch.seconds < DEADLINE, f"not in time: {condition}"
        time.sleep(0.02)


def free_port() -> int:
    """Returns a free port. The port 10,000 above, for the bus of a cluster, is free too.

    The port stays free until a server binds it: the system assigns higher ports, every process of
    the tests has its own share, and no process hands out a port twice.
    """
    while True:
        port = random.randrange(12_000 + SHARE, 22_000, SHARES)
        if port in _ports:
            continue
        with suppress(OSError), socket.socket() as server, socket.socket() as bus:
            server.bind(("127.0.0.1", port))
            bus.bind(("127.0.0.1", port + 10_000))
            _ports.add(port)
            return port


class Started:
    """A resource that starts and closes together with its parts."""

    def __init__(self) -> None:
        self.closing = ExitStack()

    def begin(self) -> None:
        """Starts the parts."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        try:
            self.begin()
        except BaseException:
            self.closing.close()  # parts that started before the failure
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.close()


class Group(Started):
    """Redis, in any topology."""

    url: str
    nodes: list["Node"]
    """Servers that store sessions."""

    def ask(self, *command: str | bytes | int) -> Any:
        """Sends a raw command to the node that stores its first key."""
        raise NotImplementedError


class Node(Group):
    """A server process. ``options`` alternates names and values of its configuration."""

    def __init__(
        self,
        engine: RedisBinary,
        *options: str,
        login: tuple[str, str] | None = None,
        port: int = 0,
    ) -> None:
        super().__init__()
        user, password = login or (None, None)
        self.port = port or free_port()
        self._client: Any = redis.Redis(
            port=self.port, username=user, password=password, socket_timeout=5, protocol=2
        )
        self.url = f"redis://127.0.0.1:{self.port}"
        self.nodes = [self]
        self.home = Path(self.closing.enter_context(tempfile.TemporaryDirectory()))
        self._command = [str(engine.program), *self.arguments(), *options]

    def begin(self) -> None:
        self.closing.callback(self.kill)
        self.start()

    def arguments(self) -> list[str]:
        """Returns the arguments of the server, before its options."""
        options = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": str(self.home),
            "save": "",
            "maxmemory": "2gb",
            "loglevel": "warning",
            # A diskless master sends its writes a second after the replica is online.
            "repl-diskless-sync": "no",
            "repl-ping-replica-period": "1",
        }
        return [part for name, value in options.items() for part in (f"--{name}", value)]

    def start(self) -> None:
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self._command, stdout=log, stderr=log, start_new_session=True
            )
        wait_until(f"{self._command[0]} answers", self._is_up)

    def _is_up(self) -> bool:
        assert self.process.poll() is None, (self.home / "log").read_text()
        return bool(self.ask("PING"))

    def kill(self) -> None:
        """Kills the process with SIGKILL, even if it is frozen.

        Kills the process group too: a child that rewrites a file would continue to write in
        ``home``.
        """
        self._client.close()
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def ask(self, *command: str | bytes | int) -> Any:
        try:
            return self._client.execute_command(*command)
        except BaseException:
            # The server may be replaced before the next command.
            self._client.close()
            raise

    def info(self, section: str) -> dict[str, str]:
        fields = self.ask("INFO", section)
        return fields if isinstance(fields, dict) else {}


class Single(Node):
    """A server on a port and on a Unix socket, with an append-only file."""

    def __init__(self, engine: RedisBinary, *options: str, **more: Any) -> None:
        super().__init__(engine, "--appendonly", "yes", "--unixsocket", "socket", *options, **more)
        self.unix_url = f"unix://{self.home}/socket"


class Locked(Group):
    """A server for a single user, with TLS by a proxy, since some engines lack TLS."""

    def __init__(self, engine: RedisBinary) -> None:
        super().__init__()
        self.engine = engine

    def begin(self) -> None:
        engine = self.engine
        login = ("referee", "p@ss/word:")
        allowed = ["~referee:*", "&referee:bell:*", "+@all", "-@admin", "-@dangerous"]
        allowed.append("+client|kill")  # for tests
        self.node = self.closing.enter_context(
            Single(
                engine,
                *("--user", "default", "off"),
                *("--user", login[0], "on", f">{login[1]}", *allowed),
                login=login,
            )
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate())
        self.nodes = [self.node]
        proxy = self.closing.enter_context(Proxy(self.node.port, context))
        self.bare_url = f"rediss://127.0.0.1:{proxy.port}?ssl_ca_certs={certificate()[0]}"
        self.url = self.bare_url.replace("//", f"//{login[0]}:{quote(login[1], safe='')}@", 1)

    def ask(self, *command: str | bytes | int) -> Any:
        return self.node.ask(*command)


@cache
def certificate() -> tuple[str, str]:
    """Returns the files of a self-signed certificate for 127.0.0.1 and of its key."""
    home = tempfile.mkdtemp(prefix="referee-tests-")
    names = f"{home}/certificate.pem", f"{home}/key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-out", names[0], "-keyout", names[1]),
        ],
        check=True,
        capture_output=True,
    )
    return names


class _Watcher(Node):
    """A sentinel process."""

    def __init__(self, engine: RedisBinary) -> None:
        super().__init__(engine, "--sentinel")
        self.id = secrets.token_hex(20)

    def arguments(self) -> list[str]:
        return [str(self.home / "sentinel.conf")]

    def knows(self, master: Node, replica: Node, peers: Iterable["_Watcher"]) -> None:
        """Writes its configuration. Otherwise the sentinels take two seconds to meet."""
        name = Sentinels.name
        lines = [
            f"port {self.port}",
            "bind 127.0.0.1",
            f"dir {self.home}",
            f"sentinel myid {self.id}",
            f"sentinel monitor {name} 127.0.0.1 {master.port} 2",
            f"sentinel down-after-milliseconds {name} 500",
            f"sentinel failover-timeout {name} 2000",
            f"sentinel known-replica {name} 127.0.0.1 {replica.port}",
            *(
                f"sentinel known-sentinel {name} 127.0.0.1 {peer.port} {peer.id}"
                for peer in peers
                if peer is not self
            ),
        ]
        (self.home / "sentinel.conf").write_text("\n".join(lines))


class Sentinels(Group):
    """A master, a replica, and three sentinels."""

    name = "dice"

    def __init__(self, engine: RedisBinary) -> None:
        super().__init__()
        self.engine = engine

    def begin(self) -> None:
        engine = self.engine
        enter = self.closing.enter_context
        self.master = enter(Node(engine))
        self.replica = enter(Node(engine, "--replicaof", "127.0.0.1", str(self.master.port)))
        self.nodes = [self.master, self.replica]
        wait_until("the replica follows", partial(_follows, self.replica, self.master))
        self.sentinels = [_Watcher(engine) for _ in range(3)]
        for sentinel in self.sentinels:
            sentinel.knows(self.master, self.replica, self.sentinels)
            enter(sentinel)
        for sentinel in self.sentinels:
            wait_until("the sentinels know each other", partial(self._is_ready, sentinel))
        hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels)
        self.url = f"redis+sentinel://{hosts}/{self.name}"

    def _is_ready(self, sentinel: Node) -> bool:
        peers = sentinel.ask("SENTINEL", "SENTINELS", self.name)
        replicas = sentinel.ask("SENTINEL", "REPLICAS", self.name)
        quorum: bytes = sentinel.ask("SENTINEL", "CKQUORUM", self.name)
        return len(peers) == 2 and len(replicas) == 1 and quorum.startswith(b"OK 3 usable")

    def ask(self, *command: str | bytes | int) -> Any:
        return self.master.ask(*command)


class Cluster(Group):
    """Three masters, each with a replica. A lost master stops only its slots."""

    def __init__(self, engine: RedisBinary) -> None:
        super().__init__()
        self.engine = engine

    def begin(self) -> None:
        engine = self.engine
        options = ["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"]
        # Without a master, the others continue, as deploy/README.md asks of an operator's cluster.
        options += ["--cluster-require-full-coverage", "no"]
        self.nodes = [self.closing.enter_context(Node(engine, *options)) for _ in range(6)]
        masters, replicas = self.nodes[:3], self.nodes[3:]
        bounds = [0, 5461, 10923, 16384]
        for number, node in enumerate(masters):
            node.ask("CLUSTER", "ADDSLOTS", *range(bounds[number], bounds[number + 1]))
        for number, node in enumerate(self.nodes):
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for first, second in combinations(self.nodes, 2):  # gossip takes seconds
            first.ask("CLUSTER", "MEET", "127.0.0.1", second.port)
        self._wait("all are met", lambda node: self._state(node, "cluster_known_nodes") == "6")
        for master, replica in zip(masters, replicas, strict=True):
            name = master.ask("CLUSTER", "MYID")
            follow = partial(replica.ask, "CLUSTER", "REPLICATE", name)
            wait_until("a master is known", follow)
        for replica, master in zip(replicas, masters, strict=True):
            wait_until("the replica follows", partial(_follows, replica, master))
        self._wait("the cluster is whole", lambda node: self._state(node, "cluster_state") == "ok")
        self._wait("all know the replicas", lambda node: _replicas(node) == 3)
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes[:2])
        self.url = f"redis+cluster://{hosts}"

    def _wait(self, condition: str, holds: Callable[[Node], bool]) -> None:
        for node in self.nodes:
            wait_until(condition, partial(holds, node))

    @staticmethod
    def _state(node: Node, field: str) -> str:
        rows = node.ask("CLUSTER INFO")
        return str(rows[field])

    def master_of(self, key: str) -> Node:
        """Returns the master that stores the key now."""
        slot = key_slot(key.encode())
        slots = self._living().ask("CLUSTER", "SLOTS")
        ports = [master[1] for first, last, master, *_ in slots if first <= slot <= last]
        return next(node for node in self.nodes if [node.port] == ports)

    def _living(self) -> Node:
        return next(node for node in self.nodes if node.process.poll() is None)

    def ask(self, *command: str | bytes | int) -> Any:
        return self.master_of(str(command[1])).ask(*command)


def _replicas(node: Node) -> int:
    return sum(len(members) - 1 for _, _, *members in node.ask("CLUSTER", "SLOTS"))


def _follows(replica: Node, master: Node) -> bool:
    """Tells if the replica is connected and has finished its initial synchronization."""
    sent: Any = master.info("replication").get("slave0", {})
    is_loaded = replica.info("replication").get("master_link_status") == "up"
    return is_loaded and sent.get("state") == "online"


def running(pids: Iterable[int]) -> list[int]:
    """Returns the pids whose processes exist."""
    survivors = []
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, 0)
            survivors.append(pid)
    return survivors
