"""A choice and the value of its ``next``, yielded by each game's ``next_values``."""

from typing import Any, NamedTuple


class Choice(NamedTuple):
    """Choice of a random position."""

    question: dict[str, Any]
    """Document of the position, its aim and the chosen event."""
    value: float
    of_next: float
    """Value of the ``next`` of the choice, posted back with the same aim."""
    within: float
    """Largest difference that the rules of odds allow."""
