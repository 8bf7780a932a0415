"""Plays a turn and a session of Tutto through the classes of openapi-python-client."""

import sys

from dice_referee_client import AuthenticatedClient, Client
from dice_referee_client.api.sessions import (
    add_event,
    create_session,
    delete_session,
    get_session,
    get_session_log,
    undo_event,
)
from dice_referee_client.api.tutto import (
    adjudicate_tutto,
    adjudicate_tutto_batch,
    transition_tutto,
)
from dice_referee_client.models import (
    DiceSource,
    GoneProblem,
    PostedTuttoDrawEvent,
    PostedTuttoKeepEvent,
    PostedTuttoRollEvent,
    Problem,
    SessionChanged,
    SessionCreated,
    SessionDeleted,
    SessionLog,
    SessionUndoneEvent,
    TuttoAdjudication,
    TuttoBankEvent,
    TuttoBatch,
    TuttoBatchAnswers,
    TuttoCard,
    TuttoDrawEvent,
    TuttoKeep,
    TuttoKeepEvent,
    TuttoKeepTurn,
    TuttoOverTurn,
    TuttoPosition,
    TuttoRollEvent,
    TuttoRollTurn,
    TuttoSession,
    TuttoSessionRequest,
    TuttoStep,
    TuttoTransition,
)

referee = Client(sys.argv[1])


def step(
    turn: TuttoRollTurn | TuttoKeepTurn | None,
    event: TuttoDrawEvent | TuttoRollEvent | TuttoKeepEvent | TuttoBankEvent,
) -> TuttoStep:
    """Applies an event to a turn and returns the service's step."""
    position = turn.to_dict() if turn else {}
    body = TuttoTransition.from_dict({**position, "event": event.to_dict()})
    answer = transition_tutto.sync(client=referee, body=body)
    assert isinstance(answer, TuttoStep), answer
    return answer


def tell(legal_step: TuttoStep) -> TuttoRollTurn | TuttoKeepTurn:
    """Prints the turn of a legal step and returns it."""
    assert isinstance(legal_step.turn, TuttoRollTurn | TuttoKeepTurn)
    print(legal_step.turn.phase, ",".join(legal_step.legal_events))
    return legal_step.turn


last = TuttoPosition(card=TuttoCard.BONUS_600, keeps=[[1], [2, 2, 2]], roll=[1, 5])
verdict = adjudicate_tutto.sync(client=referee, body=last)
assert isinstance(verdict, TuttoAdjudication), verdict
assert isinstance(verdict.bank, TuttoKeep)
assert isinstance(verdict.bank.next_, TuttoOverTurn)
print(verdict.status, verdict.bank.turn_points, verdict.bank.next_.outcome.reason)

drawn = tell(step(None, TuttoDrawEvent(card=TuttoCard.DOUBLE)))
rolled = tell(step(drawn, TuttoRollEvent(dice=[1, 2, 4, 4, 4, 6])))

for finding in step(rolled, TuttoKeepEvent(dice=[4, 4, 4, 6])).findings:
    print(finding.code, finding.rule, finding.pointer)

banked = step(rolled, TuttoBankEvent()).turn
assert isinstance(banked, TuttoOverTurn)
print(banked.phase, banked.outcome.points)

positions = [last, TuttoPosition(card=TuttoCard.CLOVER, roll=[1])]
batch = adjudicate_tutto_batch.sync(client=referee, body=TuttoBatch(positions=positions))
assert isinstance(batch, TuttoBatchAnswers), batch
for answer in batch.answers:
    print(answer.findings[0].code if isinstance(answer, Problem) else answer.status)

begun = TuttoSessionRequest(players=["Ada", "Ben"], dice=DiceSource.CLIENT)
table = create_session.sync(client=referee, body=begun)
assert isinstance(table, SessionCreated), table
session = table.session
host, ada, ben = (
    AuthenticatedClient(sys.argv[1], token) for token in (table.host_token, *table.seat_tokens)
)
print(session.status, session.version, ",".join(session.legal_events))

add_event.sync(
    session.id,
    client=ada,
    body=PostedTuttoDrawEvent(card=TuttoCard.DOUBLE),
    idempotency_key="draw",
)
moved = add_event.sync(
    session.id,
    client=ada,
    body=PostedTuttoRollEvent(dice=[1, 2, 4, 4, 4, 6]),
    if_match='"1"',
)
assert isinstance(moved, SessionChanged), moved
assert isinstance(moved.session, TuttoSession)
allowed, turn = moved.session.adjudication, moved.session.turn
assert allowed is not None
assert turn is not None
print(moved.entry.version, allowed.status, turn.dice_to_roll, turn.phase)

refused = add_event.sync(session.id, client=ben, body=PostedTuttoKeepEvent(dice=[1]))
assert isinstance(refused, Problem), refused
print(refused.status, refused.type_)

undone = undo_event.sync(session.id, client=host)
assert isinstance(undone, SessionChanged), undone
assert isinstance(undone.entry.event, SessionUndoneEvent), undone
print(undone.entry.event.type_, undone.entry.event.version)

log = get_session_log.sync(session.id, client=referee, after=0)
assert isinstance(log, SessionLog), log
print(",".join(entry.event.type_ for entry in log.events))

deleted = delete_session.sync(session.id, client=host)
assert isinstance(deleted, SessionDeleted), deleted
print(deleted.session.status)
gone = get_session.sync(session.id, client=referee)
assert isinstance(gone, GoneProblem), gone
print(gone.status, gone.type_)
