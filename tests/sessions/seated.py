"""Sessions without a store or a server, as ``dice_referee.sessions.play`` begins them."""

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import orjson

from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.sessions import play, view
from dice_referee.sessions.change import Actor, Change, LastEvent
from dice_referee.sessions.log import Entry
from dice_referee.sessions.session import DiceSource, Session, Status, decode, encode
from dice_referee.sessions.tokens import token_hash
from tests.sessions.player import BEGINNINGS, choose
from tests.tools.spoken import last_event, unprepared

HOST = Actor(None)
SEED = bytes(range(32))
NOW = 1_700_000_000_000
QUICK = {**BEGINNINGS, "pot": {"options": {"target": 6}}}
"""Setups of short games, by game."""


class Sitting(NamedTuple):
    """A session, the state of its game and its log."""

    game: AnyGame
    session: Session
    game_state: Any
    log: tuple[Entry, ...] = ()

    @property
    def state(self) -> dict[str, Any]:
        """Returns the public state."""
        return view.session_document(self.game, self.session, self.game_state)

    @property
    def by_chance(self) -> bool:
        """Tells if chance decided the last event."""
        return self.log[-1]["event"]["type"] in self.game.chance_events

    def begins(self) -> "Sitting":
        """Makes the first draw or roll."""
        return self.act(choose(self.state, Random(1)))

    def add(self, text: str, seat: int = 0) -> "Sitting":
        """Adds the text of a seat to the seed."""
        body = {"seed": text}
        return self.after(
            play.add_seed(self.game, self.session, lambda: self.log, body, Actor(seat), NOW)
        )

    def abandon(self) -> "Sitting":
        return self.after(play.abandon(self.game, self.session, HOST, NOW + 5))

    def act(self, event: dict[str, Any]) -> "Sitting":
        """Plays the event as the host."""
        return self.after(
            play.act(self.game, self.session, event, HOST, NOW + len(self.log), unprepared)
        )

    def undo(self, actor: Actor = HOST) -> "Sitting":
        return self.after(
            play.undo(self.game, self.session, self.last_event, actor, NOW, unprepared)
        )

    def last_event(self) -> LastEvent | None:
        """Returns the last kept event."""
        return last_event(self.game, self.session, self.log)

    def after(self, change: Change) -> "Sitting":
        return Sitting(
            self.game,
            stored(change.session),
            change.state,
            (*self.log, *read(change.entry, *change.following)),
        )


def stored(session: Session) -> Session:
    """Returns the session as a store returns it."""
    return decode(encode(session), session.id, session.version)


def read(*entries: Entry) -> tuple[Entry, ...]:
    """Reads entries of a log as a store returns them."""
    return tuple(orjson.loads(orjson.dumps(entries)))


def sit_down(name: str, players: Sequence[str] = ("Ann", "Ben"), **more: Any) -> Sitting:
    """Begins a session. By default the service rolls the dice."""
    game = catalogue()[name]
    setup = game.normalized_setup({**QUICK[name], "players": list(players)})
    dice = more.setdefault("dice", DiceSource.SERVICE)
    served = dice is DiceSource.SERVICE
    fields: dict[str, Any] = {
        "id": "a" * 22,
        "game": name,
        "setup": setup,
        "created_at": NOW,
        "updated_at": NOW,
        "ttl": 3600,
        "host": token_hash("host"),
        "seats": tuple(map(token_hash, players)),
        "seed": SEED if served else None,
        "seeds": (None,) * len(players) if served else (),
    }
    session, state, log = play.begin(game, Session(**{**fields, **more}), unprepared)
    return Sitting(game, stored(session), state, read(*log))


def played(sitting: Sitting, random: Random) -> Sitting:
    """Plays a game to its end with random choices."""
    while sitting.session.status is Status.RUNNING:
        sitting = sitting.act(choose(sitting.state, random))
    return sitting


def chosen(name: str, status: Status) -> tuple[Sitting, Sitting]:
    """Returns a session before and after a decision that leads to this status."""
    for seed in range(50):
        random, sitting = Random(seed), sit_down(name, seed=bytes([seed]) * 32)
        while sitting.session.status is Status.RUNNING:
            before, sitting = sitting, sitting.act(choose(sitting.state, random))
            if sitting.session.status is status and not sitting.by_chance:
                return before, sitting
    raise AssertionError(f"no decision of {name} leaves a session {status}")
