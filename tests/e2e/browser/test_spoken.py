"""What is announced: who acts hears as much as the others, in order, and nothing twice."""

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.gathering import connection, gathered
from tests.e2e.browser.listening import listen, wait_heard
from tests.e2e.browser.playing import control, put
from tests.server.serving import Server

Said = tuple[str, str, str]
"""What Ada does (a control, or dice after ``:``), what she hears and what Ben hears."""

TUTTO: list[Said] = [
    ("card-bonus-400", "You draw Bonus 400. Roll 6 dice.", "Ada draws Bonus 400."),
    (
        ":132651",
        "You roll 1 1 2 3 5 6. Keep something: up to 250. Your choices: Keep 1 1 5 & roll 3, +250; "
        "Keep 1 1 & roll 4, +200; Keep 1 & roll 5, +100; and 2 more. Bank: 250 points.",
        "Ada rolls 1 1 2 3 5 6.",
    ),
    ("keep-1", "You keep 1 1. 200 at stake. Roll 4 dice.", "Ada keeps 1 1."),
    (
        ":2346",
        "You roll 2 3 4 6; Bust (Niete); 200 lost. Ben to play.",
        "Ada rolls 2 3 4 6; Bust (Niete); 200 lost. Your turn. Draw a card.",
    ),
]
STRAIGHT: list[Said] = [
    ("card-straight", "You draw Straight. Roll 6 dice.", "Ada draws Straight."),
    (
        ":123456",
        "You roll 1 2 3 4 5 6. Tutto. Your choices: Keep 1 2 3 4 5 6 & draw a card, +2,000; "
        "Keep 1 2 3 4 5 & roll 1; Keep 1 2 3 4 6 & roll 1; Keep 1 2 3 5 6 & roll 1; "
        "Keep 1 2 4 5 6 & roll 1; and 58 more. Bank: 2,000 points.",
        "Ada rolls 1 2 3 4 5 6.",
    ),
    (
        "bank",
        "You bank; 2,000 points; Straight: +2,000. Ben to play.",
        "Ada banks; 2,000 points; Straight: +2,000. Your turn. Draw a card.",
    ),
]
YATZEE: list[Said] = [
    (
        ":123456",
        "You roll 1 2 3 4 5 6. Throw 1. Hold dice and roll again, or write a category. "
        "Your choices: royal 40; chance 31; large straight 30; small straight 25; sixes 6; "
        "and 5 more.",
        "Ada rolls 1 2 3 4 5 6.",
    ),
    (
        "write-royal",
        "You write royal; royal: 40. Ben to play.",
        "Ada writes royal; royal: 40. Your turn. Roll 6 dice.",
    ),
]
POT: list[Said] = [
    (
        ":223",
        "You roll 2 2 3. Sum 7. Beats the holder. Free throw. Your choices: Keep the POT with 7.",
        "Ada rolls 2 2 3.",
    ),
    (
        "accept",
        "You accept; Ada keeps the POT with 7. Ben to play.",
        "Ada accepts; Ada keeps the POT with 7. Your turn. Roll 3 dice.",
    ),
]


@pytest.fixture
def at(at: Opener) -> Opener:
    return partial(at, apart=True)


@pytest.mark.parametrize(
    ("game", "table"),
    [("tutto", TUTTO), ("tutto", STRAIGHT), ("yatzee", YATZEE), ("pot", POT)],
    ids=["bust", "straight", "yatzee", "pot"],
)
def test_who_acts_hears_as_much_as_the_others(
    at: Opener, server: Server, game: str, table: list[Said]
) -> None:
    gathering = gathered(server, game, dice="client")
    ada, ben = (at(gathering.link(seat)) for seat in (0, 1))
    for page in (ada, ben):
        expect(connection(page)).to_have_text("Live")
        listen(page)
    for act, own, others in table:
        if act.startswith(":"):
            put(ada, act[1:])
        else:
            control(ada, act).click()
        assert wait_heard(ben) == [others]
        assert wait_heard(ada) == [own]


def test_the_service_s_card_and_dice_are_told_in_one_piece(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    ada = at(gathering.link(0))
    expect(connection(ada)).to_have_text("Live")
    listen(ada)
    control(ada, "draw").click()
    (said,) = wait_heard(ada)
    assert said.startswith("You draw ")
    assert "You roll " in said or said == "You draw Stop. Ben to play."


def test_the_end_of_pot_is_told_in_coins(at: Opener, server: Server) -> None:
    gathering = gathered(server, "pot", dice="client", target=4)
    ada, ben = (at(gathering.link(seat)) for seat in (0, 1))
    for page in (ada, ben):
        expect(connection(page)).to_have_text("Live")
        listen(page)
    put(ada, "POT")
    told: list[Any] = [*wait_heard(ada), *wait_heard(ben)]
    for page in (ada, ben):
        expect(page.locator(".log li").first).to_contain_text("wins the round")
        told.append(page.locator("body").inner_text())
    assert "NaN" not in "".join(told)
