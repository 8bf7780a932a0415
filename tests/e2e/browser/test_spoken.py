"""Announcements: the actor hears as much as the others, in order, and nothing twice."""

from playwright.sync_api import expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import announced, control, put
from tests.e2e.browser.gathering import (
    connection,
    gathered,
    play_event,
    seated,
)
from tests.e2e.browser.listening import listen, wait_heard
from tests.wire import Server

Said = tuple[str, str, str]
"""Act of Ada (a control, or dice after ``:``), and the texts that Ada and Ben hear."""

TUTTO: list[Said] = [
    (
        "card-bonus-400",
        "You draw a Bonus 400. A Tutto adds 400 (T5.3). Roll 6 dice.",
        "Ada draws a Bonus 400.",
    ),
    (
        ":132651",
        "You roll 1 1 2 3 5 6. Scoring dice: 1 1 for 200, 5 for 50 (T1.2). Your choices: "
        "Set aside 1 1 5 and roll 3 dice: 250 at stake. Bank 250. Set aside 1 1 and roll 4 "
        "dice: 200 at stake. Set aside 1 5 and roll 4 dice: 150 at stake. Set aside 1 and "
        "roll 5 dice: 100 at stake. And one more.",
        "Ada rolls 1 1 2 3 5 6.",
    ),
    (
        "keep-1",
        "You set aside 1 1 for 200. Bonus 400. Set aside: 1 1. 200 at stake. Roll 4 dice.",
        "Ada sets aside 1 1 for 200.",
    ),
    (
        ":2346",
        "You roll 2 3 4 6. Bust: nothing to set aside (T2.1). 200 lost. Ben to play.",
        "Ada rolls 2 3 4 6. Bust: nothing to set aside (T2.1). 200 lost. Your turn. Draw a card.",
    ),
]


def test_acting_player_hears_as_much_as_others(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    ada, ben = (seated(at, gathering, seat) for seat in (0, 1))
    for page in (ada, ben):
        listen(page)
    for act, own, news in TUTTO:
        if act.startswith(":"):
            put(ada, act[1:])
        else:
            control(ada, act).click()
        assert wait_heard(ben) == [news]
        # Each die but the last has its own announcement. The last die announces the roll.
        typed = len(act) - 2 if act.startswith(":") else 0
        assert wait_heard(ada, least=typed + 1)[typed:] == [own]


def test_card_and_dice_of_the_service_are_announced_together(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    ada = seated(at, gathering, 0)
    listen(ada)
    control(ada, "draw").click()
    (text,) = wait_heard(ada)
    assert text.startswith("You draw ")
    assert "You roll " in text or text.endswith("Ben to play.")


def test_card_that_ended_a_turn_is_shown_and_announced(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    play_event(server, gathering, {"type": "draw", "card": "bonus-200"})
    play_event(server, gathering, {"type": "roll", "dice": [1, 2, 3, 4, 6, 6]})
    play_event(server, gathering, {"type": "bank"})
    ada, ben = (seated(at, gathering, seat) for seat in (0, 1))
    text = at(gathering.link(0).replace("#", "?text#"))
    expect(text.locator(".told")).to_contain_text("Ben to play.")
    listen(ada)
    for card, sentence in (
        ("stop", "Ben draws a Stop."),
        ("plus-minus", "You draw a Plus/Minus."),
    ):
        play_event(server, gathering, {"type": "draw", "card": card})
        assert sentence in " ".join(wait_heard(ada))
        expect(text.locator(".told")).to_contain_text(sentence)
        for page in (ada, ben):
            expect(page.locator(f".card-place .card-{card}")).to_be_visible()
    ada.reload()
    expect(ada.locator(".card-place .card-plus-minus")).to_be_visible()


def test_watcher_hears_the_player_and_no_prompt(at: Opener, server: Server) -> None:
    gathering = gathered(server, "pot", dice="client")
    watcher = at(gathering.address)
    announced(watcher, "Ada to play.")
    expect(connection(watcher)).to_have_text("Live")
    listen(watcher)
    play_event(server, gathering, {"type": "roll", "dice": [2, 2, 3]})
    (text,) = wait_heard(watcher)
    assert text.startswith("Ada rolls 2 2 3.")
    expect(watcher.locator(".turn-of, .verdict-note").last).to_contain_text("Ada")
    expect(watcher.get_by_role("group", name="Rolled")).to_be_visible()
    expect(watcher.get_by_role("group", name="Choose the dice to hold.")).to_have_count(0)


def test_roll_of_yatzee_is_announced_once(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee", dice="client")
    addresses = (gathering.link(0), gathering.link(1), gathering.address)
    ada, ben, watcher = (at(address) for address in addresses)
    for page in (ada, ben, watcher):
        expect(connection(page)).to_have_text("Live")
        listen(page)
    rolls = (
        ({"dice": [1, 3, 3, 5, 6, 6]}, "You roll 1 3 3 5 6 6. Roll 1 of 3."),
        ({"held": [6, 6], "dice": [1, 3, 3, 5]}, "You hold 6 6 and roll 1 3 3 5. Roll 2 of 3."),
        ({"held": [6, 6], "dice": [1, 3, 3, 5]}, "You hold 6 6 and roll 1 3 3 5. Roll 3 of 3."),
    )
    # The bonus of an early throw falls from 10 to 5 and 0.
    choices = (
        "Score 34 in Chance. Score 28 in Two Pairs. Score 22 in One Pair. And 4 more.",
        "Score 29 in Chance. Score 23 in Two Pairs. Score 17 in One Pair. And 4 more.",
        "Score 24 in Chance. Score 18 in Two Pairs. Score 12 in Sixes. And 4 more.",
    )
    for number, (dice, own) in enumerate(rolls, 1):
        play_event(server, gathering, {"type": "roll", **dice})
        crossing = " Cross out a category instead." if number == 3 else ""
        assert wait_heard(ada) == [f"{own} {choices[number - 1]}{crossing}"]
        rival = own.partition(" Roll")[0].replace("roll ", "rolls ").replace("hold ", "holds ")
        rival = rival.replace("You", "Ada")
        assert wait_heard(ben) == wait_heard(watcher) == [rival]
    play_event(server, gathering, {"type": "write", "category": "chance"})
    assert wait_heard(watcher) == ["Ada scores 24 in Chance. Ben to play."]
