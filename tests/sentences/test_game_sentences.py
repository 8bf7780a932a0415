"""Every game has all its sentences."""

from service.games import catalogue
from service.games.pot import speech as pot
from service.games.tutto import speech as tutto
from service.games.yatzee import speech as yatzee
from service.sentences.game_sentences import GameSentences, sentences_of

SENTENCES: dict[str, GameSentences] = {"pot": pot, "tutto": tutto, "yatzee": yatzee}
"""The modules; mypy holds each to the protocol."""


def test_every_game_has_its_sentences() -> None:
    assert {game: sentences_of(game) for game in catalogue()} == SENTENCES
