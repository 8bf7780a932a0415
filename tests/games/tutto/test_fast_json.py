"""The quick text of an adjudication is the document that ``answers.py`` describes."""

from random import Random

import orjson
import pytest

from service.games.tutto import fast_json
from service.games.tutto.answers import adjudication
from service.games.tutto.wire import GAME
from tests.games.tutto.table import random_position


@pytest.mark.parametrize("seed", range(300))
def test_both_forms_agree(seed: int) -> None:
    document = random_position(Random(seed))
    position = GAME.position_of(document)
    plain = adjudication(position)
    pieces: list[str] = []
    assert fast_json.add_adjudication(position, pieces) == plain["status"]
    assert "".join(pieces) == orjson.dumps(plain).decode()
