"""Public view of a session."""

from typing import Any

import orjson

from dice_referee.games.fields import ruleset_fields
from dice_referee.games.game import AnyGame
from dice_referee.games.verbs import public_state
from dice_referee.rulebook.game import AnyState
from dice_referee.sessions.fairness import SCHEME, commitment
from dice_referee.sessions.log import timestamp
from dice_referee.sessions.replay import opened
from dice_referee.sessions.session import Session, Status
from dice_referee.sessions.store import Store


def session_document(game: AnyGame, session: Session, state: AnyState) -> dict[str, Any]:
    """Returns the public state of a session, without card order, tokens or an unrevealed seed."""
    document = public_state(game, state)
    if session.status is Status.ABANDONED:
        document |= {"player": None, "turn": None, "legal_events": [], "adjudication": None}
    return {
        "id": session.id,
        "game": session.game,
        **ruleset_fields(game.rules_of(session.setup)),
        "players": session.setup["players"],
        "starter": session.starter,
        "dice": session.dice,
        "odds": session.odds,
        "bots": [
            {"seat": seat, "level": level} for seat, level in enumerate(session.bots) if level
        ],
        "idle_seconds": session.idle_seconds,
        "host_seat": session.host_seat,
        "rematch": session.rematch,
        "status": session.status,
        "version": session.version,
        "created_at": timestamp(session.created_at),
        "updated_at": timestamp(session.updated_at),
        "expires_at": timestamp(session.expires_at),
        **document,
        "fairness": fairness(session, revealed=session.status is not Status.RUNNING),
    }


def read_state(store: Store, session_id: str) -> tuple[int, bytes]:
    """Reads the present version of a session, and its public state in JSON. Raises StoreError."""
    game, session, state = opened(store.read(session_id), session_id)
    return session.version, orjson.dumps(session_document(game, session, state))


def fairness(session: Session, *, revealed: bool) -> dict[str, Any] | None:
    """Returns the proof of a session's dice, or None if people roll."""
    if session.seed is None:
        return None
    return {
        "scheme": SCHEME,
        "commitment": commitment(session.seed),
        "seeds": session.seeds,
        "draws": session.draws,
        "seed": session.seed.hex() if revealed else None,
    }
