"""Request smuggling: no client receives the answer to another client's request.

Sends each case of ``raw.py`` to the server of ``make run`` and through nginx of ``deploy/``.
"""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial

from tests.e2e.attack.answers import read_answers, statuses
from tests.e2e.attack.raw import CASES, Case, Statuses
from tests.e2e.attack.watch import complaints
from tests.engines.servers import wait_until
from tests.engines.stack import Stack
from tests.wire import Line, Server, request

CONCURRENT = 8
"""Number of concurrent cases. nginx shares its connections to the service among clients."""


class Victims:
    """Honest clients of the same servers, each in its own thread."""

    def __init__(self, line: Line, closing: ExitStack) -> None:
        self._line, self._own, self._closing = line, threading.local(), closing

    def ask(self, name: str) -> None:
        """Sends a request and expects its own answer."""
        if not hasattr(self._own, "wire"):
            self._own.wire = self._closing.enter_context(self._line.wire())
        wire = self._own.wire
        wire.send(request("GET", "/livez", None, f"X-Request-ID: {name}"))
        reply = wire.reply()
        assert (reply.status, reply.body) == (200, b'{"status":"ok"}')
        assert reply.headers["x-request-id"] == name


def run_case(line: Line, victims: Victims, number: int, case: Case) -> tuple[str, Statuses, bytes]:
    answers = read_answers(line.port, case.raw, quiet=5)
    victims.ask(f"victim-{number}")
    return case.name, statuses(answers, case.raw), answers


def run_cases(line: Line) -> list[tuple[str, Statuses, bytes]]:
    """Sends every case and returns its name, statuses and answers."""
    with ExitStack() as closing, ThreadPoolExecutor(CONCURRENT) as pool:
        victims = Victims(line, closing)
        sent = [pool.submit(run_case, line, victims, *case) for case in enumerate(CASES)]
        return [future.result(60) for future in sent]


def test_make_run_never_parses_a_body_as_a_request(server: Server) -> None:
    check(run_cases(server), {case.name: case.direct for case in CASES}, server)


def test_nginx_and_the_service_parse_the_same_requests(stack: Stack) -> None:
    check(run_cases(stack), {case.name: case.proxied for case in CASES}, *stack.services)


def names_victims(service: Server) -> bool:
    log = service.log()
    return all(f'"request_id":"victim-{number}"' in log for number in range(len(CASES)))


def check(
    sent: list[tuple[str, Statuses, bytes]], expected: dict[str, Statuses], *services: Server
) -> None:
    got = {name: codes for name, codes, _ in sent}
    assert got == expected
    assert not [name for name, _, answers in sent if b"smuggled" in answers]
    assert not {code for codes in got.values() for code in codes if code >= 500}
    refused = [answers for _, codes, answers in sent if codes and codes[-1] >= 400]
    assert all(b"application/problem+json" in answers for answers in refused)
    for service in services:
        # The service logs answers in batches.
        wait_until("the log has every answer", partial(names_victims, service))
        log = service.log()
        assert complaints(log, ['"smuggled"']) == []
        assert len(service.workers()) == 2, "no worker has died"
