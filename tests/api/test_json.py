"""Malformed JSON is a 400 ``malformed-json``, on every resource."""

import json

import pytest

from tests.application import (
    ADJUDICATIONS,
    BATCH,
    GAMES,
    NDJSON,
    ROLL,
    TRANSITIONS,
    assert_problem_document,
    errors,
    post,
    problem,
)

RESOURCES = [ADJUDICATIONS, TRANSITIONS, GAMES, BATCH]

MALFORMED = {
    "nothing": b"",
    "only white space": b" \r\n\t",
    "NaN": b'{"card": "bonus-200", "roll": [NaN]}',
    "Infinity": b'{"carried": Infinity}',
    "minus Infinity": b'{"carried": -Infinity}',
    "1e400": b'{"carried": 1e400}',
    "minus 1e400": b'{"carried": -1e400}',
    "5000 digits": b'{"carried": ' + b"9" * 5000 + b"}",
    "5000 digits beside an escape": b'{"c\\u0061rried": ' + b"9" * 5000 + b"}",
    "a key twice": b'{"card": "bonus-200", "card": "bonus-200", "roll": []}',
    "a key three times": b'{"a": 1, "a": 1, "a": 1}',
    "a key twice with another value": b'{"card": "bonus-200", "card": 1}',
    "a key twice inside": b'{"options": {"target": 50, "target": 50}}',
    "a key twice in a list": b'{"log": [{"type": "bank"}, {"type": "bank", "type": "bank"}]}',
    "a key twice in an unknown object": b'{"x": {"y": {"z": 1, "z": 2}}}',
    "a key twice, once escaped": b'{"card": 1, "c\\u0061rd": 1}',
    "a key twice, escaped in upper and lower case": b'{"\\u00e4": 1, "\\u00E4": 1}',
    "a key twice, once escaped, once in UTF-8": '{"ä": 1, "\\u00e4": 1}'.encode(),
    "a key twice, an escape elsewhere": b'{"x": "\\n", "a": 1, "a": 1}',
    "an empty key twice": b'{"": 1, "": 1}',
    "a lone high surrogate": b'{"card": "\\ud800"}',
    "a lone low surrogate": b'{"card": "\\udc00"}',
    "surrogates in the wrong order": b'{"card": "\\udc00\\ud800"}',
    "a lone surrogate as a key": b'{"\\ud800": 1}',
    "a surrogate as bytes": b'{"card": "\xed\xa0\x80"}',
    "bytes that are not UTF-8": b'{"card": "\xff"}',
    "an overlong encoding": b'{"card": "\xc0\x80"}',
    "two byte order marks": b'\xef\xbb\xbf\xef\xbb\xbf{"card": "bonus-200"}',
    "a byte order mark behind a blank": b' \xef\xbb\xbf{"card": "bonus-200"}',
    "UTF-16": '{"card": "bonus-200"}'.encode("utf-16"),
    "UTF-32": '{"card": "bonus-200"}'.encode("utf-32-le"),
    "a trailing comma": b'{"card": "bonus-200",}',
    "something behind it": b'{"card": "bonus-200"} {}',
    "single quotes": b"{'card': 'bonus-200'}",
    "a comment": b'{"card": "bonus-200" /* or */}',
    "a leading zero": b'{"carried": 050}',
    "a plus sign": b'{"carried": +50}',
    "a line feed in a string": b'{"card": "bonus\n200"}',
    "a NUL": b'{"card": "bonus-200"}\x00',
    "half of it": b'{"card": "bon',
    "17 lists": b"[" * 17 + b"]" * 17,
    "17 objects": b'{"a":' * 17 + b"1" + b"}" * 17,
    "17 levels inside a field": b'{"keeps":' + b"[" * 16 + b"]" * 16 + b"}",
    "300 lists": b"[" * 300 + b"]" * 300,
    "300 objects": b'{"a":' * 300 + b"1" + b"}" * 300,
    "1000 lists": b"[" * 1000 + b"]" * 1000,
    "900 lists beside an escape": b'["\\n",' + b"[" * 900 + b"]" * 900 + b"]",
    "1000 brackets never closed": b"[" * 1000,
}
LINES = {name: raw for name, raw in MALFORMED.items() if raw.strip() and b"\n" not in raw}


@pytest.mark.parametrize("path", RESOURCES)
def test_invalid_json_is_refused_as_malformed(path: str) -> None:
    for name, raw in MALFORMED.items():
        response = post(path, raw)
        assert response.status_code == 400, name
        problem(response, "malformed-json", 400)


def test_malformed_line_of_a_batch_fails_alone() -> None:
    good = b'{"card": "bonus-200", "roll": [1, 2, 3, 4, 6, 6]}'
    answer = post(ADJUDICATIONS, ROLL).get_data()
    for name, raw in LINES.items():
        response = post(BATCH, b"\n".join([good, raw, good]), NDJSON)
        assert response.status_code == 200, name
        first, second, third = response.get_data().splitlines()
        assert first == third == answer, name
        assert_problem_document(json.loads(second), "malformed-json", 400)


def test_json_is_limited_to_sixteen_levels() -> None:
    assert errors(post(ADJUDICATIONS, b"[" * 16 + b"]" * 16)) == [("", "wrong-type")]
    deep = problem(post(ADJUDICATIONS, b"[" * 17 + b"]" * 17), "malformed-json", 400)
    assert "16" in deep["detail"]


def test_brackets_in_strings_do_not_nest() -> None:
    raw = b'{"card": "' + b"[{" * 50 + b'", "roll": []}'
    assert errors(post(ADJUDICATIONS, raw)) == [("/card", "not-a-choice")]


def test_sibling_lists_do_not_nest() -> None:
    assert errors(post(ADJUDICATIONS, {**ROLL, "keeps": [[]] * 30})) == [("/keeps", "wrong-length")]


@pytest.mark.parametrize("number", [b"1e-400", b"-0", b"-0.0", b"0e999999"])
def test_spellings_of_zero_are_zero(number: bytes) -> None:
    raw = b'{"card": "bonus-200", "roll": [1, 2, 3, 4, 6, 6], "carried": ' + number + b"}"
    response = post(ADJUDICATIONS, raw)
    assert response.get_data() == post(ADJUDICATIONS, ROLL).get_data()


def test_escaped_key_is_accepted_once() -> None:
    raw = b'{"c\\u0061rd": "bonus-200", "roll": [1, 2, 3, 4, 6, 6]}'
    assert post(ADJUDICATIONS, raw).get_data() == post(ADJUDICATIONS, ROLL).get_data()


def test_equal_keys_of_different_objects_are_no_duplicates() -> None:
    raw = b'{"a": {"b": 1}, "c": {"b": 1}, "b": "a"}'
    assert ("/a", "unknown-field") in errors(post(ADJUDICATIONS, raw))


@pytest.mark.parametrize(
    ("language", "where"),
    [("en", "line 1"), ("de", "Zeile 1"), ("fr", "ligne 1"), ("it", "riga 1")],
)
def test_malformed_json_names_its_line_in_every_language(language: str, where: str) -> None:
    answer = post(ADJUDICATIONS, b"{", Accept_Language=language)
    assert where in problem(answer, "malformed-json", 400, language)["detail"]


BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize("path", RESOURCES)
def test_byte_order_mark_before_a_body_is_skipped(path: str) -> None:
    for body in (b'{"x": 1}', b"{", b"", b'{"card": "\xff"}'):
        plain, marked = post(path, body), post(path, BOM + body)
        assert (marked.status_code, marked.get_data()) == (plain.status_code, plain.get_data())
    roll = json.dumps(ROLL).encode()
    assert post(ADJUDICATIONS, BOM + roll).get_data() == post(ADJUDICATIONS, roll).get_data()


def test_byte_order_mark_is_skipped_before_the_first_line_only() -> None:
    roll = json.dumps(ROLL).encode()
    answer = post(BATCH, b"\n".join([BOM + roll, roll, BOM + roll]), NDJSON)
    first, second, third = answer.get_data().splitlines()
    assert first == second == post(ADJUDICATIONS, ROLL).get_data()
    assert_problem_document(json.loads(third), "malformed-json", 400)


MISTAKES = {
    b'{"game":"tutto","players":["Ada","\xff"]}': ("UTF-8", 1, 35),
    '{"ä": "ä",\n "b": "🎲'.encode() + b'\xc3"}': ("UTF-8", 2, 9),
    b"\xff\xfe{\x00}\x00": ("UTF-8", 1, 1),
    b"{'card': 'bonus-200'}": ("single quote", 1, 2),
    b"{\"card\":\n'bonus-200'}": ("single quote", 2, 1),
    b'{"roll": [1, 2,]}': ("trailing comma", 1, 15),
    b'{"card": "clover",\n}': ("trailing comma", 1, 18),
    b'{"card": "clover" , \r\n\t}': ("trailing comma", 1, 19),
    b'{"card": "clover" // yes\n}': ("comment", 1, 19),
    b'{"card": "clover",\n/* yes */ "roll": []}': ("comment", 2, 1),
    b"# yes\n{}": ("comment", 1, 1),
    b"{} // yes": ("comment", 1, 4),
    b'{"card": 1/2}': ("reading stopped", 1, 11),
    b'{"card": clover, }': ("reading stopped", 1, 10),
    b'{"card": "it\'s // , }': ("reading stopped", 1, 22),
}


@pytest.mark.parametrize(("raw", "place"), MISTAKES.items())
def test_syntax_error_has_its_kind_line_and_column(raw: bytes, place: tuple[str, int, int]) -> None:
    mistake, line, column = place
    for path in RESOURCES:
        detail = problem(post(path, raw), "malformed-json", 400)["detail"]
        assert mistake in detail
        assert f"at line {line}, column {column}" in detail


@pytest.mark.parametrize("path", RESOURCES)
@pytest.mark.parametrize("raw", [b"", b" \r\n\t", BOM])
def test_empty_body_is_reported_as_empty(path: str, raw: bytes) -> None:
    detail = problem(post(path, raw), "malformed-json", 400)["detail"]
    assert detail == "The body is empty; send a JSON document."
