"""Baseline: the adjudication in plain FastAPI with pydantic models, without optimization.

The baseline calls the game's own rules, so only the framework differs: parsing, validation and
serialization. In its favour, headers, request id, logs and metrics are left out.
"""

from typing import Annotated, Any, Literal

from fastapi import FastAPI, HTTPException
from pydantic import BaseModel, ConfigDict, Field, create_model

from dice_referee.games.tutto.game import GAME
from dice_referee.games.tutto.position import KeepResult, Over, Turn, is_unshown_last_round
from dice_referee.games.tutto.rulesets import ABACUS_2013 as DEFAULT
from dice_referee.games.tutto.rulesets import RULESETS, Ruleset
from dice_referee.rulebook.errors import ImpossiblePosition
from dice_referee.rulebook.ruleset import OptionValue

Die = Annotated[int, Field(ge=1, le=6)]
Dice = Annotated[list[Die], Field(max_length=6)]
Points = Annotated[int, Field(ge=-1_000_000_000, le=1_000_000_000)]
Card = Literal[
    "clover", "firework", "straight", "plus-minus", "double",
    "bonus-200", "bonus-300", "bonus-400", "bonus-500", "bonus-600",
]  # fmt: skip


DECLARED: Any = create_model(
    "Declared",
    __config__=ConfigDict(extra="forbid"),
    **{
        option.name: (
            type(DEFAULT.options[option.name]) | None,
            Field(default=None, ge=option.minimum, le=option.maximum),
        )
        for option in DEFAULT.known_options
    },
)


class Options(DECLARED):
    """Options that the rulesets declare."""


class Roll(BaseModel):
    model_config = ConfigDict(extra="forbid")

    ruleset: str = Field(default=DEFAULT.id, pattern=f"^({'|'.join(RULESETS)})$")
    options: Options = Field(default_factory=Options)
    card: Card
    keeps: list[Dice] = Field(default=[], max_length=6)
    roll: Dice
    carried: int = Field(default=0, ge=0, le=1_000_000, multiple_of=50)
    tuttos: int = Field(default=0, ge=0, le=1000)
    pending_deductions: int = Field(default=0, ge=0, le=1000)
    scores: list[Points] | None = Field(default=None, min_length=2, max_length=10)
    player: int | None = Field(default=None, ge=0, le=9)
    phase: Literal["keep"] = "keep"
    dice_to_roll: int | None = Field(default=None, ge=0, le=6)


class Row(BaseModel):
    dice: list[int]
    kind: str
    points: int
    rule: str


class Effect(BaseModel):
    type: str
    player: int | None
    points: int


class Outcome(BaseModel):
    reason: str
    points: int
    wins_game: bool | None


class TurnAnswer(BaseModel):
    """Answer without unset fields."""

    ruleset: str
    options: dict[str, OptionValue]
    phase: str
    card: str | None = None
    keeps: list[list[int]] = []
    dice_to_roll: int | None = None
    turn_points: int = 0
    carried: int = 0
    tuttos: int = 0
    pending_deductions: int = 0
    scores: list[int] | None = None
    player: int | None = None
    last_round: bool = False
    outcome: Outcome | None = None


class Keep(BaseModel):
    dice: list[int]
    points: int
    bonus: int
    turn_points: int
    tutto: bool
    lines: list[Row]
    effects: list[Effect]
    next: TurnAnswer


class Adjudication(BaseModel):
    ruleset: str
    ruleset_hash: str
    options: dict[str, OptionValue]
    turn_points: int
    status: str
    legal_keeps: list[Keep]
    bank: Keep | None
    next: TurnAnswer | None
    rules: list[str]


app = FastAPI()
HASHES: dict[str, str] = {}
"""Hashes of rulesets, computed at their first use."""


@app.post("/v1/tutto/adjudications", response_model_exclude_unset=True)
async def adjudicate_tutto(question: Roll) -> Adjudication:
    try:
        position = GAME.position_of(question.model_dump(exclude_unset=True))
    except ImpossiblePosition as impossible:
        raise HTTPException(422, [found._asdict() for found in impossible.findings]) from None
    verdict, rules = position.verdict(), position.rules
    seen = verdict.roll_result
    stakes = [position.keep_result(keep, stop=False) for keep in seen.can.keeps]
    bank, end = None, None if verdict.end is None else turn_answer(verdict.end)
    if seen.banks and seen.can.most is not None and end is not None:
        bank, end = keep_answer(position.keep_result(seen.can.most, stop=True), end), None
    return Adjudication(
        ruleset=rules.id,
        ruleset_hash=ruleset_hash(rules),
        options=rules.house_rules,
        turn_points=verdict.earned,
        status=verdict.roll_result.status,
        legal_keeps=[keep_answer(result, turn_answer(position.go_on(result))) for result in stakes],
        bank=bank,
        next=end,
        rules=sorted(verdict.rules),
    )


def ruleset_hash(rules: Ruleset) -> str:
    if rules.id not in HASHES:
        HASHES[rules.id] = rules.hash
    return HASHES[rules.id]


def keep_answer(result: KeepResult, following: TurnAnswer) -> Keep:
    keep = result.keep
    return Keep(
        dice=list(keep.dice),
        points=keep.points,
        bonus=result.bonus,
        turn_points=result.turn_points,
        tutto=result.tutto,
        lines=[Row(**line._asdict()) for line in keep.lines],
        effects=[Effect(**taken._asdict()) for taken in result.due.taken],
        next=following,
    )


def turn_answer(turn: Turn) -> TurnAnswer:
    """Returns the turn without fields at their defaults."""
    answer = TurnAnswer(ruleset=turn.rules.id, options=turn.rules.house_rules, phase="over")
    if isinstance(turn, Over):
        answer.outcome = Outcome(reason=turn.reason, points=turn.points, wins_game=turn.wins_game)
    else:
        answer.phase, answer.dice_to_roll = turn.phase, turn.dice_to_roll
        if turn.card is not None:
            answer.card = turn.card.id
        if turn.aside.keeps:
            answer.keeps = [list(dice) for dice in turn.aside.keeps]
        if turn.earned:
            answer.turn_points = turn.earned
        if turn.carried:
            answer.carried = turn.carried
        if turn.tuttos:
            answer.tuttos = turn.tuttos
        if turn.pending_deductions:
            answer.pending_deductions = turn.pending_deductions
    if turn.scores is not None:
        answer.scores, answer.player = list(turn.scores), turn.player
    if is_unshown_last_round(turn):
        answer.last_round = True
    return answer
