"""What players of three kinds would do in a position.

``best`` takes the choice that is worth most, ``perfect`` the one that
wins a game of two most often.
``careful`` and ``bold`` know no odds: they set aside
every scoring die, and stop as soon as they may write 300 or 1000 points.
"""

from service.games.tutto import turn as turns
from service.games.tutto.events import Bank, Draw, Event, Roll, SetAside
from service.games.tutto.position import Phase, Position
from service.games.tutto.turn import roll_result
from service.games.tutto.values.duels import PLAYERS_OF_A_DUEL, has_win_chances
from service.games.tutto.values.odds import Question, all_odds
from service.rules.bots import Level

STOPS_AT = {Level.CAREFUL: 300, Level.BOLD: 1000}
"""The points from which on a player who knows no odds stops."""


def advise(question: Question, level: Level) -> Event:
    """What a player of this level does, without the dice or the card that chance will bring.

    The turn is not over.
    """
    position = question.position
    if position.phase is not Phase.KEEP:
        return Draw() if position.phase is Phase.DRAW else Roll()
    if level in STOPS_AT:
        return _plain(position, STOPS_AT[level])
    odds = all_odds(question_of(question, level))
    assert odds.best is not None, "dice that are no Niete leave a choice"
    return odds.choices[odds.best].event


def question_of(question: Question, level: Level) -> Question:
    """What a player of this level asks: ``perfect`` plays to win where that is known (O16)."""
    scores = question.position.scores or ()
    known = len(scores) == PLAYERS_OF_A_DUEL and has_win_chances(question.position.rules)
    return question._replace(win=question.win or (known and level is Level.PERFECT))


def _plain(position: Position, stops_at: int) -> Event:
    """Every scoring die, and the end of the turn from so many points on."""
    seen = roll_result(position)
    assert seen.can.most is not None, "dice that are no Niete leave a choice"
    if seen.banks and turns.keep_result(position, seen.can.most, stop=True).turn_points >= stops_at:
        return Bank()
    return SetAside(seen.can.most.dice)
