"""How a case's expectation is compared with an answer (see ``about`` in the case files)."""

from typing import Any


def mismatches(expected: Any, answer: Any, at: str = "") -> list[str]:
    """Every place where the answer is not what the case expects; none if it matches.

    Of an object only the keys that are named count, ``!key`` must be absent; a list matches item by
    item and in length; anything else by equality and type, so that ``true`` is not 1.
    """
    if isinstance(expected, dict):
        if not isinstance(answer, dict):
            return [f"{at}: {answer!r} is no object"]
        found: list[str] = []
        for key, value in expected.items():
            if key.startswith("!"):
                found += [f"{at}/{key[1:]}: is there"] * (key[1:] in answer)
            elif key not in answer:
                found.append(f"{at}/{key}: is missing")
            else:
                found += mismatches(value, answer[key], f"{at}/{key}")
        return found
    if isinstance(expected, list):
        if not isinstance(answer, list) or len(answer) != len(expected):
            return [f"{at}: {answer!r}, expected {expected!r}"]
        pairs = enumerate(zip(expected, answer, strict=True))
        return [miss for i, (a, b) in pairs for miss in mismatches(a, b, f"{at}/{i}")]
    if expected != answer or type(expected) is not type(answer):
        return [f"{at}: {answer!r}, expected {expected!r}"]
    return []
