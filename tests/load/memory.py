"""Memory of a service in a cgroup when clients do not read: is a worker killed?"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.application import BATCH
from tests.wire import Server, Wire, request

MOUNT = Path("/sys/fs/cgroup")

POSITION = (
    b'{"card":"bonus-200","roll":[1,1,1,5,5,5],"player":0,'
    b'"scores":[100,200,300,400,500,600,700,800,900,1000]}'
)
LARGEST = b'{"positions":[' + b",".join([POSITION] * 10_000) + b"]}"


class MemoryGroup(NamedTuple):
    """A memory cgroup. ``unified`` means cgroup version 2."""

    path: Path
    unified: bool

    @property
    def peak_mb(self) -> float:
        """Peak memory usage in MB."""
        name = "memory.peak" if self.unified else "memory.max_usage_in_bytes"
        return round(int((self.path / name).read_text()) / (1 << 20), 1)

    @property
    def kills(self) -> int:
        """Number of processes killed by the out-of-memory killer."""
        events = self.path / ("memory.events" if self.unified else "memory.oom_control")
        lines = dict(line.split() for line in events.read_text().splitlines())
        return int(lines.get("oom_kill", 0))


def parent() -> tuple[Path, bool] | None:
    """Returns the memory cgroup of this process as the parent of new cgroups, or None."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        number, kinds, path = line.split(":", 2)
        unified = number == "0"
        if not (unified or "memory" in kinds.split(",")):
            continue
        folder = MOUNT / ("." if unified else "memory") / path.lstrip("/")
        named = "memory.max" if unified else "memory.limit_in_bytes"
        if (folder / named).exists() and os.access(folder, os.W_OK):
            return folder, unified
    return None


@contextmanager
def memory_group(most: int) -> Iterator[MemoryGroup]:
    """Makes a cgroup with this many bytes of memory. Its processes must end first."""
    group = parent()
    assert group is not None
    path, unified = group[0] / f"referee-{os.getpid()}", group[1]
    path.mkdir()
    try:
        limit = path / ("memory.max" if unified else "memory.limit_in_bytes")
        limit.write_text(str(most))
        yield MemoryGroup(path, unified)
    finally:
        path.rmdir()


@contextmanager
def confined(group: MemoryGroup, **environment: Any) -> Iterator[Server]:
    """Starts a service with all processes in the group."""
    server = Server(group=group.path, **environment)
    try:
        yield server
    finally:
        server.stop()


def unread_clients(server: Server, stack: ExitStack, number: int) -> list[Wire]:
    """Connects clients that request the longest answer and read only its first line."""
    wires = [stack.enter_context(server.wire(receive_buffer=1 << 12)) for _ in range(number)]
    for wire in wires:
        wire.send(request("POST", BATCH, LARGEST))
    for wire in wires:
        assert wire.file.readline() in (
            b"HTTP/1.1 200 OK\r\n",
            b"HTTP/1.1 503 Service Unavailable\r\n",
        )
    return wires
