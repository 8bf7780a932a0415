"""Source as a syntax tree."""

import ast
import gc
from contextlib import suppress

ATTEMPTS = 9


def tree_of(source: str) -> ast.Module:
    """The tree of a module's source.

    Python 3.11 fails where a finalizer or another thread parses in the middle: no garbage is
    collected meanwhile, and a source is parsed again as long as that happens.
    """
    gc.disable()
    try:
        for _ in range(ATTEMPTS):
            with suppress(SystemError):
                return ast.parse(source)
        return ast.parse(source)
    finally:
        gc.enable()
