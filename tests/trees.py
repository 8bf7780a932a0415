"""Source as a syntax tree."""

import ast
import gc


def tree_of(source: str) -> ast.Module:
    """The tree of a module's source.

    No garbage is collected meanwhile: Python 3.11 fails where a finalizer or another thread parses
    in the middle, and then it is parsed once more.
    """
    gc.disable()
    try:
        return ast.parse(source)
    except SystemError:
        return ast.parse(source)
    finally:
        gc.enable()
