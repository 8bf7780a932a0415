"""Every reason why a position is impossible, or claims the wrong round."""

from collections.abc import Iterator

from dice_referee.games.tutto.cards import FIREWORK, PLUS_MINUS, STOP, STRAIGHT
from dice_referee.games.tutto.deck import cards_of
from dice_referee.games.tutto.leaders import sits_out
from dice_referee.games.tutto.position import SIX, STEP, Position
from dice_referee.games.tutto.rulesets import Deduction, Ending, ScoreFloor
from dice_referee.games.tutto.scoring import Scoring, scoring_of
from dice_referee.rulebook.dice import Dice
from dice_referee.rulebook.findings import Finding, Param
from dice_referee.rulebook.game import Document

MOST_TURNS_LEFT = 9
"""Maximum turns that follow the turn in which a score reaches the target (T6.1, T6.3)."""

LEAST_TUTTO = 300
"""Points of the least Tutto whose dice earn: six single 5s (T1.2)."""


def impossibilities(position: Position, document: Document) -> tuple[Finding, ...]:
    card, aside, roll = position.card, position.aside, position.roll
    last_round = document.get("last_round")
    findings: list[Finding] = []
    if position.scores is not None or position.player is not None:
        findings += _sheet(position)
    if last_round is not None:
        findings += _last_round(position, last_round)
    if position.turns_left or position.rules.ending is Ending.ONE_MORE_TURN:
        findings += _turns_left(position)
    if position.tuttos or position.pending_deductions:
        findings += _card(position)
    if card is None:
        findings += _too_early(position)
    elif card is STOP:
        findings.append(Finding("stop-in-play", "T5.1", "/card"))
    if not (card and roll and aside.fits and aside.number + len(roll) == SIX):
        findings += _dice(position)
    return tuple(findings)


def _sheet(position: Position) -> Iterator[Finding]:
    rules, scores, player = position.rules, position.scores, position.player
    if scores is None:
        yield Finding("scores-missing", "T6.1", "/scores")
        return
    if player is None:
        yield Finding("player-missing", "T6.1", "/player")
    elif player >= len(scores):
        yield Finding("player-out-of-range", "T6.1", "/player", {"count": len(scores)})
    elif position.starter >= len(scores):
        yield Finding("player-out-of-range", "T6.1", "/starter", {"count": len(scores)})
    elif position.card is PLUS_MINUS and sits_out(rules, scores, player, position.carried):
        yield Finding("leader-sits-out", "T5.5b", "/card")
    target = rules.target
    for i, score in enumerate(scores):
        # The shortcut for nearly every score; a batch checks thousands of them.
        if 0 <= score < target and not score % STEP:
            continue
        if score % STEP:
            yield Finding("score-not-a-multiple", "T1.2", f"/scores/{i}", {"step": STEP})
        if score < 0 and rules.score_floor is ScoreFloor.ZERO:
            yield Finding("score-below-zero", "T5.5e", f"/scores/{i}", {"score": score})
        # A player whose turn is still to come this round reached the target in an earlier round.
        if score >= target and _must_be_below(position, i):
            params = {"score": score, "target": target}
            yield Finding("target-already-reached", "T6.3", f"/scores/{i}", params)


def _must_be_below(position: Position, seat: int) -> bool:
    """Tells if the game was over before this turn with this seat at the target (T6.3)."""
    ending, player = position.rules.ending, position.player
    if ending is Ending.AT_ONCE or player is None:
        return ending is Ending.AT_ONCE
    if ending is Ending.ONE_MORE_TURN and not position.turns_left:
        return False
    return (seat - player) % len(position.scores or ()) <= position.turns_after


def _last_round(position: Position, claimed: bool) -> Iterator[Finding]:
    """Yields the reason why the round is, or is not, the last (T6.5)."""
    ending, reached = position.rules.ending, _is_reached(position)
    expected = {"expected": str(not claimed).lower()}
    if ending is not Ending.FULL_ROUND:
        # Without a full round ``turns_left`` tells the last round.
        if claimed != bool(position.turns_left):
            yield Finding("last-round-mismatch", "T6.3", "/last_round", expected)
    elif (claimed and not _may_be_last(position)) or (reached and not claimed):
        yield Finding("last-round-mismatch", "T6.5", "/last_round", expected)


def _turns_left(position: Position) -> Iterator[Finding]:
    """Yields the reason why this number of turns cannot be left under this ending (T6.3)."""
    scores, left = position.scores, position.turns_left
    least, most = 0, MOST_TURNS_LEFT
    if position.rules.ending is not Ending.ONE_MORE_TURN:
        most = 0
    elif scores is not None:
        least, most = int(_is_reached(position)), len(scores) - 1
        if left == most and not _may_be_last(position):
            most -= 1
    if not least <= left <= most:
        params: dict[str, Param] = {"minimum": least, "maximum": most}
        yield Finding("turns-left-mismatch", "T6.3", "/turns_left", params)


def _is_reached(position: Position) -> bool:
    return max(position.scores or (0,)) >= position.rules.target


def _may_be_last(position: Position) -> bool:
    """Tells if a player can have reached the target in an earlier turn of the last round."""
    rules, scores, player = position.rules, position.scores, position.player
    if scores is None or player is None:
        return True
    earlier = len(scores) - 1 - position.turns_after
    if earlier != 1 or _is_reached(position):
        return earlier > 0
    # A score falls only by a Plus/Minus Tutto: after one turn, by a Tutto of this turn.
    plus_minus = cards_of(rules).terms[PLUS_MINUS]
    lowers = rules.deduction is Deduction.ON_TUTTO and not plus_minus.ends_turn
    return lowers and position.carried >= plus_minus.prize


def _card(position: Position) -> Iterator[Finding]:
    card, pending = position.card, position.pending_deductions
    plus_minus = cards_of(position.rules).terms[PLUS_MINUS]
    most = card.most_tuttos if card is not None else 0
    if position.tuttos > most:
        rule = card.rule if card is not None and most else "T3.2"
        yield Finding("tuttos-out-of-range", rule, "/tuttos", {"maximum": most})
    if pending and (plus_minus.ends_turn or position.rules.deduction is Deduction.ON_TUTTO):
        rule = "T5.5i" if plus_minus.ends_turn else "T5.5d"
        yield Finding("no-deduction-pending", rule, "/pending_deductions")
        pending = 0
    # If the card pays exactly 1000 (T5.5h), each Tutto on it replaced all earlier points.
    least = (min(pending, 1) if plus_minus.replaces else pending) * plus_minus.prize
    if position.carried < least:
        yield Finding("carried-too-low", "T5.5", "/carried", {"minimum": least})
    least += position.tuttos * LEAST_TUTTO
    if card is FIREWORK and position.tuttos and position.carried < least:
        yield Finding("carried-too-low", "T5.2", "/carried", {"minimum": least})


def _too_early(position: Position) -> Iterator[Finding]:
    """Yields a finding for dice on the table before the card is drawn (T4.2)."""
    if position.aside.number:
        yield Finding("dice-before-card", "T4.2", "/keeps")
    if position.roll is not None:
        yield Finding("dice-before-card", "T4.2", "/roll")


def _dice(position: Position) -> Iterator[Finding]:
    aside, roll = position.aside, position.roll
    if not aside.fits:
        yield from _unfit_keeps(position)
    if aside.number >= SIX:
        yield Finding("six-dice-set-aside", "T3.1", "/keeps", {"count": aside.number})
    elif roll is not None and len(roll) != position.dice_to_roll:
        params = {"expected": position.dice_to_roll, "actual": len(roll)}
        yield Finding("wrong-number-of-dice", "T1.1", "/roll", params)


def _unfit_keeps(position: Position) -> Iterator[Finding]:
    """Yields every reason why these keeps are impossible under the card.

    Without a card it reports only empty keeps, which no card allows.
    """
    card, scoring = position.card, scoring_of(position.rules)
    earlier: Dice = ()
    for i, dice in enumerate(position.aside.keeps):
        places = tuple(enumerate(dice))
        if not dice:
            yield Finding("empty-keep", "T2.2", f"/keeps/{i}")
        elif card is STRAIGHT:
            yield from unfit_faces(places, f"/keeps/{i}", earlier)
        elif card is not None:
            yield from unscoring_dice(scoring, dice, places, f"/keeps/{i}")
        earlier += dice


Places = tuple[tuple[int, int], ...]
"""Dice in the order of the request, each with its index for the pointers of findings."""


def unscoring_dice(
    scoring: Scoring, roll: Dice, places: Places, at: str, earlier: Dice = ()
) -> Iterator[Finding]:
    """Yields a finding for each die that is neither a single nor in a triple of the roll (T2.2).

    ``earlier`` are dice set aside from earlier rolls, which never complete a triple (T1.5).
    """
    faces = [die for _, die in places]
    for place, (i, die) in enumerate(places):
        numbers, wanted = scoring.numbers(die, roll.count(die)), faces.count(die)
        scored = wanted if wanted in numbers else max(n for n in numbers if n < wanted)
        if faces[:place].count(die) >= scored:
            beside = "T1.7" if scoring.doubles_equal else "T1.4"
            rule = beside if scored else "T1.5" if die in earlier else "T2.2"
            yield Finding("not-a-scoring-die", rule, f"{at}/{i}", {"die": die})


def unfit_faces(places: Places, at: str, aside: Dice) -> Iterator[Finding]:
    """Yields a finding for each die whose face the straight already has (T5.6)."""
    taken = set[int]()
    for i, die in places:
        if die in aside:
            yield Finding("face-already-set-aside", "T5.6", f"{at}/{i}", {"die": die})
        elif die in taken:
            yield Finding("face-repeated", "T5.6", f"{at}/{i}", {"die": die})
        taken.add(die)
