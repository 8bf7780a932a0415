"""The contract as pages: each operation with all that it takes and answers, each schema."""

import json
import re
from html import unescape
from itertools import pairwise

import pytest

from dice_referee.api.contract import contract, operations
from dice_referee.web.reference import indented, resolved, shape_of, type_of
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


def test_the_list_begins_with_a_request_and_tutto() -> None:
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


def test_operations_of_one_path_stand_together() -> None:
    paths = re.findall(r"</span> <code>([^<]+)</code></a> <span>", page("/docs"))
    assert len(paths) == len(operations())
    changes = sum(one != other for one, other in pairwise(paths))
    assert changes + 1 == len(set(paths))


@pytest.mark.parametrize("game", ["tutto", "yatzee", "pot"])
def test_operations_of_a_game_stand_in_the_order_of_use(game: str) -> None:
    paths = re.findall(rf"</span> <code>/v1/{game}/([^<]+)</code></a> <span>", page("/docs"))
    assert list(dict.fromkeys(paths)) == [
        "adjudications",
        "transitions",
        "games",
        "odds",
        "comparisons",
        "adjudications/batch",
        "odds/batch",
        "games/review",
    ]


def test_operations_of_sessions_keep_the_order_of_the_contract() -> None:
    listed = re.findall(r'<li><a href="/docs/(\w+)"', page("/docs"))
    own = [name for name, one in operations().items() if one["tags"] == ["Sessions"]]
    assert [name for name in listed if name in own] == own


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_an_operation_is_tried_in_the_language_of_its_reader(language: str) -> None:
    html = page(f"/docs/adjudicateTutto?lang={language}")
    field = f'name="Accept-Language" data-in="header" value="{language}"'
    assert field in html


def test_an_operation_shows_what_it_takes_and_answers() -> None:
    for name, entry in operations().items():
        method, path = entry["method"], entry["path"]
        html = page(f"/docs/{name}")
        assert f'data-method="{method}" data-path="{path}"' in html
        assert entry["summary"] in html, name
        for parameter in map(resolved, entry.get("parameters", ())):
            field = f'name="{parameter["name"]}" data-in="{parameter["in"]}"'
            assert field in html, (name, field)
        for media in entry.get("requestBody", {}).get("content", {}).values():
            for example in map(resolved, media["examples"].values()):
                value = example["value"]
                text = value if isinstance(value, str) else indented(value)
                assert f'value="{text}"' in html, (name, text)
        for status in entry["responses"]:
            assert re.search(rf"<(?:h3|summary)>{status}</", html), (name, status)


def test_a_schema_shows_its_fields() -> None:
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
def test_a_type_is_said_in_a_few_words(schema: dict[str, object], words: str) -> None:
    assert unescape(re.sub("<[^>]+>", "", type_of(schema))) == words


def test_json_is_indented_where_it_is_long() -> None:
    long = {"keeps": [[1, 1], [5]], "names": ["Ada Lovelace"] * 5, "empty": {}}
    assert json.loads(indented(long)) == long
    assert indented(long).splitlines()[1:3] == ['  "keeps": [[1, 1], [5]],', '  "names": [']
    assert indented([1, 2, 3]) == "[1, 2, 3]"


def test_fields_of_all_parts_are_fields_of_the_whole() -> None:
    parts = [{"properties": {"a": {}}, "required": ["a"]}, {"properties": {"b": {}}}]
    fields = shape_of({"allOf": parts})["fields"]
    assert [(field["name"], field["required"]) for field in fields] == [("a", True), ("b", False)]
