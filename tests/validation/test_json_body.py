"""Parsing of JSON: the fast check for duplicate keys, and the depth of a document."""

import json
from typing import Any

import orjson
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dice_referee.validation.json_body import NotJson, depth, has_plain_keys, is_shallow, read_json

many = settings(max_examples=500, deadline=None, derandomize=True)

marks = st.text(st.sampled_from('ab"\\\u00e4\u2028\U0001f3b2/u0061'), max_size=4)
scalars = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-2, 2) | marks


@st.composite
def pairs_of(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    """Returns an object as text, in which keys may repeat, one of them escaped."""
    fields = draw(st.lists(st.tuples(marks, st.booleans(), inner), max_size=4))
    return "{" + ",".join(f"{json.dumps(k, ensure_ascii=a)}:{v}" for k, a, v in fields) + "}"


texts = st.recursive(
    scalars.map(json.dumps),
    lambda inner: st.lists(inner, max_size=4).map(lambda v: f"[{','.join(v)}]") | pairs_of(inner),
    max_leaves=12,
)


def has_duplicates(raw: bytes) -> bool:
    repeated = False

    def look(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        repeated = repeated or len(dict(pairs)) < len(pairs)
        return dict(pairs)

    json.loads(raw, object_pairs_hook=look)
    return repeated


@many
@given(text=texts)
@example('{"a":1,"a":1}')
@example('{"a":{"b":"\\"","b":""}}')
@example('{"a":"\\u0022\\u0022","a":1}')
@example('[{"":0,"":""}]')
def test_fast_key_check_never_overlooks_a_duplicate(text: str) -> None:
    raw = text.encode()
    if has_plain_keys(raw, orjson.dumps(json.loads(raw))):
        assert not has_duplicates(raw)


@many
@given(text=texts)
def test_only_duplicate_keys_are_refused(text: str) -> None:
    raw = text.encode()
    if has_duplicates(raw):
        with pytest.raises(NotJson) as refused:
            read_json(raw)
        assert refused.value.key == "duplicate-key"
    else:
        assert read_json(raw) == json.loads(raw)


def test_integral_floats_become_integers() -> None:
    raw = b'{"a": [1.0, -0.0, 3e2, 1.5, 2e-1, 9007199254740991.0], "b.c": {"d": 2.0, "e": "4.0"}}'
    body = b'{"a":[1,0,300,1.5,0.2,9007199254740991],"b.c":{"d":2,"e":"4.0"}}'
    assert orjson.dumps(read_json(raw)) == body


@pytest.mark.parametrize("text", ["9007199254740992.0", "1e16", "1e300", "-1e25", "9" * 30])
def test_inexact_large_numbers_stay_floats(text: str) -> None:
    assert type(read_json(b"[%b]" % text.encode())[0]) is float


def test_fast_key_check_accepts_plain_bodies() -> None:
    raw = b'{"card": "clover", "roll": [1, 2.0], "options": {"ending": "at-once"}}'
    assert has_plain_keys(raw, orjson.dumps(json.loads(raw)))


@pytest.mark.parametrize("levels", [1, 16, 254, 255, 1000, 1024])
@pytest.mark.parametrize(("start", "end"), [("[", "]"), ('{"a":', "}"), ('[{"\\n":', "}]")])
def test_deeply_nested_json_never_crashes_the_parser(levels: int, start: str, end: str) -> None:
    raw = (start * levels + "0" + end * levels).encode()
    try:
        read = depth(read_json(raw)) >= levels
    except NotJson as refused:
        read = refused.key != "malformed-json"
    assert read or levels > 16


def test_depth_counts_the_brackets_around_a_value() -> None:
    assert depth(1) == depth("[[[") == depth(None) == 0
    assert depth([]) == depth({}) == depth([1, 2]) == depth({"a": 1}) == 1
    assert depth([[], [[]], {}]) == 3
    assert depth({"a": [{"b": []}]}) == 4


documents = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(marks, inner, max_size=3)
)


@many
@given(document=documents)
def test_every_bracket_adds_one_to_the_depth(document: Any) -> None:
    assert depth([document]) == depth({"a": document}) == depth(document) + 1


def nested_documents(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    return st.recursive(
        texts | st.none(), lambda inner: st.lists(inner) | st.dictionaries(texts, inner)
    )


@pytest.mark.long
@settings(many, max_examples=200)
@given(document=nested_documents(st.text('[]{}"\\a', max_size=4)), limit=st.integers(0, 5))
def test_shallow_document_is_within_the_limit(document: Any, limit: int) -> None:
    if is_shallow(orjson.dumps(document), limit):
        assert depth(document) <= limit


@settings(many, max_examples=200)
@given(document=nested_documents(st.text("a:, ", max_size=4)), limit=st.integers(0, 5))
def test_deep_document_of_plain_texts_is_not_shallow(document: Any, limit: int) -> None:
    assert is_shallow(orjson.dumps(document), limit) == (depth(document) <= limit)
