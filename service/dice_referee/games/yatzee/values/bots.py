"""Bots of four levels."""

from dice_referee.games.yatzee.events import Event, Strike, Write
from dice_referee.games.yatzee.values import whole_game
from dice_referee.games.yatzee.values.card import has_table
from dice_referee.games.yatzee.values.odds import Question
from dice_referee.rulebook.bots import Level

STOPS_AT = {Level.CAREFUL: 15, Level.BOLD: 30}
"""Points from which these levels stop rolling, in any category."""


def advise(question: Question, level: Level) -> Event:
    """Returns the event that a bot of this level chooses, without its dice.

    ``best`` chooses the highest gain (O11), or the aim of the question. ``perfect`` maximizes the
    whole card (O15), where it has a value table. ``careful`` and ``bold`` roll like ``best``, but
    stop as soon as some category has the points of ``STOPS_AT``. They then fill the category with
    the most points.
    """
    position = question.position
    if level is Level.PERFECT and has_table(position.rules):
        return whole_game.best(position)
    if level in STOPS_AT and position.roll is not None:
        now = {category: position.points_in(category) for category in position.open_categories}
        most = max(now, key=now.__getitem__)
        if now[most] >= STOPS_AT[level] or not position.may_roll:
            return Write(most) if now[most] else Strike(most)
    return question.advice()
