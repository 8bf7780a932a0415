"""Comparison of a case's expectation with an answer (see ``about`` of the case tables)."""

from math import isclose
from typing import Any, NamedTuple

ABSENT: Any = object()
"""Marker of a missing value."""


class Mismatch(NamedTuple):
    """A place where an answer is not what the case expects."""

    pointer: str
    """The place in the answer (RFC 6901)."""
    expected: Any
    """JSON, or ``ABSENT`` where nothing may be."""
    actual: Any
    """JSON, or ``ABSENT`` where the answer has nothing."""

    def document(self) -> dict[str, Any]:
        """Returns the mismatch as JSON, without ``expected`` or ``actual`` where there is none."""
        return {name: value for name, value in self._asdict().items() if value is not ABSENT}


def mismatches(expected: Any, answer: Any, at: str = "") -> list[Mismatch]:
    """Returns every place where the answer differs from the case; none if it matches.

    Of an object only the keys that are named count, ``!key`` must be absent; a list matches item by
    item and in length; a number that is not whole by nine digits; anything else by equality as JSON
    has it: 1 is 1.0 and not ``true``.
    """
    if isinstance(expected, dict) and isinstance(answer, dict):
        differences: list[Mismatch] = []
        for key, value in expected.items():
            name = key.removeprefix("!")
            place = f"{at}/{name.replace('~', '~0').replace('/', '~1')}"
            actual = answer.get(name, ABSENT)
            if key.startswith("!"):
                differences += [Mismatch(place, ABSENT, actual)] * (actual is not ABSENT)
            else:
                differences += mismatches(value, actual, place)
        return differences
    if isinstance(expected, list) and isinstance(answer, list) and len(expected) == len(answer):
        pairs = enumerate(zip(expected, answer, strict=True))
        return [one for i, (a, b) in pairs for one in mismatches(a, b, f"{at}/{i}")]
    if isinstance(expected, float) and isinstance(answer, float):
        # Programs that compute the same in another order differ in the last digits.
        return [] if isclose(expected, answer) else [Mismatch(at, expected, answer)]
    if expected != answer or isinstance(expected, bool) is not isinstance(answer, bool):
        return [Mismatch(at, expected, answer)]
    return []
