"""A turn of Tutto through the classes that openapi-python-client makes of the contract."""

import sys

from dice_referee_client import Client
from dice_referee_client.api.tutto import (
    adjudicate_tutto,
    adjudicate_tutto_batch,
    apply_tutto_event,
)
from dice_referee_client.models import (
    Problem,
    TuttoAdjudication,
    TuttoBankEvent,
    TuttoBatch,
    TuttoBatchAnswers,
    TuttoCard,
    TuttoDrawEvent,
    TuttoDrawnCard,
    TuttoKeep,
    TuttoKeepEvent,
    TuttoOutcome,
    TuttoPosition,
    TuttoRollEvent,
    TuttoStep,
    TuttoTransition,
    TuttoTurn,
)

referee = Client(sys.argv[1])


def step(
    turn: TuttoTurn | None,
    event: TuttoDrawEvent | TuttoRollEvent | TuttoKeepEvent | TuttoBankEvent,
) -> TuttoStep:
    """The turn posted back with an event."""
    position = turn.to_dict() if turn else {}
    body = TuttoTransition.from_dict({**position, "event": event.to_dict()})
    answer = apply_tutto_event.sync(client=referee, body=body)
    assert isinstance(answer, TuttoStep), answer
    return answer


def tell(found: TuttoStep) -> TuttoTurn:
    """The turn of a legal step, which is told."""
    assert isinstance(found.turn, TuttoTurn)
    print(found.turn.phase, ",".join(found.legal_events))
    return found.turn


last = TuttoPosition(card=TuttoCard.BONUS_600, keeps=[[1], [2, 2, 2]], roll=[1, 5])
verdict = adjudicate_tutto.sync(client=referee, body=last)
assert isinstance(verdict, TuttoAdjudication), verdict
assert isinstance(verdict.bank, TuttoKeep)
assert isinstance(verdict.bank.next_.outcome, TuttoOutcome)
print(verdict.status, verdict.bank.turn_points, verdict.bank.next_.outcome.reason)

drawn = tell(step(None, TuttoDrawEvent(type_="draw", card=TuttoDrawnCard.DOUBLE)))
rolled = tell(step(drawn, TuttoRollEvent(type_="roll", dice=[1, 2, 4, 4, 4, 6])))

for finding in step(rolled, TuttoKeepEvent(type_="keep", dice=[4, 4, 4, 6])).findings:
    print(finding.code, finding.rule, finding.pointer)

banked = step(rolled, TuttoBankEvent(type_="bank")).turn
assert isinstance(banked, TuttoTurn)
assert isinstance(banked.outcome, TuttoOutcome)
print(banked.phase, banked.outcome.points)

positions = [last, TuttoPosition(card=TuttoCard.CLOVER, roll=[1])]
batch = adjudicate_tutto_batch.sync(client=referee, body=TuttoBatch(positions=positions))
assert isinstance(batch, TuttoBatchAnswers), batch
for answer in batch.answers:
    print(answer.findings[0].code if isinstance(answer, Problem) else answer.status)
