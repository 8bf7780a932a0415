"""The GET form: a query gets the same answer as the equal JSON document."""

import json
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from tests.application import ADJUDICATIONS, CLIENT, QUERY, ROLL, errors, get, post
from tests.games.sample import published_cases, sample

RESOURCES = ("adjudications", "odds")
"""The resources that have a GET form."""
RUNS = ("roll", "dice", "held")
"""Lists that a query writes without commas."""


def text(name: str, value: Any) -> str:
    """Returns the text of a value in a query."""
    match value:
        case [list(), *_]:
            return ",".join("".join(map(str, items)) for items in value)
        case list():
            return ("" if name in RUNS else ",").join(map(str, value))
        case dict():
            return ",".join(f"{key}:{number}" for key, number in value.items())
    return json.dumps(value).strip('"')


def query_of(document: dict[str, Any]) -> str | None:
    """Returns the query equal to a document, or None where a query cannot express the document."""
    fields = {name: value for name, value in document.items() if name != "options"}
    pairs = {
        name: text(name, value) for name, value in (fields | document.get("options", {})).items()
    }
    # A query cannot express 1.0, null or an empty value.
    says = all(pairs.values()) and None not in fields.values() and "." not in json.dumps(document)
    return urlencode(pairs) if says else None


CASES = [
    (game, case)
    for game, case in published_cases(*RESOURCES)
    if case.status in (200, 422) and query_of(case.request)
]
SAME = [
    pytest.param(f"/v1/{game}/{case.resource}", case.request, id=case.id)
    for game, case in sample(CASES)
]


@pytest.mark.parametrize(("path", "document"), SAME)
def test_get_and_post_give_the_same_verdict(path: str, document: dict[str, Any]) -> None:
    address = f"{path}?{query_of(document)}"
    response, reference = get(address), post(path, document)
    assert response.status_code == reference.status_code
    assert response.get_data() == reference.get_data()
    if response.status_code == 200:
        assert get(address, If_None_Match=response.headers["ETag"]).status_code == 304


def test_most_cases_can_be_written_as_a_query() -> None:
    assert len(CASES) > 250
    assert len(SAME) > 40


@pytest.mark.parametrize(
    "query", [f"{QUERY}&", f"&{QUERY}", QUERY.replace("&", "&&"), f"{QUERY}&&&"]
)
def test_empty_pairs_of_a_query_are_ignored(query: str) -> None:
    response = get(f"{ADJUDICATIONS}?{query}")
    assert (response.status_code, response.get_data()) == (
        200,
        get(f"{ADJUDICATIONS}?{QUERY}").get_data(),
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [("/card", "missing-field"), ("/roll", "missing-field")]),
        ("card=clover", [("/roll", "missing-field")]),
        (f"{QUERY}&x=1", [("/x", "unknown-field")]),
        (f"{QUERY}&a%2Fb~c=1", [("/a~1b~0c", "unknown-field")]),
        (f"{QUERY}&x", [("/x", "unknown-field")]),
        (f"{QUERY}&options=1", [("/options", "unknown-field")]),
        (f"{QUERY}&Card=clover", [("/Card", "unknown-field")]),
        (f"{QUERY}&card=bonus-200", [("/card", "repeated-parameter")]),
        (f"{QUERY}&target=50&target=50", [("/options/target", "repeated-parameter")]),
        (f"{QUERY}&c%61rd=clover", [("/card", "repeated-parameter")]),
        ("card=&roll=1", [("/card", "empty-parameter")]),
        ("card=&&roll=1", [("/card", "empty-parameter")]),
        (f"{QUERY}&=", [("/", "unknown-field")]),
        ("card&roll=1", [("/card", "empty-parameter")]),
        (f"{QUERY}&target=", [("/options/target", "empty-parameter")]),
        (f"{QUERY}&keeps=", [("/keeps", "empty-parameter")]),
        ("card=clover&roll=x", [("/roll", "malformed-value")]),
        ("card=clover&roll=1,2", [("/roll", "malformed-value")]),
        ("card=clover&roll=-1", [("/roll", "malformed-value")]),
        ("card=clover&roll=%D9%A1", [("/roll", "malformed-value")]),
        ("card=clover&roll=170", [("/roll/1", "out-of-range"), ("/roll/2", "out-of-range")]),
        ("card=clover&roll=1111111", [("/roll", "wrong-length")]),
        (f"{QUERY}&keeps=1,,2", [("/keeps", "malformed-value")]),
        (f"{QUERY}&keeps=1,29", [("/keeps/1/1", "out-of-range")]),
        (f"{QUERY}&keeps=1%2C20", [("/keeps/1/1", "out-of-range")]),
        (f"{QUERY}&keeps=1,1,1,1,1,1,1", [("/keeps", "wrong-length")]),
        (f"{QUERY}&carried=30", [("/carried", "not-a-multiple")]),
        (f"{QUERY}&carried=1e2", [("/carried", "malformed-value")]),
        (f"{QUERY}&carried=+50", [("/carried", "malformed-value")]),
        (f"{QUERY}&carried={'9' * 4000}", [("/carried", "malformed-value")]),
        (f"{QUERY}&carried=999999999999", [("/carried", "out-of-range")]),
        (f"{QUERY}&scores=0&player=0", [("/scores", "wrong-length")]),
        (f"{QUERY}&scores=0,x&player=0", [("/scores", "malformed-value")]),
        (f"{QUERY}&scores=0,1000000001&player=0", [("/scores/1", "out-of-range")]),
        (f"{QUERY}&player=x", [("/player", "malformed-value")]),
        (f"{QUERY}&ruleset=x", [("/ruleset", "not-a-choice")]),
        (f"{QUERY}&ending=never", [("/options/ending", "not-a-choice")]),
        (
            f"{QUERY}&sits_out_loses_carried=1",
            [("/options/sits_out_loses_carried", "malformed-value")],
        ),
        (
            f"{QUERY}&sits_out_loses_carried=True",
            [("/options/sits_out_loses_carried", "malformed-value")],
        ),
        (f"{QUERY}&target=49", [("/options/target", "out-of-range")]),
        ("card=bonus+200&roll=123466", [("/card", "not-a-choice")]),
        ("card=%ff&roll=123466", [("/card", "not-a-choice")]),
        ("card=bonus-200;roll=123466", [("/card", "not-a-choice"), ("/roll", "missing-field")]),
        (
            "card=x&roll=17&tuttos=&x=1&carried=a&target=1&player=0&player=1",
            [
                ("/card", "not-a-choice"),
                ("/carried", "malformed-value"),
                ("/options/target", "out-of-range"),
                ("/player", "repeated-parameter"),
                ("/roll/1", "out-of-range"),
                ("/tuttos", "empty-parameter"),
                ("/x", "unknown-field"),
            ],
        ),
    ],
)
def test_every_error_of_a_query_has_its_pointer(
    query: str, expected: list[tuple[str, str]]
) -> None:
    assert errors(get(f"{ADJUDICATIONS}?{query}")) == expected


@pytest.mark.parametrize(
    "query",
    [
        "roll=123466&card=bonus-200",
        "roll=664321&card=bonus-200",
        f"{QUERY}&carried=0",
        f"{QUERY}&carried=-0",
        f"{QUERY}&carried=0000000000000",
        f"{QUERY}&phase=keep&dice_to_roll=6",
        f"{QUERY}&ruleset=abacus-2013",
        f"{QUERY}&target=6000",
        "%63ard=bonus%2D200&roll=%31%32%33466",
        "card=" + "".join(f"%{ord(c):02x}" for c in "bonus-200") + "&roll=123466",
    ],
)
def test_spellings_of_a_query_get_the_same_answer(query: str) -> None:
    response = get(f"{ADJUDICATIONS}?{query}")
    assert response.get_data() == post(ADJUDICATIONS, ROLL).get_data()
    assert response.headers["ETag"] == get(f"{ADJUDICATIONS}?{QUERY}").headers["ETag"]


def test_each_option_is_a_parameter() -> None:
    response = get(
        f"{ADJUDICATIONS}?{QUERY}&target=3000&sits_out_loses_carried=false&ending=full-round"
    )
    options = {"target": 3000, "ending": "full-round", "sits_out_loses_carried": False}
    assert response.status_code == 200
    assert response.get_data() == post(ADJUDICATIONS, {**ROLL, "options": options}).get_data()
    assert response.get_json()["options"] == options


@pytest.mark.parametrize(
    ("pile", "expected"),
    [
        ("stop:1,stop:2", ("/pile", "malformed-value")),
        ("stop", ("/pile", "malformed-value")),
        ("stop:1,joker:1", ("/pile/joker", "unknown-field")),
        ("stop:57", ("/pile/stop", "out-of-range")),
    ],
)
def test_malformed_pile_is_refused(pile: str, expected: tuple[str, str]) -> None:
    assert errors(get(f"/v1/tutto/odds?pile={pile}")) == [expected]


def test_body_of_a_get_is_ignored() -> None:
    response = CLIENT.get(f"{ADJUDICATIONS}?{QUERY}", data=b"{", content_type="text/plain")
    assert response.get_data() == post(ADJUDICATIONS, ROLL).get_data()


def test_query_of_a_post_is_ignored() -> None:
    response = post(f"{ADJUDICATIONS}?card=clover&x={quote('ä')}", ROLL)
    assert response.get_data() == post(ADJUDICATIONS, ROLL).get_data()
