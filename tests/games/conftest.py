"""Games keep tables of what depends on the dice alone; tests begin with empty ones.

Mutation testing needs that: a table filled before a mutant was switched on would hide it.
"""

import sys

import pytest


@pytest.fixture(autouse=True, scope="session")
def _empty_tables() -> None:
    for name, module in list(sys.modules.items()):
        if name.startswith("service.games."):
            for value in vars(module).values():
                clear = getattr(value, "cache_clear", None)
                if clear is not None:
                    clear()
