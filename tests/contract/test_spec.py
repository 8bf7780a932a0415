"""openapi.yaml agrees with the service: paths, requests, examples, codes; and lints clean."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import openapi_spec_validator
import pytest
import yaml
from flask import Flask
from flask.testing import FlaskClient

from service import __version__
from service.api.contract import contract_yaml
from service.api.problems import STATUSES
from service.api.words import book, service_words
from service.app import create_app
from service.games import catalogue
from service.web.pages import PATHS
from tests.contract.examples import SPEC, Example, content, examples, followed, operations

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tests" / "tools"
RELEASED = Path(__file__).with_name("released")
SCHEMAS: dict[str, Any] = SPEC["components"]["schemas"]


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app()


@pytest.fixture(scope="module")
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def test_the_service_has_the_paths_and_methods_of_the_contract_and_no_others(app: Flask) -> None:
    promised = {(path, method.upper()) for path, method, _ in operations()}
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in app.url_map.iter_rules()
        # Pages are for people; the contract is about what programs may rely on.
        if rule.rule not in PATHS
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert served == promised


# Request schemas --------------------------------------------------------------------------------

STRUCTURE = {
    *("type", "enum", "const", "pattern", "required", "additionalProperties"),
    *("minimum", "maximum", "multipleOf"),
    *("minLength", "maxLength", "minItems", "maxItems"),
}


def structure(schema: dict[str, Any]) -> dict[str, Any]:
    """What a schema demands: references followed, descriptions and examples left out."""
    while "$ref" in schema:
        schema = SCHEMAS[schema["$ref"].rpartition("/")[2]]
    found = {key: value for key, value in schema.items() if key in STRUCTURE}
    if "const" in found:
        found["enum"] = [found.pop("const")]
    if "required" in found:
        found["required"] = sorted(found["required"])
    if "properties" in schema:
        found["properties"] = {
            name: structure(nested) for name, nested in schema["properties"].items()
        }
    if "items" in schema:
        found["items"] = structure(schema["items"])
    if "oneOf" in schema:
        kinds = [structure(kind) for kind in schema["oneOf"]]
        found = {"oneOf": sorted(kinds, key=json.dumps)}
    return found


def request_schemas() -> list[tuple[str, str, str]]:
    return [
        (game, shape, resource)
        for game in catalogue()
        for shape, resource in (
            ("position", "adjudications"),
            ("batch", "adjudications/batch"),
            ("transition", "transitions"),
            ("log", "games"),
        )
    ]


@pytest.mark.parametrize(("game", "shape", "resource"), request_schemas())
def test_what_marshmallow_demands_is_what_the_contract_demands(
    game: str, shape: str, resource: str
) -> None:
    body = SPEC["paths"][f"/v1/{game}/{resource}"]["post"]["requestBody"]
    promised = structure(body["content"]["application/json"]["schema"])
    declared = structure(getattr(catalogue()[game], shape).json_schema())
    # How many positions or events there may be is a setting, answered by 413 and not by the schema.
    for name in ("positions", "log"):
        promised["properties"].get(name, {}).pop("maxItems", None)
    assert declared == promised


@pytest.mark.parametrize("game", catalogue())
def test_the_get_form_has_a_parameter_for_every_field_and_option(game: str) -> None:
    found = catalogue()[game]
    operation = SPEC["paths"][f"/v1/{game}/adjudications"]["get"]
    names = [followed(declared)["name"] for declared in operation["parameters"]]
    asked = [name for name in names if name != "Accept-Language"]
    assert sorted(asked) == sorted([*found.query, *found.option_readers])
    assert asked[: len(found.query)] == list(found.query)


# Examples ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_every_example_is_what_the_service_answers(client: FlaskClient, example: Example) -> None:
    answer = example.answer(client)
    assert answer.status_code == example.status
    assert answer.mimetype == example.kind
    # As text, so that the order of keys counts too.
    assert json.dumps(content(answer)) == json.dumps(example.value)


def test_every_operation_has_examples_and_every_request_example_its_answer() -> None:
    for path, method, operation in operations():
        asked = {
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
        assert asked <= answered


# Codes ------------------------------------------------------------------------------------------


def test_problem_codes_are_those_of_the_service() -> None:
    assert set(SCHEMAS["ProblemCode"]["enum"]) == set(STATUSES)
    assert set(service_words()["problems"]) == set(STATUSES)


def test_schema_error_codes_are_those_of_the_service() -> None:
    assert set(SCHEMAS["SchemaErrorCode"]["enum"]) == set(service_words()["errors"])


@pytest.mark.parametrize("game", catalogue())
def test_finding_codes_are_those_of_the_game_and_each_is_explained(game: str) -> None:
    listed = SCHEMAS[f"{game.title()}FindingCode"]
    assert set(listed["enum"]) == set(book(game).words["findings"])
    assert all(f"`{code}`" in listed["description"] for code in listed["enum"])


# The file itself --------------------------------------------------------------------------------


def test_the_contract_is_served_as_it_was_written(client: FlaskClient) -> None:
    assert client.get("/openapi.yaml").data == contract_yaml()
    assert client.get("/openapi.json").get_json() == yaml.safe_load(contract_yaml())


def test_the_contract_is_valid_openapi() -> None:
    openapi_spec_validator.validate(SPEC)


def test_no_schema_is_unused() -> None:
    text = contract_yaml().decode()
    for kind, named in SPEC["components"].items():
        for name in named:
            assert f"#/components/{kind}/{name}'" in text or f'/{kind}/{name}"' in text, name


def lint(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["node", *command],
        cwd=TOOLS,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin", "REDOCLY_TELEMETRY": "off", "NO_UPDATE_NOTIFIER": "1"},
    )


def test_spectral_finds_nothing() -> None:
    program = "node_modules/@stoplight/spectral-cli/dist/index.js"
    run = lint(program, "lint", "--ruleset", "spectral.yaml", "-F", "hint", "../../openapi.yaml")
    assert run.returncode == 0, run.stdout + run.stderr


def test_redocly_finds_nothing() -> None:
    run = lint("node_modules/@redocly/cli/bin/cli.js", "lint", "../../openapi.yaml")
    assert run.returncode == 0, run.stdout + run.stderr
    # It warns of old Node versions whatever it reads; its own findings count themselves.
    assert "Your API description is valid" in run.stderr, run.stderr
    assert not re.search(r"\d+ (warning|problem)", run.stderr), run.stderr


def test_the_contract_of_each_release_is_kept() -> None:
    released = {path.stem: path.read_bytes() for path in RELEASED.glob("*.yaml")}
    assert __version__ == SPEC["info"]["version"]
    assert __version__ in released, "copy openapi.yaml to tests/contract/released/"
    assert released[__version__] == contract_yaml(), "a changed contract is a new version"
