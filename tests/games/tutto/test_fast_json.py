"""The fast serializer of an adjudication agrees with ``documents.py``."""

from random import Random

import orjson

from dice_referee.games.tutto import fast_json
from dice_referee.games.tutto.game import GAME
from tests.games.tutto.random_games import random_position


def test_fast_and_plain_json_agree() -> None:
    for seed in range(300):
        document = random_position(Random(seed))
        position = GAME.position_of(document)
        plain = GAME.adjudication(position)
        text = orjson.dumps(plain)
        status = plain["status"]
        assert fast_json.adjudications([position]) == ([status], text), document
        double = [status] * 2, text + b"," + text
        assert fast_json.adjudications([position] * 2) == double, document
