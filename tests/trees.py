"""Source as a syntax tree."""

import ast
import gc


def tree_of(source: str) -> ast.Module:
    """Parses a module's source without garbage collection.

    Python 3.11 fails if a finalizer parses source for a traceback in the middle of ``ast.parse``.
    """
    gc.disable()
    try:
        return ast.parse(source)
    finally:
        gc.enable()
