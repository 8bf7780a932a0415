"""Functions of the library, which answer a document with the document of the service."""

import json
from collections.abc import Callable
from typing import Any

import orjson

from dice_referee.api.i18n import LANGUAGES, rule_document, rulebook
from dice_referee.api.parsing import is_line, log_of_line, parse
from dice_referee.api.problems import ProblemError, invalid, refusal_problem, refuse_dear, unknown
from dice_referee.games import catalogue, verbs
from dice_referee.games import review as reviews
from dice_referee.games.game import AnyGame
from dice_referee.games.line import game_of_line
from dice_referee.games.schemas import RequestSchemas
from dice_referee.rulebook.errors import Unanswerable
from dice_referee.sentences import speech
from dice_referee.sentences.findings import finding_document
from dice_referee.sentences.problems import problem_lines
from dice_referee.settings import Settings
from dice_referee.validation.schema import RequestSchema

NESTING_LIMIT = Settings().nesting_limit
"""Maximum levels of lists and objects in a document."""

Document = dict[str, Any]


class _Refusal(ValueError):
    """The question has no answer. ``problem`` is the document with which HTTP refuses it."""

    def __init__(self, problem: Document, text: str) -> None:
        super().__init__(problem, text)
        self.problem = problem

    def __str__(self) -> str:
        return str(self.args[1])


class InvalidRequest(_Refusal):
    """The document has an invalid shape, or the game is unknown.

    >>> try:
    ...     adjudicate("tutto", {"card": "bonus-300", "roll": [7, 1, 1, 1, 1, 1]})
    ... except InvalidRequest as refusal:
    ...     refusal.errors[0]["pointer"], refusal.errors[0]["detail"]
    ('/roll/0', 'The value must be from 1 to 6.')
    """

    @property
    def errors(self) -> list[dict[str, str]]:
        """Every error, at most 50, with its ``pointer``, a ``code`` and a ``detail``."""
        return list(self.problem["errors"])


class ImpossiblePosition(_Refusal):
    """The position is impossible, its options contradict each other, or its odds are unknown.

    >>> try:
    ...     adjudicate("tutto", {"card": "bonus-300", "roll": [1, 2, 3]})
    ... except ImpossiblePosition as refusal:
    ...     [(finding["rule"], finding["pointer"]) for finding in refusal.findings]
    [('T1.1', '/roll')]
    """

    @property
    def findings(self) -> list[dict[str, str]]:
        """Every reason, with a ``code``, its ``rule``, a ``detail`` and a ``pointer``."""
        return list(self.problem["findings"])


def adjudicate(game: str, position: Document, *, language: str = "en") -> Document:
    """Returns everything that the dice of a position allow.

    >>> verdict = adjudicate("yatzee", {"roll": [1, 4, 4, 4, 5, 5], "rolls_made": 1})
    >>> {entry["category"]: entry["points"] for entry in verdict["categories"]}["house"]
    32
    """
    return _answer(game, position, language, lambda shapes: shapes.position, verbs.adjudication)


def transition(game: str, position: Document, *, language: str = "en") -> Document:
    """Returns the consequences of the ``event`` in a position, or every finding against it.

    >>> roll = {"card": "bonus-300", "roll": [1, 1, 5, 5, 5, 6]}
    >>> step = transition("tutto", {**roll, "event": {"type": "keep", "dice": [1, 6]}})
    >>> step["legal"], [(finding["code"], finding["rule"]) for finding in step["findings"]]
    (False, [('not-a-scoring-die', 'T2.2')])
    """
    return _answer(game, position, language, lambda shapes: shapes.transition, verbs.step)


def audit(game: str, log: Document | str, *, language: str = "en") -> Document:
    """Returns the state of the game of a ``log`` or of a line, up to its first illegal event.

    >>> events = [{"type": "roll", "dice": [5, 4, 1]}, {"type": "accept"}]
    >>> state = audit("pot", {"players": ["Ada", "Ben"], "log": events})
    >>> state["legal"], state["over"], state["player"]
    (True, False, 1)
    >>> audit("pot", "pot: Ada, Ben: 541 accept")["sheet"]
    [[3, 3]]
    """
    return _answer(game, log, language, lambda shapes: shapes.log, verbs.audit)


def odds(
    game: str,
    position: Document,
    *,
    bot: str | None = None,
    language: str = "en",
    span_limit: int | None = None,
) -> Document:
    """Returns the value of a position and of its choices. The first call takes up to 0.3 s.

    With ``bot``, a level, the answer also has the event that a bot of this level chooses. Win
    probabilities take longer the further the scores are apart. Raises InvalidRequest if a value
    table of the question covers more points than ``span_limit``.

    >>> roll = {"card": "bonus-300", "keeps": [[1], [2, 2, 2]], "roll": [1, 5]}
    >>> answer = odds("tutto", roll, bot="careful")
    >>> answer["choices"][answer["best"]]["event"]
    {'type': 'keep', 'dice': [1, 5]}
    >>> answer["bot"]
    {'level': 'careful', 'event': {'type': 'bank'}}
    """

    def verb(known: AnyGame, read: Document) -> Document:
        question, level = known.question_of(read), known.bot_of(read)
        if span_limit is not None:
            refuse_dear(known, known.questions(question, level), span_limit)
        return known.odds(question, level)

    # The service refuses a document that is not an object.
    asks = bot is not None and isinstance(position, dict)
    document = {**position, "bot": bot} if asks else position
    return _answer(game, document, language, lambda shapes: shapes.question, verb)


def review(
    game: str, log: Document | str, *, language: str = "en", span_limit: int | None = None
) -> Document:
    """Returns the loss of each decision of a ``log`` or a line, and each player's luck and play.

    ``span_limit`` limits each question of the review, as in ``odds``.

    >>> events = [{"type": "roll", "dice": [5, 4, 1]}, {"type": "accept"}]
    >>> [decision] = review("pot", {"players": ["Ada", "Ben"], "log": events})["decisions"]
    >>> decision["event"], decision["advice"]
    ({'type': 'accept', 'players': []}, {'type': 'roll', 'held': [4, 5]})
    """

    def verb(known: AnyGame, read: Document) -> Document:
        if span_limit is not None:
            refuse_dear(known, reviews.questions(known, read), span_limit)
        return reviews.review(known, read)

    return _answer(game, log, language, lambda shapes: shapes.log, verb)


def audit_line(line: str, *, language: str = "en") -> tuple[bool, str]:
    """Tells if every event of a line is legal, and the state of its game in sentences."""
    name = game_of_line(line)
    answer, game = audit(name, line, language=language), catalogue()[name]
    log = log_of_line(game, line)
    lines = speech.audit(
        game, log, verbs.audit(game, log), _choose_language(language, game.languages)
    )
    return answer["legal"], speech.text(lines).decode()


def rules(game: str, *, language: str = "en") -> Document:
    """Returns every rule of a game, in the order of the numbers.

    >>> first = rules("tutto")["rules"][0]
    >>> first["number"], first["status"], first["text"].split(".")[0]
    ('T1.1', 'official', 'The game uses six ordinary dice')
    """
    try:
        book = rulebook(_game(game).name)
    except ProblemError as error:
        raise InvalidRequest(*_describe(error, language)) from None
    lang = _choose_language(language, book.languages)
    numbers = [rule_document(book, number, lang) for number in book.rules]
    return _plain({"game": game, "rules": numbers}, None)


def _answer(
    game: str,
    document: Document | str,
    language: str,
    shape_of: Callable[[RequestSchemas], RequestSchema],
    verb: Callable[[AnyGame, Document], Document],
) -> Document:
    try:
        known = _game(game)
        shape = shape_of(known.schemas)
        is_log = shape is known.schemas.log
        read = _read({"line": document} if is_log and isinstance(document, str) else document)
        in_line = is_log and is_line(read)
        if errors := (known.schemas.line if in_line else shape).errors(read):
            raise invalid(errors)
        if in_line:
            read = log_of_line(known, read["line"])
        answer = verb(known, read)
    except ProblemError as error:
        raise InvalidRequest(*_describe(error, language)) from None
    except Unanswerable as error:
        raise ImpossiblePosition(*_describe(refusal_problem(error, game), language)) from None
    lang = _choose_language(language, rulebook(game).languages)
    return _plain(answer, lambda finding: finding_document(known, finding, lang))


def _plain(answer: Document, write: Callable[[Any], Document] | None) -> Document:
    plain: Document = orjson.loads(orjson.dumps(answer, default=write))
    return plain


def _game(game: str) -> AnyGame:
    """Raises TypeError and ProblemError."""
    games = catalogue()
    if not isinstance(game, str):
        raise TypeError(f"The game is a str, not {type(game).__name__}: {', '.join(games)}.")
    if game not in games:
        problem = unknown("no-such-game", game, games)
        problem.params = {**problem.params, "games": ", ".join(games)}
        raise problem
    return games[game]


def _read(document: Document | str) -> Any:
    """Parses the document like the service. Raises ProblemError."""
    try:
        raw = json.dumps(document, check_circular=False).encode()
    except RecursionError:
        raise ProblemError("malformed-json", "too-deep", {"limit": NESTING_LIMIT}) from None
    return parse(raw, NESTING_LIMIT)


def _describe(problem: ProblemError, language: str) -> tuple[Document, str]:
    offered = rulebook(problem.game).languages if problem.findings else LANGUAGES
    lang = _choose_language(language, offered)
    document = problem.document(lang)
    return document, "\n".join(problem_lines(document, lang))


def _choose_language(language: str, offered: tuple[str, ...]) -> str:
    return language if language in offered else "en"
