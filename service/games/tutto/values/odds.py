"""What a position is worth, and each of its choices, when the player plays well from here (O2).

Values are points that the turn is expected to write (O5), the chance to write so many (O6), or the
chance to win a game of two (O16).
"""

from fractions import Fraction
from typing import NamedTuple

from service.games.tutto import turn as turns
from service.games.tutto.cards import DECK, PLUS_MINUS, Card
from service.games.tutto.events import Bank, Event, SetAside, end_of
from service.games.tutto.leaders import deduct, sits_out_from
from service.games.tutto.position import SIX, STEP, Phase, Position
from service.games.tutto.rulesets import RULESETS, Deduction, PlusMinusPays
from service.games.tutto.turn import Reason, Turn, roll_result
from service.games.tutto.values.aims import Aim, aim_of
from service.games.tutto.values.chances import NextRoll, next_roll
from service.games.tutto.values.duels import duel_of
from service.games.tutto.values.piles import WHOLE_PILE, Pile, impossible_pile, pile_after
from service.games.tutto.values.rows import first_best
from service.games.tutto.values.tables import CardValues, NextDraw, ValueTables
from service.rules.dice import as_dice
from service.rules.findings import Finding
from service.rules.odds import WIN_CHANCE
from service.rules.value_tables import ValueTableCache

RULES = ("O1", "O2", "O4", "O5", "O7", "O8")
"""The rules that the review of a game rests on."""

AIM_RULES = {"win": ("O1", "O2", "O7", "O16", "O17")}
"""The same for each aim that has other ones."""


class Question(NamedTuple):
    """A position, and what is asked of it."""

    position: Position
    reach: int | None = None
    """The points that the turn shall write (O6); None if as many as possible (O5)."""
    pile: Pile | None = None
    """What the next card is drawn from (O4); none left, or None, is the whole pile."""
    win: bool = False
    """Whether nothing but winning counts (O16)."""


class Choice(NamedTuple):
    """An event that the roll allows."""

    event: Event
    value: float
    next_roll: NextRoll | None
    """What is known of the roll that follows; None where none does on this card."""


class NextCard(NamedTuple):
    """A card that may be drawn."""

    card: Card
    chance: Fraction
    value: float


class Odds(NamedTuple):
    """All that is known of a position."""

    pile: Pile
    value: float
    choices: tuple[Choice, ...]
    best: int | None
    """The index of the best choice; None before a roll or a draw."""
    roll: NextRoll | None
    """What is known of the roll that is due; None in other phases."""
    cards: tuple[NextCard, ...]
    """Every card, where one is due."""
    rules: frozenset[str]


# What can be asked --------------------------------------------------------------------------------


def impossibilities(question: Question) -> tuple[Finding, ...]:
    """Every reason why there are no odds: the turn is over, or the pile cannot be."""
    ended = end_of(question.position, "/roll")
    return (*(() if ended is None else (ended,)), *impossible_pile(question.pile))


def unit(question: Question) -> str:
    """In what values are measured: ``points``, or the ``chance`` to reach so many or to win."""
    if question.win:
        return WIN_CHANCE
    return "points" if question.reach is None else "chance"


def leaves_a_choice(question: Question) -> bool:
    """Whether the roll allows more than one thing."""
    seen = roll_result(question.position)
    return len(seen.can.keeps) + seen.banks > 1


# Value tables -------------------------------------------------------------------------------------


KEPT_VALUE_TABLES = 64
"""Tables of house rules, numbers of points and pairs of scores that are kept.

As many as the permits of a review: so it finds all of its own. A game of two has some 25 pairs of
scores, hardly ever more than 45, of 0.1 to 0.9 MB each; others take up to 1.4 MB.
"""

VALUE_TABLES = ValueTableCache(
    ValueTables, (aim_of(rules, None) for rules in RULESETS.values()), KEPT_VALUE_TABLES
)
"""By their aims; those that are not there are made in up to 0.3 s."""


def table_key(question: Question) -> Aim:
    """Where the tables of this question are kept."""
    position = question.position
    return aim_of(position.rules, question.reach, duel_of(position) if question.win else None)


def table_price(question: Question) -> int:
    """The permits that its value tables cost; some are computed over and over (T5.5h)."""
    aim = table_key(question)
    if aim.duel is not None:
        return aim.duel.price
    return 2 if aim.plus_minus_takes_all else 1


def _value_tables(question: Question) -> ValueTables:
    return VALUE_TABLES[table_key(question)]


# Values -------------------------------------------------------------------------------------------


def value(question: Question) -> float:
    """What the position is worth; before a roll or a draw: what that is worth."""
    position = question.position
    match position.phase:
        case Phase.DRAW:
            draw = _next_draw(question)
            return _value_tables(question).drawing(draw)[position.carried // STEP]
        case Phase.ROLL:
            return _values(question).value(position.dice_to_roll, *_steps(position))
        case _:
            return max(choice.value for choice in choices(question))


def worth(question: Question, event: Event) -> float:
    """What the position is worth once this legal event, without its dice or card, was chosen."""
    if not isinstance(event, SetAside | Bank):
        return value(question)
    chosen = SetAside(as_dice(event.dice)) if isinstance(event, SetAside) else event
    return next(choice.value for choice in choices(question) if choice.event == chosen)


def worth_after(question: Question, event: Event, turn: Turn) -> float:
    """What the turn is worth in which an event has ended, in the unit of this question."""
    if isinstance(turn, Position):
        pile = question.pile and pile_after(question.pile, event)
        following = question._replace(position=turn, pile=pile)
        if not question.win or turn.scores == question.position.scores:
            return value(following)
        # A Plus/Minus Tutto: its draw is in the tables of this position, too.
        tables = _value_tables(question).after_deduction
        return tables.drawing(_next_draw(following))[turn.carried // STEP]
    aim = table_key(question)
    if turn.reason is Reason.CLOVER:
        return float(aim.clover)
    if aim.duel is not None and turn.scores is not None:
        # Banking a Plus/Minus Tutto takes points, too.
        other = turn.scores[1 - aim.duel.seat]
        return aim.duel._replace(other=other).having_written(turn.points)
    return aim.of_points(turn.points)


def choices(question: Question) -> tuple[Choice, ...]:
    """The legal keeps in the adjudication's order, then the bank, where dice lie there (O7)."""
    position, card = question.position, question.position.card
    if card is None or position.roll is None:
        return ()
    seen, values, (carried, aside) = roll_result(position), _values(question), _steps(position)
    found = list[Choice]()
    for keep in seen.can.keeps:
        left = position.dice_to_roll - len(keep.dice)
        if left:
            worth = values.value(left, carried, aside + keep.points // STEP)
            found.append(Choice(SetAside(keep.dice), worth, next_roll(card, left)))
        else:
            turn = turns.go_on(position, turns.keep_result(position, keep, stop=False))
            again = isinstance(turn, Position) and turn.phase is Phase.ROLL
            worth = worth_after(question, SetAside(keep.dice), turn)
            following = next_roll(card, SIX) if again else None
            found.append(Choice(SetAside(keep.dice), worth, following))
    if seen.banks and seen.can.most is not None:
        result = turns.keep_result(position, seen.can.most, stop=True)
        over = turns.finish(position, Reason.BANKED, result.turn_points, result.due)
        found.append(Choice(Bank(), worth_after(question, Bank(), over), None))
    return tuple(found)


def _values(question: Question) -> CardValues:
    """The values of rolling on the card that lies there."""
    position = question.position
    assert position.card is not None, "a card has been drawn"
    draw, carried = _next_draw(question), position.carried // STEP
    return _value_tables(question).rolling(position.card, position.tuttos, draw, carried)


def _steps(position: Position) -> tuple[int, int]:
    """What was carried, and what the dice set aside have earned."""
    return position.carried // STEP, (position.earned - position.carried) // STEP


def _next_draw(question: Question) -> NextDraw:
    """What is known of the next draw: from which pile, and from when on the player leads (O8)."""
    position, pile = question.position, _pile(question)
    if question.win:
        return NextDraw(pile)
    rules, scores, player = position.rules, position.scores, position.player
    if position.card is PLUS_MINUS and rules.deduction is Deduction.ON_TUTTO:
        # Until the next draw others will have lost their points.
        scores = deduct(rules, scores, player, 1, position.carried).scores
    points = sits_out_from(rules, scores, player)
    if points is None:
        return NextDraw(pile)
    return NextDraw(pile, -(-points // STEP), not rules.sits_out_loses_carried)


def _pile(question: Question) -> Pile:
    """The pile that the next card is drawn from (O4)."""
    pile = question.pile
    return pile if pile is not None and any(pile) else WHOLE_PILE


# Everything that is told --------------------------------------------------------------------------


def all_odds(question: Question) -> Odds:
    """All that is known of this position."""
    position, card = question.position, question.position.card
    found = choices(question)
    values = [choice.value for choice in found]
    best = first_best(values) if found else None
    return Odds(
        _pile(question),
        value(question) if best is None else values[best],
        found,
        best,
        next_roll(card, position.dice_to_roll) if card is not None and not found else None,
        _cards(question) if card is None else (),
        _rules(question, found),
    )


def _cards(question: Question) -> tuple[NextCard, ...]:
    draw, carried = _next_draw(question), question.position.carried // STEP
    tables, whole = _value_tables(question), sum(draw.pile)
    return tuple(
        NextCard(card, Fraction(copies, whole), tables.turned_up(card, draw)[carried])
        for card, copies in zip(DECK, draw.pile, strict=True)
    )


def _rules(question: Question, found: tuple[Choice, ...]) -> frozenset[str]:
    """The rules that the odds rest on."""
    position = question.position
    aim = "O16" if question.win else "O5" if question.reach is None else "O6"
    cites = {"O1", "O2", "O4", aim, "O7", "T4.1"}
    if question.pile is not None and not any(question.pile):
        cites.add("T4.3")
    steps = _next_draw(question).sits_out_from
    if steps is not None and (position.card is not None or position.carried >= steps * STEP):
        cites |= {"O8", "T5.5b", "T5.5f"} | ({"T5.5g"} if steps else set())
    exactly = position.rules.plus_minus_pays is PlusMinusPays.EXACTLY
    if position.card is PLUS_MINUS and exactly and position.carried:
        cites.add("T5.5h")
    if position.card is None:
        return frozenset(cites | {"O3", "T4.2"})
    if not found:
        return frozenset(cites | {"O3", "O9", "T1.1", position.card.rule})
    if any(choice.next_roll is not None for choice in found):
        cites |= {"O3", "O9"}
    return roll_result(position).rules | position.aside.rules | cites
