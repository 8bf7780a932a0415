"""Source as a syntax tree."""

import ast
import gc


def tree_of(source: str) -> ast.Module:
    """The tree of a module's source.

    No garbage is collected meanwhile: Python 3.11 fails where a finalizer parses in the middle.
    """
    gc.disable()
    try:
        return ast.parse(source)
    finally:
        gc.enable()
