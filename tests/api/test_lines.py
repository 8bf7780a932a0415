"""A line gets the answer of its log: by query, in JSON, as text, by the library and a terminal."""

import io
import sys
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from flask.testing import FlaskClient

import dice_referee
from dice_referee.__main__ import main
from dice_referee.api.i18n import LANGUAGES
from dice_referee.games import catalogue
from tests.application import begin, errors, get, post, problem
from tests.games.test_laws import RANDOM_GAMES

TEXT = "text/plain"
NAMES = ["Åsa: 5, _", "“שרה”"]
every_game = pytest.mark.parametrize("game", catalogue())


def logs(game: str) -> list[tuple[dict[str, Any], str]]:
    """Returns some logs, legal and illegal, each with its line."""
    documents = [RANDOM_GAMES[game].random_log(Random(seed)) for seed in range(12)]
    documents = [
        {**document, "players": [*NAMES, *document["players"][2:]]} for document in documents
    ]
    documents = [{**document, "log": document["log"][:60]} for document in documents]
    answers = [post(f"/v1/{game}/audits", document) for document in documents]
    return [
        (document, answer.get_json()["line"])
        for document, answer in zip(documents, answers, strict=True)
        if answer.status_code == 200
    ]


def spellings(line: str) -> list[str]:
    """Returns a line as query strings."""
    bare = line.replace("%", "%25").replace(" ", "%20").replace("&", "%26").replace("+", "%2B")
    return [urlencode({"line": line}), f"line={quote(line, safe='')}", f"line={bare}"]


@every_game
def test_line_gets_the_answer_of_its_log(game: str) -> None:
    path = f"/v1/{game}/audits"
    assert len(logs(game)) > 5
    for document, line in logs(game):
        answer = post(path, document)
        for query in spellings(line):
            assert get(f"{path}?{query}").data == answer.data, line
        assert post(path, {"line": line}).data == answer.data
        assert post(path, line.encode(), f"{TEXT}; charset=utf-8").data == answer.data
        assert post(path, {**document, "line": "of another game"}).data == answer.data
        assert dice_referee.audit(game, line) == answer.get_json()
        assert dice_referee.audit(game, {"line": line}) == answer.get_json()


@every_game
def test_review_accepts_a_line(game: str) -> None:
    path, (document, line) = f"/v1/{game}/reviews", logs(game)[0]
    answer = post(path, document)
    assert answer.status_code == 200
    assert post(path, {"line": line}).data == post(path, line.encode(), TEXT).data == answer.data
    assert dice_referee.review(game, line) == answer.get_json()


def test_line_sets_the_aim_of_its_review() -> None:
    path, log = "/v1/tutto/reviews", [{"type": "draw", "card": "stop"}]
    document = {"players": ["A", "B"], "aim": "win", "log": log}
    assert post(path, {"line": "tutto aim=win: A, B: stop"}).data == post(path, document).data


@every_game
def test_session_game_includes_its_line(client: FlaskClient, game: str) -> None:
    session = begin(client, game=game)
    document = client.get(f"/v1/sessions/{session.id}/game").get_json()
    line = document["line"]
    assert line == post(f"/v1/{game}/audits", document).get_json()["line"]
    assert line == f"{game}: {', '.join(document['players'])}:"


def test_line_in_a_query_is_limited_to_4096_bytes() -> None:
    draws = "line=tutto:A,B:" + "stop_" * 1000
    for size, status in ((4096, 200), (4097, 414)):
        query = draws[: 15 + 5 * 800].ljust(size, ",")
        assert len(query) == size
        answer = get(f"/v1/tutto/audits?{query}")
        assert answer.status_code == status
    line = query.removeprefix("line=")
    assert post("/v1/tutto/audits", line.encode(), TEXT).status_code == 200


def test_line_of_too_many_events_is_refused() -> None:
    line = "tutto:A,B:" + "1_" * 10_001
    for answer in (
        post("/v1/tutto/audits", line.encode(), TEXT),
        post("/v1/tutto/audits", {"line": line}),
    ):
        problem(answer, "too-large", 413)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_interface_refuses_a_line_alike(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line, path = "tutto targt=1: A, B: keep-1722", "/v1/tutto/audits"
    answers = [
        get(f"{path}?{urlencode({'line': line})}", Accept_Language=language),
        post(path, {"line": line}, Accept_Language=language),
        post(path, line.encode(), TEXT, Accept_Language=language),
    ]
    refusal_document = problem(answers[0], "invalid-request", 400, language)
    assert [document["pointer"] for document in refusal_document["errors"]] == ["/line", "/log/0"]
    assert "target" in refusal_document["errors"][0]["detail"]
    assert all(answer.get_json() == refusal_document for answer in answers)
    with pytest.raises(dice_referee.InvalidRequest) as refusal:
        dice_referee.audit("tutto", line, language=language)
    assert refusal.value.problem == refusal_document
    with pytest.raises(SystemExit) as ended:
        main(["audit", line, "--language", language])
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"{refusal.value}\n"


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"line": "tutto: A, B:", "players": ["A", "B"]}, [("/players", "unknown-field")]),
        ({"line": 1}, [("/line", "wrong-type")]),
        ({"line": ""}, [("/line", "wrong-length")]),
        ({"line": 1, "players": ["A", "B"], "log": []}, [("/line", "wrong-type")]),
        ({"line": "tutto: A, B:", "log": []}, [("/players", "missing-field")]),
    ],
)
def test_line_is_accepted_alone_or_with_a_whole_log(document: Any, expected: Any) -> None:
    assert errors(post("/v1/tutto/audits", document)) == expected


@pytest.mark.parametrize(
    ("query", "pointer", "code"),
    [
        ("", "/line", "missing-field"),
        ("line=", "/line", "empty-parameter"),
        ("line=tutto:A,%FF:", "/line", "malformed-value"),
        ("line=tutto:A,B:&line=tutto:A,B:", "/line", "repeated-parameter"),
        ("line=tutto:A,B:&players=A,B", "/players", "unknown-field"),
    ],
)
def test_query_needs_exactly_one_valid_line(query: str, pointer: str, code: str) -> None:
    assert errors(get(f"/v1/tutto/audits?{query}")) == [(pointer, code)]


def test_text_in_another_encoding_than_utf_8_is_refused() -> None:
    assert errors(post("/v1/tutto/audits", b"tutto: A, \xff:", TEXT)) == [
        ("/line", "malformed-value"),
    ]


@pytest.mark.parametrize(
    ("line", "code"),
    [("tutto: Ada, O'Brien: stop", 0), ("tutto: Ada, O'Brien: bank", 1), ("hazard: x", 2)],
)
@pytest.mark.parametrize("piped", [False, True])
def test_command_prints_the_text_of_the_service(
    line: str,
    code: int,
    piped: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if piped:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{line}\n".encode())))
    with pytest.raises(SystemExit) as ended:
        main(["audit", *([] if piped else [line]), "--language", "fr"])
    printed, complained = capsys.readouterr()
    assert ended.value.code == code
    answer = post("/v1/tutto/audits", line.encode(), TEXT, Accept=TEXT, Accept_Language="fr")
    assert printed == (answer.get_data(as_text=True) if code < 2 else "")
    assert ("hazard" in complained) is (code == 2)
