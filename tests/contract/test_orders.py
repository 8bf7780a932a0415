"""Orders and limits in the contract's descriptions match the answers."""

from typing import Any

from dice_referee.games import FIRST
from tests.application import get, post


def test_games_are_listed_alphabetically_after_tutto() -> None:
    for path in ("/v1", "/v1/games"):
        first, *later_names = [game["game"] for game in get(path).get_json()["games"]]
        assert (first, later_names) == (FIRST, sorted(later_names))


def test_odds_of_a_draw_list_cards_in_deck_order() -> None:
    deck = [card["id"] for card in get("/v1/games/tutto").get_json()["deck"]]
    assert [card["card"] for card in post("/v1/tutto/odds", {}).get_json()["cards"]] == deck


def test_odds_batch_with_aim_game_has_no_special_limit() -> None:
    position: dict[str, Any] = {"aim": "game", "dice": [1, 2, 3, 4, 5, 6], "throw": 3}
    answers = post("/v1/yatzee/odds/batch", {"positions": [position] * 1001}).get_json()["answers"]
    assert all(answer["game"]["best"] is not None for answer in answers)
