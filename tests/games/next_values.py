"""A choice, and the value of its own ``next``: what each game's ``next_values`` yields."""

from typing import Any, NamedTuple


class Choice(NamedTuple):
    """Choice of a random position."""

    question: dict[str, Any]
    """Document of the position, its aim and the event that is chosen."""
    value: float
    of_next: float
    """Value of the ``next`` of the choice, posted back with the same aim."""
    within: float
    """Largest difference that the rules of odds allow."""
