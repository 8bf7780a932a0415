"""Requests that two servers could read differently: nobody's answer becomes anybody else's.

Each case of ``raw.py`` is sent to what ``make run`` starts, and through nginx of ``deploy/``.
"""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from tests.e2e.attack.raw import CASES, Case, Statuses
from tests.e2e.deploy.stack import Stack
from tests.load.answers import said, statuses
from tests.load.watch import complaints
from tests.server.serving import Line, Server, request

AT_ONCE = 8
"""Cases that are sent at the same time: connections to the service behind nginx are shared."""


class Victims:
    """Clients who ask plain questions on the same servers, one in each thread."""

    def __init__(self, line: Line, closing: ExitStack) -> None:
        self._line, self._own, self._closing = line, threading.local(), closing

    def ask(self, name: str) -> None:
        """Whoever asks is answered, and gets the answer to what he asked."""
        if not hasattr(self._own, "wire"):
            self._own.wire = self._closing.enter_context(self._line.wire())
        wire = self._own.wire
        wire.send(request("GET", "/livez", None, f"X-Request-ID: {name}"))
        reply = wire.reply()
        assert (reply.status, reply.body) == (200, b'{"status":"ok"}')
        assert reply.headers["x-request-id"] == name


def judged(line: Line, victims: Victims, number: int, case: Case) -> tuple[str, Statuses, bytes]:
    answers = said(line.port, case.raw, quiet=5)
    victims.ask(f"victim-{number}")
    return case.name, statuses(answers, case.raw), answers


def sent_to(line: Line) -> list[tuple[str, Statuses, bytes]]:
    """Every case, and what was answered."""
    with ExitStack() as closing, ThreadPoolExecutor(AT_ONCE) as pool:
        victims = Victims(line, closing)
        sent = [pool.submit(judged, line, victims, *case) for case in enumerate(CASES)]
        return [one.result(60) for one in sent]


def test_what_make_run_starts_takes_no_body_for_a_request(server: Server) -> None:
    check(sent_to(server), {case.name: case.direct for case in CASES}, server)


def test_nginx_and_the_service_behind_it_see_the_same_requests(stack: Stack) -> None:
    check(sent_to(stack), {case.name: case.proxied for case in CASES}, *stack.services)


def check(
    sent: list[tuple[str, Statuses, bytes]], expected: dict[str, Statuses], *services: Server
) -> None:
    got = {name: found for name, found, _ in sent}
    assert got == expected
    assert not [name for name, _, answers in sent if b"smuggled" in answers]
    assert not {code for found in got.values() for code in found if code >= 500}
    refused = [answers for _, found, answers in sent if found and found[-1] >= 400]
    assert all(b"application/problem+json" in answers for answers in refused)
    time.sleep(0.5)  # answers are logged in bulk
    for service in services:
        log = service.log()
        assert '"request_id":"victim-' in log, "the log tells who has asked"
        assert complaints(log, ['"smuggled"']) == []
        assert len(service.workers()) == 2, "nobody has died"
