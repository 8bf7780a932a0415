"""A referee for dice games, as a library: documents in, documents out, and no server.

Documents and answers are those of the HTTP service, as described in ``openapi.yaml``. The games are
``pot``, ``tutto`` and ``yatzee``.

>>> import dice_referee
>>> verdict = dice_referee.adjudicate("tutto", {"card": "bonus-300", "roll": [2, 3, 4, 5, 6, 6]})
>>> verdict["legal_keeps"][0]["dice"], verdict["bank"]["points"], verdict["rules"]
([5], 50, ['T1.2', 'T2.2', 'T2.5'])

An illegal move is an answer, with every reason. Every function raises ``InvalidRequest`` for a
document of an invalid shape and for an unknown game, ``ImpossiblePosition`` for an impossible
position, and TypeError for a game that is not a string and for values that JSON does not support.
``language`` (``en``, ``de``, ``fr`` or ``it``) is that of findings and errors. The service's limits
on sizes and rates do not apply. ``dice_referee.documents`` has a type for each document.
"""

from typing import Any

__all__ = [
    "ImpossiblePosition",
    "InvalidRequest",
    "adjudicate",
    "audit",
    "odds",
    "review",
    "rules",
    "transition",
]
__version__ = "0.12.0.dev0"


def __getattr__(name: str) -> Any:
    """Loads the library on the first use of its names, because the server does not need it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from dice_referee import library

    return getattr(library, name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
