"""Thousands of mutated valid requests. ``make soak`` sends a million."""

import pytest

from tests.load.fuzz import fuzz
from tests.load.mutations import SECRET
from tests.load.watch import ProcessWatch, complaints
from tests.unlimited import QUICK
from tests.wire import serving

NUMBER, SECONDS = 4000, 60.0


@pytest.mark.long
@pytest.mark.parametrize("seed", [6])
def test_fuzzed_requests_cause_no_500_and_no_leak(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(**QUICK) as server, ProcessWatch(lambda: server, 0.5) as watch:
        counts = fuzz(server.port, NUMBER, seed, SECONDS)
        output = capsys.readouterr().out
        secrets = [SECRET, *output.rpartition('"secrets": [')[2].strip('"]}\n ').split('", "')]
        assert len(secrets) == 13, "three sessions, each with an id, a host and two seats"
        assert complaints(server.log(), secrets) == []
        assert watch.died() == []
    assert counts["200"] > NUMBER / 20
    assert counts["400"] > NUMBER / 10
    assert not counts["timeouts"]
    assert {code for code in counts if code[0] == "5"} <= {"503"}
