"""Bots of four levels.

``best`` takes the choice of the highest value. ``perfect`` takes the choice that wins a game of two
most often (O16). ``careful`` and ``bold`` use no odds: they set aside every scoring die, and bank
as soon as that writes 300 or 1000 points.
"""

from dice_referee.games.tutto.events import Bank, Draw, Event, Roll, SetAside
from dice_referee.games.tutto.position import Phase, Position
from dice_referee.games.tutto.values.duels import PLAYERS_OF_A_DUEL, has_win_chances
from dice_referee.games.tutto.values.odds import Odds, Question
from dice_referee.rulebook.bots import Level

STOPS_AT = {Level.CAREFUL: 300, Level.BOLD: 1000}
"""Points from which a bot without odds banks, by its level."""


def advise(question: Question, level: Level, odds: Odds | None = None) -> Event:
    """Returns the event that a bot of this level chooses. The turn must not be over."""
    position = question.position
    if position.phase is not Phase.KEEP:
        return Draw() if position.phase is Phase.DRAW else Roll()
    if level in STOPS_AT:
        return _keep_or_bank(position, STOPS_AT[level])
    return question_of(question, level).advice(odds)


def question_of(question: Question, level: Level) -> Question:
    """Returns the question of a bot of this level.

    ``perfect`` asks for the win probability where it is known (O16).
    """
    scores = question.position.scores or ()
    known = len(scores) == PLAYERS_OF_A_DUEL and has_win_chances(question.position.rules)
    return question._replace(reach=None, win=known and level is Level.PERFECT)


def _keep_or_bank(position: Position, stops_at: int) -> Event:
    result = position.roll_result
    most = result.can.most
    assert most is not None, "dice other than a Niete leave a choice"
    if result.banks and position.keep_result(most, stop=True).turn_points >= stops_at:
        return Bank()
    return SetAside(most.dice)
