# Written by `make generate`, from the contract.
from typing import Any, Literal, overload

from dice_referee.documents import (
    BotLevel,
    PotAdjudication,
    PotAudit,
    PotGameRecord,
    PotOdds,
    PotOddsPosition,
    PotPosition,
    PotReview,
    PotStep,
    PotTransition,
    PotTurn,
    RuleList,
    TuttoAdjudication,
    TuttoAudit,
    TuttoGameRecord,
    TuttoOdds,
    TuttoOddsPosition,
    TuttoPosition,
    TuttoReview,
    TuttoStep,
    TuttoTransition,
    TuttoTurn,
    YatzeeAdjudication,
    YatzeeAudit,
    YatzeeGameRecord,
    YatzeeOdds,
    YatzeeOddsPosition,
    YatzeePosition,
    YatzeeReview,
    YatzeeStep,
    YatzeeTransition,
    YatzeeTurn,
)
from dice_referee.library import ImpossiblePosition, InvalidRequest

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
__version__: str

@overload
def adjudicate(
    game: Literal["tutto"],
    position: TuttoPosition | TuttoTurn | dict[str, Any],
    *,
    language: str = "en",
) -> TuttoAdjudication:
    """Returns everything that the dice of a position allow."""

@overload
def adjudicate(
    game: Literal["pot"], position: PotPosition | PotTurn | dict[str, Any], *, language: str = "en"
) -> PotAdjudication:
    """Returns everything that the dice of a position allow."""

@overload
def adjudicate(
    game: Literal["yatzee"],
    position: YatzeePosition | YatzeeTurn | dict[str, Any],
    *,
    language: str = "en",
) -> YatzeeAdjudication:
    """Returns everything that the dice of a position allow."""

@overload
def adjudicate(
    game: str, position: dict[str, Any], *, language: str = "en"
) -> TuttoAdjudication | PotAdjudication | YatzeeAdjudication:
    """Returns everything that the dice of a position allow."""

@overload
def transition(
    game: Literal["tutto"], position: TuttoTransition | dict[str, Any], *, language: str = "en"
) -> TuttoStep:
    """Returns the consequences of the ``event`` in a position, or every finding against it."""

@overload
def transition(
    game: Literal["pot"], position: PotTransition | dict[str, Any], *, language: str = "en"
) -> PotStep:
    """Returns the consequences of the ``event`` in a position, or every finding against it."""

@overload
def transition(
    game: Literal["yatzee"], position: YatzeeTransition | dict[str, Any], *, language: str = "en"
) -> YatzeeStep:
    """Returns the consequences of the ``event`` in a position, or every finding against it."""

@overload
def transition(
    game: str, position: dict[str, Any], *, language: str = "en"
) -> TuttoStep | PotStep | YatzeeStep:
    """Returns the consequences of the ``event`` in a position, or every finding against it."""

@overload
def audit(
    game: Literal["tutto"], log: TuttoGameRecord | dict[str, Any] | str, *, language: str = "en"
) -> TuttoAudit:
    """Returns the state of the game of a ``log`` or of a line, up to its first illegal event."""

@overload
def audit(
    game: Literal["pot"], log: PotGameRecord | dict[str, Any] | str, *, language: str = "en"
) -> PotAudit:
    """Returns the state of the game of a ``log`` or of a line, up to its first illegal event."""

@overload
def audit(
    game: Literal["yatzee"], log: YatzeeGameRecord | dict[str, Any] | str, *, language: str = "en"
) -> YatzeeAudit:
    """Returns the state of the game of a ``log`` or of a line, up to its first illegal event."""

@overload
def audit(
    game: str, log: dict[str, Any] | str, *, language: str = "en"
) -> TuttoAudit | PotAudit | YatzeeAudit:
    """Returns the state of the game of a ``log`` or of a line, up to its first illegal event."""

@overload
def odds(
    game: Literal["tutto"],
    position: TuttoPosition | TuttoOddsPosition | TuttoTurn | dict[str, Any],
    *,
    bot: BotLevel | None = None,
    language: str = "en",
    span_limit: int | None = None,
) -> TuttoOdds:
    """Returns the value of a position and of its choices. The first call takes up to 0.3 s."""

@overload
def odds(
    game: Literal["pot"],
    position: PotPosition | PotOddsPosition | PotTurn | dict[str, Any],
    *,
    bot: BotLevel | None = None,
    language: str = "en",
    span_limit: int | None = None,
) -> PotOdds:
    """Returns the value of a position and of its choices. The first call takes up to 0.3 s."""

@overload
def odds(
    game: Literal["yatzee"],
    position: YatzeePosition | YatzeeOddsPosition | YatzeeTurn | dict[str, Any],
    *,
    bot: BotLevel | None = None,
    language: str = "en",
    span_limit: int | None = None,
) -> YatzeeOdds:
    """Returns the value of a position and of its choices. The first call takes up to 0.3 s."""

@overload
def odds(
    game: str,
    position: dict[str, Any],
    *,
    bot: BotLevel | None = None,
    language: str = "en",
    span_limit: int | None = None,
) -> TuttoOdds | PotOdds | YatzeeOdds:
    """Returns the value of a position and of its choices. The first call takes up to 0.3 s."""

@overload
def review(
    game: Literal["tutto"],
    log: TuttoGameRecord | dict[str, Any] | str,
    *,
    language: str = "en",
    span_limit: int | None = None,
) -> TuttoReview:
    """Returns the loss of each decision of a ``log`` or a line, and each player's luck and play."""

@overload
def review(
    game: Literal["pot"],
    log: PotGameRecord | dict[str, Any] | str,
    *,
    language: str = "en",
    span_limit: int | None = None,
) -> PotReview:
    """Returns the loss of each decision of a ``log`` or a line, and each player's luck and play."""

@overload
def review(
    game: Literal["yatzee"],
    log: YatzeeGameRecord | dict[str, Any] | str,
    *,
    language: str = "en",
    span_limit: int | None = None,
) -> YatzeeReview:
    """Returns the loss of each decision of a ``log`` or a line, and each player's luck and play."""

@overload
def review(
    game: str, log: dict[str, Any] | str, *, language: str = "en", span_limit: int | None = None
) -> TuttoReview | PotReview | YatzeeReview:
    """Returns the loss of each decision of a ``log`` or a line, and each player's luck and play."""

def rules(game: str, *, language: str = "en") -> RuleList: ...
