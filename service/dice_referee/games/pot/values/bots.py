"""Bots of four levels."""

from fractions import Fraction

from dice_referee.games.pot.events import Accept, Event, Throw
from dice_referee.games.pot.position import NextThrow, Phase, Position
from dice_referee.games.pot.rewards import Reward, others_in_turn
from dice_referee.games.pot.scoring import THREE, points
from dice_referee.games.pot.values.duels import PLAYERS_OF_A_DUEL, has_win_chances
from dice_referee.games.pot.values.odds import Aim, Choice, Question
from dice_referee.rulebook.bots import Level

ENOUGH = {Level.CAREFUL: 8, Level.BOLD: 12}
"""Sums that these levels accept with no result to beat."""

WORTH_HOLDING = {Level.CAREFUL: 3, Level.BOLD: 5}
"""Lowest numbers that these levels hold when they throw again."""

WORTH_A_COIN, POINTS_WORTH_A_COIN = Fraction(1, 8), 2
"""Gains that a paid roll must promise: chance to beat, or points with no result to beat."""


def advise(question: Question, level: Level) -> Event:
    """Returns the event that a bot of this level chooses, without its dice.

    ``perfect`` takes the choice that wins a game of two most often (O18). ``best`` takes the choice
    with the best odds of the turn (O13), but for coins: it accepts a combo whose reward raises its
    lead over the next player, by the reward that raises it most, and pays for a roll only for a
    gain of ``WORTH_A_COIN``. The others accept dice that take the POT from its holder or, without a
    holder, a sum of at least ``ENOUGH``. Else they throw again, and hold the highest numbers from
    ``WORTH_HOLDING`` on. ``careful`` never pays for a throw.
    """
    question = question_of(question, level)
    position = question.position
    if question.aim is Aim.WIN or position.phase is not Phase.CHOOSE:
        return question.advice()
    if level not in ENOUGH:
        return _best(question)
    thrown = position.next_throw
    pays = level == Level.BOLD or thrown is NextThrow.FREE
    total = points(position.dice or ())
    enough = total >= ENOUGH[level] if position.to_beat is None else position.beats(total)
    if thrown is None or not pays or enough:
        return Accept(position.offer.rewards[0].players)
    high = [
        face
        for face in position.dice or ()
        if isinstance(face, int) and face >= WORTH_HOLDING[level]
    ]
    return Throw(held=tuple(high[1 - THREE :]))


def question_of(question: Question, level: Level) -> Question:
    """Returns the question by which a bot of this level decides.

    ``perfect`` asks for the chance of winning where it is known (O18).
    """
    position = question.position
    known = len(position.coins.players) == PLAYERS_OF_A_DUEL and has_win_chances(position.rules)
    return question._replace(aim=Aim.WIN) if known and level is Level.PERFECT else question


def _best(question: Question) -> Event:
    """Returns the choice of ``best`` between accepting and throwing again."""
    position, odds = question.position, question.odds()
    reward = max(position.offer.rewards, key=lambda reward: _gain(position, reward))
    throws = [choice for choice in odds.choices if isinstance(choice.event, Throw)]
    throw = max(throws, key=lambda choice: choice.value, default=None)
    if throw is None or _gain(position, reward) > 0:
        return Accept(reward.players)
    gain = throw.value - odds.choices[0].value
    return throw.event if gain > 0 and gain >= _least_gain(throw) else Accept(reward.players)


def _gain(position: Position, reward: Reward) -> int:
    """Returns the coins by which a reward raises the player's lead over the next player."""
    player = position.player
    following, *_ = others_in_turn(player, len(position.coins.players))
    own, other = (
        reward.coins.players[seat] - position.coins.players[seat] for seat in (player, following)
    )
    return own - other


def _least_gain(throw: Choice) -> Fraction | int:
    """Returns the gain for which ``best`` throws again: any for free, more for a coin."""
    if not throw.price:
        return 0
    return POINTS_WORTH_A_COIN if throw.beats is None else WORTH_A_COIN
