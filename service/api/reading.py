"""From a request to a document of the right shape, or a refusal that says what is wrong."""

from typing import Any

from flask import current_app, request
from werkzeug.datastructures import MIMEAccept
from werkzeug.exceptions import RequestEntityTooLarge

from service.api.problems import Refused, invalid
from service.http.message import GAME, JSON, RULESET
from service.rules.game import Game, Shape
from service.rules.verdict import Param
from service.settings import Settings
from service.wire.body import NotJson, depth, read_json
from service.wire.query import read_query

NDJSON = "application/x-ndjson"


def settings() -> Settings:
    """The settings of the running application."""
    found: Settings = current_app.settings  # type: ignore[attr-defined]
    return found


def media_type(*offered: str) -> str:
    """The body's media type, one of those offered; charset, where given, must be UTF-8."""
    plain: str | None = request.environ.get("CONTENT_TYPE")
    if plain in offered:
        return plain
    expected = ", ".join(offered)
    if not plain:
        raise Refused("unsupported-media-type", "missing-content-type", {"expected": expected})
    if request.mimetype not in offered:
        raise Refused("unsupported-media-type", "unsupported-media-type", {"expected": expected})
    if request.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise Refused("unsupported-media-type", "unsupported-charset")
    return request.mimetype


def accept(*offered: str) -> None:
    """Refuse a client that takes none of the media types on offer, parameters aside."""
    if "HTTP_ACCEPT" in request.environ:
        preferred(*offered)


def preferred(*offered: str) -> str:
    """The media type on offer that the client likes best, the first one if it does not say."""
    ranges = [(value.partition(";")[0], q) for value, q in request.accept_mimetypes]
    if not ranges:
        return offered[0]
    best = MIMEAccept(ranges).best_match(offered)
    if best is None:
        raise Refused("not-acceptable", "not-acceptable", {"offered": ", ".join(offered)})
    return best


def body(limit: int) -> bytes:
    """The body, whole. Refuses more than ``limit`` bytes, told or counted, and broken chunks."""
    environ = request.environ
    told = environ.get("CONTENT_LENGTH", "")
    length = int(told[:12]) if told.isdecimal() else 0
    # One byte more than the limit: whatever comes in chunks is cut there silently.
    request.max_content_length = limit + 1
    too_large = Refused("too-large", "body-too-large", {"limit": limit})
    if length > limit:
        raise too_large
    try:
        # The server hands over what was told and no more; less is a client that has left.
        stream = environ["wsgi.input"]
        raw: bytes = stream.read(length) if length else request.get_data(cache=False)
    except RequestEntityTooLarge:
        raise too_large from None
    except OSError:
        # gunicorn raises its own kinds of OSError for malformed chunks while the body is read.
        raise Refused("bad-request", "bad-request") from None
    if len(raw) < length:
        raise Refused("bad-request", "bad-request")
    if len(raw) > limit:
        raise too_large
    return raw


def parsed(raw: bytes, limit: int) -> Any:
    """The JSON of a body or of one of its lines."""
    try:
        document = read_json(raw)
    except NotJson as error:
        where: dict[str, Param] = {"line": error.line, "column": error.column, "limit": limit}
        raise Refused("malformed-json", error.code, where) from None
    # Without so many brackets nothing can be nested too deeply, and nothing need be walked.
    if raw.count(b"[") + raw.count(b"{") > limit and depth(document) > limit:
        raise Refused("malformed-json", "too-deep", {"limit": limit})
    return document


def shaped(shape: Shape, document: Any) -> Any:
    """The document, if it is of the shape."""
    flaws = shape.flaws(document)
    if flaws:
        raise invalid(flaws)
    return document


def about(game: Game, document: Any) -> Any:
    """The document, of which the log may now say that it is about this game and its ruleset."""
    environ = request.environ
    environ[GAME] = game.name
    environ[RULESET] = document.get("ruleset", game.default_ruleset)
    return document


def json_document() -> Any:
    """The JSON body of this request, its shape not judged yet."""
    media_type(JSON)
    return parsed(body(settings().body_limit), settings().nesting_limit)


def query_document(game: Game) -> Any:
    """The position that the query string of a GET form stands for."""
    document, flaws = read_query(request.query_string, game.query, game.option_readers)
    named = {flaw.pointer for flaw in flaws}
    flaws += [flaw for flaw in game.position.flaws(document) if flaw.pointer not in named]
    if flaws:
        raise invalid(flaws)
    return document
