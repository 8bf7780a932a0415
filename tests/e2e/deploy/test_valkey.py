"""The users of ``deploy/valkey``: enough for the service, and not more."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from redis.exceptions import AuthenticationError, NoPermissionError

from service.server.local_redis import RedisBinary
from tests.e2e.deploy.test_files import DEPLOY
from tests.e2e.deploy.test_playing import play
from tests.engines.servers import ENGINES, NAMES, Node, wait_until
from tests.server.serving import Server
from tests.telemetry.scraping import watched

PASSWORDS = {"VALKEY_PASSWORD": "service-1", "VALKEY_ADMIN_PASSWORD": "admin_2"}
USERS = DEPLOY / "valkey/users.sh"


def users(**passwords: str) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": os.environ["PATH"], **PASSWORDS, **passwords}
    return subprocess.run(["sh", USERS], env=environment, capture_output=True, text=True)


@pytest.fixture(params=ENGINES, ids=NAMES)
def node(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Node]:
    """A server with these users."""
    engine: RedisBinary = request.param
    (tmp_path / "users.conf").write_text(users().stdout)
    login = ("admin", PASSWORDS["VALKEY_ADMIN_PASSWORD"])
    with Node(engine, "--include", str(tmp_path / "users.conf"), login=login) as node:
        yield node


def url(node: Node) -> str:
    return f"redis://referee:{PASSWORDS['VALKEY_PASSWORD']}@127.0.0.1:{node.port}"


def test_the_service_may_do_all_that_it_does(node: Node) -> None:
    with watched(REDIS_URL=url(node), WORKERS=2) as inside:
        play(inside.server)
        wait_until("the sessions are counted", lambda: b"referee_sessions " in inside.page())
    assert node.ask("ACL", "LOG") == []


@pytest.mark.parametrize(
    "command", ["FLUSHALL", "CONFIG GET *", "KEYS *", "GET elsewhere", "PUBLISH elsewhere x"]
)
def test_the_service_may_do_nothing_else(node: Node, command: str) -> None:
    with (
        redis.Redis.from_url(url(node), protocol=2) as client,
        pytest.raises(NoPermissionError),
    ):
        client.execute_command(*command.split())


def test_a_probe_may_see_that_it_is_there(node: Node) -> None:
    with redis.Redis(port=node.port, protocol=2) as client, pytest.raises(AuthenticationError):
        client.ping()
    with redis.Redis(port=node.port, username="probe", password="-", protocol=2) as client:
        assert client.ping()
        assert client.info("replication")
        with pytest.raises(NoPermissionError):
            client.execute_command("GET", "referee:{x}")


def test_without_its_password_the_service_is_away(node: Node) -> None:
    with watched(REDIS_URL=f"redis://127.0.0.1:{node.port}", WORKERS=1) as inside:
        assert isinstance(inside.server, Server)
        assert b'"sessions":"away"' in inside.ask("/readyz").body


def test_a_replica_follows_its_master(node: Node, tmp_path: Path) -> None:
    login = ("admin", PASSWORDS["VALKEY_ADMIN_PASSWORD"])
    options = ("--include", str(tmp_path / "users.conf"), "--replicaof", "127.0.0.1")
    with Node(ENGINES[-1], *options, str(node.port), login=login) as replica:
        wait_until(
            "it follows", lambda: replica.info("replication").get("master_link_status") == "up"
        )


@pytest.mark.parametrize("password", ["", "with space", "quo'te", "new\nline", "hash#"])
def test_a_password_that_would_break_a_file_or_an_address_is_refused(password: str) -> None:
    done = users(VALKEY_PASSWORD=password)
    assert done.returncode == 1
    assert "a password has letters, digits, - and _" in done.stderr


def test_a_container_starts_with_them(tmp_path: Path) -> None:
    """``start.sh`` as compose and Kubernetes call it, with a server of that name on the path."""
    (tmp_path / "valkey-server").symlink_to(ENGINES[-1].program)
    path = f"{tmp_path}:{os.environ['PATH']}"
    script = RedisBinary(tmp_path / "start", ENGINES[-1].version)
    lines = ["#!/bin/sh", f"export PATH={path} TMPDIR={tmp_path}"]
    lines += [f"export {name}={value}" for name, value in PASSWORDS.items()]
    script.program.write_text("\n".join([*lines, f'exec sh {DEPLOY}/valkey/start.sh "$@"', ""]))
    script.program.chmod(0o755)
    login = ("admin", PASSWORDS["VALKEY_ADMIN_PASSWORD"])
    with Node(script, "--appendonly", "yes", login=login) as node:
        assert node.ask("CONFIG", "GET", "appendonly") == [b"appendonly", b"yes"]
        assert node.ask("ACL", "WHOAMI") == b"admin"
        # The passwords are in no environment that a neighbour could read.
        environment = Path(f"/proc/{node.process.pid}/environ").read_bytes()
        assert not any(value.encode() in environment for value in PASSWORDS.values())
