"""Fixture that empties the caches of the games before each test.

Mutation testing needs empty caches: a value cached before a mutant is active would hide the mutant.
"""

import sys

import pytest


@pytest.fixture(autouse=True, scope="session")
def _empty_tables() -> None:
    for name, module in list(sys.modules.items()):
        if name.startswith("dice_referee.games."):
            for value in vars(module).values():
                clear = getattr(value, "cache_clear", None)
                if clear is not None:
                    clear()
