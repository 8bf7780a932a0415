"""Requests a verdict, a session and two problems through openapi-python-client."""

import sys

from dice_referee_client import AuthenticatedClient, Client
from dice_referee_client.api.sessions import create_session, delete_session, get_session_log
from dice_referee_client.api.tutto import adjudicate_tutto, adjudicate_tutto_batch
from dice_referee_client.models import (
    DiceSource,
    Problem,
    SessionCreated,
    SessionLog,
    TuttoAdjudication,
    TuttoBatch,
    TuttoBatchAnswers,
    TuttoCard,
    TuttoPosition,
    TuttoSessionRequest,
)

referee = Client(sys.argv[1])

position = TuttoPosition(card=TuttoCard.BONUS_600, keeps=[[1], [2, 2, 2]], roll=[1, 5])
verdict = adjudicate_tutto.sync(client=referee, body=position)
assert isinstance(verdict, TuttoAdjudication)
assert verdict.bank is not None
print(verdict.status, verdict.bank.turn_points)

short = TuttoPosition(card=TuttoCard.CLOVER, roll=[1])
impossible = adjudicate_tutto.sync(client=referee, body=short)
assert impossible is not None
assert not isinstance(impossible, TuttoAdjudication)
print(impossible.detail, impossible.findings[0].rule)

batch = adjudicate_tutto_batch.sync(client=referee, body=TuttoBatch(positions=[position]))
assert isinstance(batch, TuttoBatchAnswers)
print(len(batch.answers))

begun = create_session.sync(
    client=referee,
    body=TuttoSessionRequest(game="tutto", players=["Ada", "Ben"], dice=DiceSource.CLIENT),
)
assert isinstance(begun, SessionCreated)
print(begun.session.version, ",".join(begun.session.legal_events))

log = get_session_log.sync(begun.session.id, client=referee, after=0)
assert isinstance(log, SessionLog)
print(len(log.events))

refused = delete_session.sync(begun.session.id, client=AuthenticatedClient(sys.argv[1], "nobody"))
assert isinstance(refused, Problem)
print(refused.status, refused.detail)
