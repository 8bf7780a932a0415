"""Whole games of Tutto: by verdicts with the client's dice, and in a session."""

import sys
from collections.abc import Sequence
from typing import TypeAlias

from dice_referee_client import AuthenticatedClient, Client
from dice_referee_client.api.catalogue import get_game
from dice_referee_client.api.fairness import verify_fairness
from dice_referee_client.api.sessions import add_event, create_session, get_session_game
from dice_referee_client.api.tutto import adjudicate_tutto, audit_tutto, transition_tutto
from dice_referee_client.models import (
    DiceSource,
    Fairness,
    FairnessClaim,
    FairnessProof,
    FairnessVerdict,
    Game,
    PostedTuttoBankEvent,
    PostedTuttoDrawEvent,
    PostedTuttoKeepEvent,
    PostedTuttoRollEvent,
    RecordedGame,
    SessionChanged,
    SessionCreated,
    SessionStatus,
    TuttoAdjudication,
    TuttoAudit,
    TuttoBankEvent,
    TuttoCard,
    TuttoDrawEvent,
    TuttoDrawTurn,
    TuttoEventType,
    TuttoGameLog,
    TuttoKeepEvent,
    TuttoKeepTurn,
    TuttoOptions,
    TuttoOverTurn,
    TuttoRollEvent,
    TuttoRollTurn,
    TuttoRulesetId,
    TuttoSession,
    TuttoSessionGame,
    TuttoSessionRequest,
    TuttoStep,
    TuttoTransition,
)

Event: TypeAlias = TuttoDrawEvent | TuttoRollEvent | TuttoKeepEvent | TuttoBankEvent
Move: TypeAlias = (
    PostedTuttoDrawEvent | PostedTuttoRollEvent | PostedTuttoKeepEvent | PostedTuttoBankEvent
)

referee = Client(sys.argv[1])
PLAYERS = ["Ada", "Ben"]
OPTIONS = TuttoOptions(target=1500)


class Chance:
    """Reproducible random numbers by Lehmer's generator."""

    def __init__(self) -> None:
        self.last = 2026

    def below(self, k: int) -> int:
        """Returns a number from 0 to k - 1."""
        self.last = self.last * 16807 % 2147483647
        return self.last % k


def decision(verdict: TuttoAdjudication, legal: Sequence[str]) -> TuttoKeepEvent | TuttoBankEvent:
    """Banks from 300 points on, otherwise keeps the most points."""
    bank = verdict.bank
    if bank and "bank" in legal and (bank.turn_points >= 300 or "keep" not in legal):
        return TuttoBankEvent()
    best = max(verdict.legal_keeps, key=lambda keep: keep.points)
    return TuttoKeepEvent(dice=best.dice)


def answer_of(winners: list[int], scores: list[int]) -> str:
    """Describes the end of a game."""
    return f"{','.join(map(str, winners))} won, {','.join(map(str, scores))}"


def audit(record: TuttoGameLog | TuttoSessionGame) -> None:
    """Prints the referee's audit of a recorded game."""
    report = audit_tutto.sync(client=referee, body=record)
    assert isinstance(report, TuttoAudit), report
    state = f"{'legal' if report.legal else 'illegal'}, {'over' if report.over else 'unfinished'}"
    print(f"audit: {state}, {answer_of(report.winners, report.scores)}")


def without_session() -> None:
    """Plays a game whose turns, cards and dice are the client's."""
    game = get_game.sync("tutto", client=referee)
    assert isinstance(game, Game), game
    deck = [TuttoCard(card.id) for card in game.deck for _ in range(card.copies or 0)]
    pile: list[TuttoCard] = []
    chance = Chance()
    log: list[Event] = []
    scores, player = [0, 0], 0
    while True:
        turn: TuttoDrawTurn | TuttoRollTurn | TuttoKeepTurn | TuttoOverTurn = TuttoDrawTurn(
            ruleset=TuttoRulesetId.ABACUS_2013,
            options=OPTIONS,
            dice_to_roll=6,
            scores=scores,
            player=player,
        )
        legal = [TuttoEventType.DRAW]
        while not isinstance(turn, TuttoOverTurn):
            event: Event
            if isinstance(turn, TuttoDrawTurn):
                if not pile:
                    pile = deck.copy()
                    for i in range(len(pile) - 1, 0, -1):
                        j = chance.below(i + 1)
                        pile[i], pile[j] = pile[j], pile[i]
                event = TuttoDrawEvent(card=pile.pop())
            elif isinstance(turn, TuttoRollTurn):
                dice = [chance.below(6) + 1 for _ in range(turn.dice_to_roll)]
                event = TuttoRollEvent(dice=dice)
            else:
                verdict = adjudicate_tutto.sync(client=referee, body=turn)
                assert isinstance(verdict, TuttoAdjudication), verdict
                event = decision(verdict, legal)
            log.append(event)
            body = TuttoTransition.from_dict({**turn.to_dict(), "event": event.to_dict()})
            step = transition_tutto.sync(client=referee, body=body)
            assert isinstance(step, TuttoStep), step
            assert step.turn, step.findings
            turn, legal = step.turn, step.legal_events
        assert isinstance(turn.scores, list)
        scores = turn.scores
        if turn.outcome.wins_game:
            break
        player = 1 - player
    print(f"without a session: {len(log)} events, {answer_of([player], scores)}")
    audit(TuttoGameLog(players=PLAYERS, options=OPTIONS, log=log))


def with_session() -> None:
    """Plays a game in a session with the service's dice."""
    begun = TuttoSessionRequest(PLAYERS, options=OPTIONS, dice=DiceSource.SERVICE)
    created = create_session.sync(client=referee, body=begun)
    assert isinstance(created, SessionCreated), created
    seats = [AuthenticatedClient(sys.argv[1], token) for token in created.seat_tokens]
    now = created.session
    assert isinstance(now, TuttoSession)
    while now.status == SessionStatus.RUNNING:
        assert now.player is not None
        move: Move = (
            PostedTuttoDrawEvent() if "draw" in now.legal_events else PostedTuttoRollEvent()
        )
        if now.adjudication is not None:
            chosen = decision(now.adjudication, now.legal_events)
            move = PostedTuttoBankEvent()
            if isinstance(chosen, TuttoKeepEvent):
                move = PostedTuttoKeepEvent(chosen.dice)
        moved = add_event.sync(
            now.id, client=seats[now.player], body=move, if_match=f'"{now.version}"'
        )
        assert isinstance(moved, SessionChanged), moved
        assert isinstance(moved.session, TuttoSession)
        now = moved.session
    print(f"with a session: {now.version} events, {answer_of(now.winners, now.table.scores)}")

    record = get_session_game.sync(now.id, client=referee)
    assert isinstance(record, TuttoSessionGame), record
    audit(record)
    assert isinstance(now.fairness, Fairness)
    proof = FairnessProof.from_dict(now.fairness.to_dict())
    claim = FairnessClaim(game=RecordedGame.TUTTO, record=record, fairness=proof)
    verdict = verify_fairness.sync(client=referee, body=claim)
    assert isinstance(verdict, FairnessVerdict), verdict
    print("fair" if verdict.fair else "unfair")


without_session()
with_session()
