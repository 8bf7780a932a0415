"""The deployed service: nginx, gunicorn and Redis from the files in ``deploy/``.

``with Stack() as stack: stack.ask("GET", "/livez")``. The stack replaces only the nginx files in
``site/``, which hold the addresses of an installation.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from dice_referee.server.local_redis import RedisBinary
from tests.engines.servers import DEADLINE, ENGINES, Single, Started, free_port, wait_until
from tests.programs import ROOT, program
from tests.wire import Line, Server, Wire

NGINX = ROOT / "deploy/nginx"
CLIENT = "X-Test-Client"
"""Header that gives nginx the address of a test client."""


class Nginx(Line, Started):
    """nginx in front of services at these addresses. Writes only into ``home``."""

    def __init__(self, *servers: str) -> None:
        super().__init__()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.home = Path(self.closing.enter_context(tempfile.TemporaryDirectory()))
        self.conf = self.home / "conf"
        shutil.copytree(NGINX, self.conf)
        self._write("servers", "".join(f"server {server};\n" for server in servers))
        # Without these lines every test client has the address of this machine.
        clients = f"set_real_ip_from 127.0.0.1;\nreal_ip_header {CLIENT};\n"
        # A small buffer: unread answers soon wait in nginx.
        listen = f"listen 127.0.0.1:{self.port} backlog=4096 sndbuf=64k;"
        self._write("server", f"{listen}\n{clients}")
        http = (self.conf / "site/http.conf").read_text()
        before, log, after = http.partition("access_log syslog:server=unix:/dev/log")
        assert log
        # The rest of the line has the syslog tag, the format and the condition.
        _, _, format_and_rest = after.partition(" ")
        self._write("http", f"{before}access_log {self.home}/access.log {format_and_rest}")

    def _write(self, name: str, text: str) -> None:
        (self.conf / f"site/{name}.conf").write_text(text)

    def command(self, *more: str) -> list[str]:
        # nginx under root becomes nobody, who may not read the directories of tests.
        stay = ("-g", "user root;") if os.getuid() == 0 else ()
        places = ("-p", str(self.home), "-c", str(self.conf / "nginx.conf"), "-e", "stderr")
        return [program("nginx"), *places, *stay, *more]

    def begin(self) -> None:
        with (self.home / "error.log").open("wb") as log:
            self.process = subprocess.Popen(self.command(), stderr=log)
        self.closing.callback(self.stop)
        wait_until("nginx answers", self._is_up)

    def _is_up(self) -> bool:
        assert self.process.poll() is None, self.log()
        with Wire(self.port):
            return True

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(DEADLINE)

    def log(self) -> str:
        """Returns the log of the program."""
        return (self.home / "error.log").read_text("utf-8", "replace")

    def lines(self) -> str:
        """Returns the log lines about requests."""
        return (self.home / "access.log").read_text("utf-8", "replace")


class Process(Line, Started):
    """Service that a given command starts in a given directory, on a new port."""

    def __init__(self, command: list[str], home: Path, **environment: str) -> None:
        super().__init__()
        self.port, self._command, self._home = free_port(), command, home
        self._environment = {"PORT": str(self.port), **environment}

    def begin(self) -> None:
        self.process = subprocess.Popen(
            self._command, cwd=self._home, env=self._environment, stderr=subprocess.DEVNULL
        )
        self.closing.callback(self.stop)
        wait_until(f"{self._command} answers", self._is_up)

    def _is_up(self) -> bool:
        assert self.process.poll() is None, "the process has ended"
        return self.ask("GET", "/livez").status == 200

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(DEADLINE)


class Stack(Line, Started):
    """Redis, several services with ``environment``, and nginx in front of them."""

    def __init__(
        self, instances: int = 1, engine: RedisBinary = ENGINES[0], **environment: object
    ) -> None:
        super().__init__()
        self._instances, self._engine = instances, engine
        self._environment = {"TRUSTED_PROXIES": "127.0.0.1", **environment}
        self.services: list[Server] = []

    def begin(self) -> None:
        enter = self.closing.enter_context
        self.redis = enter(Single(self._engine))
        self._environment.setdefault("REDIS_URL", self.redis.url)
        self.closing.callback(lambda: [service.stop() for service in self.services])
        for _ in range(self._instances):
            self.services.append(Server(**self._environment))  # type: ignore[arg-type]
        servers = [f"127.0.0.1:{service.port} max_fails=0" for service in self.services]
        self.nginx = enter(Nginx(*(servers if len(servers) > 1 else servers * 2)))
        self.port, self.url = self.nginx.port, self.nginx.url
        wait_until("the service answers through nginx", self._is_up)

    def _is_up(self) -> bool:
        return self.ask("GET", "/livez").status == 200

    @property
    def service_urls(self) -> list[str]:
        """URLs of the services behind nginx."""
        return [f"http://127.0.0.1:{service.port}" for service in self.services]

    @property
    def nginx_pid(self) -> int:
        """Process id of the nginx master."""
        return self.nginx.process.pid

    def restart(self, number: int) -> str:
        """Restarts a service as a supervisor does and returns the log before the restart."""
        port = self.services[number].port
        logged = self.services[number].stop()
        self.services[number] = Server(port=port, **self._environment)  # type: ignore[arg-type]
        return logged
