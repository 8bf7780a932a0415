"""Orders and limits in the contract's descriptions match the answers."""

from typing import Any

from dice_referee.games import FIRST
from dice_referee.settings import Constants, Settings
from tests.application import get, post


def test_games_are_listed_alphabetically_after_tutto() -> None:
    for path in ("/v1", "/v1"):
        first, *later_names = [game["game"] for game in get(path).get_json()["games"]]
        assert (first, later_names) == (FIRST, sorted(later_names))


def test_odds_of_a_draw_list_cards_in_deck_order() -> None:
    deck = [card["id"] for card in get("/v1/tutto").get_json()["deck"]]
    assert [card["card"] for card in post("/v1/tutto/odds", {}).get_json()["cards"]] == deck


def test_odds_batch_with_aim_game_has_no_special_limit() -> None:
    position: dict[str, Any] = {"aim": "game", "roll": [1, 2, 3, 4, 5, 6], "rolls_made": 3}
    answers = post("/v1/yatzee/odds/batch", {"positions": [position] * 1001}).get_json()["answers"]
    assert all(answer["game"]["best"] is not None for answer in answers)


def test_contract_limits_equal_settings_and_constants() -> None:
    text = " ".join(get("/openapi.json").get_json()["info"]["description"].split())
    defaults, _, fixed = text.partition("change these defaults:")[2].partition("limits are fixed:")
    settings, constants = Settings(), Constants()
    for limit in (
        f"{settings.body_limit >> 20} MiB ({settings.batch_body_limit >> 20} MiB for a batch)",
        f"{settings.batch_limit:,} positions in a batch",
        f"{settings.streams_per_session} streams per session",
        f"{settings.streams} in all",
        f"{settings.streams_per_session // 2} per client",
        f"{settings.streams_per_client} streams and waiting requests per client",
        f"{settings.request_seconds} seconds for a request",
    ):
        assert limit in defaults
    for limit in (
        f"a query string of {constants.query_limit >> 10} KiB",
        f"{constants.nesting_limit} levels of nesting",
        f"{constants.log_limit:,} events in a log",
        f"{constants.session_events:,} entries in a session",
        f"{constants.wait_limit} seconds of waiting",
    ):
        assert limit in fixed
