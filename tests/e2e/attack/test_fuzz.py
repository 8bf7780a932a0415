"""Thousands of mutated valid requests. ``make soak`` sends many more."""

import pytest

from tests.e2e.attack.fuzz import fuzz
from tests.e2e.attack.mutations import SECRET, sessions
from tests.e2e.attack.watch import ProcessWatch, complaints
from tests.unlimited import QUICK
from tests.wire import serving

NUMBER, SECONDS = 4000, 60.0


@pytest.mark.long
def test_fuzzed_requests_cause_no_500_and_no_leak() -> None:
    with serving(**QUICK) as server, ProcessWatch(lambda: server, 0.5) as watch:
        counts, _, secrets = fuzz(server.port, sessions(server.port, 3), NUMBER, 6, SECONDS)
        assert len(secrets) == 12, "three sessions, each with an id, a host and two seats"
        assert complaints(server.log(), [SECRET, *secrets]) == []
        assert watch.died() == []
    assert counts["200"] > NUMBER / 20
    assert counts["400"] > NUMBER / 10
    assert not counts["timeouts"]
    assert {code for code in counts if code[0] == "5"} <= {"503"}
