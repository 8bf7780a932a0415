"""A fake machine that runs the commands of ``deploy/README.md`` with a fake systemctl.

A directory replaces the root of ``/etc``, ``/opt``, ``/run`` and ``/var``. Free ports replace 80,
6379 and 9464.
"""

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
from contextlib import suppress
from io import BytesIO
from multiprocessing.connection import Client, Listener
from pathlib import Path
from threading import Thread

import redis

from tests.engines.servers import DEADLINE, Started, free_port, wait_until
from tests.engines.unit import unit_commands
from tests.programs import ROOT, activation, program
from tests.tools.release import PARTS
from tests.wire import Line

RELOCATED = ("deploy/README.md", "deploy/*.conf", "deploy/systemd/*", "deploy/nginx/**/*.conf")
SYSTEMCTL = """\
import sys
from multiprocessing.connection import Client
with Client({address!r}) as line:
    line.send(sys.argv[1:])
    sys.exit(line.recv())
"""
REDIS = "[Service]\nExecStart={program} {home}/etc/redis/redis.conf\n"
"""The distribution's unit."""


class Machine(Line, Started):
    """Redis and nginx of the distribution, and releases of the project."""

    def __init__(self, home: Path) -> None:
        super().__init__()
        self.home = home
        self.port, self.redis_port, self._metrics_port = free_port(), free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.enabled: set[str] = set()
        self._units: dict[str, str] = {}
        self._sockets: list[socket.socket] = []

    def begin(self) -> None:
        for name in ("etc/redis", "etc/systemd/system", "opt", "run/referee", "var/lib/redis"):
            (self.home / name).mkdir(parents=True)
        conf = f"port {self.redis_port}\nbind 127.0.0.1\ndir {self.home}/var/lib/redis\n"
        (self.home / "etc/redis/redis.conf").write_text(conf)
        (self.home / "bin").mkdir()
        address = str(self.home / "run/systemctl")
        script = shlex.quote(SYSTEMCTL.format(address=address))
        self._program("systemctl", f"{sys.executable} -c {script}")
        self._program("redis-cli", f"{program('redis-cli')} -p {self.redis_port}")
        self._program("nginx", program("nginx"))
        self._listener = self.closing.enter_context(Listener(address))
        thread = Thread(target=self._obey, daemon=True)
        thread.start()
        # A connection without a call ends the thread.
        self.closing.callback(thread.join, DEADLINE)
        self.closing.callback(lambda: Client(address).close())
        self.closing.callback(self.stop)
        self.daemon_reload()
        self.start("redis-server")

    def _program(self, name: str, command: str) -> None:
        path = self.home / "bin" / name
        path.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        path.chmod(0o755)

    def relocated(self, text: str) -> str:
        """Replaces paths, ports and users in the text of a release."""
        text = re.sub(r"(?<![\w./])/(etc|opt|run|var)/", rf"{self.home}/\1/", text)
        text = re.sub(r"syslog:server=unix:\S+", f"{self.home}/access.log", text)
        text = re.sub(r"-o redis -g redis|^chown .*$", "", text, flags=re.MULTILINE)
        text = re.sub(r"^listen (\[::\]:)?80 ", rf"listen \g<1>{self.port} ", text, flags=re.M)
        stay = "-g 'user root;'" if os.getuid() == 0 else ""
        text = text.replace("/usr/sbin/nginx", f"{program('nginx')} {stay}")
        text = text.replace("http://localhost/", f"{self.url}/")
        return text.replace("9464", str(self._metrics_port)).replace("6379", str(self.redis_port))

    def release(self, name: str, archive: bytes | None = None) -> Path:
        """Unpacks an archive, or the checkout, as a release below ``/opt``."""
        tree = self.home / "opt" / f"referee-{name}"
        if archive:
            with tarfile.open(fileobj=BytesIO(archive)) as tar:
                tar.extractall(tree, filter="data")
        else:
            tree.mkdir()
            ignored = shutil.ignore_patterns("__pycache__", "node_modules")
            for part in PARTS[:2]:
                shutil.copytree(ROOT / part, tree / part, ignore=ignored, symlinks=True)
            shutil.copy(ROOT / PARTS[2], tree)
        for pattern in RELOCATED:
            for path in tree.glob(pattern):
                path.write_text(self.relocated(path.read_text("utf-8")), "utf-8")
        return tree

    def run(self, commands: str, release: Path) -> str:
        """Runs commands in the directory of a release and returns their output."""
        command = ["sh", "-ec", commands]
        done = subprocess.run(
            command, cwd=release, env=self._environment(), capture_output=True, text=True
        )
        assert done.returncode == 0, f"{commands}\n{done.stdout}{done.stderr}"
        return done.stdout

    def _environment(self) -> dict[str, str]:
        return {"PATH": f"{self.home}/bin:{os.environ['PATH']}", "HOME": str(self.home)}

    # systemd ----------------------------------------------------------------------------------

    def _obey(self) -> None:
        """Executes the calls of systemctl. A call ends with the error, if any."""
        while True:
            try:
                with self._listener.accept() as line:
                    try:
                        self._execute(*line.recv())
                        line.send(0)
                    except Exception as error:
                        line.send(f"systemctl: {error!r}")
            except OSError:
                return

    def _execute(self, verb: str, *words: str) -> None:
        units = [word.removesuffix(".service") for word in words if word[0] != "-"]
        if verb == "daemon-reload":
            self.daemon_reload()
        for unit in units:
            match verb:
                case "enable":
                    self.enabled.add(unit)
                    self.start(unit)
                case "start":
                    self.start(unit)
                case "stop":
                    self._end(unit)
                case "restart":
                    self._end(unit)
                    self.start(unit)
                case "reload":
                    self.processes[unit].send_signal(signal.SIGHUP)
                case _:
                    assert (verb, unit) == ("disable", "nginx")

    def daemon_reload(self) -> None:
        """Reads the units and their drop-ins."""
        home = self.home / "etc/systemd/system"
        self._units = {path.name: path.read_text() for path in home.glob("*.*") if path.is_file()}
        text = REDIS.format(program=program("redis-server"), home=self.home)
        self._units.setdefault("redis-server.service", text)
        for path in home.glob("*.d/*.conf"):
            self._units[path.parent.name.removesuffix(".d")] += path.read_text()

    def start(self, name: str) -> None:
        """Starts a unit and waits until it is ready, or until a oneshot ends."""
        if name.endswith(".timer"):
            return
        if name.endswith(".socket"):
            self._listen(self._units[name])
            return
        if name in self.processes:
            return
        unit = self._units[f"{name}.service"]
        environment = self._unit_environment(name, unit)
        for command in unit_commands(unit, "ExecStartPre", environment):
            subprocess.run(command, check=True, env=environment)
        commands = unit_commands(unit, "ExecStart", environment)
        if "Type=oneshot" in unit:
            for command in commands:
                done = subprocess.run(command, env=environment, capture_output=True, text=True)
                assert done.returncode == 0, done
        else:
            self._begin(name, unit, commands[0], environment)
        for command in unit_commands(unit, "ExecStartPost", environment):
            subprocess.run(command, env=environment, capture_output=True)

    def _unit_environment(self, name: str, unit: str) -> dict[str, str]:
        environment = self._environment()
        credentials = self.home / "run/credentials" / name
        shutil.rmtree(credentials, ignore_errors=True)
        credentials.mkdir(parents=True)
        environment["CREDENTIALS_DIRECTORY"] = str(credentials)
        for credential, text in re.findall(r"^SetCredential=(.*?):(.*)$", unit, re.MULTILINE):
            (credentials / credential).write_text(text)
        for credential, path in re.findall(r"^LoadCredential=(.*?):(.*)$", unit, re.MULTILINE):
            # A missing file leaves the default of SetCredential.
            if Path(path).exists() or not (credentials / credential).exists():
                shutil.copy(path, credentials / credential)
        for kind in ("state", "cache"):
            for word in re.findall(rf"^{kind.title()}Directory=(.*)$", unit, re.MULTILINE):
                place = self.home / "var" / {"state": "lib"}.get(kind, kind) / word
                place.mkdir(parents=True, exist_ok=True)
                environment[f"{kind.upper()}_DIRECTORY"] = str(place)
        lines = re.findall(r"^Environment=(.*)$", unit, re.MULTILINE)
        words = [word for line in lines for word in shlex.split(line)]
        for path in re.findall(r"^EnvironmentFile=-(.*)$", unit, re.MULTILINE):
            with suppress(FileNotFoundError):
                text = Path(path).read_text()
                words += re.findall(r"^\w+=.*$", text, re.MULTILINE)
        for word in words:
            variable, _, value = word.replace("%d", str(credentials)).partition("=")
            environment[variable] = value
        return environment

    def _begin(self, name: str, unit: str, command: list[str], environment: dict[str, str]) -> None:
        """Starts a service and waits until it reports readiness."""
        ready = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        ready.settimeout(DEADLINE)
        place = self.home / "run" / f"{name}.notify"
        place.unlink(missing_ok=True)
        with ready, (self.home / f"{name}.log").open("ab") as log:
            ready.bind(str(place))
            files = [listener.fileno() for listener in self._sockets] if name == "referee" else []
            if files:
                environment["LISTEN_FDS"] = str(len(files))
            if "Type=notify" in unit:
                environment["NOTIFY_SOCKET"] = str(place)
            folders = re.findall(r"^WorkingDirectory=(.*)$", unit, re.MULTILINE)
            self.processes[name] = subprocess.Popen(
                ["bash", "-c", activation(files), "bash", *command],
                cwd=folders[0] if folders else self.home,
                env=environment,
                pass_fds=files,
                stdout=log,
                stderr=log,
            )
            if "Type=notify" in unit:
                while b"READY=1" not in ready.recv(4096):
                    pass
        if name == "redis-server":
            wait_until("Redis answers", self._redis_answers)

    def _redis_answers(self) -> bool:
        with (
            redis.Redis(port=self.redis_port, protocol=2) as client,
            suppress(redis.AuthenticationError),
        ):
            return bool(client.ping())
        return True

    def _listen(self, unit: str) -> None:
        for place in re.findall(r"^ListenStream=(.*)$", unit, re.MULTILINE):
            if place.startswith("/"):
                listener = socket.socket(socket.AF_UNIX)
                listener.bind(place)
                listener.listen(1024)
            else:
                host, _, port = place.rpartition(":")
                listener = socket.create_server((host, int(port)))
            self._sockets.append(self.closing.enter_context(listener))

    def _end(self, name: str) -> None:
        process = self.processes.pop(name)
        quits = "KillSignal=SIGQUIT" in self._units[f"{name}.service"]
        process.send_signal(signal.SIGQUIT if quits else signal.SIGTERM)
        process.wait(DEADLINE)

    def stop(self) -> None:
        for name in ("referee", "referee-nginx", "redis-server"):
            if name in self.processes:
                self._end(name)

    def log(self, name: str = "referee") -> str:
        """Returns the log of a unit."""
        return (self.home / f"{name}.log").read_text("utf-8", "replace")
