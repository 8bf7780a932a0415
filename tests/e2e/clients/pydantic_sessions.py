"""Plays a session of each game through the pydantic models of datamodel-code-generator."""

import sys
from typing import TypeAlias, assert_never

import httpx
from models import (
    PostedPotAcceptEvent,
    PostedPotRollEvent,
    PostedTuttoBankEvent,
    PostedTuttoDrawEvent,
    PostedTuttoKeepEvent,
    PostedTuttoRollEvent,
    PostedYatzeeRollEvent,
    PostedYatzeeStrikeEvent,
    PostedYatzeeWriteEvent,
    PotAdjudication,
    PotAudit,
    PotOptions,
    PotSession,
    PotSessionGame,
    PotSessionRequest,
    SessionChanged,
    SessionCreated,
    SessionDrawEvent,
    SessionEntry,
    SessionLog,
    SessionRollEvent,
    TuttoAdjudication,
    TuttoAudit,
    TuttoDrawTurn,
    TuttoKeepTurn,
    TuttoOptions,
    TuttoRollTurn,
    TuttoSession,
    TuttoSessionGame,
    TuttoSessionRequest,
    YatzeeAdjudication,
    YatzeeAudit,
    YatzeeChooseTurn,
    YatzeeRollTurn,
    YatzeeSession,
    YatzeeSessionGame,
    YatzeeSessionRequest,
)
from pydantic import BaseModel

Session: TypeAlias = TuttoSession | YatzeeSession | PotSession

PLAYERS = ["Ada", "Ben"]
GAMES = (
    TuttoSessionRequest(players=PLAYERS, options=TuttoOptions(target=1000)),
    YatzeeSessionRequest(players=PLAYERS),
    PotSessionRequest(players=PLAYERS, options=PotOptions(target=6)),
)
referee = httpx.Client(base_url=sys.argv[1])


def get(path: str) -> bytes:
    return referee.get(path).raise_for_status().content


def post(path: str, body: BaseModel, **headers: str) -> bytes:
    document = body.model_dump(exclude_none=True, by_alias=True)
    return referee.post(path, json=document, headers=headers).raise_for_status().content


def move(session: Session) -> BaseModel:
    """Returns a legal move."""
    match session:
        case TuttoSession(turn=TuttoDrawTurn()):
            return PostedTuttoDrawEvent()
        case TuttoSession(turn=TuttoRollTurn()):
            return PostedTuttoRollEvent()
        case TuttoSession(turn=TuttoKeepTurn(), adjudication=TuttoAdjudication() as verdict):
            if "bank" in session.legal_events:
                return PostedTuttoBankEvent()
            return PostedTuttoKeepEvent(dice=verdict.legal_keeps[0].dice)
        case YatzeeSession(turn=YatzeeRollTurn()):
            return PostedYatzeeRollEvent()
        case YatzeeSession(turn=YatzeeChooseTurn(), adjudication=YatzeeAdjudication() as card):
            free = [entry for entry in card.categories if entry.open]
            satisfied = [entry.category for entry in free if entry.satisfied]
            if satisfied:
                return PostedYatzeeWriteEvent(category=satisfied[0])
            return PostedYatzeeStrikeEvent(category=free[0].category)
        case PotSession(adjudication=PotAdjudication() as dice) if "accept" in session.legal_events:
            return PostedPotAcceptEvent(players=dice.choices[0].players)
        case PotSession():
            return PostedPotRollEvent()
    raise TypeError(session)


def judge_again(session: Session) -> None:
    """Sends the turn of a session back, and expects the session's verdict."""
    if session.adjudication is not None:
        assert session.turn is not None
        verdict = post(f"/v1/{session.game}/adjudications", session.turn)
        assert type(session.adjudication).model_validate_json(verdict) == session.adjudication


def is_legal(session: Session) -> bool:
    """Tells if the audit of the exported game finds no illegal event."""
    game, at = get(f"/v1/sessions/{session.id}/game"), f"/v1/{session.game}/audits"
    match session:
        case TuttoSession():
            answer = post(at, TuttoSessionGame.model_validate_json(game))
            return TuttoAudit.model_validate_json(answer).legal
        case YatzeeSession():
            answer = post(at, YatzeeSessionGame.model_validate_json(game))
            return YatzeeAudit.model_validate_json(answer).legal
        case PotSession():
            answer = post(at, PotSessionGame.model_validate_json(game))
            return PotAudit.model_validate_json(answer).legal
        case _:
            assert_never(session)


def ending(session: Session) -> list[int]:
    """Returns the points or coins of every player."""
    match session:
        case TuttoSession():
            return session.table.scores
        case YatzeeSession():
            return [totals.total for totals in session.table.totals]
        case PotSession():
            return session.table.coins
        case _:
            assert_never(session)


def line(entry: SessionEntry) -> str:
    """Describes an entry by the fields of its type."""
    event = entry.event
    if isinstance(event, SessionDrawEvent):
        return event.card
    if isinstance(event, SessionRollEvent):
        return "".join(str(die) for die in event.dice)
    raise TypeError(event)


for begun in GAMES:
    created = SessionCreated.model_validate_json(post("/v1/sessions", begun))
    now: Session = created.session
    while now.player is not None:
        judge_again(now)
        token = f"Bearer {created.seat_tokens[now.player]}"
        version = {"If-Match": f'"{now.version}"'}
        answer = post(f"/v1/sessions/{now.id}/events", move(now), Authorization=token, **version)
        now = SessionChanged.model_validate_json(answer).session
    assert is_legal(now)
    log = SessionLog.model_validate_json(get(f"/v1/sessions/{now.id}/events"))
    result = ",".join(map(str, ending(now)))
    print(f"{now.game}: {now.status}, {len(log.events)} entries, {line(log.events[0])}, {result}")
