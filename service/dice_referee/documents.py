"""Types of the documents, which type checkers read in ``documents.pyi``. No program loads them."""


def __getattr__(name: str) -> type[dict]:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return dict
