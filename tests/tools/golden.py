"""Digests of answers: all cases, variations of their rolls, every verb, sentences in a language.

Each game has a file ``golden.txt`` with a line for each question: its name and the digest of all
its answers. ``make generate`` writes the files. A refactoring leaves them as they are.
"""

import hashlib
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import orjson

from dice_referee.games import catalogue, verbs
from dice_referee.games.cases import case_table
from dice_referee.games.comparison import compare
from dice_referee.games.game import AnyGame
from dice_referee.games.review import review
from dice_referee.rulebook.errors import Unanswerable
from dice_referee.rulebook.game import Document
from dice_referee.sentences import report, speech
from dice_referee.validation.schema import Shape

GAMES = Path(__file__).resolve().parents[1] / "games"
LANGUAGES = ("en", "de", "fr", "it")
VARIATIONS = 12
"""Number of further rolls for each position of a case."""
PLACES = 9
"""Decimal places of a number that is not whole. Versions of Python sum floats differently."""

Answer = Callable[[AnyGame, Document, str], Any]
"""Answers a document. Its last argument is the language of sentences."""


def _adjudication(game: AnyGame, document: Document, lang: str) -> Any:
    _, answers = game.adjudicate_all([document])
    return [
        verbs.adjudication(game, document),
        answers.decode(),
        speech.adjudication(game, document, lang),
    ]


def _transition(game: AnyGame, document: Document, lang: str) -> Any:
    answer = verbs.step(game, document)
    return [answer, speech.transition(game, document, answer, lang)]


def _odds(game: AnyGame, document: Document, lang: str) -> Any:
    question = game.question_of(document)
    answer = game.odds(question, game.bot_of(document))
    return [answer, speech.odds(game, question, answer, lang)]


def _comparison(game: AnyGame, document: Document, lang: str) -> Any:
    answer = compare(game, document)
    return [answer, report.comparison(game, document, answer, lang)]


def _audit(game: AnyGame, document: Document, lang: str) -> Any:
    answer = verbs.audit(game, document)
    return [answer, speech.audit(game, document, answer, lang)]


def _review(game: AnyGame, document: Document, lang: str) -> Any:
    answer = review(game, document)
    return [answer, report.review(game, document, answer, lang)]


def questions(game: AnyGame) -> Iterator[tuple[str, Answer, Document]]:
    """Yields the questions about a game: a name, its verb and its document."""
    schemas, rng = game.schemas, Random(5)
    faces = sorted({str(face): face for die in game.dice for face in die}.items())
    for case in case_table(game.name).cases:
        document = case.request
        if _fits(schemas.transition, document):
            yield f"{case.id} transition", _transition, document
        if _fits(schemas.log, document):
            yield f"{case.id} audit", _audit, document
            yield f"{case.id} review", _review, document
        for verb, answer, schema in (
            ("comparison", _comparison, schemas.compared_roll),
            ("comparison", _comparison, schemas.compared_event),
        ):
            if case.resource == "comparisons" and _fits(schema, document):
                yield f"{case.id} {verb}", answer, document
        for number, varied in enumerate(_variations(document, faces, rng)):
            for verb, answer, schema in (
                ("adjudication", _adjudication, schemas.position),
                ("odds", _odds, schemas.question),
            ):
                if _fits(schema, varied):
                    yield f"{case.id}/{number} {verb}", answer, varied


def _fits(shape: Shape, document: Document) -> bool:
    """Tells if the document has the shape. A turn that is over has the shape of no position."""
    try:
        return not shape.errors(document)
    except Unanswerable:
        return False


def _variations(
    document: Document, faces: list[tuple[str, Any]], rng: Random
) -> Iterator[Document]:
    """Yields the document, and the same with other dice on the table."""
    yield document
    if isinstance(dice := document.get("roll"), list):
        for _ in range(VARIATIONS):
            yield {**document, "roll": [rng.choice(faces)[1] for _ in dice]}


def lines(game: AnyGame) -> Iterator[str]:
    """Yields a line for each question about the game. A refusal is an answer by its findings."""
    for number, (name, answer, document) in enumerate(questions(game)):
        try:
            content = answer(game, document, LANGUAGES[number % len(LANGUAGES)])
        except Unanswerable as refusal:
            content = list(refusal.findings)
        text = orjson.dumps(_rounded(content), option=orjson.OPT_SORT_KEYS)
        yield f"{name} {hashlib.sha256(text).hexdigest()[:8]}"


def _rounded(value: Any) -> Any:
    """Returns an answer as JSON, with numbers of ``PLACES`` decimal places."""
    if isinstance(value, float) and math.isfinite(value):
        # The sum makes 0 of -0.
        return round(value, PLACES) + 0.0
    if isinstance(value, dict):
        return {str(name): _rounded(item) for name, item in value.items()}
    if hasattr(value, "_asdict"):
        return _rounded(value._asdict())
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value


def path_of(game: AnyGame) -> Path:
    """Returns the file with the digests of a game."""
    return GAMES / game.name / "golden.txt"


if __name__ == "__main__":
    for each in catalogue().values():
        path_of(each).write_text("\n".join(lines(each)) + "\n", "utf-8")
