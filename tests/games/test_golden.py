"""Answers of every game have the digests of ``golden.txt``."""

import pytest

from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from tests.tools.golden import lines, path_of


@pytest.mark.parametrize("game", catalogue().values(), ids=catalogue())
def test_answers_have_their_golden_digests(game: AnyGame) -> None:
    """A changed line names the question. ``make generate`` accepts an intended change."""
    assert [*lines(game)] == path_of(game).read_text("utf-8").splitlines()
