"""The review of a game: the value of each decision, and the effects of luck and play (O2)."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

from dice_referee.games.fields import ruleset_fields
from dice_referee.games.game import AnyGame
from dice_referee.rulebook.game import AnyEvent, AnyQuestion, AnyTurn, Document, Json
from dice_referee.rulebook.odds import WIN_CHANCE
from dice_referee.rulebook.pauses import pause


def questions(game: AnyGame, document: Document) -> Iterator[AnyQuestion]:
    """Yields the questions whose value tables a review needs.

    Without an aim, a single question suffices, because all questions share their tables.
    """
    state, aim = game.new_state(document), document.get("aim")
    yield game.question_at(state.turn, game.public_of(None), aim)
    for reported in document["log"] if aim else ():
        pause()
        if game.objections(state, reported, ""):
            return
        yield game.question_at(state.turn, game.public_of(None), aim)
        state = state.after(game.event_of(reported).play(state.turn))


def review(game: AnyGame, document: Document) -> Json:
    """Returns the loss of each decision of this log, and each player's sums.

    The review ends at an illegal event. Each player has sums by unit. ``luck`` is the difference
    between the actual and the expected value of dice and cards. ``play`` is the loss by choices (0
    at best). Decisions are judged by the pile that the log implies, which bots know. Chances of
    winning are measured with complete piles and add up to the change since the start (O17):
    the gain of a player is the bad luck of the opponent, and everything but ``play`` is luck.
    """
    state, public = game.new_state(document), game.public_of(None)
    aim = document.get("aim")
    decisions, first_illegal = list[Json](), None
    sums: dict[tuple[int, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for index, reported in enumerate(document["log"]):
        pause()
        findings = game.objections(state, reported, f"/log/{index}")
        if findings:
            first_illegal = {"index": index, "findings": findings}
            break
        chosen, event = game.event_of(game.as_chosen(reported)), game.event_of(reported)
        player = state.player
        assert player is not None, "a legal event is some player's"
        question = game.question_at(state.turn, public, aim)
        unit, worth, step = question.unit, question.worth(chosen), event.play(state.turn)
        is_decision = question.leaves_a_choice
        best = question.value() if is_decision else worth
        play = float(worth - best)
        if unit == WIN_CHANCE:
            gain = _gain(game.question_at(state.turn, None, aim), event, step.turn)
            luck = gain - play
            sums[1 - player, unit][0] -= gain
        else:
            luck = float(question.worth_after(event, step.turn) - worth)
        sums[player, unit][0] += luck
        sums[player, unit][1] += play
        public = game.public_after(public, event)
        if is_decision:
            decision = _decision(game, question, chosen, worth, best)
            decisions.append({"index": index, "player": player, **decision})
        state = state.after(step)
    return {
        **ruleset_fields(game.rules_of(document)),
        "legal": first_illegal is None,
        "first_illegal": first_illegal,
        "decisions": decisions,
        "players": [
            {"player": player, "unit": unit, "luck": luck, "play": play}
            for (player, unit), (luck, play) in sorted(sums.items())
        ],
        "rules": list(game.aim_rules.get(aim, game.review_rules) if aim else game.review_rules),
    }


def _decision(
    game: AnyGame,
    question: AnyQuestion,
    chosen: AnyEvent,
    worth: float | Fraction,
    best: float | Fraction,
) -> Json:
    return {
        "event": game.event_document(chosen),
        "unit": question.unit,
        "worth": float(worth),
        "best": float(best),
        "loss": float(best - worth),
        "advice": game.event_document(question.advice()),
    }


def _gain(question: AnyQuestion, event: AnyEvent, turn: AnyTurn) -> float:
    return float(question.worth_after(event, turn) - question.value())
