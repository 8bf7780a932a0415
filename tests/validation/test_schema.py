"""Schemas accept the documents that their JSON Schema accepts, and name each error."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import dice_referee.api
import dice_referee.games
import dice_referee.validation
from dice_referee.games import catalogue
from dice_referee.games.pot.documents import FaceField
from dice_referee.rulebook.game import OVER
from dice_referee.validation.fields import Boolean, Enumerated, Integer, ListOf, Nullable, Text
from dice_referee.validation.schema import Nested, OneOf, RequestSchema, define
from tests.contract.declared import json_schema

LAZY = {"return": RequestSchema}
"""Annotations of a function that makes a schema when a request needs it."""

JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, False, -1, 0, 1, 7, 10**20, 1.5, "", "x", "1", [], [[]], {}]
)


def declared() -> Iterator[RequestSchema]:
    """Yields every schema that the service declares, in a module or for a game."""
    for package in (dice_referee.api, dice_referee.games, dice_referee.validation):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield from within(vars(importlib.import_module(module.name)))
    for game in catalogue().values():
        yield from within(vars(game.schemas))


def within(names: Mapping[str, Any]) -> Iterator[RequestSchema]:
    for value in names.values():
        if isinstance(value, RequestSchema):
            yield value
        elif isinstance(value, OneOf):
            yield from value.kinds.values()
        elif getattr(value, "__annotations__", None) == LAZY:
            yield value()


SCHEMAS = list({schema.__class__.__name__: schema for schema in declared()}.values())
VALIDATORS = {
    schema.__class__.__name__: jsonschema_rs.validator_for(json_schema(schema))
    for schema in SCHEMAS
}


def values(field: Any) -> st.SearchStrategy[Any]:
    """Draws values of a field: many valid, some outside its bounds, some of another type."""
    fitting: st.SearchStrategy[Any]
    match field:
        case Integer():
            steps = st.integers(field.minimum // field.step - 1, field.maximum // field.step + 1)
            fitting = steps.map(lambda number: number * field.step)
        case Boolean():
            fitting = st.booleans()
        case Enumerated():
            fitting = st.sampled_from([*field.choices, "unheard-of"])
        case Text():
            fitting = st.text("aß0", min_size=0, max_size=min(field.maximum, 64) + 1)
        case FaceField():
            fitting = st.sampled_from([1, 5, 6, "P", "O", "T", "X"])
        case Nullable():
            fitting = st.none() | values(field.item)
        case ListOf():
            most = min(field.most, 6) + 1
            fitting = st.lists(values(field.item), max_size=int(most))
        case Nested():
            fitting = documents(field.schema)
        case OneOf():
            kinds = [documents(kind) for kind in field.kinds.values()]
            fitting = st.one_of(kinds)
        case _:
            fitting = JUNK
    return st.integers(0, 9).flatmap(lambda chance: JUNK if chance == 0 else fitting)


@cache
def documents(schema: RequestSchema) -> st.SearchStrategy[Any]:
    """Draws objects with some of the fields, and occasionally an undeclared field."""
    fields = schema.wire_fields
    required = {name: values(field) for name, field in fields.items() if field.required}
    optional = {name: values(field) for name, field in fields.items() if not field.required}
    missing = st.fixed_dictionaries({}, optional={**required, **optional, "unknown": JUNK})
    return st.one_of(
        st.fixed_dictionaries(required, optional=optional),
        st.fixed_dictionaries(required),
        missing,
    )


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.__class__.__name__)
@settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_schema_accepts_what_its_json_schema_accepts(
    schema: RequestSchema, data: st.DataObject
) -> None:
    document = data.draw(documents(schema))
    # The rules refuse a turn that is over before its shape is judged.
    assume(not isinstance(document, dict) or document.get("phase") != OVER)
    accepted = VALIDATORS[schema.__class__.__name__].is_valid(document)
    assert accepted is not bool(schema.errors(document)), document


def test_declared_finds_every_schema_of_the_service() -> None:
    names = {schema.__class__.__name__ for schema in SCHEMAS}
    assert {"TuttoPosition", "PotTransition", "YatzeeGameLog", "SessionSeed", "FeedQuery"} <= names
    assert len(names) > 40


@pytest.mark.parametrize("junk", [None, [], "x", 1, 1.5, True])
def test_schema_refuses_non_objects(junk: object) -> None:
    [error] = define("Anything", {}).errors(junk)
    assert (error.code, error.pointer) == ("wrong-type", "")


def test_errors_name_declared_fields_first_and_in_order() -> None:
    inner = define("Inner", {"deep": Integer(1, 6, required=True)})
    fields = {
        "first": Integer(1, 6),
        "second": Integer(1, 6, required=True),
        "third": Nested(inner),
    }
    document = {"x": 1, "third": {"y": 2, "deep": 0}, "first": 7}
    assert [(error.pointer, error.code) for error in define("Outer", fields).errors(document)] == [
        ("/first", "out-of-range"),
        ("/second", "missing-field"),
        ("/third/deep", "out-of-range"),
        ("/third/y", "unknown-field"),
        ("/x", "unknown-field"),
    ]
