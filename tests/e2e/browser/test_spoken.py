"""Announcements: the actor hears as much as the others, in order, and nothing twice."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import announced, control, put
from tests.e2e.browser.gathering import (
    acts,
    connection,
    gathered,
    seated,
)
from tests.e2e.browser.listening import listen, wait_heard
from tests.server.serving import Server

Said = tuple[str, str, str]
"""Act of Ada (a control, or dice after ``:``), and the texts that Ada and Ben hear."""

TUTTO: list[Said] = [
    (
        "card-bonus-400",
        "You drew the card Bonus 400. A Tutto adds 400 (T5.3). Roll 6 dice.",
        "Ada drew the card Bonus 400.",
    ),
    (
        ":132651",
        "You rolled 1 1 2 3 5 6. Scoring dice: 1 1 for 200, 5 for 50 (T1.2). Your choices: "
        "Set aside 1 1 5 and roll 3 dice: 250 at stake. Bank 250. Set aside 1 1 and roll 4 "
        "dice: 200 at stake. Set aside 1 5 and roll 4 dice: 150 at stake. Set aside 1 and "
        "roll 5 dice: 100 at stake. And one more.",
        "Ada rolled 1 1 2 3 5 6.",
    ),
    (
        "keep-1",
        "You set aside 1 1 for 200. Bonus 400. Set aside: 1 1. 200 at stake. Roll 4 dice.",
        "Ada set aside 1 1 for 200.",
    ),
    (
        ":2346",
        "You rolled 2 3 4 6. Bust: nothing to set aside (T2.1). 200 lost. Ben to play.",
        "Ada rolled 2 3 4 6. Bust: nothing to set aside (T2.1). 200 lost. Your turn. Draw a card.",
    ),
]
YATZEE: list[Said] = [
    (
        ":123456",
        "You rolled 1 2 3 4 5 6. These dice fit 10 open categories (Y2.1, Y3.2). On the score "
        "sheet so far: upper section 0, total 0. Your choices: Roll any dice again: "
        "roll 2 of 3 (Y1.1). Write royal straight: 40 (30 + 10). Write chance: 31 (21 + 10). Write "
        "large straight: 30 (20 + 10). Write small straight: 25 (15 + 10). And 6 more.",
        "Ada rolled 1 2 3 4 5 6.",
    ),
    (
        "best-royal",
        "You wrote royal straight: 40. Ben to play.",
        "Ada wrote royal straight: 40. Your turn. Roll all six dice.",
    ),
]
POT: list[Said] = [
    (
        ":223",
        "You rolled 2 2 3. Sum 7. On the POT: 1 coin. Nobody holds it: 7 takes the POT (P3.1). "
        "Your choices: Roll any dice again for free: roll 2 of 3 (P2.1). Accept.",
        "Ada rolled 2 2 3.",
    ),
    (
        "accept",
        "You accepted. You took the POT with 7 (P3.1). Ben to play.",
        "Ada accepted. Ada took the POT with 7 (P3.1). Your turn. On the POT: 1 coin. Ada "
        "holds it with 7 (P3.1). Roll all three dice.",
    ),
]


@pytest.mark.parametrize(
    ("game", "table"),
    [("tutto", TUTTO), ("yatzee", YATZEE), ("pot", POT)],
    ids=["tutto", "yatzee", "pot"],
)
def test_acting_player_hears_as_much_as_others(
    at: Opener, server: Server, game: str, table: list[Said]
) -> None:
    gathering = gathered(server, game, dice="client")
    ada, ben = (seated(at, gathering, seat) for seat in (0, 1))
    for page in (ada, ben):
        listen(page)
    for act, own, news in table:
        if act.startswith(":"):
            put(ada, act[1:])
        else:
            control(ada, act).click()
        assert wait_heard(ben) == [news]
        # Each die but the last is announced by itself; the last announces the roll.
        typed = len(act) - 2 if act.startswith(":") else 0
        assert wait_heard(ada, least=typed + 1)[typed:] == [own]


def test_the_service_s_card_and_dice_are_told_in_one_piece(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    ada = seated(at, gathering, 0)
    listen(ada)
    control(ada, "draw").click()
    (text,) = wait_heard(ada)
    assert text.startswith("You drew ")
    assert "You rolled " in text or text.endswith("Ben to play.")


def test_the_end_of_pot_is_told_in_coins(at: Opener, server: Server) -> None:
    gathering = gathered(server, "pot", dice="client", target=4)
    ada, ben = (seated(at, gathering, seat) for seat in (0, 1))
    for page in (ada, ben):
        listen(page)
    put(ada, "POT")
    texts: list[Any] = [*wait_heard(ada), *wait_heard(ben)]
    for page in (ada, ben):
        expect(page.locator(".log li").first).to_contain_text("the round: 1 coin")
        texts.append(page.locator("body").inner_text())
    assert "NaN" not in "".join(texts)


@pytest.mark.parametrize(("game", "dice"), [("pot", "223"), ("yatzee", "112356")])
def test_watcher_hears_the_player_and_no_prompt(
    at: Opener, server: Server, game: str, dice: str
) -> None:
    gathering = gathered(server, game, dice="client")
    watcher = at(gathering.address)
    announced(watcher, "Ada to play.")
    expect(connection(watcher)).to_have_text("Live")
    listen(watcher)
    acts(server, gathering, {"type": "throw", "dice": [*map(int, dice)]})
    (text,) = wait_heard(watcher)
    assert text.startswith(f"Ada rolled {' '.join(dice)}.")
    expect(watcher.locator(".turn-of, .verdict-note").last).to_contain_text("Ada")
    expect(watcher.get_by_role("group", name="Rolled")).to_be_visible()
    expect(watcher.get_by_role("group", name="Choose the dice to hold.")).to_have_count(0)


def test_typed_dice_are_counted_aloud(at: Opener, server: Server) -> None:
    page = seated(at, gathered(server, "yatzee", dice="client"), 0)
    control(page, "face-1").focus()
    listen(page)
    for key, sentence in (
        ("5", "5, 1 of 6."),
        ("5", "5, 2 of 6."),
        ("Backspace", "5 removed, 1 of 6."),
        ("3", "3, 2 of 6."),
    ):
        page.keyboard.press(key)
        assert wait_heard(page) == [sentence]
