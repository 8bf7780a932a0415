"""The contract as pages: each operation with its parameters and answers, and each schema."""

import json
import re
from html import unescape
from itertools import pairwise

import pytest

from dice_referee.api.contract import contract, operations
from dice_referee.web.reference import indent, resolve, shape_of, type_of
from tests.application import get

SCHEMAS = contract()["components"]["schemas"]


def page(path: str) -> str:
    answer = get(path)
    assert answer.status_code == 200
    for link in re.findall(r'href="/docs/([^"]+)"', answer.get_data(as_text=True)):
        assert link in operations() or link.removeprefix("schemas/") in SCHEMAS, link
    return unescape(answer.get_data(as_text=True))


def test_every_operation_is_listed_once() -> None:
    listed = re.findall(r'<li><a href="/docs/(\w+)"', page("/docs"))
    assert sorted(listed) == sorted(operations())


def test_list_starts_with_an_example_request_and_tutto() -> None:
    html = page("/docs")
    beginning, _, rest = html.partition("</section>")
    command = "http://localhost:8000/v1/tutto/adjudications?card=bonus-300&roll=234566"
    assert command in beginning
    answer = get(command.removeprefix("http://localhost:8000"), Accept="text/plain")
    question, *sentences = answer.text.splitlines()
    assert question == "Bonus 300. You roll 2 3 4 5 6 6."
    for sentence in sentences:
        assert f"<p>{sentence}</p>" in beginning
    for word in ("base address", "Tokens", "Errors", "Limits", "429", "Bearer"):
        assert word in beginning
    assert re.findall(r'<h2 id="(\w+)"', rest)[0].lower() == "tutto"


def test_operations_are_grouped_by_path() -> None:
    paths = re.findall(r"</span> <code>([^<]+)</code></a> <span>", page("/docs"))
    assert len(paths) == len(operations())
    changes = sum(path != following for path, following in pairwise(paths))
    assert changes + 1 == len(set(paths))


@pytest.mark.parametrize("game", ["tutto", "yatzee", "pot"])
def test_operations_of_a_game_are_in_order_of_use(game: str) -> None:
    paths = re.findall(rf"</span> <code>/v1/{game}/([^<]+)</code></a> <span>", page("/docs"))
    assert list(dict.fromkeys(paths)) == [
        "adjudications",
        "transitions",
        "audits",
        "odds",
        "comparisons",
        "adjudications/batch",
        "odds/batch",
        "reviews",
    ]


def test_operations_of_sessions_keep_the_order_of_the_contract() -> None:
    listed = re.findall(r'<li><a href="/docs/(\w+)"', page("/docs"))
    own = [name for name, operation in operations().items() if operation["tags"] == ["Sessions"]]
    assert [name for name in listed if name in own] == own


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_trial_request_has_the_language_of_the_page(language: str) -> None:
    html = page(f"/docs/adjudicateTutto?lang={language}")
    field = f'name="Accept-Language" data-in="header" value="{language}"'
    assert field in html


def test_operation_page_shows_parameters_bodies_and_statuses() -> None:
    for name, entry in operations().items():
        method, path = entry["method"], entry["path"]
        html = page(f"/docs/{name}")
        assert f'data-method="{method}" data-path="{path}"' in html
        assert entry["summary"] in html, name
        for parameter in map(resolve, entry.get("parameters", ())):
            field = f'name="{parameter["name"]}" data-in="{parameter["in"]}"'
            assert field in html, (name, field)
        for media in entry.get("requestBody", {}).get("content", {}).values():
            for example in map(resolve, media["examples"].values()):
                value = example["value"]
                text = value if isinstance(value, str) else indent(value)
                assert f'value="{text}"' in html, (name, text)
        for status in entry["responses"]:
            assert re.search(rf"<(?:h3|summary)>{status}</", html), (name, status)


def test_schema_page_shows_its_fields() -> None:
    for name, schema in SCHEMAS.items():
        html = page(f"/docs/schemas/{name}")
        for field in schema.get("properties", {}):
            assert f"<code>{field}</code>" in html, (name, field)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "integer", "minimum": 0, "maximum": 9}, "integer, at least 0, at most 9"),
        ({"type": ["integer", "null"]}, "integer or null"),
        ({"enum": ["a", "b"]}, "a or b"),
        ({"const": True}, "true"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Roll"}}, "array of Roll"),
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, "string or null"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "object of integer"),
        ({"type": "string", "pattern": "<b>"}, "string, matching <b>"),
        ({}, "anything"),
    ],
)
def test_type_has_a_short_description(schema: dict[str, object], words: str) -> None:
    assert unescape(re.sub("<[^>]+>", "", type_of(schema))) == words


def test_only_long_json_is_indented() -> None:
    long = {"keeps": [[1, 1], [5]], "names": ["Ada Lovelace"] * 5, "empty": {}}
    assert json.loads(indent(long)) == long
    assert indent(long).splitlines()[1:3] == ['  "keeps": [[1, 1], [5]],', '  "names": [']
    assert indent([1, 2, 3]) == "[1, 2, 3]"


def test_allof_merges_the_fields_of_its_parts() -> None:
    parts = [{"properties": {"a": {}}, "required": ["a"]}, {"properties": {"b": {}}}]
    fields = shape_of({"allOf": parts})["fields"]
    assert [(field["name"], field["required"]) for field in fields] == [("a", True), ("b", False)]
