"""Start, upgrade and rollback by the commands of ``deploy/README.md``, while people play."""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event
from typing import Self

import pytest
import redis

from tests.e2e.deploy.machine import Machine
from tests.e2e.faults.clients import playing
from tests.engines.servers import DEADLINE, wait_until
from tests.engines.stack import Nginx
from tests.tools.release import archive
from tests.wire import begin

OWN = "[Service]\nEnvironment=RATE_EVENTS=0 RATE_SESSIONS=0\n"
"""Drop-in of the operator: players of the test share an address."""


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with Machine(tmp_path) as machine:
        drop_in = tmp_path / "etc/systemd/system/referee.service.d/local.conf"
        drop_in.parent.mkdir()
        drop_in.write_text(OWN)
        yield machine


def commands(release: Path, after: str) -> str:
    """Returns the next commands of a release's runbook after these words."""
    _, words, text = (release / "deploy/README.md").read_text("utf-8").partition(after)
    assert words, after
    return text.partition("```sh\n")[2].partition("```")[0]


class Followers:
    """Streams and long polls of a session, each repeated until the machine stops."""

    def __init__(self, machine: Machine, at: str) -> None:
        self.statuses: Counter[int] = Counter()
        self._machine, self._end = machine, Event()
        self._pool = ThreadPoolExecutor(6)
        stream = (f"{at}/events", {"Accept": "text/event-stream"})
        poll = (f"{at}/events?wait=1", dict[str, str]())
        self._following = [self._pool.submit(self._follow, *ask) for ask in (stream, poll) * 3]

    def _follow(self, target: str, fields: dict[str, str]) -> None:
        while not self._end.is_set():
            line = HTTPConnection("127.0.0.1", self._machine.port, timeout=DEADLINE)
            line.request("GET", target, headers=fields)
            answer = line.getresponse()
            self.statuses[answer.status] += 1
            with suppress(HTTPException):
                answer.read()
            line.close()

    def wait_for_answers(self) -> None:
        """Waits until every stream and poll may have reconnected."""
        until = self.statuses.total() + 12
        wait_until("followers are answered", lambda: self.statuses.total() > until)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._machine.stop()
        for following in self._following:
            following.result(DEADLINE)
        self._pool.shutdown()


def make_copy(machine: Machine) -> None:
    """Runs the timer's command and expects a copy."""
    assert "referee-backup.timer" in machine.enabled
    copies = machine.home / "var/lib/referee-backup"
    # Copies of the same minute share a name.
    shutil.rmtree(copies)
    machine.start("referee-backup")
    (copy,) = copies.glob("2*")
    assert any(copy.rglob("*.manifest"))


def running(machine: Machine) -> str:
    """Returns the name of the release that answers."""
    folder = Path(f"/proc/{machine.processes['referee'].pid}/cwd")
    return folder.resolve().name.removeprefix("referee-")


@pytest.mark.long
def test_upgrade_and_rollback_by_the_runbook_lose_nothing(
    machine: Machine, say: Callable[[str], None]
) -> None:
    old, new = machine.release("last", archive(say)), machine.release("head")
    output = machine.run(commands(old, "**A machine**"), old)
    assert json.loads(output.splitlines()[-1]) == {"status": "ok", "sessions": "ok"}
    installation = commands(new, "**A machine**").partition("\n")[0]
    upgrade = commands(new, "**systemd**")
    rollback = upgrade[upgrade.index("\nln -sfnT") :]
    admin = (machine.home / "etc/redis/admin").read_text().strip()
    with redis.Redis(port=machine.redis_port, username="admin", password=admin) as client:
        client.acl_setuser("own", enabled=True, passwords=["+secret"], commands=["+ping"])
        with Followers(machine, begin(machine).at) as followers:
            with playing(machine, releases=2) as play:
                machine.run(installation, new)
                for step, release, name in ((upgrade, new, "head"), (rollback, old, "last")):
                    machine.run(step, release)
                    assert running(machine) == name
                    play.wait_for_moves(20)
                    followers.wait_for_answers()
                    make_copy(machine)
            assert "own" in client.acl_users()
            assert client.acl_log() == []
    assert followers.statuses.keys() == {200}
    assert [client.away for client in play.clients] == [[]] * len(play.clients)
    # nginx closes idle connections at each of the two reloads.
    assert all(client.broken <= 2 for client in play.clients)
    assert '"event":"fault"' not in machine.log()


@pytest.mark.long
def test_one_unit_keeps_sessions_over_a_restart(machine: Machine) -> None:
    release = machine.release("head")
    machine.run(commands(release, "**One unit**"), release)
    address = f"unix:{machine.home}/run/referee/referee.sock max_fails=0"
    with Nginx(address, address) as proxy:
        table = begin(proxy)
        machine.run("systemctl restart referee", release)
        wait_until(
            "sessions are available", lambda: b'"sessions":"ok"' in proxy.ask("GET", "/readyz").body
        )
        assert proxy.ask("GET", table.at).status == 200
    # VAR_DIR is all there is to copy.
    assert list(machine.home.glob("var/lib/referee/sessions/appendonlydir/*.manifest"))


@pytest.mark.long
def test_start_and_restore_by_the_runbook_keep_sessions(machine: Machine) -> None:
    """Restores a copy over the files of the server."""
    release = machine.release("head")
    output = machine.run(commands(release, "**A machine**"), release)
    assert json.loads(output.splitlines()[-1]) == {"status": "ok", "sessions": "ok"}
    environment = Path(f"/proc/{machine.processes['referee'].pid}/environ").read_bytes()
    assert b"redis://" not in environment
    table = begin(machine)
    make_copy(machine)
    later = begin(machine)
    (copy,) = machine.home.glob("var/lib/referee-backup/2*")
    restore = commands(release, "To restore").replace("2026-11-22-1200", copy.name)
    machine.run(restore, release)
    wait_until(
        "sessions are available", lambda: b'"sessions":"ok"' in machine.ask("GET", "/readyz").body
    )
    assert machine.ask("GET", table.at).status == 200
    assert machine.ask("GET", later.at).status == 404
