"""Start, upgrade and rollback by the commands of ``deploy/README.md``."""

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
from tests.wire import Table, begin

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


def move(table: Table) -> None:
    """Makes a move that every release allows: it takes a card's draw back, or draws."""
    event = {"type": "draw", "card": "bonus-300"}
    table.change(*(("undo",) if table.read()["version"] % 2 else ("events", event)))


def is_refused(table: Table, detail: str = "") -> None:
    """Expects that the running release reads no part of the session, and changes nothing."""
    event, key = {"type": "draw", "card": "bonus-300"}, "Idempotency-Key: refused"
    answers = [table.server.ask("GET", table.at + path) for path in ("", "/events", "/game")]
    answers += [table.post("events", event, table.host, key), table.post("undo"), table.delete()]
    for answer in answers:
        problem = answer.problem("session-unreadable", 503)
        assert detail in problem["detail"]


@pytest.mark.long
def test_upgrade_ends_games_of_0_10_0_and_rollback_continues(
    machine: Machine, say: Callable[[str], None]
) -> None:
    """This update alone ends running games. Nothing of either release is lost."""
    stored = archive(say)
    assert stored, "the history lacks release 0.10.0"
    old, new = machine.release("last", stored), machine.release("head")
    output = machine.run(commands(old, "**A machine**"), old)
    assert json.loads(output.splitlines()[-1]) == {"status": "ok", "sessions": "ok"}
    installation = commands(new, "**A machine**").partition("\n")[0]
    upgrade = commands(new, "**systemd**")
    rollback = upgrade[upgrade.index("\nln -sfnT") :]
    admin = (machine.home / "etc/redis/admin").read_text().strip()
    with redis.Redis(port=machine.redis_port, username="admin", password=admin) as client:
        client.acl_setuser("own", enabled=True, passwords=["+secret"], commands=["+ping"])
        earlier = begin(machine, dice="client")
        move(earlier)
        made = earlier.read("/events")
        machine.run(installation, new)
        machine.run(upgrade, new)
        assert running(machine) == "head"
        is_refused(earlier, "of release 0.10.0")
        later = begin(machine, dice="client")
        move(later)
        with Followers(machine, later.at) as followers:
            with playing(machine) as play:
                play.wait_for_moves(20)
                followers.wait_for_answers()
                make_copy(machine)
            kept = later.read("/events")
            machine.run(rollback, old)
            assert running(machine) == "last"
            is_refused(later)
            assert earlier.read("/events") == made
            move(earlier)
            make_copy(machine)
            machine.run(upgrade, new)
            assert running(machine) == "head"
            is_refused(earlier, "of release 0.10.0")
            assert later.read("/events") == kept
            move(later)
            assert "own" in client.acl_users()
            assert client.acl_log() == []
    assert followers.statuses.keys() <= {200, 503}
    assert [client.away for client in play.clients] == [[]] * len(play.clients)
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
