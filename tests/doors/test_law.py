"""The law of the two doors: what the shortcut answers, Flask answers with the same bytes."""

import gc
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.doors.driving import (
    Fields,
    Question,
    Reply,
    asked_flask,
    asked_front,
    takes_shortcut,
)

ADJUDICATIONS = "/v1/tutto/adjudications"
BATCH = f"{ADJUDICATIONS}/batch"
IDENTITY = ("X-Request-ID", "law-1")
PLAIN: Fields = (("Content-Type", "application/json"), IDENTITY)
ROLL = {"card": "bonus-200", "roll": [1, 2, 3, 4, 6, 6]}
GOOD: dict[str, Any] = {
    "tutto": ROLL,
    "yatzee": {"dice": [1, 1, 2, 3, 4, 6], "throw": 1, "scorecard": {}},
    "pot": {
        "dice": [3, "P", 4],
        "throws": 1,
        "coins": [5, 3, 2, 4],
        "pot": 3,
        "bank": 38,
        "player": 0,
    },
}

TABLE = Path(__file__).parents[1] / "games" / "tutto" / "cases.json"
CASES = [
    case
    for case in json.loads(TABLE.read_text("utf-8"))["cases"]
    if case["resource"] == "adjudications"
]
REQUESTS: list[dict[str, Any]] = [case["request"] for case in CASES]

many = settings(max_examples=400, deadline=None, derandomize=True)


def assert_law(question: Question) -> Reply:
    """The front door's answer, whoever wrote it, is Flask's."""
    front, flask = asked_front(question), asked_flask(question)
    assert front.status == flask.status, question
    assert front.headers == flask.headers, question
    assert front.body == flask.body, question
    return front


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_both_doors_answer_the_case_table_alike_and_the_shortcut_all_that_is_plain(
    case: dict[str, Any],
) -> None:
    question = Question("POST", ADJUDICATIONS, "", PLAIN, json.dumps(case["request"]).encode())
    assert assert_law(question).status == case["status"]
    assert takes_shortcut(question) == (case["status"] == 200)


def test_a_batch_of_all_good_cases_takes_the_shortcut() -> None:
    good = [case["request"] for case in CASES if case["status"] == 200]
    question = Question("POST", BATCH, "", PLAIN, json.dumps({"positions": good}).encode())
    assert takes_shortcut(question)
    assert len(json.loads(assert_law(question).body)["answers"]) == len(good)


def test_a_batch_of_all_cases_is_left_to_flask() -> None:
    question = Question("POST", BATCH, "", PLAIN, json.dumps({"positions": REQUESTS}).encode())
    assert not takes_shortcut(question)
    assert_law(question)


@pytest.mark.parametrize("path", [f"/v1/{game}/adjudications/batch" for game in GOOD])
def test_a_long_batch_takes_the_shortcut_as_one_answer(path: str) -> None:
    positions = [GOOD[path.split("/")[2]]] * 700
    question = Question("POST", path, "", PLAIN, json.dumps({"positions": positions}).encode())
    assert takes_shortcut(question)
    assert len(json.loads(assert_law(question).body)["answers"]) == 700
    assert gc.isenabled()


@pytest.mark.parametrize(
    "flawed",
    [
        {"card": "bonus-200", "roll": [1, 2, 3, 4, 6, 7]},
        {"card": "bonus-200", "roll": [1, 2, 3]},
        {"card": "bonus-200"},
        7,
    ],
)
@pytest.mark.parametrize("index", [0, 250, 699])
def test_one_bad_position_leaves_a_long_batch_to_flask(flawed: Any, index: int) -> None:
    positions: list[Any] = [ROLL] * 700
    positions[index] = flawed
    question = Question("POST", BATCH, "", PLAIN, json.dumps({"positions": positions}).encode())
    assert not takes_shortcut(question)
    assert "answers" in json.loads(assert_law(question).body)
    assert gc.isenabled()


@pytest.mark.parametrize(
    "document", [[], {}, [ROLL], {"positions": ROLL}, {"positions": [], "x": 1}, {"x": []}, None]
)
def test_what_is_no_batch_is_left_to_flask(document: Any) -> None:
    question = Question("POST", BATCH, "", PLAIN, json.dumps(document).encode())
    assert not takes_shortcut(question)
    assert assert_law(question).status == 400


VALUES: list[Any] = [
    None, True, False, -1, 0, 1, 1.0, 1.5, 2, 6, 7, 49, 50, 3000, 1e2, 1e22, 2**64, -0.0,
    "", "1", "clover", "straight", "plus-minus", "firework", "double", "bonus-600", "stop",
    "volle-lotte", "braillespiel", "keep", "roll", "on-bank", "on-tutto", "zero", "plays", "any",
    [], [1], [1, 1, 1], [2, 2, 2], [1, 2, 3, 4, 6, 6], [[1]], [[1], [2, 2, 2]], [[]], [0, 0],
    [0, -1000], [500, 0, 500], {}, {"target": 3000.0}, {"deduction": "on-bank"},
    {"score_floor": "zero"}, {"sits_out_loses_carried": False},
    {"ending": "full-round", "firework_keep": "any"}, {"x": 1},
]  # fmt: skip
NAMES = (
    "ruleset", "options", "card", "keeps", "roll", "carried", "tuttos", "pending_deductions",
    "scores", "player", "phase", "dice_to_roll", "x", "",
)  # fmt: skip


@st.composite
def documents(draw: st.DrawFn) -> Any:
    """A position of the table, now and then bent a little."""
    document = dict(draw(st.sampled_from(REQUESTS)))
    for _ in range(draw(st.integers(0, 3))):
        name = draw(st.sampled_from(NAMES))
        if draw(st.booleans()):
            document.pop(name, None)
        else:
            document[name] = draw(st.sampled_from(VALUES))
    order = draw(st.permutations(list(document)))
    return {name: document[name] for name in order}


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """JSON as different hands write it, some of it with a mistake."""
    text = json.dumps(
        draw(documents()),
        indent=draw(st.sampled_from([None, 0, 2])),
        separators=draw(st.sampled_from([None, (",", ":"), (" , ", " : ")])),
    )
    bent = draw(st.sampled_from(["", "", "", "twice", "escape", "tail", "cut", "flip"]))
    if bent == "twice":
        text = text.replace("{", '{"card":"clover",', 1)
    elif bent == "escape":
        text = text.replace("card", "c\\u0061rd").replace("roll", "r\\u006Fll")
    elif bent == "tail":
        text += draw(st.sampled_from([" ", "\n", "{}", "\x00", ",", "\ufeff"]))
    elif bent == "cut":
        text = text[: draw(st.integers(0, len(text)))]
    elif bent == "flip" and text:
        at = draw(st.integers(0, len(text) - 1))
        text = text[:at] + draw(st.characters(max_codepoint=0xFF)) + text[at + 1 :]
    return text.encode()


KINDS = [
    "application/json", "application/json; charset=utf-8", "application/json;charset=latin-1",
    "Application/JSON", "application/json;", "text/plain", "", "application/x-ndjson",
]  # fmt: skip
EXTRAS: list[Fields] = [
    (),
    (("Accept", "*/*"),),
    (("Accept", "application/json"),),
    (("Accept", "application/*;q=0.5"),),
    (("Accept", "text/html"),),
    (("Accept", ""),),
    (("Accept", "application/json"), ("Accept", "text/html")),
    (("Accept-Language", "de"),),
    (("Accept-Language", "fr-CH, de;q=0.5"),),
    (("If-None-Match", "*"),),
    (("If-None-Match", '"x"'), ("If-None-Match", "*")),
    (("X-Request-ID", "other"),),
    (("Host", "localhost:8000"),),
    (("Host", "a..b"),),
    (("Host", "x" * 70),),
    (("Host", "ä"),),
    (("Origin", "https://example.org"), ("Referer", "https://example.org/x")),
    (("Expect", "100-continue"),),
    (("Content-Encoding", "gzip"),),
    (("Range", "bytes=0-1"),),
    (("If-Match", '"x"'),),
    (("X-HTTP-Method-Override", "DELETE"),),
    (("Cookie", "a=b"), ("Authorization", "Bearer x")),
]  # fmt: skip
METHODS = ["POST", "POST", "POST", "POST", "GET", "HEAD", "OPTIONS", "PUT"]
kinds = st.sampled_from(KINDS[:1] * 5 + KINDS).map(lambda kind: (("Content-Type", kind),))


@many
@given(
    body=bodies(),
    kind=kinds,
    extra=st.sampled_from(EXTRAS),
    method=st.sampled_from(METHODS),
    path=st.sampled_from([ADJUDICATIONS] * 5 + [ADJUDICATIONS + "/", "/v1/tutto/adj%75dications"]),
    query=st.sampled_from(["", "", "x=1", "card=clover"]),
)
def test_both_doors_answer_any_post_alike(
    body: bytes, kind: Fields, extra: Fields, method: str, path: str, query: str
) -> None:
    identity = () if any(name == IDENTITY[0] for name, _ in extra) else (IDENTITY,)
    assert_law(Question(method, path, query, (*kind, *identity, *extra), body))


@pytest.mark.parametrize("extra", EXTRAS, ids=[str(extra) for extra in EXTRAS])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_both_doors_read_every_header_alike(method: str, extra: Fields) -> None:
    identity = () if any(name == IDENTITY[0] for name, _ in extra) else (IDENTITY,)
    kind = (("Content-Type", "application/json"),) if method == "POST" else ()
    query = "card=bonus-200&roll=123466" if method == "GET" else ""
    body = json.dumps(ROLL).encode() if method == "POST" else b""
    assert_law(Question(method, ADJUDICATIONS, query, (*kind, *identity, *extra), body))


@st.composite
def queries(draw: st.DrawFn) -> str:
    """The GET form of a position, whole or bent."""

    def text(value: Any) -> str:
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, list):
            nested = any(isinstance(item, list) for item in value)
            return ("," if nested else "").join(map(text, value))
        return str(value)

    pairs = []
    for name, value in draw(documents()).items():
        if name == "options" and isinstance(value, dict):
            pairs += [(option, text(chosen)) for option, chosen in value.items()]
        elif name == "scores" and isinstance(value, list):
            pairs.append((name, ",".join(map(text, value))))
        else:
            pairs.append((name, text(value)))
    safe = draw(st.sampled_from(["", ",", ",-"]))
    written = [f"{quote(name)}={quote(value, safe=safe)}" for name, value in pairs]
    return "&".join(written) + draw(st.sampled_from(["", "", "", "&", "&x", "&card=clover", "%"]))


@many
@given(query=queries(), extra=st.sampled_from(EXTRAS))
def test_both_doors_answer_any_get_alike(query: str, extra: Fields) -> None:
    identity = () if any(name == IDENTITY[0] for name, _ in extra) else (IDENTITY,)
    assert_law(Question("GET", ADJUDICATIONS, query, (*identity, *extra)))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(positions=st.lists(documents(), max_size=6), extra=st.sampled_from(EXTRAS))
@example(positions=[], extra=())
def test_both_doors_answer_any_batch_alike(positions: list[Any], extra: Fields) -> None:
    identity = () if any(name == IDENTITY[0] for name, _ in extra) else (IDENTITY,)
    kind = ("Content-Type", "application/json")
    body = json.dumps({"positions": positions}).encode()
    assert_law(Question("POST", BATCH, "", (kind, *identity, *extra), body))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(lines=st.lists(bodies(), max_size=6))
def test_both_doors_answer_any_lines_alike(lines: list[bytes]) -> None:
    kind = ("Content-Type", "application/x-ndjson")
    assert_law(Question("POST", BATCH, "", (kind, IDENTITY), b"\n".join(lines)))


@many
@given(body=bodies())
def test_whatever_flask_finds_good_in_a_plain_request_takes_the_shortcut(body: bytes) -> None:
    question = Question("POST", ADJUDICATIONS, "", PLAIN, body)
    assume(b"\\" not in body)
    assert takes_shortcut(question) == (asked_flask(question).status == 200)


@many
@given(query=queries())
def test_whatever_flask_finds_good_in_a_query_takes_the_shortcut(query: str) -> None:
    question = Question("GET", ADJUDICATIONS, query, (IDENTITY,))
    assert takes_shortcut(question) == (asked_flask(question).status == 200)


def test_who_has_the_verdict_already_gets_a_304_by_the_shortcut() -> None:
    question = Question("GET", ADJUDICATIONS, "card=bonus-200&roll=123466", (IDENTITY,))
    tag = assert_law(question).headers["etag"]
    for held in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = question._replace(fields=(IDENTITY, ("If-None-Match", held)))
        assert takes_shortcut(again)
        assert assert_law(again).status == 304


@pytest.mark.parametrize("path", [ADJUDICATIONS, BATCH])
@pytest.mark.parametrize("length", [4096, 4097])
def test_both_doors_know_when_a_query_is_too_long(path: str, length: int) -> None:
    document = {"positions": [ROLL]} if path == BATCH else ROLL
    reply = assert_law(Question("POST", path, "x" * length, PLAIN, json.dumps(document).encode()))
    assert reply.status == (200 if length == 4096 else 414)


@pytest.mark.parametrize(("path", "limit"), [(ADJUDICATIONS, 1 << 20), (BATCH, 8 << 20)])
@pytest.mark.parametrize("over", [0, 1])
def test_both_doors_know_when_a_body_is_too_long(path: str, limit: int, over: int) -> None:
    document = {"positions": [ROLL]} if path == BATCH else ROLL
    body = json.dumps(document).encode().ljust(limit + over)
    assert assert_law(Question("POST", path, "", PLAIN, body)).status == (413 if over else 200)


@pytest.mark.parametrize("number", [10_000, 10_001])
def test_both_doors_know_when_a_batch_is_too_long(number: int) -> None:
    body = json.dumps({"positions": [ROLL] * number}).encode()
    reply = assert_law(Question("POST", BATCH, "", PLAIN, body))
    assert reply.status == (200 if number == 10_000 else 413)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/livez",
        "/v1/games",
        "/v1/games/tutto/rules",
        "/openapi.yaml",
        "/problems/busy",
        "/x%00",
    ],
)
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "DELETE"])
def test_what_is_left_to_flask_passes_untouched(path: str, method: str) -> None:
    assert_law(Question(method, path, "", (IDENTITY, ("Accept-Language", "de"))))
