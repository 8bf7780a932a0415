"""Names of players: what a new session refuses, and how equal names get seat numbers."""

import json
import sys
import unicodedata

import pytest
from flask.testing import FlaskClient

from dice_referee.api import sessions
from tests.application import TEXT, TUTTO, accepted, begin, refused

CONTROLS = [char for char in map(chr, range(sys.maxunicode)) if unicodedata.category(char) == "Cc"]
BIDI_CONTROLS = [chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))]
INVISIBLE = [*"\u00a0\u200b\u3164\u2800\u0301", "\u200d\ufe0f", "\u2060\u00ad"]
VISIBLE = [
    "\U0001f469\u200d\U0001f680",
    "\u0645\u06cc\u200c\u0631\u0648\u062f",
    "Zoe\u0308",
    "7",
    "\u2620\ufe0f",
]


@pytest.mark.parametrize("many", [1, 3])
def test_new_session_refuses_unreadable_names(client: FlaskClient, many: int) -> None:
    for name in [f"A{char}b" for char in CONTROLS + BIDI_CONTROLS] + [
        char * many for char in INVISIBLE
    ]:
        answer = client.post("/v1/sessions", json={**TUTTO, "players": ["Ada", name]})
        [error] = refused(answer, "invalid-request", 400)["errors"]
        assert (error["pointer"], error["code"]) == ("/players/1", "unreadable-name"), repr(name)
        log = {"players": ["Ada", name], "log": []}
        assert client.post("/v1/tutto/audits", json=log).status_code == 200, repr(name)


def test_names_in_any_script_appear_in_sentences(client: FlaskClient) -> None:
    for name in VISIBLE:
        table = begin(client, players=[name, "Ben"])
        text = table.get("", Accept=TEXT).get_data(as_text=True)
        assert unicodedata.normalize("NFC", name) in text, repr(name)


def test_players_with_equal_names_get_their_seat_numbers(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben", " Ada", "Zoe\u0308", "Zo\u00eb"])
    for language in ("en", "de", "fr", "it"):
        text = table.get("", Accept=TEXT, Accept_Language=language).get_data(as_text=True)
        for name in ("Ada (1)", "Ada (3)", "Zo\u00eb (4)", "Zo\u00eb (5)"):
            assert name in text, language
        assert "Ben (2)" not in text


def test_rematch_accepts_unreadable_names_of_old_sessions(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(sessions, "_check_names", lambda _: None)
        table = begin(client, players=["A\u202eb", "\u200b"])
    accepted(table.post("abandon", {}))
    entry = accepted(table.post("rematch", {}, table.seats[0]))["entry"]
    second = json.loads(client.get(f"/v1/sessions/{entry['event']['session']}").data)
    assert second["players"] == ["A\u202eb", "\u200b"]
    assert "Player 2" in table.get("", Accept=TEXT).get_data(as_text=True)
