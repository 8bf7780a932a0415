"""Types of the documents. Type checkers read them in ``documents.pyi``; no program loads them."""


def __getattr__(name: str) -> type[dict]:
    """Returns the type of every document of a running program."""
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return dict
