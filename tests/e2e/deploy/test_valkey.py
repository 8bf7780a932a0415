"""Users of ``deploy/valkey``: the rights that the service needs, and no more."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, NoPermissionError
from redis.retry import Retry

from dice_referee.server.local_redis import RedisBinary
from tests.application import TUTTO
from tests.e2e.deploy.test_files import DEPLOY
from tests.e2e.deploy.test_playing import play
from tests.e2e.faults.clients import patiently
from tests.engines.servers import DEADLINE, ENGINES, FIRST_SOONER, Node, wait_until
from tests.engines.users import ADMIN, PASSWORDS, configured, url, users, with_users
from tests.programs import program
from tests.telemetry.scraping import watched
from tests.wire import Server, Table, Wire, begin, serving

ONCE = Retry(NoBackoff(), 0)
"""Disables the second attempt, seconds later, after a refusal."""
RUNBOOK = "".join((DEPLOY / name).read_text() for name in ("README.md", "password.md"))


@pytest.fixture(params=FIRST_SOONER)
def node(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Node]:
    """Starts a server with these users."""
    engine: RedisBinary = request.param
    options = ("--include", str(DEPLOY / "redis.conf"), *with_users(tmp_path))
    with Node(engine, *options, login=ADMIN) as node:
        yield node


def test_service_user_has_all_rights_it_needs(node: Node) -> None:
    with watched(REDIS_URL=url(node), WORKERS=2) as inside:
        play(inside.server)
    assert node.ask("ACL", "LOG") == []


@pytest.mark.parametrize(
    "command", ["FLUSHALL", "CONFIG GET *", "KEYS *", "GET elsewhere", "PUBLISH elsewhere x"]
)
def test_service_user_has_no_other_rights(node: Node, command: str) -> None:
    with (
        redis.Redis.from_url(url(node), protocol=2, retry=ONCE) as client,
        pytest.raises(NoPermissionError),
    ):
        client.execute_command(*command.split())


def test_anonymous_clients_are_refused(node: Node) -> None:
    with (
        redis.Redis(port=node.port, protocol=2, retry=ONCE) as client,
        pytest.raises(AuthenticationError, match="Authentication required"),
    ):
        client.execute_command("ACL", "WHOAMI")
    for words in (b"AUTH ''", b"AUTH -", b"AUTH default ''", b"HELLO 2 AUTH default ''"):
        with Wire(node.port) as wire:
            wire.send(words + b"\r\nDBSIZE\r\n")
            assert [wire.file.readline()[:5] for _ in range(2)] == [b"-WRON", b"-NOAU"], words


def test_probe_user_reads_the_status_but_no_sessions(node: Node) -> None:
    with (
        redis.Redis(port=node.port, protocol=2, retry=ONCE) as client,
        pytest.raises(AuthenticationError),
    ):
        client.ping()
    with redis.Redis(port=node.port, username="probe", password="-", protocol=2) as client:
        assert client.ping()
        assert client.info("replication")
        with pytest.raises(NoPermissionError):
            client.execute_command("GET", "referee:{x}")


@pytest.mark.parametrize(
    ("user", "questions", "refused"),
    [
        ("backup", ["PING", "INFO", "BGREWRITEAOF"], ["GET referee:{x}", "CONFIG GET *"]),
        (
            "exporter",
            ["PING", "INFO", "LATENCY LATEST", "SLOWLOG LEN", "CLIENT SETNAME redis_exporter"],
            ["GET referee:{x}", "CONFIG GET *", "SLOWLOG GET", "SYNC", "SCAN 0"],
        ),
    ],
)
def test_users_of_programs_have_few_rights(
    node: Node, user: str, questions: list[str], refused: list[str]
) -> None:
    login: dict[str, Any] = {
        "username": user,
        "password": PASSWORDS[f"VALKEY_{user.upper()}_PASSWORD"],
    }
    with redis.Redis(port=node.port, protocol=2, retry=ONCE, **login) as client:
        for question in questions:
            assert client.execute_command(*question.split()) is not None
        for question in refused:
            with pytest.raises(NoPermissionError):
                client.execute_command(*question.split())
    wait_until("files are rewritten", lambda: not any(rewriting(node)))


def test_users_without_a_password_are_omitted(tmp_path: Path) -> None:
    """The passwords of ``backup`` and ``exporter`` are optional."""
    users(tmp_path, VALKEY_BACKUP_PASSWORD="", VALKEY_EXPORTER_PASSWORD="")
    names = re.findall("^user (.*?) ", (tmp_path / "users.acl").read_text(), re.MULTILINE)
    assert names == ["default", "probe", "referee", "replica", "admin"]


def test_no_program_logs_in_as_admin() -> None:
    programs = [path for path in DEPLOY.rglob("*") if path.suffix not in ("", ".md")]
    logins = [
        path.name
        for path in programs
        if path.is_file()
        and re.search("user admin|key: admin|redis/admin", path.read_text("utf-8"))
    ]
    # Operators update the users, and the server then knows the password of admin.
    assert sorted(logins) == ["renew.sh", "users.conf", "valkey.yaml"]


def test_service_without_its_password_is_unavailable(node: Node) -> None:
    with watched(REDIS_URL=f"redis://127.0.0.1:{node.port}", WORKERS=1) as inside:
        assert isinstance(inside.server, Server)
        assert b'"sessions":"away"' in inside.ask("/readyz").body


def test_restart_keeps_acknowledged_changes(node: Node) -> None:
    with serving(REDIS_URL=url(node), WORKERS=1) as service:
        at, stands = change_once(service)
        for _ in range(2):
            restarted(node)
            assert json.loads(patiently(service, "GET", at).body) == stands


def change(table: Table, key: str = "1") -> Any:
    """Makes a change and returns the session after it."""
    return table.change("events", {"type": "draw"}, "", f"Idempotency-Key: {key}")["session"]


def change_once(service: Server) -> tuple[str, Any]:
    """Creates a session with a single change and returns its path and its state."""
    table = begin(service)
    return table.at, change(table)


def restarted(node: Node) -> None:
    """Shuts a server down cleanly and starts it again with its files."""
    node.process.terminate()
    node.process.wait(DEADLINE)
    node.start()


def commands(after: str) -> str:
    """Returns the next commands of the runbook after these words."""
    return RUNBOOK.partition(after)[2].partition("```sh\n")[2].partition("```")[0]


@pytest.mark.long
def test_changes_after_a_torn_write_survive(node: Node, tmp_path: Path) -> None:
    """Runs the command that systemd runs after every start."""
    (command,) = re.findall(
        r"^ExecStartPost=-\+/bin/sh -c '(.*)'$",
        (DEPLOY / "redis-server.conf").read_text(),
        re.MULTILINE,
    )
    (tmp_path / "backup").write_text(PASSWORDS["VALKEY_BACKUP_PASSWORD"])
    command = command.replace("$$", "$").replace("/etc/redis/backup", str(tmp_path / "backup"))
    command = command.replace("redis-cli", f"redis-cli -p {node.port}")
    with serving(REDIS_URL=url(node), WORKERS=1) as service:
        node.ask("CONFIG", "SET", "appendfsync", "always")
        table = begin(service)
        at = table.at
        change(table)
        node.kill()
        file = max(node.home.glob("appendonlydir/*.incr.aof"))
        # The last transaction lacks its end and a part of its last change.
        os.truncate(file, file.read_bytes().rindex(b"*1\r\n$4\r\nEXEC\r\n") - 6)
        node.start()
        done = subprocess.run(["sh", "-c", command], capture_output=True)
        assert b"started" in done.stdout, done
        wait_until("files are rewritten", lambda: not any(rewriting(node)))
        wait_until(
            "sessions are available",
            lambda: b'"sessions":"ok"' in service.ask("GET", "/readyz").body,
        )
        # The change is lost. Its repetition persists.
        assert json.loads(patiently(service, "GET", at).body)["version"] == 0
        change(table, "2")
        parts = [at, f"{at}/events", f"{at}/game"]
        before = [patiently(service, "GET", part).body for part in parts]
        restarted(node)
        assert [patiently(service, "GET", part).body for part in parts] == before


def rewriting(node: Node) -> list[bool]:
    info = node.info("persistence")
    return [bool(info[f"aof_rewrite_{name}"]) for name in ("in_progress", "scheduled")]


@pytest.mark.long
@pytest.mark.parametrize("engine", FIRST_SOONER)
def test_valkey_restarts_with_a_rewritten_configuration(
    engine: RedisBinary, tmp_path: Path
) -> None:
    """Rewrites the configuration as Sentinel does at every failover."""
    with Node(configured(engine, tmp_path), login=ADMIN) as node:
        for _ in range(2):
            assert node.ask("CONFIG", "REWRITE") == b"OK"
            restarted(node)
        assert b"referee" in node.ask("ACL", "USERS")


@pytest.mark.long
def test_replica_follows_its_master(node: Node, tmp_path: Path) -> None:
    options = (*with_users(tmp_path), "--replicaof", "127.0.0.1", str(node.port))
    with Node(ENGINES[-1], *options, login=ADMIN) as replica:
        wait_until("the replica follows", partial(follows, replica))


@pytest.mark.long
@pytest.mark.parametrize("engine", FIRST_SOONER)
def test_password_change_by_the_runbook_keeps_replicas(engine: RedisBinary, tmp_path: Path) -> None:
    homes = [tmp_path / "master", tmp_path / "replica"]
    for home in homes:
        home.mkdir()
    known = {"new": "n" * 64, "old": PASSWORDS["VALKEY_PASSWORD"], "admin": ADMIN[1]}
    for name, password in known.items():
        (tmp_path / name).write_text(f"{password}\n")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("redis-cli", "sed", "cat"):
        (tools / name).write_text(
            f'#!/bin/sh\necho "$0 $@" >> {tmp_path}/ps\nexec {program(name)} "$@"\n'
        )
        (tools / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    with ExitStack() as closing:
        master = closing.enter_context(Node(configured(engine, homes[0]), login=ADMIN))
        options = ("--replicaof", "127.0.0.1", str(master.port))
        replica = closing.enter_context(Node(configured(engine, homes[1]), *options, login=ADMIN))
        wait_until("the replica follows", partial(follows, replica))
        for step in ("A new password for the service", "Write the new password into"):
            for home, node in zip(homes, (master, replica), strict=True):
                lines = commands(step).replace("redis-cli", f"redis-cli -p {node.port}")
                lines = lines.replace("/root/", f"{tmp_path}/")
                lines = lines.replace("/etc/redis/admin", str(tmp_path / "admin"))
                lines = lines.replace("/etc/redis/referee.conf", str(home / "users.conf"))
                lines = lines.replace("/etc/redis/redis.conf", str(home / "redis.conf"))
                done = subprocess.run(["sh", "-ec", lines], env=environment, capture_output=True)
                assert (done.returncode, set(done.stdout.split())) == (0, {b"OK"}), done
        # No command line contains a password, since every user of the machine can read command
        # lines.
        seen = (tmp_path / "ps").read_text()
        assert "redis-cli" in seen
        assert "sed" in seen
        assert not [password for password in known.values() if password in seen]
        master.ask("CLIENT", "KILL", "TYPE", "replica")
        wait_until("the replica reconnects", partial(follows, replica))
        for node in (master, replica):
            restarted(node)
        wait_until("the replica reconnects", partial(follows, replica))
        for password, right in ((known["new"], True), (known["old"], False)):
            with (
                redis.Redis(
                    port=node.port, username="referee", password=password, retry=ONCE
                ) as client,
                nullcontext() if right else pytest.raises(AuthenticationError),
            ):
                client.ping()


def test_upgrade_gives_the_service_its_missing_rights(node: Node, tmp_path: Path) -> None:
    """Starts with the users of an older release and with a user of the operator."""
    acl, lines = tmp_path / "users.acl", (tmp_path / "users.acl").read_text()
    acl.write_text(lines.replace(" +hset", "").replace(" +publish", ""))
    node.ask("ACL", "LOAD")
    node.ask("ACL", "SETUSER", "own", "on", ">secret", "+ping")
    for name in ("admin", "backup", "exporter"):
        (tmp_path / name).write_text(PASSWORDS[f"VALKEY_{name.upper()}_PASSWORD"])
    renewal = commands("**systemd**, in").partition("\nln -sfnT")[0]
    assert "renew.sh" in renewal
    renewal = re.sub("/etc/(referee|redis)", str(tmp_path), renewal)
    (tmp_path / "redis-url").write_text(f"{url(node)}\n")
    environment = {**os.environ, "CLI": f"redis-cli -p {node.port} --user admin"}
    with serving(REDIS_URL=url(node), WORKERS=1) as service:
        beginning = json.dumps(TUTTO).encode()
        assert service.ask("POST", "/v1/sessions", beginning).status == 503
        wait_until("the reason is logged", lambda: '"reason":"NOPERM"' in service.log())
        done = subprocess.run(
            ["sh", "-ec", renewal], cwd=DEPLOY.parent, env=environment, capture_output=True
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        written = acl.read_text()
        assert written.startswith(lines)
        assert [line.split()[:3] for line in written[len(lines) :].splitlines()] == [
            ["user", "own", "on"]
        ]
        change_once(service)
    with redis.Redis(port=node.port, username="own", password="secret", protocol=2) as client:
        assert client.ping()


DOCKER = """#!/bin/sh
# compose -p PROJECT -f FILE exec [-T] [-e NAME=VALUE] valkey COMMAND...
shift 6
while [ "$1" != valkey ]; do [ "$1" != -e ] || { export "$2" && shift; }; shift; done
shift
exec "$@"
"""
"""A docker that runs commands of a container on this machine."""


def test_compose_updates_users_from_the_new_release(node: Node, tmp_path: Path) -> None:
    """Runs the runbook with the passwords that a container must have."""
    acl, lines = tmp_path / "users.acl", (tmp_path / "users.acl").read_text()
    acl.write_text(lines.replace(" +hset", ""))
    node.ask("ACL", "LOAD")
    for name, text in {
        "docker": DOCKER,
        "valkey-cli": f'#!/bin/sh\nexec {program("redis-cli")} -p {node.port} "$@"\n',
    }.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    (tmp_path / "container").mkdir()
    renewal = commands("**Compose**, in the directory").partition("deploy/compose.yaml build")[0]
    renewal = renewal.rpartition("\n")[0].replace("/tmp", str(tmp_path / "container"))
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    for name in ("VALKEY_PASSWORD", "VALKEY_ADMIN_PASSWORD"):
        environment[name] = PASSWORDS[name]
    done = subprocess.run(
        ["sh", "-ec", renewal], cwd=DEPLOY.parent, env=environment, capture_output=True
    )
    left_out = [
        f"renew.sh: left out, no password: {name}\n"
        for name in ("backup", "maintenance", "exporter")
    ]
    assert (done.returncode, done.stdout, done.stderr.decode()) == (0, b"", "".join(left_out))
    assert b"+hset" in b" ".join(node.ask("ACL", "LIST"))
    assert {b"backup", b"exporter"} <= set(node.ask("ACL", "USERS"))


def follows(replica: Node) -> bool:
    return replica.info("replication").get("master_link_status") == "up"


@pytest.mark.parametrize(
    ("name", "password"),
    [
        *(("VALKEY_PASSWORD", text) for text in ("", "with space", "quo'te", "new\nline", "hash#")),
        ("VALKEY_BACKUP_PASSWORD", "with/slash"),
        ("VALKEY_EXPORTER_PASSWORD", "with&and"),
    ],
)
def test_password_with_unsafe_characters_is_refused(
    name: str, password: str, tmp_path: Path
) -> None:
    done = users(tmp_path, **{name: password})
    assert done.returncode == 1
    assert "a password has letters, digits, - and _" in done.stderr


def test_container_starts_with_the_users(tmp_path: Path) -> None:
    """Runs ``start.sh`` as compose and Kubernetes do, with a ``valkey-server`` on the path."""
    (tmp_path / "valkey-server").symlink_to(ENGINES[-1].program)
    path = f"{tmp_path}:{os.environ['PATH']}"
    script = RedisBinary(tmp_path / "start", ENGINES[-1].version)
    lines = ["#!/bin/sh", f"export PATH={path} TMPDIR={tmp_path}"]
    lines += [f"export {name}={value}" for name, value in PASSWORDS.items()]
    script.program.write_text("\n".join([*lines, f'exec sh {DEPLOY}/valkey/start.sh "$@"', ""]))
    script.program.chmod(0o755)
    with Node(script, "--appendonly", "yes", login=ADMIN) as node:
        assert node.ask("CONFIG", "GET", "appendonly") == [b"appendonly", b"yes"]
        assert node.ask("ACL", "WHOAMI") == b"admin"
        # The server's environment, which other processes can read, contains no password.
        environment = Path(f"/proc/{node.process.pid}/environ").read_bytes()
        assert not any(value.encode() in environment for value in PASSWORDS.values())
