# Written by `make generate`, from the contract.
from typing import Any, Literal, overload

from dice_referee.documents import (
    BotLevel,
    PotAdjudication,
    PotAudit,
    PotChooseTurn,
    PotGameRecord,
    PotOdds,
    PotOddsPosition,
    PotPosition,
    PotReview,
    PotRunningTurn,
    PotStep,
    PotTransition,
    RuleList,
    TuttoAdjudication,
    TuttoAudit,
    TuttoGameRecord,
    TuttoKeepTurn,
    TuttoOdds,
    TuttoOddsPosition,
    TuttoPosition,
    TuttoReview,
    TuttoRunningTurn,
    TuttoStep,
    TuttoTransition,
    YatzeeAdjudication,
    YatzeeAudit,
    YatzeeChooseTurn,
    YatzeeGameRecord,
    YatzeeOdds,
    YatzeeOddsPosition,
    YatzeePosition,
    YatzeeReview,
    YatzeeRunningTurn,
    YatzeeStep,
    YatzeeTransition,
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
    position: TuttoPosition | TuttoKeepTurn | dict[str, Any],
    *,
    language: str = "en",
) -> TuttoAdjudication:
    """Returns everything that the dice of a position allow."""

@overload
def adjudicate(
    game: Literal["pot"],
    position: PotPosition | PotChooseTurn | dict[str, Any],
    *,
    language: str = "en",
) -> PotAdjudication:
    """Returns everything that the dice of a position allow."""

@overload
def adjudicate(
    game: Literal["yatzee"],
    position: YatzeePosition | YatzeeChooseTurn | dict[str, Any],
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
    position: TuttoPosition | TuttoOddsPosition | TuttoRunningTurn | dict[str, Any],
    *,
    bot: BotLevel | None = None,
    language: str = "en",
    span_limit: int | None = None,
) -> TuttoOdds:
    """Returns the value of a position and of its choices. The first call takes up to 0.3 s."""

@overload
def odds(
    game: Literal["pot"],
    position: PotPosition | PotOddsPosition | PotRunningTurn | dict[str, Any],
    *,
    bot: BotLevel | None = None,
    language: str = "en",
    span_limit: int | None = None,
) -> PotOdds:
    """Returns the value of a position and of its choices. The first call takes up to 0.3 s."""

@overload
def odds(
    game: Literal["yatzee"],
    position: YatzeePosition | YatzeeOddsPosition | YatzeeRunningTurn | dict[str, Any],
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
