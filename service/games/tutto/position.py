"""Where a turn stands, and every reason why it cannot stand like that."""

from enum import StrEnum
from typing import NamedTuple

from service.games.tutto.cards import PLUS_MINUS, STRAIGHT, Card
from service.games.tutto.leaders import sits_out
from service.games.tutto.rulesets import Deduction, Ruleset, ScoreFloor
from service.games.tutto.scoring import NOTHING_ASIDE, SINGLES, Aside
from service.rules.dice import Dice
from service.rules.verdict import Finding

SIX = 6
"""Dice in the game (T1.1)."""


class Phase(StrEnum):
    """What a turn waits for; ``over`` is only ever an answer."""

    DRAW = "draw"
    ROLL = "roll"
    KEEP = "keep"
    OVER = "over"


class Position(NamedTuple):
    """A running turn. Points and scores are in points; dice are sorted."""

    rules: Ruleset
    card: Card | None = None
    aside: Aside = NOTHING_ASIDE
    roll: Dice | None = None
    carried: int = 0
    """Points that the turn earned before these six dice; at risk (T3.2)."""
    tuttos: int = 0
    """Tuttos already made on this card."""
    pending: int = 0
    """Plus/Minus Tuttos of this turn whose deduction waits for the bank (T5.5d)."""
    scores: tuple[int, ...] | None = None
    player: int | None = None

    @property
    def phase(self) -> Phase:
        if self.card is None:
            return Phase.DRAW
        return Phase.ROLL if self.roll is None else Phase.KEEP

    @property
    def dice_to_roll(self) -> int:
        """Dice that are not set aside: those of the roll to come, or of the one on the table."""
        return SIX - self.aside.number

    @property
    def free_faces(self) -> Dice:
        """On a straight, the faces of the roll that are not set aside yet (T5.6)."""
        return tuple(sorted(set(self.roll or ()).difference(*self.aside.keeps)))

    @property
    def earned(self) -> int:
        """Points of the turn before this roll."""
        card = self.card
        return self.carried + self.aside.points if card and card.dice_earn else self.carried


def impossibilities(
    position: Position, phase: str | None = None, dice_to_roll: int | None = None
) -> tuple[Finding, ...]:
    """Every reason why the position cannot stand, or cannot be in the phase that it claims.

    Only the pointers depend on the order of the dice.
    """
    _, card, aside, roll, _, tuttos, pending, scores, player = position
    found: list[Finding] = []
    if scores is not None or player is not None:
        found += _sheet(position)
    if tuttos or pending:
        found += _card(position)
    if card is None:
        found += _too_early(position)
    elif not (roll and aside.fits and aside.number + len(roll) == SIX):
        found += _dice(position, card)
    if phase is not None and phase not in (position.phase, _BEFORE.get(position.phase)):
        found.append(
            Finding("phase-mismatch", "T2.3", "/phase", {"expected": position.phase.value})
        )
    if dice_to_roll is not None and dice_to_roll != position.dice_to_roll:
        params = {"expected": max(position.dice_to_roll, 0)}
        found.append(Finding("dice-to-roll-mismatch", "T1.1", "/dice_to_roll", params))
    return tuple(found)


FLOOR_OF_ZERO = ScoreFloor.ZERO
"""Asked for so often that the enum would take too long to find it."""

_BEFORE = {Phase.ROLL: Phase.DRAW, Phase.KEEP: Phase.ROLL}
"""The phase of the answer to which a card or a roll was added before it was posted back."""


def _sheet(position: Position) -> list[Finding]:
    rules, card, _, _, _, _, _, scores, player = position
    if scores is None:
        return [] if player is None else [Finding("scores-missing", "T6.1", "/scores")]
    found = []
    if player is None:
        found.append(Finding("player-missing", "T6.1", "/player"))
    elif player >= len(scores):
        found.append(Finding("player-out-of-range", "T6.1", "/player", {"count": len(scores)}))
    elif card is PLUS_MINUS and sits_out(rules, scores, player):
        found.append(Finding("leader-sits-out", "T5.5b", "/card"))
    if rules.score_floor is FLOOR_OF_ZERO:
        found += [
            Finding("score-below-zero", "T5.5e", f"/scores/{i}", {"score": score})
            for i, score in enumerate(scores)
            if score < 0
        ]
    return found


def _card(position: Position) -> list[Finding]:
    card, found = position.card, []
    most = card.most_tuttos if card is not None else 0
    if position.tuttos > most:
        rule = card.rule if card is not None and most else "T3.2"
        found.append(Finding("tuttos-out-of-range", rule, "/tuttos", {"maximum": most}))
    if position.pending and position.rules.deduction is Deduction.ON_TUTTO:
        found.append(Finding("no-deduction-pending", "T5.5d", "/pending_deductions"))
    return found


def _too_early(position: Position) -> list[Finding]:
    """Dice that lie there before the card is drawn (T4.2)."""
    told = {"/keeps": position.aside.number > 0, "/roll": position.roll is not None}
    return [Finding("dice-before-card", "T4.2", place) for place, there in told.items() if there]


def _dice(position: Position, card: Card) -> list[Finding]:
    aside, roll = position.aside, position.roll
    found = [] if aside.fits else _unfit_keeps(aside.keeps, card)
    if aside.number >= SIX:
        found.append(Finding("six-dice-set-aside", "T3.1", "/keeps", {"count": aside.number}))
    elif roll is not None and len(roll) != position.dice_to_roll:
        params = {"expected": position.dice_to_roll, "actual": len(roll)}
        found.append(Finding("wrong-number-of-dice", "T1.1", "/roll", params))
    return found


def _unfit_keeps(keeps: tuple[Dice, ...], card: Card) -> list[Finding]:
    """The dice that could not have been set aside."""
    found: list[Finding] = []
    earlier: Dice = ()
    for i, dice in enumerate(keeps):
        places = tuple(enumerate(dice))
        if not dice:
            found.append(Finding("empty-keep", "T2.2", f"/keeps/{i}"))
        elif card is STRAIGHT:
            found += unfit_faces(places, f"/keeps/{i}", earlier)
        else:
            found += unscoring_dice(places, f"/keeps/{i}")
        earlier += dice
    return found


Places = tuple[tuple[int, int], ...]
"""Dice as told, each with its index, so that findings can point at them."""


def unscoring_dice(places: Places, at: str, earlier: Dice = ()) -> list[Finding]:
    """The dice that are neither singles nor in a triple (T2.2).

    ``earlier`` are dice set aside from other rolls of the turn: they never help (T1.5).
    """
    found, faces = [], [die for _, die in places]
    for n, (i, die) in enumerate(places):
        tripled = faces.count(die) // 3 * 3
        if die not in SINGLES and faces[:n].count(die) >= tripled:
            rule = "T1.4" if tripled else "T1.5" if die in earlier else "T2.2"
            found.append(Finding("not-a-scoring-die", rule, f"{at}/{i}", {"die": die}))
    return found


def unfit_faces(places: Places, at: str, aside: Dice) -> list[Finding]:
    """The dice that a straight has no place for: of each face it takes one (T5.6)."""
    found, taken = [], set[int]()
    for i, die in places:
        if die in aside:
            found.append(Finding("face-already-set-aside", "T5.6", f"{at}/{i}", {"die": die}))
        elif die in taken:
            found.append(Finding("face-repeated", "T5.6", f"{at}/{i}", {"die": die}))
        taken.add(die)
    return found
