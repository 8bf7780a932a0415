"""Laws of stored states in every game: chance, saving, loading, public state and later play."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dice_referee.games import catalogue, verbs
from dice_referee.games.fields import ruleset_fields
from dice_referee.games.game import AnyGame
from dice_referee.rulebook.game import Document, Played
from tests.games.chance import Luck
from tests.games.test_laws import RANDOM_GAMES
from tests.tools.transcripts import FILES

SEEDS = st.integers(0, 2**32 - 1)
RULESETS = [(game.name, ruleset) for game in catalogue().values() for ruleset in game.rulesets]

every_game = pytest.mark.parametrize("name", catalogue())
every_ruleset = pytest.mark.parametrize(("name", "ruleset"), RULESETS)
short_run = settings(max_examples=15, deadline=None, derandomize=True)

MOST_BYTES = 700
"""Maximum bytes of a saved state of four: four full score sheets of Yatzee."""


def as_json(value: Any) -> Any:
    """Returns the value after a round trip through JSON."""
    return json.loads(orjson.dumps(value))


class Moment(NamedTuple):
    """An event of a game: as a player requests it, as chance completes it, and its result."""

    state: Any
    request: Document
    event: Document
    hidden: Any
    """Hidden state before the event."""
    played: Played[Any]


def beginning(name: str, rng: Random, ruleset: str | None = None) -> dict[str, Any]:
    """Returns the setup of a random game that ends soon: its rules and players."""
    document = RANDOM_GAMES[name].random_log(rng) | (
        {} if ruleset is None else {"ruleset": ruleset}
    )
    del document["log"]
    return catalogue()[name].normalized_setup(document)


def moments(game: AnyGame, document: Document, rng: Random) -> Iterator[Moment]:
    """Yields the moments of a whole game of random players, with the service's dice."""
    state, hidden, luck = game.new_state(document), None, Luck(rng)
    while game.player_of(state) is not None:
        request = choice(rng, as_json(verbs.public_state(game, state)))
        assert game.objections(state, request, "") == ()
        event, before = request, hidden
        if request["type"] in game.chance_events:
            event, hidden = as_json(game.deal(state, request, hidden, luck))
        played = game.advance(state, event)
        yield Moment(state, request, event, before, played)
        state = played.state


def choice(rng: Random, public: dict[str, Any]) -> dict[str, Any]:
    """Returns a random legal event of a public state, without its dice or card."""
    kind = rng.choice(public["legal_events"])
    answer, turn = public["adjudication"], public["turn"]
    match kind:
        case "keep":
            return {"type": kind, "dice": rng.choice(answer["legal_keeps"])["dice"]}
        case "accept":
            return {"type": kind, "players": rng.choice(answer["choices"])["players"]}
        case "write" | "strike":
            fit = [
                line["category"]
                for line in answer["categories"]
                if line["open"] and (kind == "strike" or line["satisfied"])
            ]
            return {"type": kind, "category": rng.choice(fit)}
        case "roll" if answer is not None:
            held = rng.sample(turn["roll"], rng.randrange(len(turn["roll"])))
            return {"type": kind, "held": held}
        case _:
            return {"type": kind}


@every_ruleset
@short_run
@given(seed=SEEDS)
def test_dealt_game_audits_as_legal_with_the_same_end(name: str, ruleset: str, seed: int) -> None:
    game, rng = catalogue()[name], Random(seed)
    document = beginning(name, rng, ruleset)
    log, state = [], game.new_state(document)
    for moment in moments(game, document, rng):
        assert game.objections(moment.state, moment.event, "") == ()
        assert game.schemas.reported_event.errors(moment.event) == []
        assert game.schemas.requested_event.errors(moment.request) == []
        log.append(moment.event)
        state = moment.played.state
    audit = as_json(verbs.audit(game, {**document, "log": log}))
    public = as_json(verbs.public_state(game, state))
    assert audit["legal"], audit["first_illegal"]
    assert audit["over"]
    assert public["turn"] is None
    assert public["winners"] == audit["winners"] != []
    assert public["losers"] == audit["losers"]
    if name == "tutto":
        rest = dict(enumerate(audit["scores"]))
        for player in audit["winners"]:
            del rest[player]
        lowest = [player for player, score in rest.items() if score == min(rest.values())]
        assert audit["losers"] == lowest
    else:
        assert audit["losers"] == []
    assert (public["player"], public["turn"], public["legal_events"]) == (None, None, [])
    assert public["table"] == {name: audit[name] for name in public["table"]}
    assert [finding.code for finding in game.objections(state, log[0], "/x")] == ["game-over"]


@pytest.mark.long
@every_game
@short_run
@given(seed=SEEDS)
def test_reloaded_states_continue_alike(name: str, seed: int) -> None:
    game, rng = catalogue()[name], Random(seed)
    document = beginning(name, rng)
    state = game.new_state(document)
    for moment in moments(game, document, rng):
        played = game.advance(state, moment.event)
        assert as_json(played[1:3]) == as_json(moment.played[1:3])
        assert played.rules == moment.played.rules
        saved = game.save_state(played.state)
        assert saved == game.save_state(moment.played.state)
        assert len(orjson.dumps(saved)) < MOST_BYTES
        state = game.load_state(document, as_json(saved))
        assert game.save_state(state) == saved
        assert as_json(verbs.public_state(game, state)) == as_json(
            verbs.public_state(game, moment.played.state)
        )


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}:{path.stem}")
def test_reloaded_states_reproduce_transcripts(path: Path) -> None:
    game, transcript = catalogue()[path.parts[-3]], json.loads(path.read_text("utf-8"))
    document = game.normalized_setup(transcript["request"])
    state = game.new_state(document)
    for event in transcript["request"]["log"]:
        assert game.objections(state, event, "") == ()
        after = game.save_state(game.advance(state, event).state)
        state = game.load_state(document, as_json(after))
        assert game.save_state(state) == after
    public = as_json(verbs.public_state(game, state))
    expected = {name: transcript["answer"][name] for name in public["table"]}
    assert public["turn"] is None
    assert public["winners"] == transcript["answer"]["winners"]
    assert public["table"] == expected


@every_game
@short_run
@given(seed=SEEDS)
def test_transition_equals_the_advance_of_the_state(name: str, seed: int) -> None:
    game, rng = catalogue()[name], Random(seed)
    for moment in moments(game, beginning(name, rng), rng):
        turn = as_json(verbs.public_state(game, moment.state))["turn"]
        step = as_json(verbs.step(game, {**turn, "event": moment.event}))
        after = as_json(verbs.public_state(game, moment.played.state))
        assert step["legal"]
        assert step["effects"] == as_json(moment.played.effects)
        assert set(step["rules"]) <= moment.played.rules
        assert step["turn"].get("outcome") == as_json(moment.played.outcome)
        if moment.played.outcome is None:
            assert step["turn"] == after["turn"]
            assert step["legal_events"] == after["legal_events"]


@pytest.mark.long
@every_game
@short_run
@given(seed=SEEDS)
def test_public_state_of_a_running_game_has_its_adjudication(name: str, seed: int) -> None:
    game, rng = catalogue()[name], Random(seed)
    for moment in moments(game, beginning(name, rng), rng):
        public = as_json(verbs.public_state(game, moment.state))
        assert [name for name in public if name != "last_round"] == [
            *("player", "turn", "legal_events", "adjudication"),
            *("winners", "losers", "standings", "table"),
        ]
        assert public.get("last_round", True) is True
        assert ("last_round" in public) == moment.state.last_round
        assert public["player"] == game.player_of(moment.state)
        assert public["winners"] == public["losers"] == []
        assert public["turn"] is not None
        decision_phase = public["turn"]["phase"] in ("keep", "choose")
        assert (public["adjudication"] is not None) is decision_phase
        if decision_phase:
            answer = game.adjudicate_all([public["turn"]])[1]
            assert public["adjudication"] == json.loads(answer)


@every_game
@short_run
@given(seed=SEEDS)
def test_places_follow_amounts_and_winners(name: str, seed: int) -> None:
    game, rng = catalogue()[name], Random(seed)
    unit = "coins" if name == "pot" else "points"
    for moment in moments(game, beginning(name, rng), rng):
        public = as_json(verbs.public_state(game, moment.played.state))
        amounts = public["table"]["coins" if name == "pot" else "scores"]
        rows = public["standings"]
        assert rows == sorted(rows, key=lambda row: (row["place"], row["player"]))
        assert {row["player"]: row[unit] for row in rows} == dict(enumerate(amounts))
        if public["turn"] is None:
            first = [row["player"] for row in rows if row["place"] == 1]
            assert first == public["winners"]
        for row in rows:
            beaten_by = [
                rival
                for rival in rows
                if (rival["player"] in public["winners"], rival[unit])
                > (row["player"] in public["winners"], row[unit])
            ]
            assert row["place"] == 1 + len(beaten_by)


def claims(game: AnyGame, rng: Random, lying: list[Any]) -> Iterator[dict[str, Any]]:
    """Yields random events of chance, legal or not, with held dice and new dice or a card."""
    faces = [*range(1, 7), *"POT"] if game.name == "pot" else list(range(1, 7))
    for kind in sorted(game.chance_events):
        for _ in range(4):
            event: dict[str, Any] = {"type": kind}
            if kind == "roll" and rng.random() < 0.8:
                event["held"] = rng.sample(lying, rng.randint(0, len(lying)))
            if kind == "roll" and rng.random() < 0.3:
                event["held"] = [*event.get("held", []), rng.choice(faces)]
            if kind == "draw":
                yield {**event, "card": rng.choice(game.deck).id}
            else:
                yield {**event, "dice": rng.choices(faces, k=rng.randint(0, 6))}


@every_game
@short_run
@given(seed=SEEDS)
def test_requested_event_gets_all_findings_but_those_of_dice(name: str, seed: int) -> None:
    game, rng = catalogue()[name], Random(seed)
    for moment in moments(game, beginning(name, rng), rng):
        lying = as_json(verbs.public_state(game, moment.state))["turn"].get("dice", [])
        for claim in claims(game, rng, lying):
            request = {key: value for key, value in claim.items() if key not in ("dice", "card")}
            findings = game.objections(moment.state, request, "/at")
            expected = [
                finding
                for finding in game.objections(moment.state, claim, "/at")
                if not finding.pointer.startswith("/at/dice")
            ]
            assert list(findings) == expected
            if not findings:
                event, _ = game.deal(moment.state, request, moment.hidden, Luck(rng))
                assert event.items() >= request.items()
                assert game.objections(moment.state, event, "/at") == ()


# Damage -----------------------------------------------------------------------------------------


@every_game
def test_setup_has_no_field_log(name: str) -> None:
    game = catalogue()[name]
    assert game.schemas.setup.errors({"players": ["A", "B"]}) == []
    codes = [flaw.code for flaw in game.schemas.setup.errors({"players": ["A", "B"], "log": []})]
    assert codes == ["unknown-field"]
    assert [flaw.pointer for flaw in game.schemas.setup.errors({})] == ["/players"]


def test_normalized_setup_has_its_defaults() -> None:
    game = catalogue()["yatzee"]
    options = {"throw_bonus": [10, 5, 0], "upper_bonus": 35, "distinct_faces": False}
    setup = game.normalized_setup({"players": ["A"], "options": options})
    assert orjson.dumps(setup) == (
        b'{"ruleset":"yatzee-six","options":{"throw_bonus":[10,5,0],"upper_bonus":35,'
        b'"distinct_faces":false},"players":["A"]}'
    )
    fields = as_json(ruleset_fields(game.rules_of(setup)))
    assert fields == {
        "ruleset": "yatzee-six",
        "ruleset_hash": game.rulesets["yatzee-six"].hash,
        "options": {"distinct_faces": False, "upper_bonus": 35},
    }


@every_game
def test_requested_event_refuses_dice_and_cards(name: str) -> None:
    game = catalogue()[name]
    for kind in game.chance_events:
        field = "card" if kind == "draw" else "dice"
        assert game.schemas.requested_event.errors({"type": kind}, "/event") == []
        errors = game.schemas.requested_event.errors({"type": kind, field: []}, "/event")
        assert [(flaw.code, flaw.pointer) for flaw in errors] == [
            ("brought-by-service", f"/event/{field}")
        ]
        errors = game.schemas.reported_event.errors({"type": kind})
        assert [(flaw.code, flaw.pointer) for flaw in errors] == [("missing-field", f"/{field}")]
    assert [flaw.code for flaw in game.schemas.reported_event.errors([])] == ["wrong-type"]
    assert [flaw.code for flaw in game.schemas.reported_event.errors({"type": "cheat"})] == [
        "not-a-choice"
    ]
