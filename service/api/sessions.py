"""Sessions: games that the service remembers. Thin views: read, ask the session, answer."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import orjson
from flask import Flask, Response, request

from service.api.answering import fresh, problem, sent
from service.api.changes import Changes
from service.api.claims import actor, bearer, check_version, feed_query, tag
from service.api.problems import Refused, invalid, not_kept, sessions_full, unanswerable
from service.api.reading import about, accept, json_document, preferred, settings, shaped
from service.api.tables import ATTEMPTS, NOTHING, Sources, Tables, crowded, tagged, told
from service.http.message import HELD, JSON, Answer, Held
from service.http.metrics import count_change
from service.http.policy import UNCACHED, is_match
from service.rules.errors import Unanswerable
from service.rules.game import Game
from service.rules.verdict import Flaw
from service.sessions import play, tokens
from service.sessions.bells import Listeners
from service.sessions.feed import BEGINNING, News, as_frames, as_json, news
from service.sessions.session import Session, Status, Thrower, encoded
from service.sessions.store import Missing, Stale, StoreError
from service.wire.fields import Choice, RequestSchema, closed

EVENT_STREAM = "text/event-stream"


def add_sessions(
    app: Flask, games: Mapping[str, Game], listeners: Listeners | None, sources: Sources
) -> None:
    """The resources of sessions; without a store to listen to they answer 503."""
    tables, base = Sessions(games, listeners, sources), "/v1/sessions"
    changes = Changes(games, listeners, sources)
    for path, method, view in (
        ("", "POST", tables.create),
        ("/<session_id>", "GET", tables.show),
        ("/<session_id>", "DELETE", tables.delete),
        ("/<session_id>/events", "GET", tables.events),
        ("/<session_id>/game", "GET", tables.export),
        ("/<session_id>/events", "POST", changes.act),
        ("/<session_id>/undo", "POST", changes.undo),
        ("/<session_id>/seeds", "POST", changes.add_seed),
        ("/<session_id>/abandon", "POST", changes.abandon),
        ("/<session_id>/seats/<number>/token", "POST", changes.reissue),
    ):
        app.add_url_rule(base + path, f"sessions.{view.__name__}", view, methods=[method])
    app.register_error_handler(StoreError, lambda error: problem(not_kept(error)))


def own_fields(games: Iterable[str]) -> RequestSchema:
    """What a request for a session has besides the beginning of its game."""
    choices = {"game": Choice(*games, required=True), "dice": Choice(*Thrower)}
    return closed("SessionRequest", choices)


class Sessions(Tables):
    """The resources that begin, show and end sessions."""

    def create(self) -> Response:
        """A new session, with its secrets."""
        accept(JSON)
        store, sources, most = self.store, self.sources, settings().sessions_limit
        # How many there are is known from a while ago; that nobody knows is no reason to refuse.
        if (store.census() or 0) >= most:
            raise sessions_full(most)
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
        count_change(game.name, "create")
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
        shaped(own_fields(self.games), own)
        game = self.games[own["game"]]
        told = {name: value for name, value in document.items() if name not in own}
        beginning = game.as_beginning(about(game, shaped(game.beginning, told)))
        return game, beginning, Thrower(own.get("dice", Thrower.SERVICE))

    def show(self, session_id: str) -> Response:
        """The session as it stands."""
        accept(JSON)
        game, session = self.look(session_id)
        if is_match(request.headers.get("If-None-Match"), tag(session)):
            return sent(Answer(304, (UNCACHED, ("ETag", tag(session))), b""))
        table = play.table_of(game, session)
        return tagged(orjson.dumps(play.state(game, session, table)), session)

    def export(self, session_id: str) -> Response:
        """The game in the form that its audits take."""
        accept(JSON)
        _, session = self.look(session_id)
        log = self.log(session_id, session.version)
        return tagged(orjson.dumps(play.exported(session, log)), session)

    def events(self, session_id: str) -> Response:
        """The log after a version: at once, when there is news, or as a stream."""
        accept(JSON, EVENT_STREAM)
        streamed = preferred(JSON, EVENT_STREAM) == EVENT_STREAM
        after, wait = feed_query()
        # Who asks for the head alone wants no news.
        wait = 0 if request.method == "HEAD" else min(wait, settings().wait_limit)
        held: Held | None = request.environ.get(HELD)
        if not tokens.is_id(session_id):
            raise Missing(session_id)
        if held is not None or streamed or not wait:
            found = news(self.store, session_id, after)
        else:
            found = self.feeds.wait(session_id, after, wait)
        if held is not None and (streamed or (wait and not (found.lines or found.reset))):
            held.hold(session_id, found.last, wait, streamed=streamed)
        return _fed(found, streamed=streamed)

    def delete(self, session_id: str) -> Response:
        """The session forgotten; its seed comes out."""
        accept(JSON)
        for _ in range(ATTEMPTS):
            game, session = self.look(session_id)
            if actor(session, bearer()).seat is not None:
                raise Refused("forbidden", "host-only")
            told(NOTHING)
            check_version(session)
            if session.status is Status.RUNNING:
                ended = replace(session, status=Status.ABANDONED, player=None)
            else:
                ended = session
            # Made before anything is done: a session that cannot be read is left as it is.
            state = play.state(game, ended, play.table_of(game, session))
            proof = orjson.dumps(play.fairness(session, revealed=True))
            try:
                self.store.bury(session_id, session.version, proof, session.ttl)
            except Stale:
                continue
            count_change(game.name, "delete")
            return tagged(orjson.dumps({"session": state}), session)
        raise crowded()


def _fed(found: News, *, streamed: bool) -> Response:
    if not streamed:
        response = fresh(as_json(found))
    else:
        response = fresh(BEGINNING + as_frames(found), EVENT_STREAM)
    response.vary.add("Accept")
    return response
