"""The last round of a session: told by the entry that begins it, and shown to the end (T6.3)."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from dice_referee.api.i18n import LANGUAGES
from tests.application import TEXT, SessionClient, accepted, begin

STOP = [{"type": "draw", "card": "stop"}]
REACHES: list[dict[str, Any]] = [
    {"type": "draw", "card": "bonus-200"},
    {"type": "roll", "dice": [5, 5, 5, 2, 3, 4]},
    {"type": "bank"},
]
SCORES_100: list[dict[str, Any]] = [
    {"type": "draw", "card": "bonus-200"},
    {"type": "roll", "dice": [1, 2, 3, 4, 6, 6]},
]
RULES = {
    "at-once": {"ruleset": "abacus-2013"},
    "full-round": {"ruleset": "braillespiel"},
    "one-more-turn": {"ruleset": "abacus-2013"},
}
TOLD = {
    "en": (
        "The target is reached. One more turn, then the game ends: Cleo (T6.3).",
        "This round is the last (T6.3).",
        "Bank 100; that does not win.",
    ),
    "de": (
        "Das Ziel ist erreicht. Noch ein Zug, dann endet das Spiel: Cleo (T6.3).",
        "Diese Runde ist die letzte (T6.3).",
        "Aufhören mit 100; das gewinnt nicht.",
    ),
    "fr": (
        "L’objectif est atteint. Encore un tour, puis la partie se termine\u202f: Cleo (T6.3).",
        "Ce tour de table est le dernier (T6.3).",
        "S’arrêter avec 100\u202f; cela ne fait pas gagner.",
    ),
    "it": (
        "L’obiettivo è raggiunto. Ancora un turno, poi la partita finisce: Cleo (T6.3).",
        "Questo giro è l’ultimo (T6.3).",
        "Fermati con 100; così non vinci.",
    ),
}
"""Sentences of the entry that begins the last round, of the state, and of a bank that loses."""


def table_of(client: FlaskClient, ending: str, **more: Any) -> SessionClient:
    """Returns a session of three people who roll their own dice, with a target of 500."""
    options = {"ending": ending, "target": 500}
    players = ["Ada", "Ben", "Cleo"]
    return begin(client, **RULES[ending], options=options, players=players, dice="client", **more)


def play(table: SessionClient, *turns: list[dict[str, Any]]) -> dict[str, Any]:
    """Plays turns, and returns the answer to the last event."""
    events = [event for turn in turns for event in turn]
    return [accepted(table.post("events", event)) for event in events][-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_last_round_is_told_in_sentences(client: FlaskClient, language: str) -> None:
    table, heading = table_of(client, "full-round"), {"Accept": TEXT, "Accept_Language": language}
    reached, last, loses = TOLD[language]
    play(table, STOP, REACHES[:-1])
    text = table.post("events", REACHES[-1], **heading).get_data(as_text=True)
    assert reached in text
    assert last in text.partition(reached)[2]
    for query in ("", "?seat=0", "?seat=2"):
        assert last in table.get(query, **heading).get_data(as_text=True)
    play(table, SCORES_100)
    assert last in table.get(**heading).get_data(as_text=True)
    assert f"\n{loses}\n" in table.get(**heading).get_data(as_text=True)
    ended = table.post("events", {"type": "bank"}, **heading).get_data(as_text=True)
    assert last not in ended


@pytest.mark.parametrize("ending", RULES)
def test_last_round_lasts_from_its_entry_to_the_end(client: FlaskClient, ending: str) -> None:
    table = table_of(client, ending)
    assert "last_round" not in table.state
    assert "last_round" not in play(table, STOP)["session"]
    answer = play(table, REACHES)
    players = {"at-once": [], "full-round": [2], "one-more-turn": [2, 0]}[ending]
    told = [effect for effect in answer["entry"]["effects"] if effect["type"] == "target-reached"]
    effect = {"type": "target-reached", "player": 1, "points": 500, "players": players}
    assert told == ([effect] if players else [])
    session = answer["session"]
    for player in players:
        assert (session["last_round"], session["player"]) == (True, player)
        assert session == json.loads(table.get().data)
        record = table.get("/game").get_json()
        audit = client.post("/v1/tutto/audits", json=record).get_json()
        assert (audit["legal"], audit["last_round"]) == (True, True)
        session = play(table, SCORES_100)["session"]
        wins = session["adjudication"]["bank"]["next"]["outcome"]["wins_game"]
        assert wins is (False if player == players[-1] else None)
        session = play(table, [{"type": "bank"}])["session"]
    assert (session["status"], session["winners"]) == ("over", [1])
    assert "last_round" not in session
    record = table.get("/game").get_json()
    audit = client.post("/v1/tutto/audits", json=record).get_json()
    assert (audit["legal"], audit["over"], audit["winners"]) == (True, True, [1])
    assert "last_round" not in audit


def test_undo_takes_the_last_round_back(client: FlaskClient) -> None:
    table = table_of(client, "one-more-turn", starter=2)
    play(table, REACHES)
    accepted(table.post("undo"))
    assert "last_round" not in table.get().get_json()
    answer = play(table, [{"type": "bank"}], STOP)
    assert (answer["session"]["last_round"], answer["session"]["player"]) == (True, 1)
    assert answer["session"]["turn"]["turns_left"] == 1
    assert play(table, STOP)["session"]["winners"] == [2]
