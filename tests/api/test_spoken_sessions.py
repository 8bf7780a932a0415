"""Sessions in sentences: each addresses its listener, and all else equals the JSON form."""

import json
import shlex
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dice_referee.api.i18n import LANGUAGES
from dice_referee.app import create_app
from dice_referee.games import catalogue
from dice_referee.games.game import AnyGame
from dice_referee.sessions.redis.store import RedisStore
from tests.application import TEXT, SessionClient, accepted, begin, refused
from tests.unlimited import UNLIMITED
from tests.wire import wait_for_follower

CARD = {"type": "draw", "card": "bonus-400"}
KEEP = {"type": "keep", "dice": [1]}
DICE = {"type": "roll", "dice": [1, 3, 2, 6, 5, 1]}


class Table(SessionClient):
    """A session of Ada and Ben, who roll their own dice."""

    def move(self, event: Any, token: str = "", query: str = "", **headers: str) -> TestResponse:
        return self.post(f"events{query}", event, token or self.seats[0], Accept=TEXT, **headers)

    def hear(self, path: str = "", language: str = "en") -> str:
        answer = self.get(path, Accept=TEXT, Accept_Language=language)
        assert answer.status_code == 200, answer.data
        assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
        assert answer.headers["Content-Language"] == language
        assert set(answer.headers["Vary"].split(", ")) == {"Accept", "Accept-Language", "Origin"}
        return answer.get_data(as_text=True)


@pytest.fixture
def table(redis_url: str) -> Iterator[Table]:
    store = RedisStore(redis_url, 5000)
    client = create_app(UNLIMITED, store).test_client()
    yield Table(*begin(client, players=["Ada", "Ben"], dice="client"))
    store.close()


def test_move_in_sentences_addresses_its_player(table: Table) -> None:
    answer = table.move(CARD)
    assert answer.headers["ETag"] == '"1"'
    lines = ["You draw a Bonus 400.", "", "A Tutto adds 400 (T5.3).", "Roll 6 dice."]
    assert answer.get_data(as_text=True).splitlines() == lines
    text = table.move(DICE).get_data(as_text=True)
    assert text.startswith("You roll 1 1 2 3 5 6.\n\nScoring dice: 1 1 for 200, 5 for 50 (T1.2).\n")
    assert "Your choices:\nSet aside 1 1 5 and roll 3 dice: 250 at stake.\nBank 250.\n" in text


def test_host_move_addresses_the_listening_seat(table: Table) -> None:
    assert table.move(CARD, table.host).data.startswith(b"Ada draws a Bonus 400.\n")
    text = table.move(DICE, table.host, "?seat=1").get_data(as_text=True)
    assert text == "Ada rolls 1 1 2 3 5 6.\n"


def test_unknown_seat_is_refused_before_any_change(table: Table) -> None:
    for query in ("?seat=2", "?seat=10", "?seat=-1", "?seat=x", "?seat=", "?seat=0&seat=0"):
        status = 404 if query == "?seat=2" else 400
        assert table.move(CARD, query=query).status_code == status, query
        for path in ("", "/events"):
            refused = table.get(path + query)
            # The JSON log is equal for every seat, so only the syntax of the seat is checked.
            is_readable = (path, query) == ("/events", "?seat=2")
            assert refused.status_code == (200 if is_readable else status), (path, query)
    assert table.get().get_json()["version"] == 0


def test_retry_gets_the_same_text(table: Table) -> None:
    key = {"Idempotency-Key": "first-card"}
    first = table.move(CARD, **key).data
    assert table.move(CARD, **key).data == first
    table.move(DICE)
    assert table.move(CARD, **key).data == first


def test_text_of_a_refused_move_has_its_reasons(table: Table) -> None:
    refused = table.move({"type": "bank"}, **{"Accept-Language": "de"})
    assert (refused.status_code, refused.mimetype) == (409, TEXT)
    assert "T2.5: Aufhören ist hier nicht möglich" in refused.get_data(as_text=True)


def test_state_in_sentences_has_the_version_as_its_etag(table: Table) -> None:
    table.move(CARD)
    assert table.hear("?seat=1") == ("Points: Ada 0, you 0.\nAda to play.\nBonus 400.\n")
    assert table.hear("?seat=0", "fr") == (
        "Points\u00a0: vous 0, Ben 0.\nÀ vous de jouer.\nBonus 400.\nLancer 6 dés.\n"
    )
    assert table.get(Accept=TEXT, If_None_Match='"1-text-en"').status_code == 304


def test_text_of_a_log_starts_after_a_version(table: Table) -> None:
    table.move(CARD)
    table.move(DICE)
    table.move({"type": "bank"})
    assert table.hear("/events?after=2&seat=0") == (
        "You set aside 1 1 5 for 250. You bank 250.\n\nBen to play.\n"
    )
    assert table.hear("/events?after=1&seat=1", "it") == (
        "Ada lancia 1 1 2 3 5 6.\nAda mette da parte 1 1 5 per 250. Ada si ferma con 250.\n\n"
        "Tocca a te.\nPesca una carta.\n"
    )
    # A version beyond the last version gets the present situation.
    assert table.hear("/events?after=9&seat=1") == "Your turn.\nDraw a card.\n"


def test_rematch_is_announced(table: Table) -> None:
    for path in ("abandon", "rematch"):
        accepted(table.post(path))
    assert table.hear("/events?after=1&seat=1").startswith(
        "The host opens another game with the same players.\n\n"
    )


def test_undo_abandon_and_rematch_have_sentences(table: Table) -> None:
    table.move(CARD)
    texts = {
        "undo": "The host undoes move 1.\n\nYour turn.\nDraw a card.\n",
        "abandon": "The game was abandoned.\n\nPoints: you 0, Ben 0.\n",
        "rematch": "The host opens another game with the same players.\n\n"
        "Points: you 0, Ben 0.\nThe game was abandoned.\n",
    }
    for version, (path, text) in enumerate(texts.items(), 2):
        answer = table.post(f"{path}?seat=0", Accept=TEXT)
        assert (answer.status_code, answer.mimetype) == (200, TEXT)
        assert answer.headers["ETag"] == f'"{version}"'
        assert answer.get_data(as_text=True) == text


def test_seed_of_a_seat_is_confirmed_to_that_seat(table: Table) -> None:
    served = begin(table.client, players=["Ada", "Ben"])
    answer = served.post("seeds", {"seed": "seven"}, served.seats[1], Accept=TEXT)
    assert answer.get_data(as_text=True) == "You add “seven” to the seed.\n\nAda to play.\n"


def test_text_of_a_log_has_its_last_version_as_etag(table: Table) -> None:
    table.move(CARD)
    table.move(DICE)
    for query in ("after=0", "after=1", "after=2", "after=9", "after=0&wait=1"):
        answer = table.get(f"/events?{query}", Accept=TEXT)
        assert answer.headers["ETag"] == '"2-text-en"', query
    assert "ETag" not in table.get("/events?after=0").headers
    waited = table.get("/events?after=2&wait=1", Accept=TEXT)
    assert "ETag" not in waited.headers


def test_text_of_a_log_part_has_only_its_entries(table: Table) -> None:
    for event in (CARD, DICE, {"type": "keep", "dice": [1, 1]}):
        assert table.move(event).status_code == 200
    path = "/events?seat=0&after={}&until={}"
    first = table.hear(path.format(0, 2))
    assert first == "You draw a Bonus 400.\nYou roll 1 1 2 3 5 6.\n"
    assert table.hear(path.format(1, 2), "fr").startswith("Vous ")
    assert table.hear(path.format(2, 9)) == "You set aside 1 1 for 200.\n"
    assert table.hear("/events?after=2&until=3&seat=1&wait=20") == "Ada sets aside 1 1 for 200.\n"
    for empty in (path.format(2, 2), path.format(3, 1), path.format(9, 9)):
        assert table.hear(empty) == ""
    answer = table.get("/events?until=2", Accept=TEXT)
    assert "ETag" not in answer.headers
    for wrong in ("x", "-1", "1000000001", "1.5"):
        refused = table.get(f"/events?until={wrong}")
        assert refused.status_code == 400
        assert refused.get_json()["errors"][0]["pointer"] == "/until"


def test_text_of_a_long_log_part_has_its_end(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 2
    monkeypatch.setattr("dice_referee.api.sessions.PAGE_LINES", most)
    keeps = [{"type": "keep", "dice": [die]} for die in (1, 5)]
    rolls = [{"type": "roll", "dice": dice} for dice in ([1, 2, 3, 3, 4, 6], [5, 2, 2, 3, 3])]
    for event in (CARD, rolls[0], keeps[0], rolls[1], keeps[1]):
        assert table.move(event).status_code == 200
    versions = range(6)
    texts = [table.hear(f"/events?after={version - 1}&until={version}") for version in versions[1:]]
    assert len({*texts}) == len(texts)
    for until in versions:
        for after in versions:
            part = texts[max(after, until - most) : until]
            assert table.hear(f"/events?after={after}&until={until}") == "".join(part)
    for after in versions:
        part = texts[max(after, versions[-1] - most) :]
        news, _, situation = table.hear(f"/events?after={after}").partition("\n\n")
        assert (f"{news}\n" if situation else "") == "".join(part)


def test_long_poll_gets_the_text_of_a_new_event(table: Table, redis_url: str) -> None:
    def draw() -> None:
        wait_for_follower(redis_url, table.at)
        table.move(CARD)

    acting = threading.Thread(target=draw)
    acting.start()
    assert table.hear("/events?after=0&seat=1&wait=20") == "Ada draws a Bonus 400.\n"
    acting.join()
    assert table.hear("/events?after=1&seat=1&wait=1") == "Ada to play.\n"


def test_each_form_of_a_session_has_a_different_etag(table: Table) -> None:
    forms = [("", {}), *((f"?seat={seat}", {"Accept": TEXT}) for seat in (0, 1))]
    forms += [("", {"Accept": TEXT, "Accept_Language": language}) for language in LANGUAGES]
    for path in ("", "/odds"):
        tags = [table.get(path + query, **headers).headers["ETag"] for query, headers in forms]
        assert len({*tags}) == len(forms), tags
        assert tags[0] == '"0"'
        for query, headers in forms:
            statuses = [
                table.get(path + query, If_None_Match=tag, **headers).status_code for tag in tags
            ]
            assert sorted(statuses) == [200] * (len(forms) - 1) + [304], (path, query, headers)


def test_if_match_accepts_the_etag_of_any_form(table: Table) -> None:
    for version, tag in enumerate(['"0-text-de"', 'W/"1-text-fr-0"', '"9", "2"']):
        late = table.post("events", CARD, table.seats[0], If_Match=f'"{version + 1}-text-de"')
        refused(late, "precondition-failed", 412)
        accepted(table.post("events", [CARD, DICE, KEEP][version], table.seats[0], If_Match=tag))


def command_of(answer: TestResponse) -> tuple[str, dict[str, str], str | None]:
    """Returns the path, the headers and the body of the command in the last line."""
    assert answer.status_code == 201, answer.data
    program, address, *words = shlex.split(answer.get_data(as_text=True).splitlines()[-1])
    assert (program, address.partition("/v1/")[0]) == ("curl", "http://localhost")
    pairs = list(zip(words[::2], words[1::2], strict=True))
    fields = dict(field.split(": ", 1) for flag, field in pairs if flag == "-H")
    assert fields["Accept"] == TEXT
    bodies = [body for flag, body in pairs if flag == "-d"]
    return address.removeprefix("http://localhost"), fields, bodies[0] if bodies else None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", catalogue())
def test_text_of_a_new_session_has_tokens_and_the_first_move(
    client: FlaskClient, game: str, language: str
) -> None:
    bots = [{"seat": 0, "level": "careful"}]
    body = {"game": game, "players": ["Bot", "Ada", "Ben"], "bots": bots}
    fields = {"Accept": TEXT, "Accept-Language": language}
    answer = client.post("/v1/sessions", json=body, headers=fields)
    path, headers, event = command_of(answer)
    assert answer.headers["Content-Language"] == language
    location = answer.headers["Location"]
    assert path == f"{location}/events"
    state, secrets, moves, _ = answer.get_data(as_text=True).rsplit("\n\n", 3)
    assert f"{state}\n" == client.get(location, headers=fields).get_data(as_text=True)
    session, *tokens = (line.rsplit(maxsplit=1)[1] for line in secrets.splitlines())
    assert location == f"/v1/sessions/{session}"
    assert len(set(tokens)) == 4
    assert headers["Authorization"] == f"Bearer {tokens[2]}"
    answer = client.post(path, data=event, headers=headers)
    assert (answer.status_code, answer.mimetype) == (200, TEXT), answer.data
    end = client.post(f"{location}/abandon", headers={"Authorization": f"Bearer {tokens[0]}"})
    assert accepted(end)["entry"]["by"] == "host"
    # Every example of a move has its shape: the end of the game refuses it, not the schema.
    _, *examples = moves.splitlines()
    assert len(examples) > 1
    for example in examples:
        assert client.post(path, data=example, headers=headers).status_code == 409, example


def test_text_of_a_session_with_own_dice_has_a_command(client: FlaskClient) -> None:
    body = {"game": "pot", "players": ["Ada", "Ben"], "dice": "client"}
    path, headers, event = command_of(
        client.post("/v1/sessions", json=body, headers={"Accept": TEXT})
    )
    assert event is None
    assert client.get(path, headers=headers).mimetype == TEXT


@pytest.mark.parametrize(("name", "game"), catalogue().items())
def test_example_of_own_dice_has_every_die(client: FlaskClient, name: str, game: AnyGame) -> None:
    body = {"game": name, "players": ["Ada", "Ben"], "dice": "client"}
    text = client.post("/v1/sessions", json=body, headers={"Accept": TEXT}).get_data(as_text=True)
    moves = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    (rolled,) = [move for move in moves if move["type"] == "roll"]
    assert len(rolled.get("held", [])) + len(rolled["dice"]) == len(game.dice)


def test_refused_new_session_has_text(client: FlaskClient) -> None:
    answer = client.post("/v1/sessions", json={"game": "tuto"}, headers={"Accept": TEXT})
    assert (answer.status_code, answer.mimetype) == (400, TEXT)
    assert "Did you mean “tutto”?" in answer.get_data(as_text=True)
