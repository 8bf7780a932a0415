# Written by `make generate`, from the contract.
from typing import Literal, NotRequired, TypeAlias, TypedDict

Game: TypeAlias = Literal["tutto", "pot", "yatzee"]

class RuleList(TypedDict):
    game: str
    rules: list[Rule]

class Rule(TypedDict):
    number: str
    status: RuleStatus
    text: str
    reasoning: str
    reading: str | None
    sources: list[Source]
    options: list[str]

RuleStatus: TypeAlias = Literal["official", "reading", "mixed", "convention"]

class Source(TypedDict):
    id: str
    title: str

class TuttoPosition(TypedDict):
    ruleset: NotRequired[TuttoRulesetId]
    options: NotRequired[TuttoOptions]
    card: TuttoCard
    keeps: NotRequired[list[list[int]]]
    roll: list[int]
    carried: NotRequired[int]
    tuttos: NotRequired[int]
    pending_deductions: NotRequired[int]
    scores: NotRequired[list[int]]
    player: NotRequired[int]
    last_round: NotRequired[bool]
    turns_left: NotRequired[int]
    starter: NotRequired[int]
    phase: NotRequired[TuttoPhase]
    dice_to_roll: NotRequired[int]
    turn_points: NotRequired[int]

TuttoRulesetId: TypeAlias = Literal["abacus-2013", "braillespiel", "volle-lotte"]

class TuttoOptions(TypedDict):
    target: NotRequired[int]
    ending: NotRequired[TuttoEnding]
    firework_keep: NotRequired[TuttoFireworkKeep]
    double_scope: NotRequired[TuttoDoubleScope]
    leader_draws_plus_minus: NotRequired[TuttoLeaderDrawsPlusMinus]
    sits_out_loses_carried: NotRequired[bool]
    deduction: NotRequired[TuttoDeduction]
    score_floor: NotRequired[TuttoScoreFloor]
    leaders: NotRequired[TuttoLeaders]
    plus_minus_pays: NotRequired[TuttoPlusMinusPays]
    equal_dice: NotRequired[TuttoEqualDice]
    plus_minus_tutto: NotRequired[TuttoPlusMinusTutto]

TuttoEnding: TypeAlias = Literal["at-once", "full-round", "one-more-turn"]
TuttoFireworkKeep: TypeAlias = Literal["all", "any"]
TuttoDoubleScope: TypeAlias = Literal["turn", "card"]
TuttoLeaderDrawsPlusMinus: TypeAlias = Literal["sits-out", "plays"]
TuttoDeduction: TypeAlias = Literal["on-tutto", "on-bank"]
TuttoScoreFloor: TypeAlias = Literal["none", "zero"]
TuttoLeaders: TypeAlias = Literal["sheet", "turn"]
TuttoPlusMinusPays: TypeAlias = Literal["beside", "exactly"]
TuttoEqualDice: TypeAlias = Literal["triples", "doubled"]
TuttoPlusMinusTutto: TypeAlias = Literal["goes-on", "ends-turn"]
TuttoCard: TypeAlias = Literal[
    "clover",
    "firework",
    "stop",
    "straight",
    "plus-minus",
    "double",
    "bonus-200",
    "bonus-300",
    "bonus-400",
    "bonus-500",
    "bonus-600",
]
TuttoPhase: TypeAlias = Literal["draw", "roll", "keep", "over"]

class TuttoAdjudication(TypedDict):
    ruleset: TuttoRulesetId
    ruleset_hash: str
    options: TuttoOptions
    turn_points: int
    status: TuttoStatus
    legal_keeps: list[TuttoKeep]
    bank: TuttoKeep | None
    next: TuttoOverTurn | None
    rules: list[str]

TuttoStatus: TypeAlias = Literal["niete", "scoring", "tutto"]

class TuttoKeep(TypedDict):
    dice: list[int]
    points: int
    bonus: int
    turn_points: int
    tutto: bool
    lines: list[TuttoLine]
    effects: list[TuttoEffect]
    next: TuttoTurn

class TuttoLine(TypedDict):
    dice: list[int]
    kind: TuttoLineKind
    points: int
    rule: str

TuttoLineKind: TypeAlias = Literal["single", "triple", "set", "face"]

class TuttoEffect(TypedDict):
    type: TuttoEffectType
    dice: NotRequired[list[int]]
    card: NotRequired[TuttoCard]
    player: NotRequired[int | None]
    points: int
    players: NotRequired[list[int]]

TuttoEffectType: TypeAlias = Literal[
    "kept", "bonus", "deducted", "written", "lost", "target-reached"
]
TuttoTurn: TypeAlias = TuttoDrawTurn | TuttoRollTurn | TuttoKeepTurn | TuttoOverTurn

class TuttoDrawTurn(TypedDict):
    ruleset: TuttoRulesetId
    options: TuttoOptions
    phase: Literal["draw"]
    dice_to_roll: int
    turn_points: NotRequired[int]
    carried: NotRequired[int]
    pending_deductions: NotRequired[int]
    scores: NotRequired[list[int]]
    player: NotRequired[int]
    last_round: NotRequired[bool]
    turns_left: NotRequired[int]
    starter: NotRequired[int]

class TuttoRollTurn(TypedDict):
    ruleset: TuttoRulesetId
    options: TuttoOptions
    phase: Literal["roll"]
    dice_to_roll: int
    turn_points: NotRequired[int]
    carried: NotRequired[int]
    pending_deductions: NotRequired[int]
    scores: NotRequired[list[int]]
    player: NotRequired[int]
    last_round: NotRequired[bool]
    turns_left: NotRequired[int]
    starter: NotRequired[int]
    card: TuttoCard
    keeps: NotRequired[list[list[int]]]
    tuttos: NotRequired[int]

class TuttoKeepTurn(TypedDict):
    ruleset: TuttoRulesetId
    options: TuttoOptions
    phase: Literal["keep"]
    dice_to_roll: int
    turn_points: NotRequired[int]
    carried: NotRequired[int]
    pending_deductions: NotRequired[int]
    scores: NotRequired[list[int]]
    player: NotRequired[int]
    last_round: NotRequired[bool]
    turns_left: NotRequired[int]
    starter: NotRequired[int]
    card: TuttoCard
    keeps: NotRequired[list[list[int]]]
    tuttos: NotRequired[int]
    roll: list[int]

class TuttoOverTurn(TypedDict):
    ruleset: TuttoRulesetId
    options: TuttoOptions
    phase: Literal["over"]
    scores: NotRequired[list[int]]
    player: NotRequired[int]
    last_round: NotRequired[bool]
    turns_left: NotRequired[int]
    starter: NotRequired[int]
    outcome: TuttoOutcome

class TuttoOutcome(TypedDict):
    reason: TuttoReason
    points: int
    wins_game: bool | None

TuttoReason: TypeAlias = Literal["banked", "niete", "stop", "firework", "clover", "sat-out"]

class PotPosition(TypedDict):
    ruleset: NotRequired[PotRulesetId]
    options: NotRequired[PotOptions]
    roll: list[PotDie]
    rolls_made: int
    coins: list[int]
    pot: int
    bank: int
    player: int
    holder: NotRequired[int | None]
    to_beat: NotRequired[int | None]
    phase: NotRequired[PotPhase]

PotRulesetId: TypeAlias = Literal["pot-2020"]

class PotOptions(TypedDict):
    target: NotRequired[int]
    start_coins: NotRequired[int]
    twos_from_bank: NotRequired[int]
    pot_bonus: NotRequired[int]
    first_stake: NotRequired[int]
    zero_letter: NotRequired[PotZeroLetter]
    threes_from_player: NotRequired[int]
    total_coins: NotRequired[int]

PotZeroLetter: TypeAlias = Literal["any", "O"]
PotDie: TypeAlias = int | PotLetter
PotLetter: TypeAlias = Literal["P", "O", "T"]
PotPhase: TypeAlias = Literal["roll", "choose", "reroll", "sudden-death", "over"]

class PotAdjudication(TypedDict):
    ruleset: PotRulesetId
    ruleset_hash: str
    options: PotOptions
    sum: int
    status: PotStatus
    combo: PotCombo | None
    beats: bool | None
    next_roll: PotNextRoll | None
    choices: list[PotChoice]
    next: PotTurn | None
    rules: list[str]

PotStatus: TypeAlias = Literal["open", "bust", "pot"]
PotCombo: TypeAlias = Literal[
    "straight-123",
    "straight-234",
    "straight-345",
    "pot",
    "triple-1",
    "triple-2",
    "triple-3",
    "triple-4",
    "triple-5",
    "four-twenty",
]
PotNextRoll: TypeAlias = Literal["free", "paid"]

class PotChoice(TypedDict):
    players: list[int]
    coins: list[int]
    bank: int
    pot: int
    effects: list[PotEffect]
    next: PotTurn

class PotEffect(TypedDict):
    type: PotEffectType
    player: NotRequired[int]
    to: NotRequired[int]
    coins: NotRequired[int]
    sum: NotRequired[int]

PotEffectType: TypeAlias = Literal[
    "staked",
    "roll-paid",
    "fine-paid",
    "bank-paid",
    "handed-over",
    "control-taken",
    "round-won",
    "played-off",
]
PotTurn: TypeAlias = PotRollTurn | PotChooseTurn | PotRerollTurn | PotSuddenDeathTurn | PotOverTurn

class PotRollTurn(TypedDict):
    ruleset: PotRulesetId
    options: PotOptions
    phase: Literal["roll"]
    coins: list[int]
    pot: int
    bank: int
    player: int
    holder: NotRequired[int]
    to_beat: NotRequired[int]

class PotChooseTurn(TypedDict):
    ruleset: PotRulesetId
    options: PotOptions
    phase: Literal["choose"]
    coins: list[int]
    pot: int
    bank: int
    player: int
    holder: NotRequired[int]
    to_beat: NotRequired[int]
    roll: list[PotDie]
    rolls_made: int

class PotRerollTurn(TypedDict):
    ruleset: PotRulesetId
    options: PotOptions
    phase: Literal["reroll"]
    coins: list[int]
    pot: int
    bank: int
    player: int
    holder: NotRequired[int]
    to_beat: NotRequired[int]
    held: list[PotDie]
    rolls_made: int

class PotSuddenDeathTurn(TypedDict):
    ruleset: PotRulesetId
    options: PotOptions
    phase: Literal["sudden-death"]
    coins: list[int]
    pot: int
    bank: int
    player: int
    tied: list[int]
    sums: NotRequired[list[int]]

class PotOverTurn(TypedDict):
    ruleset: PotRulesetId
    options: PotOptions
    phase: Literal["over"]
    coins: list[int]
    pot: int
    bank: int
    outcome: PotOutcome

class PotOutcome(TypedDict):
    reason: PotReason
    winner: int

PotReason: TypeAlias = Literal["most-coins", "sudden-death"]

class YatzeePosition(TypedDict):
    ruleset: NotRequired[YatzeeRulesetId]
    options: NotRequired[YatzeeOptions]
    roll: list[int]
    rolls_made: int
    scorecard: NotRequired[YatzeeScorecard]
    phase: NotRequired[YatzeePhase]

YatzeeRulesetId: TypeAlias = Literal["yatzee-six"]

class YatzeeOptions(TypedDict):
    distinct_faces: NotRequired[bool]
    upper_bonus: NotRequired[int]
    upper_threshold: NotRequired[int]
    throw_bonus: NotRequired[list[int]]

YatzeeScorecard = TypedDict(
    "YatzeeScorecard",
    {
        "ones": NotRequired[int],
        "twos": NotRequired[int],
        "threes": NotRequired[int],
        "fours": NotRequired[int],
        "fives": NotRequired[int],
        "sixes": NotRequired[int],
        "one-pair": NotRequired[int],
        "two-pairs": NotRequired[int],
        "three-pairs": NotRequired[int],
        "three-of-a-kind": NotRequired[int],
        "four-of-a-kind": NotRequired[int],
        "two-triples": NotRequired[int],
        "small-straight": NotRequired[int],
        "large-straight": NotRequired[int],
        "royal": NotRequired[int],
        "house": NotRequired[int],
        "chance": NotRequired[int],
        "yatzee": NotRequired[int],
    },
)
YatzeePhase: TypeAlias = Literal["roll", "choose", "over"]

class YatzeeAdjudication(TypedDict):
    ruleset: YatzeeRulesetId
    ruleset_hash: str
    options: YatzeeOptions
    status: YatzeeStatus
    may_roll: bool
    categories: list[YatzeeEntry]
    totals: YatzeeTotals
    rules: list[str]

YatzeeStatus: TypeAlias = Literal["writable", "strike-only"]

class YatzeeEntry(TypedDict):
    category: YatzeeCategory
    open: bool
    satisfied: bool
    dice: list[int]
    face_value: int
    throw_bonus: int
    points: int
    rule: str
    totals: YatzeeTotals | None

YatzeeCategory: TypeAlias = Literal[
    "ones",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "one-pair",
    "two-pairs",
    "three-pairs",
    "three-of-a-kind",
    "four-of-a-kind",
    "two-triples",
    "small-straight",
    "large-straight",
    "royal",
    "house",
    "chance",
    "yatzee",
]

class YatzeeTotals(TypedDict):
    upper: int
    upper_bonus: int
    lower: int
    total: int

class YatzeeChooseTurn(TypedDict):
    ruleset: YatzeeRulesetId
    options: YatzeeOptions
    phase: Literal["choose"]
    scorecard: NotRequired[YatzeeScorecard]
    roll: list[int]
    rolls_made: int

class TuttoTransition(TypedDict):
    ruleset: NotRequired[TuttoRulesetId]
    options: NotRequired[TuttoOptions]
    card: NotRequired[TuttoCard]
    keeps: NotRequired[list[list[int]]]
    roll: NotRequired[list[int]]
    carried: NotRequired[int]
    tuttos: NotRequired[int]
    pending_deductions: NotRequired[int]
    scores: NotRequired[list[int]]
    player: NotRequired[int]
    last_round: NotRequired[bool]
    turns_left: NotRequired[int]
    starter: NotRequired[int]
    phase: NotRequired[TuttoPhase]
    dice_to_roll: NotRequired[int]
    turn_points: NotRequired[int]
    event: TuttoEvent

TuttoEvent: TypeAlias = TuttoDrawEvent | TuttoRollEvent | TuttoKeepEvent | TuttoBankEvent

class TuttoDrawEvent(TypedDict):
    type: Literal["draw"]
    card: TuttoCard

class TuttoRollEvent(TypedDict):
    type: Literal["roll"]
    dice: list[int]

class TuttoKeepEvent(TypedDict):
    type: Literal["keep"]
    dice: list[int]

class TuttoBankEvent(TypedDict):
    type: Literal["bank"]

class TuttoStep(TypedDict):
    ruleset: TuttoRulesetId
    ruleset_hash: str
    options: TuttoOptions
    legal: bool
    turn: TuttoTurn | None
    findings: list[TuttoFinding]
    legal_events: list[TuttoEventType]
    effects: list[TuttoEffect]
    scores: list[int] | None
    rules: list[str]

class TuttoFinding(TypedDict):
    code: TuttoFindingCode
    rule: str
    detail: str
    pointer: str

TuttoFindingCode: TypeAlias = Literal[
    "wrong-number-of-dice",
    "empty-keep",
    "not-a-scoring-die",
    "face-already-set-aside",
    "face-repeated",
    "six-dice-set-aside",
    "dice-before-card",
    "stop-in-play",
    "tuttos-out-of-range",
    "no-deduction-pending",
    "player-missing",
    "scores-missing",
    "player-out-of-range",
    "score-not-a-multiple",
    "target-already-reached",
    "carried-too-low",
    "score-below-zero",
    "leader-sits-out",
    "last-round-mismatch",
    "turns-left-mismatch",
    "too-many-in-pile",
    "reach-mismatch",
    "scores-needed",
    "two-players-only",
    "no-table",
    "score-too-low",
    "draw-not-due",
    "roll-not-due",
    "keep-not-due",
    "bank-not-due",
    "turn-over",
    "game-over",
    "nothing-set-aside",
    "not-in-roll",
    "scoring-dice-left",
    "cannot-stop",
]
TuttoEventType: TypeAlias = Literal["draw", "roll", "keep", "bank"]

class PotTransition(TypedDict):
    ruleset: NotRequired[PotRulesetId]
    options: NotRequired[PotOptions]
    roll: NotRequired[list[PotDie]]
    rolls_made: NotRequired[int]
    coins: list[int]
    pot: int
    bank: int
    player: int
    holder: NotRequired[int | None]
    to_beat: NotRequired[int | None]
    phase: NotRequired[PotPhase]
    held: NotRequired[list[PotDie]]
    tied: NotRequired[list[int]]
    sums: NotRequired[list[int]]
    event: PotEvent

PotEvent: TypeAlias = PotRollEvent | PotAcceptEvent

class PotRollEvent(TypedDict):
    type: Literal["roll"]
    held: NotRequired[list[PotDie]]
    dice: list[PotDie]

class PotAcceptEvent(TypedDict):
    type: Literal["accept"]
    players: NotRequired[list[int]]

class PotStep(TypedDict):
    ruleset: PotRulesetId
    ruleset_hash: str
    options: PotOptions
    legal: bool
    turn: PotTurn | None
    findings: list[PotFinding]
    legal_events: list[PotEventType]
    effects: list[PotEffect]
    coins: list[int]
    pot: int
    bank: int
    rules: list[str]

class PotFinding(TypedDict):
    code: PotFindingCode
    rule: str
    detail: str
    pointer: str

PotFindingCode: TypeAlias = Literal[
    "wrong-number-of-dice",
    "letter-repeated",
    "not-in-this-phase",
    "rolls-made-missing",
    "roll-not-paid",
    "held-mismatch",
    "coins-do-not-add-up",
    "player-out-of-range",
    "holder-is-player",
    "holder-missing",
    "to-beat-missing",
    "pot-not-collected",
    "target-not-reached",
    "not-tied",
    "tied-out-of-order",
    "too-many-sums",
    "player-mismatch",
    "two-players-only",
    "no-table",
    "target-out-of-reach",
    "too-few-coins",
    "turn-over",
    "game-over",
    "no-roll-left",
    "no-coin-for-roll",
    "not-on-table",
    "nothing-rolled",
    "letter-not-rolled",
    "accept-not-due",
    "wrong-number-of-players",
    "names-roller",
    "player-named-twice",
    "player-without-coins",
]
PotEventType: TypeAlias = Literal["roll", "accept"]

class YatzeeTransition(TypedDict):
    ruleset: NotRequired[YatzeeRulesetId]
    options: NotRequired[YatzeeOptions]
    roll: NotRequired[list[int]]
    rolls_made: NotRequired[int]
    scorecard: NotRequired[YatzeeScorecard]
    phase: NotRequired[YatzeePhase]
    event: YatzeeEvent

YatzeeEvent: TypeAlias = YatzeeRollEvent | YatzeeWriteEvent | YatzeeStrikeEvent

class YatzeeRollEvent(TypedDict):
    type: Literal["roll"]
    held: NotRequired[list[int]]
    dice: list[int]

class YatzeeWriteEvent(TypedDict):
    type: Literal["write"]
    category: YatzeeCategory

class YatzeeStrikeEvent(TypedDict):
    type: Literal["strike"]
    category: YatzeeCategory

class YatzeeStep(TypedDict):
    ruleset: YatzeeRulesetId
    ruleset_hash: str
    options: YatzeeOptions
    legal: bool
    turn: YatzeeTurn | None
    findings: list[YatzeeFinding]
    legal_events: list[YatzeeEventType]
    effects: list[YatzeeEffect]
    totals: YatzeeTotals
    rules: list[str]

YatzeeTurn: TypeAlias = YatzeeRollTurn | YatzeeChooseTurn | YatzeeOverTurn

class YatzeeRollTurn(TypedDict):
    ruleset: YatzeeRulesetId
    options: YatzeeOptions
    phase: Literal["roll"]
    scorecard: NotRequired[YatzeeScorecard]

class YatzeeOverTurn(TypedDict):
    ruleset: YatzeeRulesetId
    options: YatzeeOptions
    phase: Literal["over"]
    scorecard: YatzeeScorecard
    outcome: YatzeeOutcome

class YatzeeOutcome(TypedDict):
    reason: YatzeeReason
    category: YatzeeCategory
    points: int
    scorecard_full: bool

YatzeeReason: TypeAlias = Literal["written", "struck"]

class YatzeeFinding(TypedDict):
    code: YatzeeFindingCode
    rule: str
    detail: str
    pointer: str

YatzeeFindingCode: TypeAlias = Literal[
    "wrong-number-of-dice",
    "roll-missing",
    "rolls-made-missing",
    "impossible-points",
    "player-out-of-range",
    "scorecard-full",
    "no-table",
    "no-roll-left",
    "not-on-table",
    "nothing-rolled",
    "write-not-due",
    "strike-not-due",
    "category-filled",
    "not-satisfied",
    "game-over",
]
YatzeeEventType: TypeAlias = Literal["roll", "write", "strike"]

class YatzeeEffect(TypedDict):
    type: YatzeeEffectType
    category: NotRequired[YatzeeCategory]
    points: int

YatzeeEffectType: TypeAlias = Literal["written", "struck", "upper-bonus"]
TuttoGameRecord: TypeAlias = TuttoGameLog | TuttoSessionGame | TuttoGameInALine

class TuttoGameLog(TypedDict):
    ruleset: NotRequired[TuttoRulesetId]
    options: NotRequired[TuttoOptions]
    players: list[str]
    starter: NotRequired[int]
    log: list[TuttoEvent]
    aim: NotRequired[TuttoGameLogAim]
    line: NotRequired[str]
    game: NotRequired[Literal["tutto"]]

TuttoGameLogAim: TypeAlias = Literal["points", "win"]

class TuttoSessionGame(TypedDict):
    ruleset: NotRequired[TuttoRulesetId]
    options: NotRequired[TuttoOptions]
    players: list[str]
    starter: NotRequired[int]
    log: list[TuttoEvent]
    aim: NotRequired[TuttoGameLogAim]
    line: NotRequired[str]
    game: Literal["tutto"]

class TuttoGameInALine(TypedDict):
    line: str

class TuttoAudit(TypedDict):
    ruleset: TuttoRulesetId
    ruleset_hash: str
    options: TuttoOptions
    legal: bool
    first_illegal: TuttoFirstIllegal | None
    scores: list[int]
    sheet: list[list[int]]
    last_round: NotRequired[bool]
    over: bool
    winners: list[int]
    losers: list[int]
    player: int | None
    turn: TuttoRunningTurn | None
    legal_events: list[TuttoEventType]
    rules: list[str]
    line: str

class TuttoFirstIllegal(TypedDict):
    index: int
    findings: list[TuttoFinding]

TuttoRunningTurn: TypeAlias = TuttoDrawTurn | TuttoRollTurn | TuttoKeepTurn
PotGameRecord: TypeAlias = PotGameLog | PotSessionGame | PotGameInALine

class PotGameLog(TypedDict):
    ruleset: NotRequired[PotRulesetId]
    options: NotRequired[PotOptions]
    players: list[str]
    starter: NotRequired[int]
    log: list[PotEvent]
    aim: NotRequired[PotAim]
    line: NotRequired[str]
    game: NotRequired[Literal["pot"]]

PotAim: TypeAlias = Literal["points", "win"]

class PotSessionGame(TypedDict):
    ruleset: NotRequired[PotRulesetId]
    options: NotRequired[PotOptions]
    players: list[str]
    starter: NotRequired[int]
    log: list[PotEvent]
    aim: NotRequired[PotAim]
    line: NotRequired[str]
    game: Literal["pot"]

class PotGameInALine(TypedDict):
    line: str

class PotAudit(TypedDict):
    ruleset: PotRulesetId
    ruleset_hash: str
    options: PotOptions
    legal: bool
    first_illegal: PotFirstIllegal | None
    coins: list[int]
    pot: int
    bank: int
    sheet: list[list[int]]
    rounds: list[PotRound]
    over: bool
    winners: list[int]
    losers: list[int]
    player: int | None
    turn: PotRunningTurn | None
    legal_events: list[PotEventType]
    rules: list[str]
    line: str

class PotFirstIllegal(TypedDict):
    index: int
    findings: list[PotFinding]

class PotRound(TypedDict):
    winner: int
    coins: list[int]

PotRunningTurn: TypeAlias = PotRollTurn | PotChooseTurn | PotRerollTurn | PotSuddenDeathTurn
YatzeeGameRecord: TypeAlias = YatzeeGameLog | YatzeeSessionGame | YatzeeGameInALine

class YatzeeGameLog(TypedDict):
    ruleset: NotRequired[YatzeeRulesetId]
    options: NotRequired[YatzeeOptions]
    players: list[str]
    starter: NotRequired[int]
    log: list[YatzeeEvent]
    aim: NotRequired[YatzeeAim]
    line: NotRequired[str]
    game: NotRequired[Literal["yatzee"]]

YatzeeAim: TypeAlias = Literal["category", "game"]

class YatzeeSessionGame(TypedDict):
    ruleset: NotRequired[YatzeeRulesetId]
    options: NotRequired[YatzeeOptions]
    players: list[str]
    starter: NotRequired[int]
    log: list[YatzeeEvent]
    aim: NotRequired[YatzeeAim]
    line: NotRequired[str]
    game: Literal["yatzee"]

class YatzeeGameInALine(TypedDict):
    line: str

class YatzeeAudit(TypedDict):
    ruleset: YatzeeRulesetId
    ruleset_hash: str
    options: YatzeeOptions
    legal: bool
    first_illegal: YatzeeFirstIllegal | None
    scores: list[int]
    sheet: list[list[int]]
    scorecards: list[YatzeeScorecard]
    totals: list[YatzeeTotals]
    over: bool
    winners: list[int]
    losers: list[int]
    player: int | None
    turn: YatzeeRunningTurn | None
    legal_events: list[YatzeeEventType]
    rules: list[str]
    line: str

class YatzeeFirstIllegal(TypedDict):
    index: int
    findings: list[YatzeeFinding]

YatzeeRunningTurn: TypeAlias = YatzeeRollTurn | YatzeeChooseTurn

class TuttoOddsPosition(TypedDict):
    ruleset: NotRequired[TuttoRulesetId]
    options: NotRequired[TuttoOptions]
    card: NotRequired[TuttoCard]
    keeps: NotRequired[list[list[int]]]
    roll: NotRequired[list[int]]
    carried: NotRequired[int]
    tuttos: NotRequired[int]
    pending_deductions: NotRequired[int]
    scores: NotRequired[list[int]]
    player: NotRequired[int]
    last_round: NotRequired[bool]
    turns_left: NotRequired[int]
    starter: NotRequired[int]
    phase: NotRequired[TuttoPhase]
    dice_to_roll: NotRequired[int]
    turn_points: NotRequired[int]
    aim: NotRequired[TuttoAim]
    reach: NotRequired[int]
    pile: NotRequired[TuttoPile]
    bot: NotRequired[BotLevel]

TuttoAim: TypeAlias = Literal["points", "reach", "win"]
TuttoPile = TypedDict(
    "TuttoPile",
    {
        "clover": NotRequired[int],
        "firework": NotRequired[int],
        "stop": NotRequired[int],
        "straight": NotRequired[int],
        "plus-minus": NotRequired[int],
        "double": NotRequired[int],
        "bonus-200": NotRequired[int],
        "bonus-300": NotRequired[int],
        "bonus-400": NotRequired[int],
        "bonus-500": NotRequired[int],
        "bonus-600": NotRequired[int],
    },
)
BotLevel: TypeAlias = Literal["careful", "bold", "best", "perfect"]

class TuttoOdds(TypedDict):
    ruleset: TuttoRulesetId
    ruleset_hash: str
    options: TuttoOptions
    aim: TuttoAim
    reach: int | None
    accuracy: float | None
    pile: TuttoPile
    value: float
    choices: list[TuttoOddsChoice]
    best: int | None
    roll: TuttoOddsRoll | None
    cards: list[TuttoOddsCard]
    rules: list[str]
    bot: NotRequired[TuttoBotChoice]

class TuttoOddsChoice(TypedDict):
    event: TuttoEvent
    value: float
    next_roll: TuttoNextRoll | None

class TuttoNextRoll(TypedDict):
    dice: int
    niete: ExactNumber
    tutto: ExactNumber

class ExactNumber(TypedDict):
    fraction: str
    value: float

class TuttoOddsRoll(TypedDict):
    dice: int
    niete: ExactNumber
    tutto: ExactNumber
    value: float

class TuttoOddsCard(TypedDict):
    card: TuttoCard
    chance: ExactNumber
    value: float

class TuttoBotChoice(TypedDict):
    level: BotLevel
    event: TuttoBotEvent

TuttoBotEvent: TypeAlias = (
    PostedTuttoDrawEvent | PostedTuttoRollEvent | PostedTuttoKeepEvent | PostedTuttoBankEvent
)

class PostedTuttoDrawEvent(TypedDict):
    type: Literal["draw"]
    card: NotRequired[TuttoCard]

class PostedTuttoRollEvent(TypedDict):
    type: Literal["roll"]
    dice: NotRequired[list[int]]

class PostedTuttoKeepEvent(TypedDict):
    type: Literal["keep"]
    dice: list[int]

class PostedTuttoBankEvent(TypedDict):
    type: Literal["bank"]

class PotOddsPosition(TypedDict):
    ruleset: NotRequired[PotRulesetId]
    options: NotRequired[PotOptions]
    roll: NotRequired[list[PotDie]]
    rolls_made: NotRequired[int]
    coins: list[int]
    pot: int
    bank: int
    player: int
    holder: NotRequired[int | None]
    to_beat: NotRequired[int | None]
    phase: NotRequired[PotPhase]
    held: NotRequired[list[PotDie]]
    tied: NotRequired[list[int]]
    sums: NotRequired[list[int]]
    aim: NotRequired[PotAim]
    bot: NotRequired[BotLevel]

class PotOdds(TypedDict):
    ruleset: PotRulesetId
    ruleset_hash: str
    options: PotOptions
    aim: PotAim
    accuracy: float | None
    value: float
    choices: list[PotOddsChoice]
    best: int
    rules: list[str]
    bot: NotRequired[PotBotChoice]

class PotOddsChoice(TypedDict):
    event: PotChosenEvent
    beats: ExactNumber | None
    sum: ExactNumber | None
    combos: list[PotComboOdds]
    price: int
    win: float | None

class PotChosenEvent(TypedDict):
    type: PotEventType
    held: NotRequired[list[PotDie]]
    players: NotRequired[list[int]]

class PotComboOdds(TypedDict):
    combo: PotCombo
    chance: ExactNumber

class PotBotChoice(TypedDict):
    level: BotLevel
    event: PotBotEvent

PotBotEvent: TypeAlias = PostedPotRollEvent | PostedPotAcceptEvent

class PostedPotRollEvent(TypedDict):
    type: Literal["roll"]
    held: NotRequired[list[PotDie]]
    dice: NotRequired[list[PotDie]]

class PostedPotAcceptEvent(TypedDict):
    type: Literal["accept"]
    players: NotRequired[list[int]]

class YatzeeOddsPosition(TypedDict):
    ruleset: NotRequired[YatzeeRulesetId]
    options: NotRequired[YatzeeOptions]
    roll: NotRequired[list[int]]
    rolls_made: NotRequired[int]
    scorecard: NotRequired[YatzeeScorecard]
    phase: NotRequired[YatzeePhase]
    aim: NotRequired[YatzeeAim]
    bot: NotRequired[BotLevel]

class YatzeeOdds(TypedDict):
    ruleset: YatzeeRulesetId
    ruleset_hash: str
    options: YatzeeOptions
    categories: list[YatzeeCategoryOdds]
    best: YatzeeBest
    game: YatzeeWholeGame | None
    rules: list[str]
    bot: NotRequired[YatzeeBotChoice]

class YatzeeCategoryOdds(TypedDict):
    category: YatzeeCategory
    now: int | None
    chance: ExactNumber
    value: ExactNumber
    hold: YatzeeHold | None
    par: ExactNumber
    gain: ExactNumber

class YatzeeHold(TypedDict):
    chance: list[int]
    value: list[int]

class YatzeeBest(TypedDict):
    category: YatzeeCategory
    event: YatzeeChosenEvent

class YatzeeChosenEvent(TypedDict):
    type: YatzeeEventType
    held: NotRequired[list[int]]
    category: NotRequired[YatzeeCategory]

class YatzeeWholeGame(TypedDict):
    value: float
    unit: Literal["points"]
    choices: list[YatzeeGameChoice]
    best: int | None
    accuracy: YatzeeAccuracy

class YatzeeGameChoice(TypedDict):
    event: YatzeeChosenEvent
    value: float

class YatzeeAccuracy(TypedDict):
    largest: float
    root_mean_square: float

class YatzeeBotChoice(TypedDict):
    level: BotLevel
    event: YatzeeBotEvent

YatzeeBotEvent: TypeAlias = PostedYatzeeRollEvent | PostedYatzeeWriteEvent | PostedYatzeeStrikeEvent

class PostedYatzeeRollEvent(TypedDict):
    type: Literal["roll"]
    held: NotRequired[list[int]]
    dice: NotRequired[list[int]]

class PostedYatzeeWriteEvent(TypedDict):
    type: Literal["write"]
    category: YatzeeCategory

class PostedYatzeeStrikeEvent(TypedDict):
    type: Literal["strike"]
    category: YatzeeCategory

class TuttoReview(TypedDict):
    ruleset: TuttoRulesetId
    ruleset_hash: str
    options: TuttoOptions
    legal: bool
    first_illegal: TuttoFirstIllegal | None
    decisions: list[TuttoDecision]
    players: list[ReviewSum]
    rules: list[str]

class TuttoDecision(TypedDict):
    index: int
    player: int
    event: TuttoEvent
    unit: ReviewUnit
    worth: float
    best: float
    loss: float
    advice: TuttoEvent

ReviewUnit: TypeAlias = Literal["points", "chance", "sum", "win-chance"]

class ReviewSum(TypedDict):
    player: int
    unit: ReviewUnit
    luck: float
    play: float

class PotReview(TypedDict):
    ruleset: PotRulesetId
    ruleset_hash: str
    options: PotOptions
    legal: bool
    first_illegal: PotFirstIllegal | None
    decisions: list[PotDecision]
    players: list[ReviewSum]
    rules: list[str]

class PotDecision(TypedDict):
    index: int
    player: int
    event: PotChosenEvent
    unit: ReviewUnit
    worth: float
    best: float
    loss: float
    advice: PotChosenEvent

class YatzeeReview(TypedDict):
    ruleset: YatzeeRulesetId
    ruleset_hash: str
    options: YatzeeOptions
    legal: bool
    first_illegal: YatzeeFirstIllegal | None
    decisions: list[YatzeeDecision]
    players: list[ReviewSum]
    rules: list[str]

class YatzeeDecision(TypedDict):
    index: int
    player: int
    event: YatzeeChosenEvent
    unit: ReviewUnit
    worth: float
    best: float
    loss: float
    advice: YatzeeChosenEvent
