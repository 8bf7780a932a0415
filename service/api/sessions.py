"""Sessions: games that the service remembers. Thin views: read, ask the session, keep, answer.

Every change takes the same steps in the same order: the session is there (404, 410), the token is
one of its own (401), the body has its shape (400), a known key gets its first answer (422 if it
was for something else), the seat may (403), the version is the client's (412), the game allows
it (409).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from time import time
from typing import Any, NamedTuple

import orjson
from flask import Flask, Response, request

from service.api.answering import fresh, problem, sent
from service.api.claims import (
    actor,
    bearer,
    check_key,
    check_version,
    digest,
    feed_query,
    seat,
    tag,
)
from service.api.problems import Refused, invalid, not_kept, unanswerable
from service.api.reading import accept, json_document, settings, shaped
from service.http.message import HELD, JSON, Answer, Held
from service.http.policy import UNCACHED, is_match
from service.rules.errors import Unanswerable
from service.rules.game import Game, Shape
from service.rules.verdict import Flaw, Param
from service.sessions import fairness, play, tokens
from service.sessions.bells import Listeners
from service.sessions.feed import BEGINNING, News, as_frames, as_json, news
from service.sessions.play import Actor, Change, Declined, Entry
from service.sessions.session import Session, Status, Thrower, decoded, encoded
from service.sessions.store import Damaged, Kept, Missing, Stale, Store, StoreError
from service.wire.fields import Ascii, Choice, closed

EVENT_STREAM = "text/event-stream"
ATTEMPTS = 20
"""How often a change is tried again because another one came before it."""

NOTHING = closed("Nothing", {})
SEED = closed("SessionSeed", {"seed": Ascii(1, 64, required=True)})


class Sources(NamedTuple):
    """What a session takes from outside; tests bring their own."""

    now: Callable[[], int] = lambda: round(time() * 1000)
    """Milliseconds since 1970."""
    new_id: Callable[[], str] = tokens.new_id
    new_token: Callable[[], str] = tokens.new_token
    new_seed: Callable[[], bytes] = fairness.new_seed


Changing = Callable[[Game, Session, Any, Actor, int], Change]


class Sessions:
    """The resources of sessions, on a store."""

    def __init__(
        self, games: Mapping[str, Game], listeners: Listeners | None, sources: Sources
    ) -> None:
        self._games, self._listeners, self._sources = games, listeners, sources
        self._own_fields = closed(
            "SessionRequest",
            {"game": Choice(*games, required=True), "dice": Choice(*Thrower)},
        )

    def add_to(self, app: Flask) -> None:
        """Serve them."""
        base = "/v1/sessions"
        for path, method, view in (
            ("", "POST", self.create),
            ("/<session_id>", "GET", self.show),
            ("/<session_id>", "DELETE", self.delete),
            ("/<session_id>/events", "POST", self.act),
            ("/<session_id>/events", "GET", self.events),
            ("/<session_id>/undo", "POST", self.undo),
            ("/<session_id>/seeds", "POST", self.add_seed),
            ("/<session_id>/abandon", "POST", self.abandon),
            ("/<session_id>/seats/<number>/token", "POST", self.reissue),
            ("/<session_id>/game", "GET", self.export),
        ):
            app.add_url_rule(base + path, f"sessions.{view.__name__}", view, methods=[method])
        app.register_error_handler(StoreError, lambda error: problem(not_kept(error)))

    @property
    def _feeds(self) -> Listeners:
        if self._listeners is None:
            raise Refused("sessions-away", "no-sessions", headers=(("Retry-After", "60"),))
        return self._listeners

    @property
    def _store(self) -> Store:
        return self._feeds.store

    # Looking ------------------------------------------------------------------------------------

    def _look(self, session_id: str) -> tuple[Game, Session]:
        return self._opened(session_id, self._read(session_id))

    def _read(self, session_id: str, key: str | None = None) -> Kept:
        store = self._store
        if not tokens.is_id(session_id):
            raise Missing(session_id)
        return store.read(session_id, key)

    def _opened(self, session_id: str, kept: Kept) -> tuple[Game, Session]:
        session = decoded(kept.document, session_id, kept.version)
        game = self._games.get(session.game)
        if game is None:
            raise Damaged(session_id)
        return game, session

    def _log(self, session_id: str, until: int) -> list[Entry]:
        """The log up to a version."""
        entries: list[Entry] = []
        while len(entries) < until:
            _, lines = self._store.log(session_id, len(entries), until - len(entries))
            if not lines or lines[0].version != len(entries) + 1:
                raise Damaged(session_id)
            entries += [play.entry_of(line, session_id) for line in lines]
        return entries

    def show(self, session_id: str) -> Response:
        """The session as it stands."""
        accept(JSON)
        game, session = self._look(session_id)
        if is_match(request.headers.get("If-None-Match"), tag(session)):
            return sent(Answer(304, (UNCACHED, ("ETag", tag(session))), b""))
        table = play.table_of(game, session)
        return _tagged(orjson.dumps(play.state(game, session, table)), session)

    def export(self, session_id: str) -> Response:
        """The game in the form that its audits take."""
        accept(JSON)
        _, session = self._look(session_id)
        log = self._log(session_id, session.version)
        return _tagged(orjson.dumps(play.exported(session, log)), session)

    def events(self, session_id: str) -> Response:
        """The log after a version: at once, when there is news, or as a stream."""
        accept(JSON, EVENT_STREAM)
        streamed = request.accept_mimetypes.best_match([JSON, EVENT_STREAM]) == EVENT_STREAM
        after, wait = feed_query()
        wait = min(wait, settings().wait_limit)
        held: Held | None = request.environ.get(HELD)
        if not tokens.is_id(session_id):
            raise Missing(session_id)
        if held is not None or streamed or not wait:
            found = news(self._store, session_id, after)
        else:
            found = self._feeds.wait(session_id, after, wait)
        if held is not None and (streamed or (wait and not (found.lines or found.reset))):
            held.hold(session_id, found.last, wait, streamed=streamed)
        return _fed(found, streamed=streamed)

    # Changing -----------------------------------------------------------------------------------

    def create(self) -> Response:
        """A new session, with its secrets."""
        accept(JSON)
        store, sources = self._store, self._sources
        document = json_document()
        if "Idempotency-Key" in request.headers:
            raise Refused("invalid-request", "key-not-taken")
        game, beginning, dice = self._begun(document)
        host = sources.new_token()
        seats = [sources.new_token() for _ in beginning["players"]]
        now, fair = sources.now(), dice is Thrower.SERVICE
        blank = Session(
            id=sources.new_id(),
            game=game.name,
            beginning=beginning,
            dice=dice,
            created_at=now,
            updated_at=now,
            ttl=settings().session_ttl,
            version=0,
            status=Status.RUNNING,
            player=0,
            table={},
            host=tokens.hashed(host),
            seats=tuple(map(tokens.hashed, seats)),
            seed=sources.new_seed() if fair else None,
            seeds=(None,) * len(seats) if fair else (),
        )
        try:
            session, table = play.begin(game, blank)
        except Unanswerable as error:
            raise unanswerable(game.name, error) from None
        store.create(session.id, encoded(session), session.ttl)
        content = {
            "session": play.state(game, session, table),
            "host_token": host,
            "seat_tokens": seats,
        }
        headers = (("Content-Type", JSON), UNCACHED, ("ETag", tag(session)))
        location = ("Location", f"/v1/sessions/{session.id}")
        return sent(Answer(201, (*headers, location), orjson.dumps(content)))

    def _begun(self, document: Any) -> tuple[Game, Mapping[str, Any], Thrower]:
        """Which game, with what beginning, on whose dice."""
        if not isinstance(document, dict):
            raise invalid([Flaw("wrong-type", "", {"expected": "object"})])
        own = {name: value for name, value in document.items() if name in ("game", "dice")}
        shaped(self._own_fields, own)
        game = self._games[own["game"]]
        told = {name: value for name, value in document.items() if name not in own}
        beginning = game.as_beginning(shaped(game.beginning, told))
        return game, beginning, Thrower(own.get("dice", Thrower.SERVICE))

    def act(self, session_id: str) -> Response:
        """An event of the game."""

        def shape(game: Game, session: Session) -> Shape:
            return game.asked if session.dice is Thrower.SERVICE else game.told

        return self._changed(session_id, "act", shape, play.act)

    def undo(self, session_id: str) -> Response:
        """The last event taken back."""

        def change(game: Game, session: Session, _: Any, who: Actor, now: int) -> Change:
            return play.undo(game, session, self._log(session_id, session.version), who, now)

        return self._changed(session_id, "undo", _nothing, change)

    def add_seed(self, session_id: str) -> Response:
        """A seat's text in the seed."""

        def change(game: Game, session: Session, body: Any, who: Actor, now: int) -> Change:
            return play.add_seed(game, session, body["seed"], who, now)

        return self._changed(session_id, "seed", lambda *_: SEED, change)

    def abandon(self, session_id: str) -> Response:
        """The game given up."""

        def change(game: Game, session: Session, _: Any, who: Actor, now: int) -> Change:
            return play.abandon(game, session, who, now)

        return self._changed(session_id, "abandon", _nothing, change)

    def reissue(self, session_id: str, number: str) -> Response:
        """Another token for a seat."""
        token = self._sources.new_token()

        def change(game: Game, session: Session, _: Any, who: Actor, now: int) -> Change:
            place = seat(number, session)
            return play.reissue(game, session, place, tokens.hashed(token), who, now)

        return self._changed(session_id, "", _nothing, change, {"seat_token": token})

    def delete(self, session_id: str) -> Response:
        """The session forgotten; its seed comes out."""
        accept(JSON)
        for _ in range(ATTEMPTS):
            game, session = self._look(session_id)
            if actor(session, bearer()).seat is not None:
                raise Refused("forbidden", "host-only")
            _document(NOTHING)
            check_version(session)
            if session.status is Status.RUNNING:
                ended = replace(session, status=Status.ABANDONED, player=None)
            else:
                ended = session
            proof = orjson.dumps(play.fairness(session, revealed=True))
            try:
                self._store.bury(session_id, session.version, proof, session.ttl)
            except Stale:
                continue
            state = play.state(game, ended, play.table_of(game, session))
            return _tagged(orjson.dumps({"session": state}), session)
        raise _crowded()

    def _changed(
        self,
        session_id: str,
        kind: str,
        shape: Callable[[Game, Session], Shape],
        change: Changing,
        secrets: Mapping[str, str] | None = None,
    ) -> Response:
        """Take the steps of a change; ``kind`` is what its keys are for, "" if it takes none."""
        accept(JSON)
        token, key = bearer(), request.headers.get("Idempotency-Key")
        name = None if key is None or not kind else f"{tokens.hashed(token or '')}:{key}"
        document: Any = None
        record = b""
        for _ in range(ATTEMPTS):
            kept = self._read(session_id, name)
            game, session = self._opened(session_id, kept)
            who = actor(session, token)
            if not record:
                document = _document(shape(game, session))
                check_key(key, taken=bool(kind))
                record = digest(kind, document)
            if kept.record is not None:
                return self._first_answer(game, session, kept.record, record)
            made = self._made(change, game, session, document, who)
            entry = orjson.dumps(made.entry)
            try:
                self._store.write(
                    session_id,
                    session.version,
                    encoded(made.session),
                    entry,
                    session.ttl,
                    name,
                    record + b"%d" % made.session.version if name else None,
                )
            except Stale:
                continue
            return _accepted(game, made.session, made.table, entry, secrets)
        raise _crowded()

    def _made(
        self, change: Changing, game: Game, session: Session, document: Any, who: Actor
    ) -> Change:
        """The change, if the seat may, the client knows the version, and the game allows it."""
        try:
            made = change(game, session, document, who, self._sources.now())
        except Declined as declined:
            if declined.code != "forbidden":
                check_version(session)
            raise _declined(game, declined) from None
        check_version(session)
        if session.version >= settings().session_events:
            raise Refused("session-full", "session-full", {"limit": settings().session_events})
        return made

    def _first_answer(self, game: Game, session: Session, kept: bytes, asked: bytes) -> Response:
        """The answer that was given under a key, made anew from the log."""
        if not kept.startswith(asked):
            raise Refused("idempotency-key-reused", "idempotency-key-reused")
        version = int(kept[len(asked) :])
        log = self._log(session.id, version)
        before, table = play.rebuilt(game, session, log)
        return _accepted(game, before, table, orjson.dumps(log[-1]), None)


def _nothing(*_: object) -> Shape:
    return NOTHING


def _document(shape: Shape) -> Any:
    """The body of a change. Where nothing is to be said there need not be one."""
    if shape is NOTHING and not request.environ.get("CONTENT_LENGTH"):
        return {}
    return shaped(shape, json_document())


def _tagged(content: bytes, session: Session) -> Response:
    headers = (("Content-Type", JSON), UNCACHED, ("ETag", tag(session)))
    return sent(Answer(200, headers, content))


def _accepted(
    game: Game, session: Session, table: Any, entry: bytes, secrets: Mapping[str, str] | None
) -> Response:
    content = {
        "accepted": orjson.Fragment(entry),
        "session": play.state(game, session, table),
        **(secrets or {}),
    }
    return _tagged(orjson.dumps(content), session)


def _fed(found: News, *, streamed: bool) -> Response:
    if not streamed:
        response = fresh(as_json(found))
    else:
        response = fresh(BEGINNING + as_frames(found), EVENT_STREAM)
    response.vary.add("Accept")
    return response


def _declined(game: Game, declined: Declined) -> Refused:
    findings = tuple(declined.findings)
    params: dict[str, Param] = {"count": len(findings)}
    return Refused(declined.code, declined.key, params, findings=findings, game=game.name)


def _crowded() -> Refused:
    """So many others changed the session meanwhile that the client had better come back."""
    return Refused("busy", "crowded-session", headers=(("Retry-After", "1"),))
