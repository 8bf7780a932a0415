"""What everybody may see of a session."""

from typing import Any

from service.games.base import Game
from service.sessions.fairness import SCHEME, commitment
from service.sessions.log import timestamp
from service.sessions.session import Session, Status


def state(game: Game, session: Session, table: Any) -> dict[str, Any]:
    """The session as everybody may see it: no order of cards, no seed before the end, no token."""
    standing = game.standing(table)
    if session.status is Status.ABANDONED:
        standing |= {"player": None, "turn": None, "legal_events": [], "adjudication": None}
    return {
        "id": session.id,
        "game": session.game,
        **game.ruleset_fields_of(session.setup),
        "players": session.setup["players"],
        "dice": session.dice,
        "odds": session.odds,
        "bots": [
            {"seat": seat, "level": level} for seat, level in enumerate(session.bots) if level
        ],
        "rematch": session.rematch,
        "status": session.status,
        "version": session.version,
        "created_at": timestamp(session.created_at),
        "updated_at": timestamp(session.updated_at),
        "expires_at": timestamp(session.expires_at),
        **standing,
        "fairness": fairness(session, revealed=session.status is not Status.RUNNING),
    }


def fairness(session: Session, *, revealed: bool) -> dict[str, Any] | None:
    """What the dice of a session are to be checked by; None where people throw."""
    if session.seed is None:
        return None
    return {
        "scheme": SCHEME,
        "commitment": commitment(session.seed),
        "seeds": session.seeds,
        "draws": session.draws,
        "seed": session.seed.hex() if revealed else None,
    }
