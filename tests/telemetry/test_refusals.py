"""Refusals by rate limits in the log: a line per minute, with their number and clients."""

import asyncio
import json
from typing import Any

import pytest

from dice_referee.app import asgi_app, create_app
from dice_referee.settings import Settings
from dice_referee.telemetry import logs
from dice_referee.telemetry.logs import (
    ACCESS_LOG,
    CLIENTS,
    Record,
    RefusalCount,
    RefusalRecord,
    flush_log,
)
from tests.application import ADJUDICATIONS, ROLL, ROLL_JSON, Question, through_asgi
from tests.wire import serving


class Written:
    """A count of refusals, its clock, and the written lines."""

    def __init__(self) -> None:
        self.lines: list[RefusalRecord] = []
        self.now = 1000.0
        self.count = RefusalCount(self.lines.append, lambda: self.now)

    def refuse(self, client: str, times: int = 1) -> None:
        for _ in range(times):
            self.count.add(client)


@pytest.fixture
def written() -> Written:
    return Written()


def test_refusals_are_one_line_per_minute_with_their_clients(written: Written) -> None:
    written.refuse("Ann", 20_000)
    written.now += 59.9
    written.refuse("Ben", 3)
    written.count.write_due()
    assert written.lines == []
    written.now += 0.1
    written.count.write_due()
    assert written.lines == [(20_003, 2)]
    written.count.write_due()
    written.now += 600
    written.count.write_due()
    assert written.lines == [(20_003, 2)], "nobody was refused"


def test_line_of_a_past_minute_is_written_by_the_next_refusal(written: Written) -> None:
    """A foreign server calls nothing while no request arrives."""
    written.refuse("Ann", 5)
    written.now += 600
    written.refuse("Ann")
    assert written.lines == [(5, 1)]
    written.count.flush()
    assert written.lines == [(5, 1), (1, 1)]


def test_number_of_remembered_clients_is_bounded(written: Written) -> None:
    for number in range(CLIENTS + 5):
        written.refuse(f"client {number}")
    written.count.flush()
    assert written.lines == [(CLIENTS + 5, CLIENTS)]


def test_worker_checks_for_the_end_of_the_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    # Other tests of this process have caused refusals.
    flush_log()
    lines: list[tuple[Record, float]] = []
    monkeypatch.setattr(ACCESS_LOG, "write", lines.extend)
    app = asgi_app(create_app(Settings(rate_stateless=1, rate_loopback=True)))
    question = Question.post(ADJUDICATIONS, ROLL)
    with monkeypatch.context() as patch:
        patch.setattr(logs, "MINUTE", 0.0)
        statuses = [asyncio.run(through_asgi(question, app)).status for _ in range(2)]
    assert statuses == [200, 429]
    ACCESS_LOG.flush()
    assert lines == []
    app.tick()
    ACCESS_LOG.flush()
    assert [record for record, _ in lines] == [RefusalRecord(1, 1)]


def test_server_writes_one_line_for_many_refusals() -> None:
    limits: dict[str, Any] = {"RATE_STATELESS": 5, "RATE_LOOPBACK": 1}
    with serving(WORKERS=1, **limits) as server:
        statuses = [server.ask("POST", ADJUDICATIONS, ROLL_JSON).status for _ in range(200)]
        lines = [json.loads(line) for line in server.stop().splitlines()]
    assert not any(line.get("status") == 429 for line in lines)
    refused = [line for line in lines if line["event"] == "rate limits"]
    assert sum(line["refusals"] for line in refused) == statuses.count(429) > 100
    known = {"refusals", "clients", "event", "level", "timestamp"}
    assert all(line.keys() == known for line in refused), "nothing about the client"
    assert all(line["clients"] == 1 for line in refused)
