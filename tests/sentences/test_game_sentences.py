"""Every game has all its sentences."""

from dice_referee.games import catalogue
from dice_referee.games.pot import speech as pot
from dice_referee.games.tutto import speech as tutto
from dice_referee.games.yatzee import speech as yatzee
from dice_referee.sentences.game_sentences import GameSentences, sentences_of

SENTENCES: dict[str, GameSentences] = {"pot": pot, "tutto": tutto, "yatzee": yatzee}
"""The modules; mypy holds each to the protocol."""


def test_every_game_has_its_sentences() -> None:
    assert {game: sentences_of(game) for game in catalogue()} == SENTENCES
