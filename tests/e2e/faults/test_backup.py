"""Backup drill of the runbook: copy during play, restore into another server."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dice_referee.server.local_redis import RedisBinary
from tests.e2e.faults.clients import Play, Table, entries, patiently, playing
from tests.engines.servers import ENGINES, Single, wait_until
from tests.engines.unit import BACKUP, unit_commands
from tests.engines.users import ADMIN, PASSWORDS, url, with_users
from tests.programs import ROOT, program
from tests.wire import Line, Server, Stream, serving

FETCH = ROOT / "deploy/backup/fetch.sh"
PRUNE = ROOT / "deploy/backup/prune.sh"
PASSWORD = PASSWORDS["VALKEY_BACKUP_PASSWORD"]
Done = subprocess.CompletedProcess[str]
NEW = [engine for engine in ENGINES if engine.version >= (7, 0)]
"""Engines from Redis 7 on. Earlier engines stored a single append-only file elsewhere."""


def fetch(copies: Path, *servers: Single, **more: str) -> Done:
    """Runs the copy script against servers of this machine, named by their ports."""
    cli = copies / "cli"
    cli.write_text(
        "#!/bin/sh\n# -h PORT COMMAND...\nshift; port=$1; shift\n"
        f'exec {program("redis-cli")} -p "$port" --user backup "$@"\n'
    )
    cli.chmod(0o755)
    command = ["sh", str(FETCH), str(copies), *(str(server.port) for server in servers)]
    environment = {**os.environ, "CLI": str(cli), "REDISCLI_AUTH": PASSWORD, **more}
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def fetched(server: Single, home: Path) -> Path:
    """Makes a copy of a server below a directory and returns the copy."""
    (home / "copies").mkdir()
    done = fetch(home / "copies", server)
    assert done.returncode == 0, done
    (copy,) = home.glob(f"copies/2*/{server.port}")
    return copy


def as_json(line: Line, *request: Any) -> Any:
    return json.loads(patiently(line, *request).body)


@pytest.mark.parametrize(
    "engine",
    [
        pytest.param(
            engine, marks=[pytest.mark.long] if engine != NEW[0] else [], id=engine.program.name
        )
        for engine in NEW
    ],
)
def test_copy_made_during_play_is_consistent(engine: RedisBinary, tmp_path: Path) -> None:
    started = partial(Single, engine, *with_users(tmp_path), login=ADMIN)
    with started() as running, serving(REDIS_URL=url(running), WORKERS=2) as service:
        with playing(service) as play:
            before = known(play)
            copy = fetched(running, tmp_path)
            play.wait_for_moves()
        with started() as fresh:
            fresh.kill()
            shutil.rmtree(fresh.home / "appendonlydir", ignore_errors=True)
            shutil.copytree(copy / "appendonlydir", fresh.home / "appendonlydir")
            fresh.start()
            with serving(REDIS_URL=url(fresh), WORKERS=2) as restored:
                for client in play.clients:
                    for table in client.tables:
                        if table.at in before:
                            check_restored(restored, table, before[table.at])


def known(play: Play) -> dict[str, int]:
    """Returns the last acknowledged version of each session."""
    return {
        table.at: len(table.accepted)
        for client in play.clients
        for table in client.tables
        if table.accepted
    }


def check_restored(restored: Server, table: Table, acknowledged: int) -> None:
    log = entries(restored, table.at)
    # The copy has every entry acknowledged before it, and perhaps entries written meanwhile.
    assert acknowledged <= len(log) <= len(table.accepted)
    assert log == table.accepted[: len(log)]
    record = as_json(restored, "GET", f"{table.at}/game")
    audit = as_json(restored, "POST", f"/v1/{table.game}/audits", json.dumps(record).encode())
    assert audit["legal"], audit["first_illegal"]
    if len(log) == len(table.accepted) or table.full:
        return
    # A follower ahead of the log receives a reset.
    with restored.wire() as wire:
        seen = f"Last-Event-ID: {len(table.accepted)}"
        reset = Stream(wire, f"{table.at}/events", seen).event()
        assert (reset["event"], reset["id"]) == ("reset", str(len(log)))
    # The same moves again produce the same dice.
    for entry in table.accepted[len(log) :][:20]:
        event = without_chance(table, entry["event"])
        seat = table.seats[entry["player"]]
        answer = as_json(
            restored,
            *("POST", f"{table.at}/events", json.dumps(event).encode()),
            f"Authorization: Bearer {seat}",
        )
        assert answer["entry"]["event"] == entry["event"]


def without_chance(table: Table, event: dict[str, Any]) -> dict[str, Any]:
    """Returns the player's part of an event, without dice and cards of the service."""
    if table.state["dice"] == "client" or event["type"] not in ("draw", "roll"):
        return event
    return {name: value for name, value in event.items() if name not in ("dice", "card")}


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Single]:
    """Starts a server with the users of the deployment."""
    with Single(NEW[0], *with_users(tmp_path), login=ADMIN) as running:
        yield running


def command(home: Path, name: str, script: str) -> str:
    """Writes a command that precedes the system's and returns the PATH."""
    (home / "bin").mkdir(parents=True)
    (home / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
    (home / "bin" / name).chmod(0o755)
    return f"{home}/bin:{os.environ['PATH']}"


def test_copy_never_overwrites_another_copy(running: Single, tmp_path: Path) -> None:
    path = command(tmp_path, "date", "echo 2026-11-22-1200")
    assert fetch(tmp_path, running, PATH=path).returncode == 0
    done = fetch(tmp_path, running, PATH=path)
    assert done.returncode == 1
    assert "is there already" in done.stderr


def test_copy_requires_the_password(running: Single, tmp_path: Path) -> None:
    done = fetch(tmp_path, running, REDISCLI_AUTH="wrong")
    assert done.returncode == 1
    assert "is REDISCLI_AUTH right?" in done.stderr
    assert not list(tmp_path.glob("2*"))


@pytest.mark.parametrize("fails", ["exit 1", "kill -TERM $PPID"], ids=["fails", "is stopped"])
def test_failed_copy_leaves_nothing(running: Single, tmp_path: Path, fails: str) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    cli = f'shift; port=$1; shift\n{program("redis-cli")} -p "$port" --user backup "$@" || exit\n'
    command(tmp_path / "failing", "cli", f"{cli}case $1 in --rdb) {fails} ;; esac")
    done = fetch(copies, running, CLI=str(tmp_path / "failing/bin/cli"))
    assert done.returncode != 0
    assert [path.name for path in copies.iterdir()] == ["cli"]
    assert fetch(copies, running).returncode == 0


def test_copy_is_readable_by_its_owner_only(running: Single, tmp_path: Path) -> None:
    copy = fetched(running, tmp_path)
    paths = [copy.parent, copy, *copy.rglob("*")]
    assert len(paths) > 3
    assert not any(path.stat().st_mode & 0o077 for path in paths)


def test_unit_makes_a_copy_and_removes_old_copies(running: Single, tmp_path: Path) -> None:
    copies, old = tmp_path / "copies", "2026-01-01-0000"
    (copies / old).mkdir(parents=True)
    (tmp_path / "backup").write_text(f"{PASSWORD}\n")
    environment = {
        **os.environ,
        "PATH": command(tmp_path, "redis-cli", f'{program("redis-cli")} -p {running.port} "$@"'),
        "STATE_DIRECTORY": str(copies),
        "CREDENTIALS_DIRECTORY": str(tmp_path),
        "KEEP_COPIES": "1",
        "KEEP_DAYS": "1",
    }
    unit = BACKUP.read_text().replace("/opt/referee", str(ROOT))
    for line in unit_commands(unit, "ExecStart", environment):
        done = subprocess.run(line, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done
    (copy,) = copies.iterdir()
    assert copy.name > old
    assert len(list(copy.glob("localhost/appendonlydir/*"))) == 2


def test_single_replica_is_copied(running: Single, tmp_path: Path) -> None:
    """The unit of a machine copies its server, whatever its role is."""
    options = ("--replicaof", "127.0.0.1", str(running.port))
    with Single(NEW[0], *with_users(tmp_path), *options, login=ADMIN) as replica:
        wait_until(
            "the replica follows", lambda: replica.info("replication")["master_link_status"] == "up"
        )
        assert (fetched(replica, tmp_path) / "appendonlydir").is_dir()


def test_replicas_are_omitted_from_fetched_copies(tmp_path: Path) -> None:
    started = partial(Single, NEW[0], *with_users(tmp_path))
    with (
        started(login=ADMIN) as master,
        started("--replicaof", "127.0.0.1", str(master.port), login=ADMIN) as replica,
    ):
        wait_until(
            "the replica follows", lambda: replica.info("replication")["master_link_status"] == "up"
        )
        done = fetch(tmp_path, replica, master)
        assert done.returncode == 0, done
        (copy,) = tmp_path.glob("2*")
        assert [path.name for path in copy.iterdir()] == [str(master.port)]
        shutil.rmtree(copy)
        assert "no server is a master" in fetch(tmp_path, replica, replica).stderr
    done = fetch(tmp_path, master)
    assert done.returncode == 1
    assert "is REDISCLI_AUTH right?" in done.stderr
    assert not [path for path in tmp_path.iterdir() if path.name in ("half", copy.name)]


def test_newest_copies_and_the_last_of_each_day_are_kept(tmp_path: Path) -> None:
    names = [f"2026-11-{day:02}-{hour:02}00" for day in range(15, 26) for hour in range(24)]
    for name in (*names, "mine"):
        (tmp_path / name / "appendonlydir").mkdir(parents=True)
    subprocess.run(["sh", str(PRUNE), str(tmp_path)], check=True)
    daily = [f"2026-11-{day}-2300" for day in range(19, 25)]
    assert sorted(path.name for path in tmp_path.iterdir()) == [*daily, *names[-24:], "mine"]
    environment = {**os.environ, "KEEP_COPIES": "2", "KEEP_DAYS": "0"}
    subprocess.run(["sh", str(PRUNE), str(tmp_path)], check=True, env=environment)
    assert sorted(path.name for path in tmp_path.iterdir()) == [*names[-2:], "mine"]
