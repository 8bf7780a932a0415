"""Refusals by rate limits in the log: once a minute for each client, with their number."""

import json
from itertools import count
from typing import Any

import pytest
from dice_referee.telemetry.logs import CLIENTS, AccessRecord, RefusalLog

from tests.application import ADJUDICATIONS, ROLL_JSON
from tests.engines.servers import wait_until
from tests.wire import serving


class Clock:
    """A clock in seconds that the test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Written:
    """A log of refusals, its clock, and the lines that it has written."""

    def __init__(self) -> None:
        self.lines: list[AccessRecord] = []
        self.clock, self._ids = Clock(), count(1)
        self.log = RefusalLog(self.lines.append, self.clock)

    def refuse(self, client: str, times: int = 1) -> None:
        for _ in range(times):
            record = AccessRecord(str(next(self._ids)), "POST", ADJUDICATIONS, 429, 0.1)
            self.log.add(client, record)

    def counts(self) -> list[int | None]:
        return [line.refusals for line in self.lines]


@pytest.fixture
def written() -> Written:
    return Written()


def test_a_first_refusal_is_written_at_once(written: Written) -> None:
    written.refuse("Ann")
    written.refuse("Ben")
    assert [(line.request_id, line.refusals) for line in written.lines] == [("1", 1), ("2", 1)]


def test_a_flood_is_one_line_a_minute_with_its_number(written: Written) -> None:
    for _ in range(3):
        written.refuse("Ann", 20_000)
        written.clock.now += 60
    assert written.counts() == [1, 19_999, 20_000]
    assert [line.request_id for line in written.lines] == ["1", "20000", "40000"]
    written.log.flush()
    assert written.counts() == [1, 19_999, 20_000, 20_000]


def test_a_client_that_paused_is_written_at_once_again(written: Written) -> None:
    written.refuse("Ann", 5)
    for _ in range(3):
        written.clock.now += 60
        written.refuse("Ben")
    assert written.counts() == [1, 4, 1, 1, 1]
    written.refuse("Ann", 3)
    assert written.counts() == [1, 4, 1, 1, 1, 1]


def test_each_client_has_a_line_and_none_is_kept_for_ever(written: Written) -> None:
    for number in range(5 * CLIENTS):
        written.refuse(f"client {number}", 2)
    assert written.counts() == [1] * (CLIENTS + 1)
    written.log.flush()
    assert sum(line.refusals or 0 for line in written.lines) == 10 * CLIENTS
    assert len(written.lines) == 2 * (CLIENTS + 1)
    for _ in range(2):
        written.log.flush()
    written.refuse("client 499")
    assert written.lines[-1].refusals == 1


def test_counted_refusals_are_logged_later() -> None:
    lines: list[AccessRecord] = []
    log = RefusalLog(lines.append, seconds=0.05)
    for number in range(7):
        log.add("Ann", AccessRecord(str(number), "POST", ADJUDICATIONS, 429, 0.1))
    wait_until("all are told", lambda: sum(line.refusals or 0 for line in lines) == 7)


def test_a_server_writes_few_lines_for_many_refusals() -> None:
    limits: dict[str, Any] = {"RATE_STATELESS": 5, "RATE_LOOPBACK": 1}
    with serving(WORKERS=1, **limits) as server:
        statuses = [server.ask("POST", ADJUDICATIONS, ROLL_JSON).status for _ in range(200)]
        lines = [json.loads(line) for line in server.stop().splitlines()]
    refused = [line for line in lines if line.get("problem") == "rate-limited"]
    assert sum(line["refusals"] for line in refused) == statuses.count(429) > 100
    assert len(refused) < 20
    assert all(line["status"] == 429 and line["request_id"] for line in refused)
    known = {*AccessRecord._fields, "event", "level", "timestamp"}
    assert all(line.keys() <= known for line in refused), "nothing about the client"
