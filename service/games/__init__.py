"""Room 2, one folder a game, and the catalogue that finds them.

Law of the room: a folder imports ``service.rules`` and itself, never a sibling; its ``wire.py``,
``shapes.py`` and ``answers.py`` may also use ``service.wire``, marshmallow and orjson. A new game
is a new folder whose ``wire.py`` holds ``GAME``: nothing here changes. ``service.wire.referee``
says what its other modules hold.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import cast

from service.rules.game import Game


@cache
def catalogue() -> Mapping[str, Game]:
    """Every game of this service by its name, in alphabetical order."""
    names = sorted(module.name for module in iter_modules(__path__) if module.ispkg)
    games = {name: cast(Game, import_module(f"{__name__}.{name}.wire").GAME) for name in names}
    return MappingProxyType(games)
