"""Bots of three levels."""

from dice_referee.games.pot.events import Accept, Event, Throw
from dice_referee.games.pot.position import NextThrow
from dice_referee.games.pot.scoring import THREE, points
from dice_referee.games.pot.values.odds import Question
from dice_referee.rulebook.bots import Level

ENOUGH = {Level.CAREFUL: 8, Level.BOLD: 12}
"""Sums that these levels accept with no result to beat."""

WORTH_HOLDING = {Level.CAREFUL: 3, Level.BOLD: 5}
"""Lowest numbers that these levels hold when they throw again."""


def advise(question: Question, level: Level) -> Event:
    """Returns the event that a bot of this level chooses, without its dice.

    ``best`` takes the choice with the best odds (O13). The others accept dice that take the POT
    from its holder or, without a holder, a sum of at least ``ENOUGH``. Else they throw again, and
    hold the highest numbers from ``WORTH_HOLDING`` on. ``careful`` never pays for a throw.
    """
    answer = question.odds()
    position = question.position
    if level not in ENOUGH or position.dice is None:
        return answer.choices[answer.best].event
    thrown = position.next_throw
    pays = level == Level.BOLD or thrown is NextThrow.FREE
    total = points(position.dice)
    enough = total >= ENOUGH[level] if position.to_beat is None else position.beats(total)
    if thrown is None or not pays or enough:
        return next(choice.event for choice in answer.choices if isinstance(choice.event, Accept))
    high = [
        face for face in position.dice if isinstance(face, int) and face >= WORTH_HOLDING[level]
    ]
    return Throw(held=tuple(high[1 - THREE :]))
