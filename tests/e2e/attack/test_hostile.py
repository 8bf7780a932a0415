"""Slow and hostile clients for some seconds hardly affect honest clients.

``make test-long`` runs no other test at the same time.
"""

from collections.abc import Iterator

import pytest

from tests.e2e.attack.crowd import DEAF, HALF_BODIES, HALF_HEADERS
from tests.e2e.attack.siege import siege
from tests.engines.stack import Stack
from tests.wire import Line, Server, serving

pytestmark = pytest.mark.long

SECONDS = 5
ATTEMPTS = 3
"""Attempts to meet the bound, since other load on the machine may spoil an attempt."""


@pytest.fixture(params=["make run", "deploy"])
def line(request: pytest.FixtureRequest) -> Iterator[Line]:
    """Starts a service with default settings, or two services behind nginx."""
    if request.param == "make run":
        with serving() as server:
            yield server
    else:
        with Stack(instances=2) as stack:
            yield stack


def test_thousand_slow_clients_do_not_delay_honest_clients(line: Line, server: Server) -> None:
    sieges = []
    for _ in range(ATTEMPTS):
        sieges.append(siege(line.port, server.port, SECONDS))
        if sieges[-1].is_held:
            break
    assert sieges[-1].is_held, "\n".join(map(str, sieges))
    crowd = sieges[-1].crowd
    assert crowd["half a header"] >= HALF_HEADERS
    assert crowd["half a body"] >= HALF_BODIES
    assert crowd["deaf"] >= DEAF
