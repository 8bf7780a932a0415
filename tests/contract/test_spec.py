"""openapi.yaml matches the service: paths, requests, examples, codes."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dice_referee.api import fairness, session_access, sessions
from dice_referee.api.about import CONTRACT_QUERY
from dice_referee.api.catalogue import CASES_QUERY
from dice_referee.api.contract import JSON_PATH, contract, contract_yaml
from dice_referee.api.i18n import rulebook, service_words
from dice_referee.api.problems import STATUSES
from dice_referee.api.session_changes import SEED
from dice_referee.api.sessions import session_request
from dice_referee.app import create_app
from dice_referee.games import catalogue
from dice_referee.validation.schema import RequestSchema
from tests import quick_yaml
from tests.contract.declared import json_schema
from tests.tools.examples import content, examples, followed, operations
from tests.tools.standard import contract_path
from tests.tools.stores import serving_examples

SPEC = contract()
SCHEMAS: dict[str, Any] = SPEC["components"]["schemas"]


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app()


@pytest.fixture(scope="module")
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def test_routes_equal_the_operations_of_the_contract(app: Flask) -> None:
    promised = {(path, method.upper()) for path, method, _ in operations()}
    served = {
        (contract_path(rule), method)
        for rule in app.url_map.iter_rules()
        # Pages are for people. The contract covers what programs rely on.
        if not rule.endpoint.startswith("pages.")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert served == promised


def test_every_path_begins_with_its_resource() -> None:
    """Expects one tree: nothing about a game is outside its path."""
    paths = {path for path, _, _ in operations() if path.startswith("/v1/")}
    assert not [path for path in paths if "/games" in path]
    names = {path.split("/")[2] for path in paths}
    assert names == {*catalogue(), "{game}", "sessions", "fairness"}


def test_dice_are_rolled_and_only_the_hashed_option_is_a_throw() -> None:
    words = re.findall(r"[\w-]*throw[\w-]*", contract_yaml().decode(), re.IGNORECASE)
    assert words
    assert {word for word in words if not re.search("throw_bonus|ThrowBonus", word)} == set()


@pytest.mark.parametrize("game", catalogue())
def test_tag_of_a_game_names_its_verbs(game: str) -> None:
    [tag] = (item for item in SPEC["tags"] if item["name"].lower() == game)
    verbs = {
        re.match("[a-z]+", operation["operationId"])[0]  # type: ignore[index]
        for _, _, operation in operations()
        if operation["tags"] == [tag["name"]]
    }
    assert set(re.findall(r"\*(\w+)\*", tag["description"])) == verbs
    assert len(verbs) == 6
    assert "Six verbs" in tag["description"]


# Request schemas --------------------------------------------------------------------------------

STRUCTURE = {
    *("type", "enum", "const", "pattern", "required", "additionalProperties"),
    *("minimum", "maximum", "multipleOf"),
    *("minLength", "maxLength", "minItems", "maxItems"),
}


def structure(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns the constraints of a schema, with references followed and descriptions omitted."""
    while "$ref" in schema:
        schema = SCHEMAS[schema["$ref"].rpartition("/")[2]]
    demands = {key: value for key, value in schema.items() if key in STRUCTURE}
    if "const" in demands:
        demands["enum"] = [demands.pop("const")]
    if "required" in demands:
        demands["required"] = sorted(demands["required"])
    if "properties" in schema:
        demands["properties"] = {
            name: structure(nested) for name, nested in schema["properties"].items()
        }
    if "items" in schema:
        demands["items"] = structure(schema["items"])
    for either in ("oneOf", "anyOf"):
        if either in schema:
            kinds = [structure(kind) for kind in schema[either]]
            demands = {either: sorted(kinds, key=json.dumps)}
    return demands


def promised_body(path: str) -> dict[str, Any]:
    """Returns the contract's constraints on the body of a POST."""
    body = SPEC["paths"][path]["post"]["requestBody"]
    return structure(body["content"]["application/json"]["schema"])


def request_schemas() -> list[tuple[str, str, str]]:
    return [
        (game, shape, resource)
        for game in catalogue()
        for shape, resource in (
            ("position", "adjudications"),
            ("batch", "adjudications/batch"),
            ("transition", "transitions"),
            ("question", "odds"),
        )
    ]


@pytest.mark.parametrize(("game", "shape", "resource"), request_schemas())
def test_request_schemas_match_the_contract(game: str, shape: str, resource: str) -> None:
    promised = promised_body(f"/v1/{game}/{resource}")
    demanded = declared(getattr(catalogue()[game].schemas, shape))
    if shape == "batch":
        # Each position of a batch is validated separately.
        assert demanded["properties"]["positions"]["items"] == {}
        demanded["properties"]["positions"]["items"] = declared(catalogue()[game].schemas.position)
    # A setting, not the schema, limits the number of positions and events, with a 413.
    for name in ("positions", "log"):
        promised["properties"].get(name, {}).pop("maxItems", None)
    assert demanded == promised


@pytest.mark.parametrize("game", catalogue())
@pytest.mark.parametrize("resource", ["audits", "reviews"])
def test_body_of_a_game_is_a_log_or_a_line(game: str, resource: str) -> None:
    schemas = catalogue()[game].schemas
    kinds = [declared(schemas.log), declared(schemas.record), declared(schemas.line)]
    path = f"/v1/{game}/{resource}"
    assert promised_body(path) == {"anyOf": sorted(kinds, key=json.dumps)}
    text = SPEC["paths"][path]["post"]["requestBody"]["content"]["text/plain"]["schema"]
    (line,) = declared(schemas.line)["properties"].values()
    assert structure(text) == line


@pytest.mark.parametrize("game", catalogue())
def test_body_of_a_comparison_is_a_roll_or_an_event(game: str) -> None:
    known = catalogue()[game]
    kinds = [declared(known.schemas.compared_roll), declared(known.schemas.compared_event)]
    promised = promised_body(f"/v1/{game}/comparisons")
    assert promised == {"anyOf": sorted(kinds, key=json.dumps)}


@pytest.mark.parametrize(
    ("game", "shape", "resource"),
    [row for row in request_schemas() if row[1] in ("position", "question")],
)
def test_get_form_has_a_parameter_for_every_field_and_option(
    game: str, shape: str, resource: str
) -> None:
    declared = getattr(catalogue()[game].schemas, shape)
    assert isinstance(declared, RequestSchema)
    operation = SPEC["paths"][f"/v1/{game}/{resource}"]["get"]
    names = [followed(item)["name"] for item in operation["parameters"]]
    parameters = [name for name in names if name != "Accept-Language"]
    assert sorted(parameters) == sorted(declared.parameters)
    own = [name for name, (parent, _) in declared.parameters.items() if parent is None]
    assert parameters[: len(own)] == own


# Requests of sessions ----------------------------------------------------------------------------


def declared(shape: Any) -> dict[str, Any]:
    """Returns the service's constraints on a request of this shape."""
    return structure(json_schema(shape))


def test_body_of_a_new_session_includes_the_setup_of_its_game() -> None:
    own = declared(session_request())
    assert own["properties"]["game"]["enum"] == list(catalogue())
    begun = []
    for name, game in catalogue().items():
        beginning = declared(game.schemas.setup)
        fields = own["properties"] | {"game": {"type": "string", "enum": [name]}}
        begun.append(
            beginning
            | {
                "properties": fields | beginning["properties"],
                "required": sorted(own["required"] + beginning["required"]),
            }
        )
    assert promised_body("/v1/sessions") == {"oneOf": sorted(begun, key=json.dumps)}
    mapped = SCHEMAS["SessionRequest"]["discriminator"]["mapping"]
    assert set(mapped) == set(catalogue())


def test_body_of_a_move_is_an_event_of_a_player() -> None:
    moves: list[dict[str, Any]] = []
    for game in catalogue().values():
        reported = declared(game.schemas.reported_event)["oneOf"]
        requested = declared(game.schemas.requested_event)["oneOf"]
        required = {kind_of(event): event["required"] for event in requested}
        moves += [event | {"required": required[kind_of(event)]} for event in reported]
    move = promised_body("/v1/sessions/{session_id}/events")
    assert move == {"anyOf": sorted(moves, key=json.dumps)}


def kind_of(event: dict[str, Any]) -> str:
    """Returns the type of event that a schema describes."""
    [kind] = event["properties"]["type"]["enum"]
    return str(kind)


def test_query_of_cases_matches_the_contract() -> None:
    operation = SPEC["paths"]["/v1/{game}/cases"]["get"]
    query = {
        parameter["name"]: parameter.get("required", False)
        for parameter in map(followed, operation["parameters"])
        if parameter["in"] == "query"
    }
    assert query == {name: field.required for name, field in CASES_QUERY.wire_fields.items()}


def test_query_of_openapi_json_matches_the_contract() -> None:
    parameters = map(followed, SPEC["paths"]["/openapi.json"]["get"]["parameters"])
    query = {each["name"]: structure(each["schema"]) for each in parameters}
    assert query == declared(CONTRACT_QUERY)["properties"]
    assert "parameters" not in SPEC["paths"]["/openapi.yaml"]["get"]


def test_body_of_a_seed_matches_the_contract() -> None:
    assert promised_body("/v1/sessions/{session_id}/seeds") == declared(SEED)


def test_fairness_claim_matches_the_contract() -> None:
    promised = promised_body("/v1/fairness/verify")
    # The type of the record depends on the game.
    record, promised["properties"]["record"] = promised["properties"]["record"], {}
    assert promised == declared(fairness.claim())
    logs = [declared(game.schemas.record) for game in catalogue().values()]
    for log in record["oneOf"]:
        # A setting limits the length of a log.
        log["properties"]["log"].pop("maxItems", None)
    assert record == {"oneOf": sorted(logs, key=json.dumps)}


def test_query_of_the_feed_matches_the_contract() -> None:
    operation = SPEC["paths"]["/v1/sessions/{session_id}/events"]["get"]
    parameters = [followed(declared) for declared in operation["parameters"]]
    query = {
        each["name"]: structure(each["schema"]) for each in parameters if each["in"] == "query"
    }
    assert query == declared(sessions.feed_query())["properties"]
    assert set(query) == set(sessions.feed_query().parameters)
    key = SPEC["components"]["parameters"]["IdempotencyKey"]["schema"]
    assert key["maxLength"] == session_access.LONGEST_KEY


def test_localized_operations_take_accept_language() -> None:
    for path, method, operation in operations():
        if path.startswith("/v1"):
            taken = {followed(item)["name"] for item in operation.get("parameters", [])}
            assert "Accept-Language" in taken, f"{method} {path}"


# Examples ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def answers() -> Iterator[dict[str, TestResponse]]:
    """Sends every example in order to a service with an empty store. Yields the answers."""
    with serving_examples() as app:
        client = app.test_client()
        yield {example.name: example.answer(client) for example in examples()}


def test_fairness_example_is_the_game_of_the_examples(answers: dict[str, TestResponse]) -> None:
    claim = SPEC["paths"]["/v1/fairness/verify"]["post"]["requestBody"]["content"]
    fair = claim["application/json"]["examples"]["fair"]["value"]
    assert fair["record"] == answers["SessionGame"].get_json()
    assert fair["fairness"] == answers["SessionIsGone"].get_json()["fairness"]


def test_service_gives_every_example_answer(answers: dict[str, TestResponse]) -> None:
    for example in examples():
        answer = answers[example.name]
        assert answer.status_code == example.status, example.name
        assert answer.mimetype == example.kind, example.name
        # Text comparison includes the order of keys.
        assert json.dumps(content(answer)) == json.dumps(example.value), example.name


def test_operations_have_examples_with_their_answers() -> None:
    for path, method, operation in operations():
        queries = {
            name
            for media in operation.get("requestBody", {}).get("content", {}).values()
            for name in media["examples"]
        }
        answered = {
            name
            for response in operation["responses"].values()
            for media in followed(response).get("content", {}).values()
            for name in media.get("examples", {})
        }
        assert answered or path.startswith("/openapi"), f"{method} {path}"
        assert queries <= answered


@pytest.mark.parametrize("game", catalogue())
def test_examples_of_refusals_concern_their_game(game: str) -> None:
    """A mock server answers any request of the game with these examples."""
    fields = {*SCHEMAS[f"{game.title()}Position"]["properties"]}
    seen = set[str]()
    for path, method, operation in operations():
        if not path.startswith(f"/v1/{game}/"):
            continue
        for status in operation["responses"].keys() & {"400", "422"}:
            for problem in problems(operation["responses"][status]):
                place = f"{method} {path} {status}"
                codes = {item["code"] for item in problem["findings"]}
                assert codes <= {*SCHEMAS[f"{game.title()}FindingCode"]["enum"]}, place
                assert all(rule.startswith(game[0].upper()) for rule in problem["rules"]), place
                known = [item for item in problem["errors"] if item["code"] != "unknown-field"]
                names = {item["pointer"].split("/")[1] for item in known if item["pointer"]}
                assert names <= fields, place
                seen |= {problem["code"]} if problem["findings"] or names else set()
    assert {"invalid-request", "impossible-position"} <= seen


def problems(response: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the examples of a refusal."""
    media = followed(response)["content"]["application/problem+json"]
    return [followed(example)["value"] for example in media["examples"].values()]


def test_refusals_of_a_game_have_its_findings() -> None:
    for path, method, operation in operations():
        game = path.split("/")[2].title() if path.startswith("/v1/") else ""
        if "422" in operation["responses"] and game.lower() in catalogue():
            response = followed(operation["responses"]["422"])
            schema = response["content"]["application/problem+json"]["schema"]
            assert schema["$ref"].endswith(f"/{game}ImpossiblePosition"), f"{method} {path}"
            items = followed(schema)["properties"]["findings"]["items"]
            assert items["$ref"].endswith(f"/{game}Finding")


def test_refusals_of_sessions_have_the_findings_of_all_games() -> None:
    for name in ("SessionImpossible", "MoveRefused"):
        media = SPEC["components"]["responses"][name]["content"]["application/problem+json"]
        assert media["schema"]["$ref"].endswith("/SessionProblem")
    codes = {code for game in catalogue() for code in SCHEMAS[f"{game.title()}FindingCode"]["enum"]}
    assert set(SCHEMAS["SessionFindingCode"]["enum"]) == codes


# Codes ------------------------------------------------------------------------------------------


def test_problem_codes_match_the_service() -> None:
    assert set(SCHEMAS["ProblemCode"]["enum"]) == set(STATUSES)
    assert set(service_words()["problems"]) == set(STATUSES)


def test_schema_error_codes_match_the_service() -> None:
    assert set(SCHEMAS["SchemaErrorCode"]["enum"]) == set(service_words()["errors"])


@pytest.mark.parametrize("game", catalogue())
def test_finding_codes_match_the_game_and_are_described(game: str) -> None:
    listed = SCHEMAS[f"{game.title()}FindingCode"]
    assert set(listed["enum"]) == set(rulebook(game).words["findings"])
    assert all(f"`{code}`" in listed["description"] for code in listed["enum"])


# The file itself --------------------------------------------------------------------------------


def test_served_contract_equals_the_published_file(client: FlaskClient) -> None:
    assert client.get("/openapi.yaml").data == contract_yaml()
    served = client.get("/openapi.json")
    assert served.data == JSON_PATH.read_bytes()
    assert served.get_json() == quick_yaml.load(contract_yaml())


def test_every_component_is_used() -> None:
    text = contract_yaml().decode()
    for kind, named in SPEC["components"].items():
        for name in named:
            uses = (f"#/components/{kind}/{name}'", f'/{kind}/{name}"', f"- {name}: []")
            assert any(way in text for way in uses), name
