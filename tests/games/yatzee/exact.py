"""Values of choices of Yatzee by the exact table of the builder."""

from importlib.util import find_spec, module_from_spec
from types import ModuleType

from dice_referee.games.yatzee.events import Event
from dice_referee.games.yatzee.position import Position
from dice_referee.games.yatzee.rulesets import YATZEE_SIX
from dice_referee.games.yatzee.values import whole_game
from dice_referee.games.yatzee.values.sheet import Rest
from tests.tools.tables.sheet_game import Solution, upper_state
from tests.tools.tables.yatzee import sheet_game


class ExactValues:
    """Replaces the shipped table in a copy of the answering code."""

    rules = YATZEE_SIX

    def __init__(self, solution: Solution) -> None:
        self._game, self._values = sheet_game(self.rules), solution.values
        self._places = {state: place for place, state in enumerate(solution.upper)}
        self._answers = self._copy()

    def _copy(self) -> ModuleType:
        spec = find_spec(whole_game.__name__)
        assert spec is not None
        assert spec.loader is not None
        copy = module_from_spec(spec)
        spec.loader.exec_module(copy)
        vars(copy)["sheet_values"] = lambda: self
        return copy

    def value(self, rest: Rest) -> float:
        """Returns the expected further points of a sheet, with the upper bonus while it is open."""
        place = self._places[upper_state(self._game, rest.upper, rest.sum)]
        reached = rest.sum >= self.rules.upper_threshold
        return float(self._values[rest.lower, place]) - self.rules.upper_bonus * reached

    def loss(self, position: Position, event: Event) -> float:
        """Returns the loss of an event in points."""
        best: float = self._answers.value(position)
        worth: float = self._answers.worth(position, event)
        return best - worth
