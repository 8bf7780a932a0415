"""The games, a folder each, and the catalogue that finds them.

A folder imports ``rulebook`` and itself, never a sibling. To add a game, add a folder whose
``game.py`` holds ``GAME``, an object of a class that extends ``Game``.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from dice_referee.games.game import AnyGame

FIRST = "tutto"
"""The game that every list of games begins with."""

OTHER_PATHS = frozenset({"sessions", "fairness"})
"""Names of paths beside those of games, ``/v1/{game}``. No game has such a name."""


@cache
def catalogue() -> Mapping[str, AnyGame]:
    """Returns every game by its name: first ``FIRST``, then the others in alphabetical order.

    Raises ValueError for a game with a name of ``OTHER_PATHS``.
    """
    packages = (module.name for module in iter_modules(__path__) if module.ispkg)
    names = sorted(packages, key=lambda name: (name != FIRST, name))
    for taken in OTHER_PATHS.intersection(names):
        raise ValueError(f"no game may be called {taken}: /v1 has this path already")
    return {name: import_module(f"{__name__}.{name}.game").GAME for name in names}


def most_players() -> int:
    return max(game.players[1] for game in catalogue().values())
