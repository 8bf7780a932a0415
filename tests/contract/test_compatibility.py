"""The contract keeps what its last release has promised, and the checker that says so can see.

A table of planted changes, each found or let pass; then the last release itself.
"""

import copy
from pathlib import Path
from typing import Any

import pytest

from service import __version__
from service.api.contract import contract
from tests import quick_yaml
from tests.tools.bundle import RELEASED, meaning
from tests.tools.compatibility import (
    Break,
    breaks,
    changed_names,
    is_told,
    may_break,
    told_changes,
    unannounced,
    unreleased_names,
    untold_deprecations,
    version_of,
)

ROOT = Path(__file__).resolve().parents[2]

CONTRACT = """
security: []
paths:
  /rolls/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string, maxLength: 22}}
    post:
      operationId: judgeRoll
      tags: [Dice]
      parameters:
        - {name: If-Match, in: header, schema: {type: string}}
        - {name: faces, in: query, schema: {type: integer, minimum: 2, maximum: 20, default: 6}}
      requestBody:
        content:
          application/json: {schema: {$ref: '#/components/schemas/Roll'}}
          text/csv: {schema: {type: string}}
      responses:
        '200':
          headers:
            ETag: {required: true, schema: {type: string}}
          content:
            application/json: {schema: {$ref: '#/components/schemas/Verdict'}}
            text/plain: {schema: {type: string}}
        '404': {$ref: '#/components/responses/NotFound'}
    get:
      operationId: getRoll
      tags: [Dice]
      security: [{seat: []}]
      responses:
        '200': {content: {application/json: {schema: {$ref: '#/components/schemas/Found'}}}}
components:
  securitySchemes:
    seat: {type: http, scheme: bearer}
  responses:
    NotFound:
      content:
        application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}
  schemas:
    Roll:
      type: object
      additionalProperties: false
      required: [dice]
      properties:
        dice: {type: array, minItems: 1, maxItems: 6, items: {$ref: '#/components/schemas/Die'}}
        card: {$ref: '#/components/schemas/Card'}
        name: {type: [string, 'null'], maxLength: 20, pattern: '^[a-z]+$'}
        event: {$ref: '#/components/schemas/Event'}
        house: {type: object, default: {}, properties: {target: {type: integer}}}
    Die: {type: integer, minimum: 1, maximum: 6}
    Card: {type: string, enum: [stop, double]}
    Event:
      oneOf: [{$ref: '#/components/schemas/Draw'}, {$ref: '#/components/schemas/Keep'}]
      discriminator:
        propertyName: type
        mapping: {draw: '#/components/schemas/Draw', keep: '#/components/schemas/Keep'}
    Draw: {type: object, required: [type], properties: {type: {const: draw}}}
    Keep: {type: object, required: [type], properties: {type: {const: keep}}}
    Verdict:
      type: object
      required: [points, status, next]
      properties:
        points: {type: integer, minimum: 0, maximum: 1000}
        status: {$ref: '#/components/schemas/Status'}
        next: {oneOf: [{$ref: '#/components/schemas/Verdict'}, {type: 'null'}]}
        rule: {type: string, pattern: '^[A-Z]'}
        more: {type: object, additionalProperties: {type: integer}}
    Status: {type: string, enum: [niete, scoring]}
    Found:
      allOf:
        - {$ref: '#/components/schemas/Verdict'}
        - {type: object, required: [at], properties: {at: {type: string}}}
    Problem: {type: object, required: [type], properties: {type: {type: string}}}
    Card2: {type: string, enum: [stop, double]}
"""

GONE = object()
"""What a planted change takes away."""

OPERATION = "paths:/rolls/{id}:post"
TAKEN = "components:schemas:Roll"
GIVEN = "components:schemas:Verdict"
SCHEMAS = "components:schemas"
NEW_FIELD = {"type": "string"}
OPTIONAL = {"name": "sides", "in": "query", "schema": {"type": "integer"}}

BREAKING: dict[str, tuple[dict[str, Any], list[str]]] = {
    # Operations
    "an operation is gone": ({OPERATION: GONE}, ["judgeRoll"]),
    "a path is gone": ({"paths:/rolls/{id}": GONE}, ["judgeRoll", "getRoll"]),
    "an operation has another id": ({f"{OPERATION}:operationId": "judge"}, ["judgeRoll"]),
    "an operation has another tag": ({f"{OPERATION}:tags": ["Rolls"]}, ["judgeRoll"]),
    "a parameter is gone": ({f"{OPERATION}:parameters:0": GONE}, ["judgeRoll If-Match"]),
    "a parameter of the path is another": (
        {"paths:/rolls/{id}:parameters:0:schema:maxLength": 21},
        ["judgeRoll id", "getRoll id"],
    ),
    "a parameter is new and required": (
        {f"{OPERATION}:parameters:2": OPTIONAL | {"required": True}},
        ["judgeRoll sides"],
    ),
    "a parameter has become required": (
        {f"{OPERATION}:parameters:1:required": True},
        ["judgeRoll faces"],
    ),
    "a parameter is written in another way": (
        {f"{OPERATION}:parameters:1:explode": False},
        ["judgeRoll faces"],
    ),
    "a parameter takes fewer numbers": (
        {f"{OPERATION}:parameters:1:schema:maximum": 12},
        ["judgeRoll faces"],
    ),
    "a parameter means something else if absent": (
        {f"{OPERATION}:parameters:1:schema:default": 8},
        ["judgeRoll faces"],
    ),
    "a default is gone": (
        {f"{OPERATION}:parameters:1:schema:default": GONE},
        ["judgeRoll faces"],
    ),
    "a body has become required": ({f"{OPERATION}:requestBody:required": True}, ["judgeRoll"]),
    "a body is not taken any more": (
        {f"{OPERATION}:requestBody": GONE},
        ["judgeRoll", "judgeRoll"],
    ),
    "a media type is not taken any more": (
        {f"{OPERATION}:requestBody:content:text/csv": GONE},
        ["judgeRoll"],
    ),
    "a status is gone": ({f"{OPERATION}:responses:404": GONE}, ["judgeRoll 404"]),
    "success has another status": (
        {f"{OPERATION}:responses:201": {}},
        ["judgeRoll 201"],
    ),
    "a media type is not offered any more": (
        {f"{OPERATION}:responses:200:content:text/plain": GONE},
        ["judgeRoll 200"],
    ),
    "a header of an answer is gone": (
        {f"{OPERATION}:responses:200:headers:ETag": GONE},
        ["judgeRoll 200 ETag"],
    ),
    "a header of an answer may be absent": (
        {f"{OPERATION}:responses:200:headers:ETag:required": False},
        ["judgeRoll 200 ETag"],
    ),
    "an operation asks who is there": (
        {f"{OPERATION}:security": [{"seat": []}]},
        ["judgeRoll"],
    ),
    "all operations ask who is there": ({"security": [{"seat": []}]}, ["judgeRoll"]),
    "an operation asks for another scope": (
        {"paths:/rolls/{id}:get:security": [{"seat": ["admin"]}]},
        ["getRoll"],
    ),
    "one identifies oneself in another way": (
        {"components:securitySchemes:seat:scheme": "basic"},
        ["seat"],
    ),
    # What clients send
    "a field is not taken any more": ({f"{TAKEN}:properties:card": GONE}, ["Roll.card"]),
    "a field is new and required": (
        {f"{TAKEN}:properties:player": NEW_FIELD, f"{TAKEN}:required": ["dice", "player"]},
        ["Roll.player"],
    ),
    "a field has become required": ({f"{TAKEN}:required": ["dice", "card"]}, ["Roll.card"]),
    "an enum takes one value less": (
        {f"{SCHEMAS}:Card:enum": ["stop"]},
        ["Card"],
    ),
    "a text takes only some values": (
        {f"{TAKEN}:properties:name:enum": ["ada"]},
        ["Roll.name"],
    ),
    "null is not taken any more": ({f"{TAKEN}:properties:name:type": "string"}, ["Roll.name"]),
    "a pattern has changed": ({f"{TAKEN}:properties:name:pattern": "^[a-z]$"}, ["Roll.name"]),
    "a pattern is new": (
        {f"{OPERATION}:parameters:0:schema:pattern": "^x"},
        ["judgeRoll If-Match"],
    ),
    "a format is new": ({f"{OPERATION}:parameters:0:schema:format": "uri"}, ["judgeRoll If-Match"]),
    "a text has to be shorter": ({f"{TAKEN}:properties:name:maxLength": 19}, ["Roll.name"]),
    "a text has to be longer": ({f"{TAKEN}:properties:name:minLength": 1}, ["Roll.name"]),
    "a list has to be shorter": ({f"{TAKEN}:properties:dice:maxItems": 5}, ["Roll.dice"]),
    "a list has to be longer": ({f"{TAKEN}:properties:dice:minItems": 2}, ["Roll.dice"]),
    "items have to differ": ({f"{TAKEN}:properties:dice:uniqueItems": True}, ["Roll.dice"]),
    "a number has to be larger": ({f"{SCHEMAS}:Die:minimum": 2}, ["Die"]),
    "a number has to be smaller": ({f"{SCHEMAS}:Die:maximum": 5}, ["Die"]),
    "a number has to be a multiple": ({f"{SCHEMAS}:Die:multipleOf": 2}, ["Die"]),
    "a type is another": ({f"{SCHEMAS}:Die:type": "string"}, ["Die"]),
    "an object has become closed": (
        {f"{TAKEN}:properties:house:additionalProperties": False},
        ["Roll.house.*"],
    ),
    "a kind of event is not taken any more": (
        {f"{SCHEMAS}:Event:oneOf:1": GONE, f"{SCHEMAS}:Event:discriminator:mapping:keep": GONE},
        ["Event", "Event"],
    ),
    "a kind of event has another name on the wire": (
        {f"{SCHEMAS}:Event:discriminator:mapping:draw": "#/components/schemas/Keep"},
        ["Event"],
    ),
    # What they get
    "a field of an answer is gone": (
        {f"{GIVEN}:properties:points": GONE, f"{GIVEN}:required": ["status", "next"]},
        ["Verdict.points", "Found.points"],
    ),
    "a field of an answer may be absent": (
        {f"{GIVEN}:required": ["points", "status"]},
        ["Verdict.next", "Found.next"],
    ),
    "a field of an answer may be null": (
        {f"{GIVEN}:properties:points:type": ["integer", "null"]},
        ["Verdict.points", "Found.points"],
    ),
    "a reference in an answer may be null": (
        {
            f"{GIVEN}:properties:status": {
                "oneOf": [{"$ref": "#/components/schemas/Status"}, {"type": "null"}]
            }
        },
        ["Verdict.status", "Found.status"],
    ),
    "a field of an answer has a wider type": (
        {f"{GIVEN}:properties:points:type": "number"},
        ["Verdict.points", "Found.points"],
    ),
    "a field of an answer may be something else": (
        {f"{GIVEN}:properties:points": {"oneOf": [{"type": "integer"}, {"type": "string"}]}},
        ["Verdict.points", "Found.points"],
    ),
    "a field of an answer may be anything": (
        {f"{GIVEN}:properties:points": {}},
        ["Verdict.points", "Found.points"],
    ),
    "an answer has one value less": ({f"{SCHEMAS}:Status:enum": ["niete"]}, ["Status"]),
    "an answer may have any value": ({f"{SCHEMAS}:Status:enum": GONE}, ["Status"]),
    "a pattern of an answer is gone": (
        {f"{GIVEN}:properties:rule:pattern": GONE},
        ["Verdict.rule", "Found.rule"],
    ),
    "further fields of an answer may be anything": (
        {f"{GIVEN}:properties:more:additionalProperties": True},
        ["Verdict.more.*", "Found.more.*"],
    ),
    "a part of an answer's allOf demands less": (
        {f"{SCHEMAS}:Found:allOf:1:required": []},
        ["Found.at"],
    ),
    # Names of generated clients
    "a schema is gone": ({f"{SCHEMAS}:Card2": GONE}, ["Card2"]),
    "a field has a type of another name": (
        {f"{TAKEN}:properties:card": {"$ref": "#/components/schemas/Card2"}},
        ["Roll.card"],
    ),
    "a type has lost its name": (
        {f"{TAKEN}:properties:card": {"type": "string", "enum": ["stop", "double"]}},
        ["Roll.card"],
    ),
}

HARMLESS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "an operation is new": {
        "paths:/rules": {"get": {"operationId": "getRules", "responses": {"200": {}}}}
    },
    "a parameter is new and optional": {f"{OPERATION}:parameters:2": OPTIONAL},
    "a header is written in capitals": {f"{OPERATION}:parameters:0:name": "IF-MATCH"},
    "a parameter takes more": {f"{OPERATION}:parameters:1:schema:maximum": 100},
    "another media type is taken": {
        f"{OPERATION}:requestBody:content:application/yaml": {"schema": {}}
    },
    "another media type is offered": {
        f"{OPERATION}:responses:200:content:application/yaml": {"schema": {}}
    },
    "another problem is answered": {f"{OPERATION}:responses:503": {}},
    "a header of answers is new": {f"{OPERATION}:responses:200:headers:Vary": {"required": True}},
    "a token is not asked for any more": {"paths:/rolls/{id}:get:security": []},
    "there is another way to identify oneself": {
        "paths:/rolls/{id}:get:security": [{"seat": []}, {"key": []}]
    },
    "an operation is deprecated": {f"{OPERATION}:deprecated": True},
    "an optional field is taken": {f"{TAKEN}:properties:player": NEW_FIELD},
    "a field is not required any more": {f"{TAKEN}:required": []},
    "a field is deprecated and described": {
        f"{TAKEN}:properties:card": {
            "$ref": "#/components/schemas/Card",
            "deprecated": True,
            "description": "Of old.",
        }
    },
    "an enum has another value, taken and given": {f"{SCHEMAS}:Card:enum": ["stop", "double", "x"]},
    "an answer has another value": {f"{SCHEMAS}:Status:enum": ["niete", "scoring", "tutto"]},
    "null is taken": {f"{TAKEN}:properties:dice:type": ["array", "null"]},
    "a pattern is gone": {f"{TAKEN}:properties:name:pattern": GONE},
    "limits are wider": {
        f"{TAKEN}:properties:name:maxLength": 30,
        f"{TAKEN}:properties:dice:minItems": GONE,
        f"{SCHEMAS}:Die:maximum": 20,
    },
    "whole numbers have become numbers": {f"{SCHEMAS}:Die:type": "number"},
    "a field takes something else as well": {
        f"{TAKEN}:properties:dice:items": {
            "oneOf": [{"$ref": "#/components/schemas/Die"}, {"type": "string"}]
        }
    },
    "another kind of event is taken": {
        f"{SCHEMAS}:Event:oneOf:2": {"$ref": "#/components/schemas/Bank"},
        f"{SCHEMAS}:Event:discriminator:mapping:bank": "#/components/schemas/Bank",
        f"{SCHEMAS}:Bank": {"type": "object"},
    },
    "an empty default is not said any more": {f"{TAKEN}:properties:house:default": GONE},
    "an answer has another field": {f"{GIVEN}:properties:sum": NEW_FIELD},
    "an answer always has a field": {f"{GIVEN}:required": ["points", "status", "next", "rule"]},
    "an answer is never null": {
        f"{GIVEN}:properties:next": {"$ref": "#/components/schemas/Verdict"}
    },
    "an answer has larger numbers": {f"{GIVEN}:properties:points:maximum": 2000},
    "an answer is narrower": {f"{GIVEN}:properties:points:enum": [0, 50]},
    "a schema is new": {f"{SCHEMAS}:Bank": {"type": "object"}},
    "a schema without a class is written out": {
        f"{TAKEN}:properties:dice:items": {"type": "integer", "minimum": 1, "maximum": 6}
    },
    "an object has got a name": {
        f"{TAKEN}:properties:house": {"$ref": "#/components/schemas/House"},
        f"{SCHEMAS}:House": {"type": "object", "properties": {"target": {"type": "integer"}}},
    },
}


def released() -> Any:
    """The meaning of the last release."""
    (path,) = RELEASED.glob("*.yaml")
    return quick_yaml.load(path.read_bytes())


def planted(changes: dict[str, Any]) -> dict[str, Any]:
    """The contract with these changes; places are keys and indices, with colons."""
    found: dict[str, Any] = quick_yaml.load(CONTRACT)
    for place, value in changes.items():
        *way, last = place.split(":")
        at: Any = found
        for step in way:
            at = at[int(step)] if isinstance(at, list) else at[step]
        key: Any = int(last) if isinstance(at, list) else last
        if value is GONE:
            del at[key]
        elif isinstance(at, list) and key == len(at):
            at.append(copy.deepcopy(value))
        else:
            at[key] = copy.deepcopy(value)
    return found


@pytest.mark.parametrize("sentence", BREAKING)
def test_a_planted_change_that_breaks_is_found_where_it_is(sentence: str) -> None:
    changes, places = BREAKING[sentence]
    found = breaks(planted({}), planted(changes))
    assert sorted(each.place for each in found) == sorted(places), found


@pytest.mark.parametrize("sentence", HARMLESS)
def test_a_planted_change_that_is_harmless_passes(sentence: str) -> None:
    assert breaks(planted({}), planted(HARMLESS[sentence])) == []


def test_the_contract_itself_breaks_nothing_of_itself() -> None:
    assert breaks(contract(), contract()) == []


# Releases ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "may"),
    [
        ("0.1.0", "0.2.0", True),
        ("0.1.0", "0.1.1", False),
        ("0.9.0", "0.10.0", True),
        ("0.9.9", "1.0.0", True),
        ("1.0.0", "1.1.0", False),
        ("1.9.0", "1.10.1", False),
        ("1.9.0", "2.0.0", True),
    ],
)
def test_a_version_says_whether_it_may_break_an_older_one(old: str, new: str, may: bool) -> None:
    assert may_break(old, new) is may


def test_a_break_is_named_by_its_place_in_the_right_part_of_the_changelog() -> None:
    changelog = (
        "## 0.3.0 - now\n### Added\n- `Roll.dice`\n### Changed\n- `Roll.card`, `judgeRoll`\n"
        "## 0.2.0 - then\n### Removed\n- `Status`\n"
        "## 0.1.0 - once\n### Changed\n- `Verdict`\n"
    )
    changes = told_changes(changelog, "0.1.0", "0.3.0")
    told = {
        place: is_told(Break(place, ""), changes)
        for place in ("Roll.card", "Roll.dice", "judgeRoll 200 ETag", "Status.x[]", "Verdict")
    }
    assert told == {
        "Roll.card": True,
        "Roll.dice": False,
        "judgeRoll 200 ETag": True,
        "Status.x[]": True,
        "Verdict": False,
    }
    assert not is_told(Break("Status", ""), told_changes(changelog, "0.2.0", "0.3.0"))


@pytest.mark.parametrize(
    ("version", "told", "found"),
    [
        ("0.4.1", "`judgeRoll`", ["judgeRoll"]),
        ("0.5.0", "`judgeRoll`", []),
        ("0.5.0", "`getRoll`", ["judgeRoll"]),
    ],
)
def test_a_break_needs_a_version_that_may_have_it_and_its_name_in_the_changelog(
    version: str, told: str, found: list[str]
) -> None:
    old = planted({"info": {"version": "0.4.0"}})
    new = planted({"info": {"version": version}, f"{OPERATION}:tags": ["Rolls"]})
    changelog = f"## {version} - now\n### Changed\n- {told}\n## 0.4.0 - then\n"
    assert [each.place for each in unannounced(old, new, changelog)] == found


def test_one_released_contract_is_kept() -> None:
    kept = released()
    version = kept["info"]["version"]
    assert version_of(version) <= version_of(__version__)
    if version == __version__:
        told = unreleased_names((ROOT / "CHANGELOG.md").read_text("utf-8"))
        changed = changed_names(kept, meaning(contract()))
        assert not changed or told & changed, f"CHANGELOG.md, Unreleased: name what of {changed}"


@pytest.mark.parametrize(
    ("entry", "named"),
    [
        ("- Rolls: `getRoll` has a body.", True),
        ("- Rolls: `/rolls/{id}` has a body.", True),
        ("- The schema `Found` has `faces`.", True),
        ("- Rolls: getRoll has a body.", False),
        ("- `judgeRoll` is faster.", False),
        ("\n## 1.0.0\n- `getRoll` has a body.", False),
    ],
)
def test_a_change_between_releases_is_named_in_the_changelog(entry: str, named: bool) -> None:
    old = quick_yaml.load(CONTRACT)
    new = copy.deepcopy(old)
    new["paths"]["/rolls/{id}"]["get"]["requestBody"] = {"required": True}
    new["components"]["schemas"]["Found"] = {"type": "object"}
    changed = changed_names(old, new)
    assert bool(unreleased_names(f"## Unreleased\n{entry}\n") & changed) is named


def test_what_has_not_changed_need_not_be_named() -> None:
    assert changed_names(quick_yaml.load(CONTRACT), quick_yaml.load(CONTRACT)) == set()


def test_the_contract_keeps_what_the_last_release_promised() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert unannounced(released(), contract(), changelog) == []


@pytest.mark.parametrize(
    ("place", "name"),
    [
        (OPERATION, "judgeRoll"),
        (f"{OPERATION}:parameters:1", "judgeRoll"),
        (f"{TAKEN}:properties:card", "Roll"),
        (f"{SCHEMAS}:Status", "Status"),
    ],
)
def test_a_deprecation_says_what_to_use_and_is_announced(place: str, name: str) -> None:
    silent = planted({f"{place}:deprecated": True})
    described = planted({f"{place}:deprecated": True, f"{place}:description": "Use the other."})
    told = f"## Unreleased\n### Deprecated\n- `{name}`: use the other.\n"
    elsewhere = f"## Unreleased\n### Deprecated\n- More.\n### Changed\n- `{name}`\n"
    assert untold_deprecations(described, told) == []
    for contract_, changelog in ((silent, told), (described, elsewhere), (described, "")):
        assert untold_deprecations(contract_, changelog) == [name]


def test_what_the_contract_deprecates_is_announced() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert untold_deprecations(contract(), changelog) == []
