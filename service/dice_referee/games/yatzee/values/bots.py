"""Bots for Yatzee, of four levels."""

from dice_referee.games.yatzee.events import Event, Strike, Write
from dice_referee.games.yatzee.values.odds import Odds, Question
from dice_referee.games.yatzee.values.sheet import Aim, has_values
from dice_referee.rulebook.bots import Level

STOPS_AT = {Level.CAREFUL: 15, Level.BOLD: 30}
"""Points from which these levels stop rolling, in any category."""


def advise(question: Question, level: Level, odds: Odds | None = None) -> Event:
    """Returns the event that a bot of this level chooses, without its dice.

    ``best`` chooses the highest gain (O11). ``perfect`` maximizes the whole sheet (O15), where it
    has a value table. ``careful`` and ``bold`` roll like ``best``, but stop as soon as some
    category has the points of ``STOPS_AT``. They then fill the category with the most points.
    """
    position = question.position
    if level in STOPS_AT and position.roll is not None:
        now = {category: position.points_in(category) for category in position.open_categories}
        most = max(now, key=now.__getitem__)
        if now[most] >= STOPS_AT[level] or not position.may_roll:
            return Write(most) if now[most] else Strike(most)
    return question_of(question, level).advice(odds)


def question_of(question: Question, level: Level) -> Question:
    """Returns the question by which a bot decides.

    ``perfect`` asks for the rest of the sheet where it has a value table (O15).
    """
    known = level is Level.PERFECT and has_values(question.position.rules)
    return question._replace(aim=Aim.GAME if known else Aim.CATEGORY)
