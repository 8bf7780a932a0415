"""Some thousand requests that were good once. A million of them: ``make soak``."""

import random

import pytest

from tests.load.fuzz import fuzz
from tests.load.mutations import SECRET, Mutator
from tests.load.watch import ProcessWatch, complaints, slope
from tests.server.serving import serving
from tests.unlimited import QUICK

NUMBER, SECONDS = 4000, 60.0


@pytest.mark.parametrize("seed", [6])
def test_thousands_of_requests_bring_nothing_down_and_nothing_out(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(**QUICK) as server, ProcessWatch(lambda: server, 0.5) as watch:
        counts = fuzz(server.port, NUMBER, seed, SECONDS)
        told = capsys.readouterr().out
        secrets = [SECRET, *told.rpartition('"secrets": [')[2].strip('"]}\n ').split('", "')]
        assert len(secrets) == 13, "three sessions, each with an id, a host and two seats"
        assert complaints(server.log(), secrets) == []
        assert watch.died() == []
    assert counts["200"] > NUMBER / 20
    assert counts["400"] > NUMBER / 10
    assert not counts["timeouts"]
    assert {code for code in counts if code[0] == "5"} <= {"503"}


def test_the_same_seed_is_the_same_requests() -> None:
    one, other = Mutator(3, []), Mutator(3, [])
    made = [(one.framed(), one.wild()) for _ in range(300)]
    assert made == [(other.framed(), other.wild()) for _ in range(300)]
    assert len({*made}) == 300


def test_what_is_looked_for_would_be_found() -> None:
    good = '{"request_id":"fuzzed","method":"GET","status":503}\n{"status":404}\n'
    assert complaints(good, [SECRET]) == []
    for bad in (
        '{"status":500}',
        '{"event":"fault"}',
        f'{{"route":"{SECRET}"}}',
        "Traceback (most",
    ):
        assert complaints(f"{good}{bad}\n", [SECRET]) == [bad]
    times = [random.Random(at).random() * 60 for at in range(50)]
    assert slope([(at, 1000 + round(2 * at * 1000)) for at in times]) == pytest.approx(120_000, 1)
    assert slope([(at, 1000) for at in times]) == 0
