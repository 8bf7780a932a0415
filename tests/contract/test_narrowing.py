"""Sessions, their logs and posted events match the narrowing types.

A game is played over HTTP, and all requests and answers are validated. Parts of the contract are
complete where other facts are derived from them.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from flask.testing import FlaskClient

from dice_referee.api.contract import contract
from dice_referee.games import catalogue
from dice_referee.games.cases import case_table
from dice_referee.sessions.log import NOTES
from tests.api.conftest import client
from tests.sessions.player import BEGINNINGS, choose

MOST_MOVES = 400
"""Maximum moves of a game."""


@cache
def validators() -> dict[str, Any]:
    """Returns validators by the names of their schemas in the contract."""
    components = {"components": {"schemas": schemas()}}
    names = ("PostedEvent", "SessionCreated", "SessionChanged", "SessionLog", "SessionDeleted")
    return {
        name: jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{name}", **components})
        for name in names
    }


def schemas() -> dict[str, Any]:
    """Returns the schemas of the published contract by name."""
    named: dict[str, Any] = contract()["components"]["schemas"]
    return named


def validated(name: str, document: Any) -> Any:
    """Returns the document, after validating it against this schema."""
    errors = [error.message for error in validators()[name].iter_errors(document)]
    assert not errors, (name, errors, document)
    return document


assert client
"""The client fixture of the API tests."""


@pytest.mark.parametrize("dice", ["service", "client"])
@pytest.mark.parametrize("game", catalogue())
def test_played_game_matches_the_contract(client: FlaskClient, game: str, dice: str) -> None:
    random = Random(33)
    body = {"game": game, "dice": dice, **BEGINNINGS[game]}
    created = validated("SessionCreated", client.post("/v1/sessions", json=body).get_json())
    at, state = f"/v1/sessions/{created['session']['id']}", created["session"]
    host = {"Authorization": f"Bearer {created['host_token']}"}

    def change(path: str, seat: int | None, body: Any = None) -> dict[str, Any]:
        token = created["host_token"] if seat is None else created["seat_tokens"][seat]
        headers = {"Authorization": f"Bearer {token}"}
        answer = client.post(f"{at}/{path}", json=body, headers=headers)
        assert answer.status_code == 200, answer.data
        session: dict[str, Any] = validated("SessionChanged", answer.get_json())["session"]
        return session

    if dice == "service":
        change("seeds", 0, {"seed": "lucky seven"})
    for _ in range(MOST_MOVES):
        if state["player"] is None:
            break
        move = validated("PostedEvent", choose(state, random))
        state = change("events", state["player"], move)
    if dice == "client":
        change("undo", None)
    log = validated("SessionLog", client.get(f"{at}/events").get_json())
    assert len(log["events"]) > 10
    deleted = client.delete(at, headers=host).get_json()
    assert validated("SessionDeleted", deleted)["session"]["game"] == game


@pytest.mark.parametrize(
    "move",
    [
        {"type": "bank", "category": "house"},
        {"type": "keep"},
        {"type": "keep", "dice": [1], "card": "clover"},
        {"type": "write", "dice": [1]},
        {"type": "accept", "category": "house"},
        {"type": "fold"},
    ],
    ids=json.dumps,
)
def test_move_of_no_game_is_invalid(move: dict[str, Any]) -> None:
    assert not validators()["PostedEvent"].is_valid(move)


def test_each_event_type_has_a_schema() -> None:
    events = {kind for game in catalogue().values() for kind in game.schemas.reported_event.kinds}
    mapping = schemas()["SessionEvent"]["discriminator"]["mapping"]
    assert set(mapping) == events | NOTES
    for kind, reference in mapping.items():
        schema = schemas()[reference.rpartition("/")[2]]
        assert schema["properties"]["type"]["const"] == kind
        # Answers are open.
        assert "additionalProperties" not in schema


# Turns ------------------------------------------------------------------------------------------


def turns_in(value: Any) -> Iterator[dict[str, Any]]:
    """Yields every turn of an answer."""
    if isinstance(value, dict):
        if "phase" in value:
            yield value
        for part in value.values():
            yield from turns_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from turns_in(part)


@pytest.mark.parametrize("game", catalogue())
def test_turn_of_a_phase_requires_what_it_always_has(client: FlaskClient, game: str) -> None:
    seen: dict[str, list[set[str]]] = {}
    for case in case_table(game).cases:
        if case.status == 200 and case.resource in ("adjudications", "transitions", "audits"):
            answer = client.post(f"/v1/{game}/{case.resource}", json=case.request).get_json()
            for turn in turns_in(answer):
                seen.setdefault(turn["phase"], []).append(set(turn))
    mapping = schemas()[f"{game.title()}Turn"]["discriminator"]["mapping"]
    assert list(mapping) == schemas()[f"{game.title()}Phase"]["enum"]
    for phase, reference in mapping.items():
        schema = schemas()[reference.rpartition("/")[2]]
        assert set.intersection(*seen[phase]) == set(schema["required"]), phase
        assert set.union(*seen[phase]) <= set(schema["properties"]), phase


@pytest.mark.parametrize("game", catalogue())
def test_sessions_and_audits_have_running_turns_only(game: str) -> None:
    title = game.title()
    phases = set(schemas()[f"{title}RunningTurn"]["discriminator"]["mapping"])
    assert phases == {*schemas()[f"{title}Phase"]["enum"]} - {"over"}
    for name in (f"{title}Session", f"{title}Audit"):
        turn, null = schemas()[name]["properties"]["turn"]["anyOf"]
        assert turn == {"$ref": f"#/components/schemas/{title}RunningTurn"}
        assert null == {"type": "null"}


# Fields -----------------------------------------------------------------------------------------


def schemas_in(value: Any, place: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yields every mapping of the contract outside examples, with its place."""
    if isinstance(value, dict):
        yield place, value
        for key, part in value.items():
            if key not in ("examples", "example"):
                yield from schemas_in(part, f"{place}/{key}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from schemas_in(part, f"{place}/{index}")


def test_only_required_constants_have_defaults() -> None:
    constants = {
        (f"{place}/{name}", name in schema["required"]): field
        for place, schema in schemas_in(schemas())
        for name, field in (schema["properties"] if "required" in schema else {}).items()
        if "const" in field
    }
    assert len(constants) > 30
    assert {
        place
        for (place, required), field in constants.items()
        if field.get("default") != (field["const"] if required else None)
    } == set()


def test_every_field_has_a_description() -> None:
    fields = {
        f"{place}/{name}": field
        for place, schema in schemas_in(schemas())
        if not place.endswith("/properties")
        for name, field in schema.get("properties", {}).items()
    }
    assert len(fields) > 800
    assert {place for place, field in fields.items() if not field.get("description")} == set()


def test_texts_have_no_quotation_marks_around_them() -> None:
    texts = {
        f"{place}/{name}": text.strip()
        for place, part in schemas_in(contract())
        for name, text in part.items()
        if name in ("description", "summary") and isinstance(text, str)
    }
    assert len(texts) > 1000
    assert [place for place, text in texts.items() if text[0] == text[-1] == "'"] == []


def test_nullable_scalar_lists_null_among_its_types() -> None:
    written = set()
    for place, schema in schemas_in(schemas()):
        match schema:
            case {"oneOf": [{"$ref": reference}, {"type": "null"}]}:
                kind = schemas()[reference.rpartition("/")[2]]
                scalar = kind.get("type") in ("integer", "number", "string", "boolean")
                if scalar and "enum" not in kind:
                    written.add(place)
    assert written == set()
