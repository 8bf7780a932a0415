"""Cost of an answer about the whole card of Yatzee."""

from random import Random
from statistics import median
from time import process_time
from typing import Any

import orjson

from dice_referee.games.yatzee.categories import CATEGORIES, Category
from dice_referee.games.yatzee.documents import scorecard_document
from dice_referee.games.yatzee.game import GAME
from dice_referee.games.yatzee.rulesets import THROWS, YATZEE_SIX
from dice_referee.games.yatzee.scoring import SIX, face_values
from dice_referee.rulebook.dice import FACES

POSITIONS = 300
"""Number of different cards, each before or after a roll of the turn."""


def cpu_against_categories(rounds: int) -> float:
    """Returns the median ratio of CPU time with the aim `game` to that with the default aim."""
    documents = _documents(Random(15))
    game_documents = [{**document, "aim": "game"} for document in documents]
    for warming in (documents, game_documents):
        _seconds(warming[:10])
    return median(_seconds(game_documents) / _seconds(documents) for _ in range(rounds))


def milliseconds_of_last_pairs() -> float:
    """Returns the median CPU time of the first answer about two open lower categories.

    The pairs share no category, so none finds the values of another in a cache.
    """
    lower = [category for category in CATEGORIES if not category.is_upper]
    pairs = zip(lower[::2], lower[1::2], strict=True)
    return 1000 * median(_seconds([_last_pair(*pair)]) for pair in pairs)


def _last_pair(*pair: Category) -> dict[str, Any]:
    filled = {category.value: 0 for category in CATEGORIES if category not in pair}
    return {"aim": "game", "scorecard": filled}


def _seconds(documents: list[dict[str, Any]]) -> float:
    since = process_time()
    for document in documents:
        orjson.dumps(GAME.odds(GAME.question_of(document)))
    return process_time() - since


def _documents(chance: Random) -> list[dict[str, Any]]:
    return [_document(number, chance) for number in range(POSITIONS)]


def _document(number: int, chance: Random) -> dict[str, Any]:
    card: list[int | None] = [None] * len(CATEGORIES)
    for place in chance.sample(range(len(CATEGORIES)), number % len(CATEGORIES)):
        values = face_values(CATEGORIES[place], YATZEE_SIX.distinct_faces)
        card[place] = chance.choice([0, *sorted(values)])
    document: dict[str, Any] = {"scorecard": scorecard_document(tuple(card))}
    if throw := number % (THROWS + 1):
        document |= {"dice": chance.choices(FACES, k=SIX), "throw": throw}
    return document
