"""Source as a syntax tree.

Python 3.11 fails where a finalizer parses, for a traceback, in the middle of ``ast.parse``: no
garbage is collected meanwhile.
"""

import ast
import gc
import inspect
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def tree_of(source: str) -> ast.Module:
    """Parses a module's source."""
    with no_collection():
        return ast.parse(source)


def tree_of_class(cls: type) -> ast.Module:
    """Parses a class's source. Raises OSError or TypeError for one written in C."""
    with no_collection():
        # To find a class, inspect parses its module.
        return ast.parse(textwrap.dedent(inspect.getsource(cls)))
