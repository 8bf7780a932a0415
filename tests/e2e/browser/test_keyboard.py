"""Whole games by keyboard alone: Tab, Enter and the keys of the drawn table."""

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import FOCUSED, control, resting, tab_to
from tests.e2e.browser.gathering import (
    gathered,
    read_session,
    seated,
)
from tests.e2e.browser.test_phone import count_turns
from tests.wire import Server

pytestmark = pytest.mark.long

BANK_AT = 350
"""Points for which a player of Tutto stops."""
TARGETS = {"tutto": 3000, "pot": 5}
MOST = 900


class Player:
    """Presses keys and counts them by kind."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses: Counter[str] = Counter()

    def shortcut(self, keys: str) -> None:
        """Presses keys of the table, wherever the focus is."""
        resting(self.page)
        for key in keys:
            self.page.keyboard.press(key)
            self.presses["shortcut"] += 1

    def enter(self, key: str) -> None:
        """Reaches the control with Tab and presses Enter."""
        expect(control(self.page, key)).to_be_visible()
        self.presses["tab"] += tab_to(self.page, key)
        self.page.keyboard.press("Enter")
        self.presses["enter"] += 1

    def tutto(self, _: Any, judged: Any) -> None:
        """Keeps the most points, and banks at ``ENOUGH`` points."""
        bank = judged["bank"]
        if bank and (bank["turn_points"] >= BANK_AT or not judged["legal_keeps"]):
            self.shortcut("b")
            return
        best = max(judged["legal_keeps"], key=lambda keep: keep["turn_points"])
        self.shortcut("".join(map(str, best["dice"])))
        chosen = self.page.locator(".felt .die-button[aria-pressed=true]")
        expect(chosen).to_have_count(len(best["dice"]))
        self.shortcut("r")

    def yatzee(self, turn: Any, judged: Any) -> None:
        """Holds the most frequent face and rolls again, then scores or crosses out."""
        if turn["roll"] == 1:
            [(face, count)] = Counter(turn["roll"]).most_common(1)
            if count < len(turn["roll"]):
                self.shortcut(str(face) * count + "r")
                return
        left = [category for category in judged["categories"] if category["open"]]
        best = max(left, key=lambda category: (category["satisfied"], category["points"]))
        if best["satisfied"]:
            self.shortcut("w")
            self.enter(f"best-{best['category']}")
        else:
            self.shortcut("x")
            self.enter(f"strike-{best['category']}")

    def pot(self, _: Any, __: Any) -> None:
        """Accepts, and takes the first choice among several."""
        self.shortcut("b")


@pytest.mark.parametrize("game", ["tutto", "yatzee", "pot"])
def test_whole_game_is_played_by_keyboard_alone(at: Opener, server: Server, game: str) -> None:
    options: dict[str, Any] = {"target": TARGETS[game]} if game in TARGETS else {}
    gathering = gathered(server, game, **options)
    page = seated(at, gathering)
    player, state = Player(page), read_session(server, gathering)
    board = page.locator("#board")
    player.presses["tab"] += tab_to(page, "draw" if game == "tutto" else "roll")
    for _ in range(MOST):
        if state["status"] != "running":
            break
        version = state["version"]
        if state["adjudication"] is None:
            player.shortcut("r")
        else:
            getattr(player, game)(state["turn"], state["adjudication"])
        expect(page.locator(f'.log li[data-version="{version + 1}"]')).to_be_attached()
        expect(board).to_have_attribute("aria-busy", "false")
        # A player who cannot see the focus must find it on the table, where it was.
        assert page.evaluate("document.querySelector('#board').contains(document.activeElement)")
        assert page.evaluate(FOCUSED)
        state = read_session(server, gathering)
    assert state["status"] == "over"
    expect(page.locator(".ending")).to_contain_text("won")
    player.enter("rematch")
    expect(page).not_to_have_url(gathering.address)
    turns = count_turns(read_session(server, gathering, "/events?after=0")["events"])
    presses = player.presses.total()
    print(f"keys {game}: {dict(player.presses)}, {presses / turns:.2f} in each of {turns} turns")
