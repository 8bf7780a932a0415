"""Changes to sessions: an event, an undo, a seed, another token, the end.

Every change takes the same steps in the same order: the session is there (404, 410), the token is
one of its own (401), the body has its shape (400), a known key gets its first answer (422 if it
was for something else), the seat may (403), the version is the client's (412), the game allows
it (409).
"""

from collections.abc import Callable, Mapping
from typing import Any

import orjson
from flask import Response, request

from service.api.claims import actor, bearer, check_key, check_version, digest, seat
from service.api.problems import Refused
from service.api.reading import accept, settings
from service.api.tables import ATTEMPTS, NOTHING, Tables, crowded, tagged, told
from service.http.message import JSON
from service.http.metrics import count_change
from service.rules.game import Game, Shape
from service.rules.verdict import Param
from service.sessions import play, tokens
from service.sessions.play import Actor, Change, Declined
from service.sessions.session import Session, Status, Thrower, encoded
from service.sessions.store import Damaged, Stale
from service.wire.fields import Ascii, closed

SEED = closed("SessionSeed", {"seed": Ascii(1, 64, required=True)})

Changing = Callable[[Game, Session, Any, Actor, int], Change]


class Changes(Tables):
    """The resources that change a session."""

    def act(self, session_id: str) -> Response:
        """An event of the game."""

        def shape(game: Game, session: Session) -> Shape:
            return game.asked if session.dice is Thrower.SERVICE else game.told

        return self._changed(session_id, "act", shape, play.act)

    def undo(self, session_id: str) -> Response:
        """The last event taken back."""

        def change(game: Game, session: Session, _: Any, who: Actor, now: int) -> Change:
            return play.undo(game, session, self.log(session_id, session.version), who, now)

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
        token = self.sources.new_token()

        def change(game: Game, session: Session, _: Any, who: Actor, now: int) -> Change:
            place = seat(number, session)
            return play.reissue(game, session, place, tokens.hashed(token), who, now)

        return self._changed(session_id, "", _nothing, change, {"seat_token": token})

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
            kept = self.read(session_id, name)
            game, session = self.opened(session_id, kept)
            who = actor(session, token)
            if not record:
                document = told(shape(game, session))
                check_key(key, taken=bool(kind))
                record = digest(kind, document)
            if kept.record is not None:
                return self._first_answer(game, session, kept.record, record)
            made = self._made(change, game, session, document, who)
            entry = orjson.dumps(made.entry)
            try:
                self.store.write(
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
            count_change(game.name, kind or "token")
            return _accepted(game, made.session, made.table, entry, secrets)
        raise crowded()

    def _made(
        self, change: Changing, game: Game, session: Session, document: Any, who: Actor
    ) -> Change:
        """The change, if the seat may, the client knows the version, and the game allows it."""
        try:
            made = change(game, session, document, who, self.sources.now())
        except Declined as declined:
            if declined.code != "forbidden":
                check_version(session)
            raise _declined(game, declined) from None
        check_version(session)
        limit = settings().session_events
        # A game that has no room left can still be given up, so that its seed comes out.
        if session.version >= limit and made.session.status is not Status.ABANDONED:
            raise Refused("session-full", "session-full", {"limit": limit})
        return made

    def _first_answer(self, game: Game, session: Session, kept: bytes, asked: bytes) -> Response:
        """The answer that was given under a key, made anew from the log."""
        if not kept.startswith(asked):
            raise Refused("idempotency-key-reused", "idempotency-key-reused")
        number = kept[len(asked) :]
        if not (number.isdigit() and len(number) < 10 and 1 <= int(number) <= session.version):
            raise Damaged(session.id)
        version = int(number)
        log = self.log(session.id, version)
        before, table = play.rebuilt(game, session, log)
        return _accepted(game, before, table, orjson.dumps(log[-1]), None)


def _nothing(*_: object) -> Shape:
    return NOTHING


def _accepted(
    game: Game, session: Session, table: Any, entry: bytes, secrets: Mapping[str, str] | None
) -> Response:
    content = {
        "accepted": orjson.Fragment(entry),
        "session": play.state(game, session, table),
        **(secrets or {}),
    }
    return tagged(orjson.dumps(content), session)


def _declined(game: Game, declined: Declined) -> Refused:
    findings = tuple(declined.findings)
    params: dict[str, Param] = {"count": len(findings)}
    return Refused(declined.code, declined.key, params, findings=findings, game=game.name)
