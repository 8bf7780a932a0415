"""Plays a session of each game to its end with the service's dice."""

import sys
from collections.abc import Sequence
from typing import TypeAlias, assert_never

from dice_referee_client import AuthenticatedClient, Client
from dice_referee_client.api.pot import adjudicate_pot, audit_pot
from dice_referee_client.api.sessions import (
    add_event,
    create_session,
    get_session_game,
    get_session_log,
)
from dice_referee_client.api.tutto import adjudicate_tutto, audit_tutto
from dice_referee_client.api.yatzee import adjudicate_yatzee, audit_yatzee
from dice_referee_client.models import (
    PostedPotAcceptEvent,
    PostedPotRollEvent,
    PostedTuttoBankEvent,
    PostedTuttoDrawEvent,
    PostedTuttoKeepEvent,
    PostedTuttoRollEvent,
    PostedYatzeeRollEvent,
    PostedYatzeeStrikeEvent,
    PostedYatzeeWriteEvent,
    PotAudit,
    PotChooseTurn,
    PotEventType,
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
    TuttoAudit,
    TuttoDrawTurn,
    TuttoEventType,
    TuttoKeepTurn,
    TuttoOptions,
    TuttoRollTurn,
    TuttoSession,
    TuttoSessionGame,
    TuttoSessionRequest,
    YatzeeAudit,
    YatzeeChooseTurn,
    YatzeeSession,
    YatzeeSessionGame,
    YatzeeSessionRequest,
)

Session: TypeAlias = TuttoSession | YatzeeSession | PotSession
TuttoMove: TypeAlias = (
    PostedTuttoDrawEvent | PostedTuttoRollEvent | PostedTuttoKeepEvent | PostedTuttoBankEvent
)
YatzeeMove: TypeAlias = PostedYatzeeRollEvent | PostedYatzeeWriteEvent | PostedYatzeeStrikeEvent
PotMove: TypeAlias = PostedPotRollEvent | PostedPotAcceptEvent

PLAYERS = ["Ada", "Ben"]
GAMES: Sequence[TuttoSessionRequest | YatzeeSessionRequest | PotSessionRequest] = (
    TuttoSessionRequest(PLAYERS, options=TuttoOptions(target=1000)),
    YatzeeSessionRequest(PLAYERS),
    PotSessionRequest(PLAYERS, options=PotOptions(target=6)),
)


def tutto_move(session: TuttoSession) -> TuttoMove:
    """Banks as soon as it is legal."""
    match session.turn:
        case TuttoDrawTurn():
            return PostedTuttoDrawEvent()
        case TuttoRollTurn():
            return PostedTuttoRollEvent()
        case TuttoKeepTurn() if TuttoEventType.BANK in session.legal_events:
            return PostedTuttoBankEvent()
        case TuttoKeepTurn():
            assert session.adjudication is not None
            return PostedTuttoKeepEvent(session.adjudication.legal_keeps[0].dice)
        case None:
            raise TypeError(session)
        case _:
            assert_never(session.turn)


def yatzee_move(session: YatzeeSession) -> YatzeeMove:
    """Scores the first category that the dice satisfy, otherwise crosses out a category."""
    if session.adjudication is None:
        return PostedYatzeeRollEvent()
    free = [entry for entry in session.adjudication.categories if entry.open_]
    satisfied = [entry.category for entry in free if entry.satisfied]
    return (
        PostedYatzeeWriteEvent(satisfied[0])
        if satisfied
        else PostedYatzeeStrikeEvent(free[0].category)
    )


def pot_move(session: PotSession) -> PotMove:
    """Accepts the first choice, if any."""
    if session.adjudication is None or PotEventType.ACCEPT not in session.legal_events:
        return PostedPotRollEvent()
    return PostedPotAcceptEvent(players=session.adjudication.choices[0].players)


def move(session: Session) -> TuttoMove | YatzeeMove | PotMove:
    """Returns a legal move."""
    match session:
        case TuttoSession():
            return tutto_move(session)
        case YatzeeSession():
            return yatzee_move(session)
        case PotSession():
            return pot_move(session)
        case _:
            assert_never(session)


def ending(session: Session) -> list[int]:
    """Returns the points or coins of every player."""
    match session:
        case TuttoSession():
            return list(session.table.scores)
        case YatzeeSession():
            return [totals.total for totals in session.table.totals]
        case PotSession():
            return list(session.table.coins)
        case _:
            assert_never(session)


def line(entry: SessionEntry) -> str:
    """Describes an entry by the fields of its type."""
    event = entry.event
    if isinstance(event, SessionDrawEvent):
        return f"{event.card}"
    if isinstance(event, SessionRollEvent):
        return "".join(map(str, event.dice))
    raise TypeError(event)


def judge_again(session: Session) -> None:
    """Sends the turn of a session back, and expects the session's verdict."""
    client = Client(sys.argv[1])
    if session.adjudication is None:
        return
    assert session.turn is not None
    match session:
        case TuttoSession(turn=TuttoKeepTurn() as turn):
            assert adjudicate_tutto.sync(client=client, body=turn) == session.adjudication
        case YatzeeSession(turn=YatzeeChooseTurn() as turn):
            assert adjudicate_yatzee.sync(client=client, body=turn) == session.adjudication
        case PotSession(turn=PotChooseTurn() as turn):
            assert adjudicate_pot.sync(client=client, body=turn) == session.adjudication


def audited(game: object) -> object:
    """Returns the audit of an exported game."""
    client = Client(sys.argv[1])
    match game:
        case TuttoSessionGame():
            return audit_tutto.sync(client=client, body=game)
        case YatzeeSessionGame():
            return audit_yatzee.sync(client=client, body=game)
        case PotSessionGame():
            return audit_pot.sync(client=client, body=game)
    raise TypeError(game)


for begun in GAMES:
    referee = Client(sys.argv[1])
    created = create_session.sync(client=referee, body=begun)
    assert isinstance(created, SessionCreated), created
    now = created.session
    while now.player is not None:
        judge_again(now)
        seat = AuthenticatedClient(sys.argv[1], created.seat_tokens[now.player])
        moved = add_event.sync(now.id, client=seat, body=move(now), if_match=f'"{now.version}"')
        assert isinstance(moved, SessionChanged), moved
        now = moved.session
    log = get_session_log.sync(now.id, client=referee)
    assert isinstance(log, SessionLog), log
    audit = audited(get_session_game.sync(now.id, client=referee))
    assert isinstance(audit, TuttoAudit | YatzeeAudit | PotAudit), audit
    assert audit.legal, audit
    result = ",".join(map(str, ending(now)))
    print(f"{now.game}: {now.status}, {len(log.events)} entries, {line(log.events[0])}, {result}")
