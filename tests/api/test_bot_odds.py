"""Odds with ``bot``: the event that a session's bot of this level would choose."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import orjson
import pytest
from flask.testing import FlaskClient

from dice_referee.games import catalogue
from dice_referee.games.pot.values import odds as pot
from dice_referee.games.tutto.values import odds as tutto
from dice_referee.games.yatzee.values import odds as yatzee
from dice_referee.games.yatzee.values import whole_game
from dice_referee.rulebook.bots import Level
from tests.api.test_bots import entries, next_event
from tests.application import NDJSON, SessionClient, begin, get, post

EVENTS = 40
"""Number of events of a bot that are compared."""

ROLL = {"card": "bonus-300", "keeps": [[1], [2, 2, 2]], "roll": [1, 5]}
DUEL = {"scores": [5000, 5000], "player": 0, "carried": 700}
AT_5000 = {**DUEL, "card": "bonus-300", "keeps": [[1]], "roll": [1, 5, 2, 3, 4]}
FOURS = {"roll": [3, 3, 3, 3, 6, 6], "rolls_made": 1}
COINS = {"coins": [3, 3], "pot": 1, "bank": 48, "player": 0}
TWOS = {"roll": [2, 2, 4], "rolls_made": 1, **COINS}
POSITIONS: dict[str, dict[str, Any]] = {"tutto": AT_5000, "yatzee": FOURS, "pot": TWOS}
AIMS = {"tutto": "win", "yatzee": "game", "pot": "win"}


def odds(game: str, question: dict[str, Any]) -> dict[str, Any]:
    answer = post(f"/v1/{game}/odds", question)
    assert answer.status_code == 200, answer.data
    document: dict[str, Any] = answer.get_json()
    return document


def turns_of_bots(table: SessionClient, game: str) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yields each turn in which a bot chose, with the public pile, and the event that it chose."""
    known = catalogue()[game]
    state, played = table.state, known.new_state({"players": table.state["players"]})
    while state["status"] == "running" and state["version"] < 2 * EVENTS:
        answer = table.post("events", next_event(state))
        assert answer.status_code == 200, answer.data
        state = json.loads(answer.data)["session"]
    public = known.public_of(None)
    for entry in entries(table):
        event = entry["event"]
        if entry["by"] == "bot":
            question = known.question_at(played.turn, public)
            pile = {"pile": known.odds(question)["pile"]} if game == "tutto" else {}
            yield {**known.turn_document(played.turn), **pile}, known.as_chosen(event)
        public = known.public_after(public, known.event_of(event))
        played = known.advance(played, event).state


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("game", catalogue())
def test_odds_have_the_event_of_a_session_bot(client: FlaskClient, game: str, level: str) -> None:
    bots = [{"seat": 0, "level": level}]
    table = begin(client, game=game, players=["Bot", "Ada"], bots=bots, dice="service")
    phases = set()
    for turn, event in turns_of_bots(table, game):
        answer = odds(game, {**turn, "bot": level})
        assert answer.pop("bot") == {"level": table.state["bots"][0]["level"], "event": event}
        assert answer == odds(game, turn)
        phases.add(turn["phase"])
    assert catalogue()[game].decision_phase in phases
    assert len(phases) > 1


@pytest.mark.parametrize(
    ("game", "question"),
    [
        ("tutto", ROLL),
        ("tutto", {**AT_5000, "scores": [5000, 5000, 0]}),
        ("tutto", {**AT_5000, "options": {"target": 7000}}),
        ("yatzee", {**FOURS, "options": {"upper_bonus": 35}}),
        ("pot", {**TWOS, "coins": [3, 3, 3], "bank": 45}),
        ("pot", {**TWOS, "options": {"target": 20}}),
    ],
)
def test_unknown_perfect_play_names_the_best_bot(game: str, question: dict[str, Any]) -> None:
    bots = [odds(game, {**question, "bot": level})["bot"] for level in (Level.PERFECT, Level.BEST)]
    assert [bot["level"] for bot in bots] == [Level.BEST, Level.BEST]
    assert bots[0] == bots[1]


@pytest.mark.parametrize(
    ("game", "question", "events"),
    [
        ("tutto", AT_5000, ({"type": "bank"}, {"type": "keep", "dice": [1]})),
        (
            "yatzee",
            FOURS,
            (
                {"type": "write", "category": "house"},
                {"type": "roll", "held": [3, 3, 3, 3]},
            ),
        ),
    ],
)
def test_bot_ignores_the_aim(game: str, question: dict[str, Any], events: tuple[Any, Any]) -> None:
    """Levels decide by the turn or by the game, whatever the values of the choices are."""
    aims: list[dict[str, Any]] = [{}, {"aim": AIMS[game]}]
    for aim in aims + [{"reach": 1000}] * (game == "tutto"):
        for level, event in zip((Level.BEST, Level.PERFECT), events, strict=True):
            assert odds(game, {**question, **aim, "bot": level})["bot"]["event"] == event


@pytest.mark.parametrize("level", [Level.BEST, Level.PERFECT])
@pytest.mark.parametrize("game", POSITIONS)
def test_bot_with_the_aim_of_the_odds_computes_once(
    game: str, level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, kind = list[str](), {"tutto": tutto, "yatzee": yatzee, "pot": pot}[game].Question
    aim = {"aim": AIMS[game]} if level is Level.PERFECT else {}

    def count(place: Any, name: str) -> None:
        computed = getattr(place, name)

        def counting(asked: Any) -> Any:
            counted.append(name)
            return computed(asked)

        monkeypatch.setattr(place, name, counting)

    count(kind, "odds")
    count(whole_game, "whole_game")
    assert odds(game, {**POSITIONS[game], **aim, "bot": level})["bot"]["level"] == level
    assert counted == ["odds", *(["whole_game"] if game == "yatzee" and aim else [])]


@pytest.mark.parametrize("game", POSITIONS)
def test_query_and_batch_have_the_choice_of_the_bot(game: str) -> None:
    question = {**POSITIONS[game], "bot": "bold"}
    expected = odds(game, question)
    assert expected["bot"]["level"] == "bold"
    batch = post(f"/v1/{game}/odds/batch", {"positions": [question, {**question, "bot": "wild"}]})
    first, second = batch.get_json()["answers"]
    assert first == expected
    assert [(error["pointer"], error["code"]) for error in second["errors"]] == [
        ("/bot", "not-a-choice")
    ]
    lines = post(f"/v1/{game}/odds/batch", orjson.dumps(question), kind=NDJSON, Accept=NDJSON)
    assert orjson.loads(lines.data) == expected
    texts = {
        name: ",".join("".join(map(str, keep)) for keep in value)
        if name == "keeps"
        else "".join(map(str, value))
        if name == "roll"
        else ",".join(map(str, value))
        if isinstance(value, list)
        else value
        for name, value in question.items()
    }
    assert get(f"/v1/{game}/odds?{urlencode(texts)}").get_json() == expected


@pytest.mark.long
def test_tables_of_bots_count_in_a_batch() -> None:
    """Each pair of scores needs a table for the win probability."""
    positions = [
        {"scores": [score, 4250], "player": 0, "bot": "perfect"} for score in range(2050, 2650, 50)
    ]
    answers = post("/v1/tutto/odds/batch", {"positions": positions}).get_json()["answers"]
    assert [answer.get("type") for answer in answers] == [None] * 10 + ["/problems/too-large"] * 2
