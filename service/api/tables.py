"""Sessions as the resources find them: opened from the store, checked, answered with their tag."""

from collections.abc import Callable, Mapping
from time import time
from typing import Any, NamedTuple

from flask import Response, request

from service.api.answering import sent
from service.api.claims import tag
from service.api.problems import Refused
from service.api.reading import about, json_document, shaped
from service.http.message import JSON, Answer
from service.http.policy import UNCACHED
from service.rules.game import Game, Shape
from service.sessions import fairness, play, tokens
from service.sessions.bells import Listeners
from service.sessions.feed import AT_ONCE
from service.sessions.log import Entry, entry_of
from service.sessions.session import Session, decoded
from service.sessions.store import Damaged, Kept, Missing, Store
from service.wire.fields import closed

ATTEMPTS = 20
"""How often a change is tried again because another one came before it."""

NOTHING = closed("Nothing", {})
"""The shape of a request that says all by its path."""


class Sources(NamedTuple):
    """What a session takes from outside; tests bring their own."""

    now: Callable[[], int] = lambda: round(time() * 1000)
    """Milliseconds since 1970."""
    new_id: Callable[[], str] = tokens.new_id
    new_token: Callable[[], str] = tokens.new_token
    new_seed: Callable[[], bytes] = fairness.new_seed


class Tables:
    """Where the sessions of every game are found. The methods raise StoreError."""

    def __init__(
        self, games: Mapping[str, Game], listeners: Listeners | None, sources: Sources
    ) -> None:
        self.games, self.sources = games, sources
        self._listeners = listeners

    @property
    def feeds(self) -> Listeners:
        """Who waits for news of sessions. Refuses where none are kept."""
        if self._listeners is None:
            raise Refused("sessions-away", "no-sessions", headers=(("Retry-After", "60"),))
        return self._listeners

    @property
    def store(self) -> Store:
        """Where sessions are kept."""
        return self.feeds.store

    def look(self, session_id: str) -> tuple[Game, Session]:
        """The session and its game."""
        return self.opened(session_id, self.read(session_id))

    def read(self, session_id: str, key: str | None = None) -> Kept:
        """What is kept of the session, and under an idempotency key."""
        store = self.store
        if not tokens.is_id(session_id):
            raise Missing(session_id)
        return store.read(session_id, key)

    def opened(self, session_id: str, kept: Kept) -> tuple[Game, Session]:
        """What is kept, as a session."""
        session = decoded(kept.document, session_id, kept.version)
        game = self.games.get(session.game)
        if game is None:
            raise Damaged(session_id)
        about(game, session.beginning)
        play.check(game, session)
        return game, session

    def log(self, session_id: str, until: int) -> list[Entry]:
        """The log up to a version."""
        entries: list[Entry] = []
        while len(entries) < until:
            most = min(until - len(entries), AT_ONCE)
            _, lines = self.store.log(session_id, len(entries), most)
            if not lines or lines[0].version != len(entries) + 1:
                raise Damaged(session_id)
            entries += [entry_of(line, session_id) for line in lines]
        return entries


def told(shape: Shape) -> Any:
    """The body of a change. Where nothing is to be said there need not be one."""
    if shape is NOTHING and not request.environ.get("CONTENT_LENGTH"):
        return {}
    return shaped(shape, json_document())


def tagged(content: bytes, session: Session) -> Response:
    """An answer about the session as it is in this version."""
    headers = (("Content-Type", JSON), UNCACHED, ("ETag", tag(session)))
    return sent(Answer(200, headers, content))


def crowded() -> Refused:
    """So many others changed the session meanwhile that the client had better come back."""
    return Refused("busy", "crowded-session", headers=(("Retry-After", "1"),))
