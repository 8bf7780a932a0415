"""Sessions, the games that the service stores: operations that begin, show and end them."""

import re
from collections.abc import Sequence
from functools import cache, partial
from typing import NamedTuple

import orjson
from flask import Blueprint

from dice_referee.api import session_access as access
from dice_referee.api.answers import TEXT_UTF8, text_answer
from dice_referee.api.documents import json_document, query_document, validate
from dice_referee.api.headers import is_match
from dice_referee.api.hosts import origin_of
from dice_referee.api.message import EVENT_STREAM, JSON, TEXT, Answer, Feed, Request, Rest
from dice_referee.api.negotiation import language, sentence_language
from dice_referee.api.operation import SPOKEN
from dice_referee.api.problems import ProblemError, invalid
from dice_referee.api.session_access import Opened, session_operation, session_view
from dice_referee.api.verdicts import prepare
from dice_referee.games import catalogue, most_players
from dice_referee.games.game import AnyGame
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.findings import MOST_ERRORS, SchemaError
from dice_referee.rulebook.game import Document
from dice_referee.sentences import speech
from dice_referee.sessions import play, replay, tokens, view
from dice_referee.sessions.feed import CONNECTED, PAGE_LINES, RETRY, FeedPage, numbers, read_feed
from dice_referee.sessions.session import DiceSource, Session, Status
from dice_referee.settings import Constants
from dice_referee.telemetry.metrics import count_change
from dice_referee.validation.fields import Boolean, Enumerated, Integer, ListOf
from dice_referee.validation.schema import Nested, RequestSchema, define
from dice_referee.voice import is_visible

blueprint = Blueprint("sessions", __name__, url_prefix="/v1/sessions")

UNREADABLE = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and characters that change the direction of the text after them."""

LEAST_IDLE, MOST_IDLE = 60, 604_800
"""Bounds of the seconds after which a seat counts as idle."""

FOLLOWER = {
    "after": Integer(0, 1_000_000_000),
    "lastEventId": Integer(0, 999_999_999),
    "state": Boolean(),
}
STREAM_QUERY = define("StreamQuery", FOLLOWER)


@cache
def session_request() -> RequestSchema:
    bot = {
        "seat": Integer(0, most_players() - 1, required=True),
        "level": Enumerated(*Level, required=True),
    }
    return define(
        "SessionRequest",
        {
            "game": Enumerated(*catalogue(), required=True),
            "dice": Enumerated(*DiceSource),
            "odds": Boolean(),
            "idle_seconds": Integer(LEAST_IDLE, MOST_IDLE),
            "bots": ListOf(Nested(define("Bot", bot))),
        },
    )


class FeedQuery(NamedTuple):
    after: int
    wait: int
    """Seconds that a long poll waits."""
    until: int | None
    """Last version of an answer in sentences."""
    state: bool


@cache
def feed_query() -> RequestSchema:
    own = {"until": Integer(0, 1_000_000_000), "wait": Integer(0, Constants().wait_limit)}
    return define("FeedQuery", {**FOLLOWER, **own, "seat": access.seat_field()})


@session_operation(blueprint, "POST", "", offers=SPOKEN)
def create_session(request: Request) -> Answer | Rest:
    """Begins a session, and returns its secrets, which are shown only once."""
    access.store_of(request)
    document = json_document(request)
    access.check_key(request, taken=False)
    own = document
    if isinstance(document, dict):
        own = {name: value for name, value in document.items() if name in session_request().fields}
    game = catalogue()[validate(session_request(), own)["game"]]
    setup = {name: value for name, value in document.items() if name not in own}
    validate(game.schemas.setup, setup)
    request.note(game, setup)
    rest = partial(_create, request, game, setup, own)
    levels = (bot["level"] for bot in own.get("bots", ()))
    return rest if access.lack_tables(game, setup, levels) else rest()


def _create(request: Request, game: AnyGame, setup: Document, own: Document) -> Answer:
    setup = game.normalized_setup(setup)
    _check_names(setup["players"])
    _check_bots(own, len(setup["players"]))
    dice = DiceSource(own.get("dice", DiceSource.SERVICE))
    services = request.services
    host = services.new_token()
    seats = [services.new_token() for _ in setup["players"]]
    now, fair = services.now(), dice is DiceSource.SERVICE
    blank = Session(
        id=access.store_of(request).choose_id(services.new_id),
        game=game.name,
        setup=setup,
        dice=dice,
        created_at=now,
        updated_at=now,
        ttl=services.settings.session_ttl,
        host=tokens.token_hash(host),
        seats=tuple(map(tokens.token_hash, seats)),
        seed=services.new_seed() if fair else None,
        seeds=(None,) * len(seats) if fair else (),
        odds=own.get("odds", True),
        bots=_bots(game, setup, own),
        idle_seconds=own.get("idle_seconds"),
    )
    begun = play.begin(game, blank, access.bots(request, game))
    session = begun.session
    limit = access.create(request, begun)
    count_change(game.name, "create")
    content = {
        "session": view.session_document(game, session, begun.state),
        "host_token": host,
        "seat_tokens": seats,
    }
    headers = (("ETag", f'"{session.version}"'), ("Location", f"/v1/sessions/{session.id}"))
    if lang := sentence_language(request, game.languages):
        command = _next_command(content, origin_of(request))
        lines = [*speech.created(game, content, lang), "", command]
        return text_answer(lines, lang, status=201, headers=headers, limit=limit)
    return Answer(orjson.dumps(content), 201, headers=headers, limit=limit)


def _next_command(created: Document, origin: str) -> str:
    state = created["session"]
    address, accept = f"{origin}/v1/sessions/{state['id']}", "-H 'Accept: text/plain'"
    if state["dice"] == DiceSource.CLIENT:
        return f"curl {address} {accept}"
    token, event = created["seat_tokens"][state["player"]], state["legal_events"][0]
    fields = f"-H 'Authorization: Bearer {token}' -H 'Content-Type: application/json'"
    return f'curl {address}/events {fields} {accept} -d \'{{"type": "{event}"}}\''


def _check_names(names: Sequence[str]) -> None:
    """Refuses names that break or redirect the text around them, and invisible names."""
    errors = [
        SchemaError("unreadable-name", f"/players/{seat}")
        for seat, name in enumerate(names)
        if UNREADABLE.search(name) or not is_visible(name)
    ]
    if errors:
        raise invalid(errors)


def _check_bots(own: Document, players: int) -> None:
    """Refuses bots without a seat of their own, without the service's dice, or among themselves."""
    bots, errors, taken = own.get("bots", []), list[SchemaError](), set[int]()
    for index, bot in enumerate(bots):
        at, seat = f"/bots/{index}/seat", bot["seat"]
        if seat >= players:
            errors.append(SchemaError("out-of-range", at, {"minimum": 0, "maximum": players - 1}))
        elif seat in taken:
            errors.append(SchemaError("repeated-seat", at))
        taken.add(seat)
        if len(errors) == MOST_ERRORS:
            break
    if bots and own.get("dice") == DiceSource.CLIENT:
        errors.append(SchemaError("bots-need-dice", "/dice"))
    if not errors and len(taken) == players:
        errors.append(SchemaError("no-person", "/bots"))
    if errors:
        count = {"count": len(errors)}
        raise ProblemError("contradictory-options", "contradictory-seats", count, tuple(errors))


def _bots(game: AnyGame, setup: Document, own: Document) -> tuple[str | None, ...]:
    bots = own.get("bots", [])
    levels = {bot["seat"]: game.bot_level(setup, Level(bot["level"])).value for bot in bots}
    return tuple(map(levels.get, range(len(setup["players"])))) if levels else ()


@session_view(blueprint, "GET", "/<session_id>", offers=SPOKEN)
def show_session(opened: Opened) -> Answer:
    request, game, session = opened.request, opened.game, opened.session
    seat, lang = opened.listener(), sentence_language(request, game.languages)
    tag = opened.tag(lang, seat)
    if is_match(request.header(b"if-none-match"), tag):
        # Only the version is needed.
        return Answer(etag=tag)
    state = view.session_document(game, session, opened.state)
    if lang:
        return text_answer(speech.session(game, state, seat, lang), lang, headers=(("ETag", tag),))
    return opened.answer(state)


@session_view(blueprint, "GET", "/<session_id>/game", is_long=Opened.has_long_log)
def export_game(opened: Opened) -> Answer:
    """Exports the game in the form that its audits read."""
    request, game, session = opened.request, opened.game, opened.session
    if is_match(request.header(b"if-none-match"), opened.tag()):
        return Answer(etag=opened.tag())
    return opened.answer(replay.export(game, session, opened.log()))


@session_view(blueprint, "GET", "/<session_id>/odds", offers=SPOKEN)
def show_odds(opened: Opened) -> Answer | Rest:
    request, game, session = opened.request, opened.game, opened.session
    seat, lang = opened.listener(), sentence_language(request, game.languages)
    if not session.odds:
        raise ProblemError("forbidden", "odds-forbidden")
    aim = query_document(request, game.schemas.aim, "aim").get("aim")
    tag = opened.tag(lang, seat)
    if is_match(request.header(b"if-none-match"), tag):
        return Answer(etag=tag)
    # Without the log, which needs the same tables.
    short = replay.question(game, session, tuple, aim)

    def rest() -> Answer:
        prepare(request, game, short)
        question = replay.question(game, session, opened.log, aim)
        answer = game.odds(question)
        if lang:
            lines = speech.odds(game, question, answer, lang, session.players, seat)
            return text_answer(lines, lang, headers=(("ETag", tag),))
        return opened.answer(answer)

    reads_log = session.dice is DiceSource.CLIENT and opened.has_long_log()
    return rest if reads_log or not game.is_prepared(short) else rest()


@session_operation(blueprint, "GET", "/<session_id>/events", offers=(JSON, EVENT_STREAM, TEXT))
def list_events(request: Request) -> Answer | Rest:
    """Lists the log after a version: at once, as a long poll, or as a stream."""
    query = _feed_query(request, feed_query())
    if request.accepted == EVENT_STREAM:
        return _stream(request, query)
    # A HEAD request does not wait.
    limit = request.services.settings.wait_limit
    wait = 0 if request.method == "HEAD" else min(query.wait, limit)
    if request.accepted == TEXT:
        after, until = query.after, query.until
        view = partial(_log_in_sentences, after=after, wait=wait, until=until)
        is_long = partial(Opened.has_long_log, after=after, until=until)
        return access.open_for(view, is_long, request)
    page = _page(request, query)
    feed, with_state = None, query.state
    if wait and not page.is_news:
        id = access.id_of(request)
        feed = Feed(
            id, page.last, wait, streamed=False, with_state=with_state, connected=page.connected
        )
    return Answer(page.json(with_state=with_state), feed=feed)


@session_operation(blueprint, "GET", "/<session_id>/stream", offers=(EVENT_STREAM,))
def follow_session(request: Request) -> Answer:
    return _stream(request, _feed_query(request, STREAM_QUERY))


def _stream(request: Request, query: FeedQuery) -> Answer:
    token = access.bearer(request)
    seat = None if token is None else _connected_seat(request)
    page, with_state = _page(request, query), query.state
    connected = tuple(sorted({*page.connected, *([] if seat is None else [seat])}))
    feed = None
    if request.method != "HEAD":
        feed = Feed(
            access.id_of(request),
            page.last,
            0,
            streamed=True,
            behind=not page.is_complete,
            with_state=with_state,
            connected=connected,
            holder=None if token is None else tokens.token_hash(token),
            seat=seat,
            check=None if token is None else partial(_connected_seat, request),
        )
    body = RETRY + page.frames(with_state=with_state) + CONNECTED % numbers(connected)
    return Answer(body, media_type=EVENT_STREAM, feed=feed)


def _connected_seat(request: Request) -> int | None:
    """Returns the seat that the request's token connects, or None for the host and a bot's seat.

    Raises ProblemError for a void token, and StoreError.
    """
    opened = access.open_session(request)
    seat, bots = opened.actor().seat, opened.session.bots
    return None if seat is None or (bots and bots[seat]) else seat


def _feed_query(request: Request, shape: RequestSchema) -> FeedQuery:
    document = query_document(request, shape)
    # The last event that a reconnecting client has seen overrides its original start.
    after = document.get("lastEventId", document.get("after", 0))
    # An empty header means no event (WHATWG HTML, 9.2).
    if seen := request.header(b"last-event-id"):
        if not (seen.isascii() and seen.isdecimal() and len(seen) < 10):
            raise ProblemError("invalid-request", "bad-last-event-id")
        after = int(seen)
    return FeedQuery(
        after, document.get("wait", 0), document.get("until"), document.get("state", False)
    )


def _page(request: Request, query: FeedQuery) -> FeedPage:
    store, id = access.store_of(request), access.id_of(request)
    page = read_feed(store, id, query.after, with_state=query.state)
    if not page.lines:
        # The session alone tells if this release can read the log.
        access.open_session(request)
    request.bill.read(len(page.lines))
    return page


def _log_in_sentences(opened: Opened, after: int, wait: int, until: int | None) -> Answer:
    """Lists the log after a version in sentences, and describes the session after it.

    With ``until`` it lists only the entries up to that version.
    """
    request, session = opened.request, opened.session
    lang = language(request, opened.game.languages)
    last = session.version if until is None else min(until, session.version)
    if until is not None:
        body = _entries(opened, after, last, lang)
        return Answer(body, media_type=TEXT_UTF8, language=lang)

    def news() -> bytes:
        return _sentences(access.open_session(request), after, lang)

    waits = wait and session.version == after
    feed = Feed(session.id, after, wait, streamed=False, late_body=news) if waits else None
    body = _sentences(opened, after, lang)
    # News has a later version, which the headers, sent first, cannot contain.
    headers = () if feed else (("ETag", opened.tag(lang, opened.listener())),)
    return Answer(body, media_type=TEXT_UTF8, language=lang, feed=feed, headers=headers)


def _sentences(opened: Opened, after: int, lang: str) -> bytes:
    """Returns the sentences since a version, of the last page. Raises StoreError."""
    game, session = opened.game, opened.session
    after = min(max(after, session.version - PAGE_LINES), session.version)
    listener, entries = opened.listener(), opened.log(after)
    state = view.session_document(game, session, opened.state)
    return speech.text(speech.events(game, state, entries, listener, lang))


def _entries(opened: Opened, after: int, until: int, lang: str) -> bytes:
    game, session = opened.game, opened.session
    after = min(max(after, until - PAGE_LINES), until)
    listener, entries = opened.listener(), opened.log(after, until)
    return speech.text(speech.entries(game, session.players, entries, listener, lang))


@session_view(blueprint, "DELETE", "/<session_id>")
def delete_session(opened: Opened) -> Answer:
    """Deletes the session and reveals its seed."""

    def attempt(now: Opened) -> Answer:
        game, session = now.game, now.session
        if not now.actor().hosts:
            raise ProblemError("forbidden", "host-only")
        now.body()
        now.check_version()
        ended = session.abandon() if session.status is Status.RUNNING else session
        state = view.session_document(game, ended, now.state)
        proof = orjson.dumps(view.fairness(session, revealed=True))
        now.store.delete(session.id, session.version, proof, session.seconds)
        count_change(game.name, "delete")
        return now.answer({"session": state})

    return opened.until_written(attempt)
