"""Source as a syntax tree."""

import ast
import gc


def tree_of(source: str) -> ast.Module:
    """Parses a module's source.

    Python 3.11 fails where a finalizer parses, for a traceback, in the middle of ``ast.parse``: no
    garbage is collected meanwhile.
    """
    gc.disable()
    try:
        return ast.parse(source)
    finally:
        gc.enable()
