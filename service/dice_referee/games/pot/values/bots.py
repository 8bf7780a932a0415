"""Bots for POT, of four levels."""

from fractions import Fraction

from dice_referee.games.pot.coins import Coins
from dice_referee.games.pot.events import Accept, Event, Roll
from dice_referee.games.pot.position import NextRoll, Phase, Position
from dice_referee.games.pot.scoring import THREE, points
from dice_referee.games.pot.values.duels import unknown_duel
from dice_referee.games.pot.values.odds import Aim, Odds, Question
from dice_referee.rulebook.bots import Level

ENOUGH = {Level.CAREFUL: 8, Level.BOLD: 12}
"""Sums that these levels accept with no result to beat."""

WORTH_HOLDING = {Level.CAREFUL: 3, Level.BOLD: 5}
"""Lowest numbers that these levels hold when they roll again."""

WORTH_A_COIN, POINTS_WORTH_A_COIN = Fraction(1, 8), 2
"""Minimum gains of a paid roll: probability to beat, or points with no result to beat."""


def advise(question: Question, level: Level, odds: Odds | None = None) -> Event:
    """Returns the event that a bot of this level chooses, without its dice.

    ``perfect`` takes the choice that wins a game of two most often (O18). ``best`` takes the choice
    with the best odds of the turn (O13), but for coins: it accepts a combo whose reward raises its
    lead over the next player, by the reward that raises it most, and pays for a roll only for a
    gain of ``WORTH_A_COIN``. The others accept dice that take the POT from its holder or, without a
    holder, a sum of at least ``ENOUGH``. Else they roll again, and hold the highest numbers from
    ``WORTH_HOLDING`` on. ``careful`` never pays for a roll.
    """
    question = question_of(question, level)
    position = question.position
    if question.aim is Aim.WIN or position.phase is not Phase.CHOOSE:
        return question.advice(odds)
    if level not in ENOUGH:
        return _best(question.position, odds or question.odds())
    rolled = position.next_roll
    pays = level == Level.BOLD or rolled is NextRoll.FREE
    total = points(position.roll or ())
    enough = total >= ENOUGH[level] if position.to_beat is None else position.beats(total)
    if rolled is None or not pays or enough:
        return Accept(position.offer.rewards[0].players)
    high = [
        face
        for face in position.roll or ()
        if isinstance(face, int) and face >= WORTH_HOLDING[level]
    ]
    return Roll(held=tuple(high[1 - THREE :]))


def question_of(question: Question, level: Level) -> Question:
    """Returns the question by which a bot of this level decides.

    ``perfect`` asks for the win probability where it is known (O18).
    """
    known = level is Level.PERFECT and not any(unknown_duel(question.position, "/coins"))
    return question._replace(aim=Aim.WIN if known else Aim.POINTS)


def _best(position: Position, odds: Odds) -> Event:
    reward = max(position.offer.rewards, key=lambda reward: _lead(position, reward.coins))
    choice, accepting = odds.choices[odds.best], odds.choices[0]
    least = POINTS_WORTH_A_COIN if choice.beats is None else WORTH_A_COIN
    pays = choice.value - accepting.value >= choice.price * least
    leads = _lead(position, reward.coins) > _lead(position, position.coins)
    if leads or not pays or not isinstance(choice.event, Roll):
        return Accept(reward.players)
    return choice.event


def _lead(position: Position, coins: Coins) -> int:
    player, players = position.player, coins.players
    return players[player] - players[(player + 1) % len(players)]
