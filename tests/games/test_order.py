"""Equal questions get equal bytes in every process: no order depends on the hash seed."""

import os
import subprocess
import sys

import pytest

from tests.programs import ROOT, SOURCES

SEEDS = ("20261122", *(pytest.param(seed, marks=pytest.mark.long) for seed in ("1", "2")))

ASK = """
import hashlib
from dice_referee.app import create_app
from tests.games.sample import published_cases, sample

client = create_app().test_client()
wrong = {"zeta": 1, "alpha": 2, "options": {"omega": 1, "beta": 2, "target": "x"}, "player": -1}
for game, case in sample(published_cases()):
    for body in (case.request, {**case.request, **wrong}):
        answer = client.post(f"/v1/{game}/{case.resource}", json=body)
        digest = hashlib.sha256(answer.data).hexdigest()
        print(game, case.id, answer.status_code, digest)
claim = {"game": "go", "fairness": {"x": 1, "b": 2, "seed": 3}, "zeta": 1, "alpha": 2}
print(hashlib.sha256(client.post("/v1/fairness/verify", json=claim).data).hexdigest())
"""
"""Program that prints a digest of each answer to a case, plain and with wrong fields added."""


def answers(seed: str) -> list[str]:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(SOURCES)}
    run = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return [line for line in run.stdout.splitlines() if not line.startswith("{")]


@pytest.fixture(scope="module")
def reference_answers() -> list[str]:
    return answers("0")


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_answers_are_independent_of_the_hash_seed(seed: str, reference_answers: list[str]) -> None:
    assert answers(seed) == reference_answers
