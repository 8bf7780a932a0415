"""Comparison of a case's expectation with an answer (see ``about`` of the case tables)."""

from math import isclose
from typing import Any, NamedTuple

ABSENT: Any = object()


class Mismatch(NamedTuple):
    pointer: str
    expected: Any
    """Expected JSON, or ``ABSENT`` if the answer must not have the value."""
    actual: Any
    """Actual JSON, or ``ABSENT`` if the answer lacks the value."""

    def document(self) -> dict[str, Any]:
        return {name: value for name, value in self._asdict().items() if value is not ABSENT}


def mismatches(expected: Any, answer: Any, at: str = "") -> list[Mismatch]:
    """Returns every difference between the answer and the case, none if it matches.

    Objects match by the keys of the expectation, and ``!key`` must be absent. Lists match item by
    item and in length. Floats match to nine digits. All other values match if they are equal in
    JSON: 1 equals 1.0 but not ``true``.
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
        return [mismatch for i, (a, b) in pairs for mismatch in mismatches(a, b, f"{at}/{i}")]
    if isinstance(expected, float) and isinstance(answer, float):
        # A different order of computation changes the last digits.
        return [] if isclose(expected, answer) else [Mismatch(at, expected, answer)]
    if expected != answer or isinstance(expected, bool) is not isinstance(answer, bool):
        return [Mismatch(at, expected, answer)]
    return []
