"""Validation of requests: a document of the right shape, or a problem that explains its errors."""

from codecs import BOM_UTF8
from collections.abc import Callable
from typing import Any

from dice_referee.api.message import JSON, Request
from dice_referee.api.negotiation import media_type
from dice_referee.api.parsing import parse
from dice_referee.api.problems import ProblemError, invalid
from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.games.schemas import RequestSchemas
from dice_referee.validation.query import read_query
from dice_referee.validation.schema import RequestSchema, Shape

LISTS_PER_ENTRY, COMMAS_PER_ENTRY = 16, 64
"""Maximum lists and objects, and commas, of a position or event. Every shape has fewer."""
SPARE_ENTRIES = 100
"""Number of positions or events whose parts a body may have in addition, for names and errors."""
COUNTED_AT_A_TIME = 1 << 16
"""Bytes counted at a time. Other threads run between two parts."""


ShapeOf = Callable[[RequestSchemas, Any], RequestSchema]
"""Chooses the shape of a body from all shapes of a game. Query strings do not matter."""


def body_of(request: Request, limit: int, entries: int) -> bytes:
    """Returns the whole body without its byte order mark.

    Refuses more than ``limit`` bytes, or more parts than ``entries`` positions or events have.
    """
    content, size = request.body
    if size > limit or size > len(content):
        raise ProblemError("too-large", "body-too-large", {"limit": limit})
    check_contents(content, entries)
    # Editors of Windows add it and do not show it (RFC 8259, 8.1).
    return content.removeprefix(BOM_UTF8)


def check_contents(raw: bytes, entries: int) -> None:
    """Refuses a body with more parts than ``entries`` positions or events have, before parsing.

    Brackets in texts count too, so ``SPARE_ENTRIES`` exceed the brackets in names.
    """
    entries += SPARE_ENTRIES
    lists, values = entries * LISTS_PER_ENTRY, entries * COMMAS_PER_ENTRY
    if len(raw) <= lists:
        return
    for start in range(0, len(raw), COUNTED_AT_A_TIME):
        part = raw[start : start + COUNTED_AT_A_TIME]
        lists -= part.count(b"[") + part.count(b"{")
        values -= part.count(b",") + part.count(b"\n")
        if lists < 0 or values < 0:
            raise ProblemError("too-large", "too-many-values")


def json_document(request: Request, entries: int = 1) -> Any:
    """Parses the JSON body of a request, with at most ``entries`` positions or events."""
    media_type(request, JSON)
    settings = request.services.settings
    return parse(body_of(request, settings.body_limit, entries), settings.nesting_limit)


def check_number(document: object, name: str, key: str, limit: int) -> None:
    """Refuses a document with too long a list of this name. ``key`` selects the detail."""
    items = document.get(name) if isinstance(document, dict) else None
    if isinstance(items, list) and len(items) > limit:
        raise ProblemError("too-large", key, {"limit": limit})


def validate(shape: Shape, document: Any) -> Any:
    errors = shape.errors(document)
    if errors:
        raise invalid(errors)
    return document


def game_of(request: Request) -> AnyGame:
    return catalogue()[request.parameters["game"]]


def game_document(request: Request, game: AnyGame, shape_of: ShapeOf) -> Any:
    if request.method != "POST":
        return query_document(request, shape_of(game.schemas, None))
    document = json_document(request)
    return validate(shape_of(game.schemas, document), document)


def query_document(request: Request, shape: RequestSchema, *names: str) -> Any:
    """Reads the query string as a document of this shape.

    With ``names`` it ignores other parameters.
    """
    document, errors = read_query(request.query, shape, names)
    if errors:
        raise invalid(errors)
    return document
