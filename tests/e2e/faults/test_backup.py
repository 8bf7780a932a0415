"""Backup drill of the runbook: copy during play, restore into another server."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from dice_referee.server.local_redis import RedisBinary

from tests.e2e.deploy.unit import BACKUP, unit_commands
from tests.e2e.deploy.users import ADMIN, url, with_users
from tests.e2e.faults.clients import Play, Table, entries, patiently, playing
from tests.engines.servers import ENGINES, Single, wait_until
from tests.programs import ROOT, program
from tests.wire import Line, Server, Stream, serving

SCRIPT = ROOT / "deploy/backup/backup.sh"
FETCH = ROOT / "deploy/backup/fetch.sh"
PRUNE = ROOT / "deploy/backup/prune.sh"
Done = subprocess.CompletedProcess[str]
NEW = [engine for engine in ENGINES if engine.version >= (7, 0)]
"""Engines from Redis 7 on: earlier ones had a single append-only file elsewhere."""


def backup(
    server: Single, target: Path, user: str = "default", password: str = "", **more: str
) -> Done:
    """Runs the runbook's script with additional environment variables."""
    cli = f"{program('redis-cli')} -p {server.port} --user {user}"
    command = ["sh", str(SCRIPT), str(server.home), str(target)]
    environment = {**os.environ, "CLI": cli, "REDISCLI_AUTH": password, **more}
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def fetch(copies: Path, *servers: Single, **more: str) -> Done:
    """Runs the Kubernetes script against servers of this machine, named by their ports."""
    cli = copies / "cli"
    cli.write_text(
        "#!/bin/sh\n# -h PORT COMMAND...\nshift; port=$1; shift\n"
        f'exec {program("redis-cli")} -p "$port" --user {ADMIN[0]} "$@"\n'
    )
    cli.chmod(0o755)
    command = ["sh", str(FETCH), str(copies), *(str(server.port) for server in servers)]
    environment = {**os.environ, "CLI": str(cli), "REDISCLI_AUTH": ADMIN[1], **more}
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def by_backup(server: Single, home: Path) -> Path:
    """Makes a copy by the script of a single machine."""
    done = backup(server, home / "copy", *ADMIN)
    assert done.returncode == 0, done
    assert server.ask("CONFIG", "GET", "auto-aof-rewrite-percentage")[1] == b"100"
    return home / "copy"


def by_fetch(server: Single, home: Path) -> Path:
    """Makes a copy by the script of Kubernetes."""
    (home / "copies").mkdir()
    done = fetch(home / "copies", server)
    assert done.returncode == 0, done
    (copy,) = home.glob(f"copies/2*/{server.port}")
    return copy


def as_json(line: Line, *request: Any) -> Any:
    return json.loads(patiently(line, *request).body)


@pytest.mark.parametrize("copier", [by_backup, by_fetch])
@pytest.mark.parametrize(
    "engine",
    [
        pytest.param(
            engine, marks=[pytest.mark.long] if engine != NEW[0] else [], id=engine.program.name
        )
        for engine in NEW
    ],
)
def test_a_copy_made_while_people_play_is_a_whole_store(
    engine: RedisBinary, copier: Callable[[Single, Path], Path], tmp_path: Path
) -> None:
    started = partial(Single, engine, *with_users(tmp_path), login=ADMIN)
    with started() as running, serving(REDIS_URL=url(running), WORKERS=2) as service:
        with playing(service) as play:
            before = known(play)
            copy = copier(running, tmp_path)
            play.plays_on()
        with started() as fresh:
            fresh.kill()
            shutil.rmtree(fresh.home / "appendonlydir", ignore_errors=True)
            shutil.copytree(copy / "appendonlydir", fresh.home / "appendonlydir")
            fresh.start()
            with serving(REDIS_URL=url(fresh), WORKERS=2) as restored:
                for client in play.clients:
                    for table in client.tables:
                        if table.at in before:
                            restored_as_it_was(restored, table, before[table.at])


def known(play: Play) -> dict[str, int]:
    """Returns the last acknowledged version of each session."""
    return {
        table.at: len(table.accepted)
        for client in play.clients
        for table in client.tables
        if table.accepted
    }


def restored_as_it_was(restored: Server, table: Table, acknowledged: int) -> None:
    log = entries(restored, table.at)
    # The copy has every entry acknowledged before it, and perhaps those made meanwhile.
    assert acknowledged <= len(log) <= len(table.accepted)
    assert log == table.accepted[: len(log)]
    record = as_json(restored, "GET", f"{table.at}/game")
    audit = as_json(restored, "POST", f"/v1/{table.game}/games", json.dumps(record).encode())
    assert audit["legal"], audit["first_illegal"]
    if len(log) == len(table.accepted) or table.full:
        return
    # A follower that has seen more receives a reset.
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
        assert answer["accepted"]["event"] == entry["event"]


def without_chance(table: Table, event: dict[str, Any]) -> dict[str, Any]:
    """Returns the player's part of an event; the service throws dice and draws cards."""
    if table.state["dice"] == "client" or event["type"] not in ("draw", "roll", "throw"):
        return event
    return {name: value for name, value in event.items() if name not in ("dice", "card")}


def test_a_copy_is_not_written_over_another(tmp_path: Path) -> None:
    with Single(NEW[0]) as running:
        done = backup(running, tmp_path)
    assert done.returncode == 1
    assert "is there already" in done.stderr


def test_copy_needs_the_password(tmp_path: Path) -> None:
    with Single(NEW[0], "--requirepass", "secret", login=("default", "secret")) as running:
        done = backup(running, tmp_path / "copy")
    assert done.returncode == 1
    assert "is REDISCLI_AUTH right?" in done.stderr
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize("fails", ["exit 1", "kill -TERM $PPID"], ids=["fails", "is stopped"])
def test_failed_copy_leaves_nothing(tmp_path: Path, fails: str) -> None:
    copy, cp = tmp_path / "copies/copy", tmp_path / "bin/cp"
    cp.parent.mkdir()
    cp.write_text(f'#!/bin/sh\n{program("cp")} "$@"\n{fails}\n')
    cp.chmod(0o755)
    with Single(NEW[0]) as running:
        done = backup(running, copy, PATH=f"{cp.parent}:{os.environ['PATH']}")
        assert done.returncode == 1
        assert not copy.exists()
        assert running.ask("CONFIG", "GET", "auto-aof-rewrite-percentage")[1] == b"100"
        # The next copy of this name is complete.
        assert backup(running, copy).returncode == 0
        assert len(list(copy.glob("appendonlydir/*"))) > 1


def test_second_copy_at_once_is_refused(tmp_path: Path) -> None:
    cp = tmp_path / "bin/cp"
    cp.parent.mkdir()
    with Single(NEW[0]) as running:
        second = f"sh {SCRIPT} {running.home} {tmp_path}/second 2> {tmp_path}/said"
        cp.write_text(f'#!/bin/sh\n{second}\n{program("cp")} "$@"\n')
        cp.chmod(0o755)
        path = f"{cp.parent}:{os.environ['PATH']}"
        assert backup(running, tmp_path / "first", PATH=path).returncode == 0
        assert "another copy is being made" in (tmp_path / "said").read_text()
        assert not (tmp_path / "second").exists()
        assert running.ask("CONFIG", "GET", "auto-aof-rewrite-percentage")[1] == b"100"


def test_next_backup_resumes_rewriting_after_a_killed_one(tmp_path: Path) -> None:
    with Single(NEW[0]) as running:
        running.ask("CONFIG", "SET", "auto-aof-rewrite-percentage", 0)
        done = backup(running, tmp_path / "copy")
        assert done.returncode == 0
        assert "was off" in done.stderr
        assert running.ask("CONFIG", "GET", "auto-aof-rewrite-percentage")[1] == b"100"


def test_a_copy_is_for_its_owner_alone(tmp_path: Path) -> None:
    with Single(NEW[0]) as running:
        assert backup(running, tmp_path / "copy").returncode == 0
    paths = [tmp_path / "copy", *(tmp_path / "copy").rglob("*")]
    assert len(paths) > 2
    assert not any(path.stat().st_mode & 0o077 for path in paths)


def test_the_unit_makes_a_copy_and_removes_old_ones(tmp_path: Path) -> None:
    copies, old = tmp_path / "copies", "2026-01-01-0000"
    (copies / old).mkdir(parents=True)
    (tmp_path / "admin").write_text(f"{ADMIN[1]}\n")
    (tmp_path / "redis-cli").symlink_to(program("redis-cli"))
    with Single(NEW[0], *with_users(tmp_path), login=ADMIN) as running:
        environment = {
            **os.environ,
            "CLI": f"redis-cli -p {running.port} --user admin",
            "PATH": f"{tmp_path}:{os.environ['PATH']}",
            "STATE_DIRECTORY": str(copies),
            "CREDENTIALS_DIRECTORY": str(tmp_path),
            "KEEP_COPIES": "1",
            "KEEP_DAYS": "1",
        }
        unit = BACKUP.read_text().replace("/opt/referee", str(ROOT))
        unit = unit.replace("/var/lib/redis", str(running.home))
        for command in unit_commands(unit, "ExecStart", environment):
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            assert done.returncode == 0, done
    (copy,) = copies.iterdir()
    assert copy.name > old
    assert len(list(copy.glob("appendonlydir/*"))) > 1


def test_replicas_are_left_out_of_fetched_copies(tmp_path: Path) -> None:
    started = partial(Single, NEW[0], *with_users(tmp_path))
    with (
        started(login=ADMIN) as master,
        started("--replicaof", "127.0.0.1", str(master.port), login=ADMIN) as replica,
    ):
        wait_until("it follows", lambda: replica.info("replication")["master_link_status"] == "up")
        done = fetch(tmp_path, replica, master)
        assert done.returncode == 0, done
        (copy,) = tmp_path.glob("2*")
        assert [path.name for path in copy.iterdir()] == [str(master.port)]
        shutil.rmtree(copy)
        assert "no server is a master" in fetch(tmp_path, replica).stderr
    done = fetch(tmp_path, master)
    assert done.returncode == 1
    assert "is REDISCLI_AUTH right?" in done.stderr
    assert not [path for path in tmp_path.iterdir() if path.name in ("half", copy.name)]


def test_the_newest_copies_and_the_last_of_each_day_stay(tmp_path: Path) -> None:
    names = [f"2026-11-{day:02}-{hour:02}00" for day in range(15, 26) for hour in range(24)]
    for name in (*names, "mine"):
        (tmp_path / name / "appendonlydir").mkdir(parents=True)
    subprocess.run(["sh", str(PRUNE), str(tmp_path)], check=True)
    daily = [f"2026-11-{day}-2300" for day in range(19, 25)]
    assert sorted(path.name for path in tmp_path.iterdir()) == [*daily, *names[-24:], "mine"]
    environment = {**os.environ, "KEEP_COPIES": "2", "KEEP_DAYS": "0"}
    subprocess.run(["sh", str(PRUNE), str(tmp_path)], check=True, env=environment)
    assert sorted(path.name for path in tmp_path.iterdir()) == [*names[-2:], "mine"]
