"""Games against bots: two presses to open, playback at a human pace."""

import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.browser.accessibility import assert_accessible
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import announced, control
from tests.e2e.browser.gathering import (
    Gathering,
    expect_log,
    gathering_at,
    read_session,
)
from tests.e2e.browser.listening import heard, listen, wait_heard
from tests.e2e.browser.test_live import TABLE
from tests.wire import Server

pytestmark = pytest.mark.long

PHONE: ViewportSize = {"width": 360, "height": 740}
MOST = 400
MOTION = {"reduced_motion": "no-preference"}
OWN = {"draw": "You draw", "roll": "You roll", "bank": "You bank"}
"""Announcements of the player's own events."""
WATCH = """() => {
  window.seen = [];
  const look = () => {
    const word = document.querySelector("#board:has([data-key=skip]) .verdict-word")?.textContent;
    if (word && word !== window.seen.at(-1)) window.seen.push(word);
  };
  const board = document.querySelector("#board");
  new MutationObserver(look).observe(board, { childList: true, subtree: true });
}"""
"""Script that records the words on the felt during the playback of a bot's turn."""

LISTEN_TO_MOVES = """(region) => {
  region.moves = [];
  const playing = () => document.querySelector("[data-key=skip]");
  const hear = () => region.textContent && playing() && region.moves.push(region.textContent);
  new MutationObserver(hear).observe(region, { childList: true, subtree: true });
}"""
"""Script that records the announcements during the playback of a bot's moves."""


USUAL: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def open_against_bots(page: Page) -> Gathering:
    """Opens a table against bots by a single press."""
    control(page, "against").tap()
    expect(page).to_have_url(TABLE)
    return gathering_at(page)


def until_a_bot_plays(page: Page) -> None:
    """Plays for the person until the bot's turn."""
    for _ in range(MOST):
        page.locator("[data-key=skip], #board[aria-busy=false] .dock button").first.wait_for()
        if control(page, "skip").count():
            return
        bank = control(page, "bank")
        (bank if bank.count() else page.locator(".dock button").first).tap()


def test_bot_turn_is_played_back_before_the_next_move(at: Opener, server: Server) -> None:
    page = at("/", **MOTION)
    gathering = open_against_bots(page)
    page.evaluate(WATCH)
    until_a_bot_plays(page)
    expect(control(page, "draw")).to_be_visible()
    events = read_session(server, gathering, "/events?after=0")["events"]
    bot_events = [entry for entry in events if entry["by"] == "bot"]
    first, *moves = page.evaluate("window.seen")
    assert first.startswith("You ")
    assert len(moves) == len(bot_events)
    assert all(word.startswith("Computer ") for word in moves)
    expect_log(page, len(events))
    expect(page.locator(".meanwhile li")).to_have_count(len(bot_events) + 1)
    expect(page.locator(".meanwhile")).to_contain_text("Computer draws")


def test_skip_ends_the_playback_of_a_bots_turn(at: Opener, server: Server) -> None:
    page = at("/", **MOTION)
    gathering = open_against_bots(page)
    page.evaluate(WATCH)
    listen(page)
    until_a_bot_plays(page)
    # The result of the player's own press is announced before the bot's playback ends.
    [told_first] = [text for text in heard(page) if "Computer is playing." in text]
    assert told_first.startswith("You ")
    control(page, "skip").tap()
    seen = page.evaluate("window.seen.length")
    expect(control(page, "draw")).to_be_visible()
    assert page.evaluate("window.seen.length") == seen
    expect_log(page, read_session(server, gathering)["version"])
    wait_heard(page, end="Draw a card.")


def test_results_of_own_presses_are_announced_once(at: Opener, server: Server) -> None:
    page = at("/", **MOTION)
    gathering = open_against_bots(page)
    listen(page)
    until_a_bot_plays(page)
    control(page, "skip").tap()
    expect(control(page, "draw")).to_be_visible()
    announced(page, "Computer draws")
    speech = " ".join(heard(page))
    events = read_session(server, gathering, "/events?after=0")["events"]
    own_counts = Counter(entry["event"]["type"] for entry in events if entry["by"] != "bot")
    assert own_counts
    for kind, words in OWN.items():
        assert len(re.findall(words, speech)) == own_counts[kind], speech
    bot_events = [entry["event"]["type"] for entry in events if entry["by"] == "bot"]
    assert speech.count("Computer draws") == bot_events.count("draw")


def sentences(server: Server, gathering: Gathering, after: int, until: int) -> str:
    """Returns the log between two versions for the guest, as a single utterance."""
    path = f"/v1/sessions/{gathering.id}/events?seat=0&after={after}&until={until}"
    answer = server.ask("GET", path, b"", "Accept: text/plain")
    assert answer.status == 200
    return " ".join(answer.body.decode().split("\n")).strip()


def test_bot_moves_are_announced_singly_during_playback(at: Opener, server: Server) -> None:
    page = at("/", **MOTION)
    gathering = open_against_bots(page)
    page.locator("#status").evaluate(LISTEN_TO_MOVES)
    until_a_bot_plays(page)
    expect(control(page, "draw")).to_be_visible()
    announced(page, "Draw a card.")
    entries = read_session(server, gathering, "/events?after=0")["events"]
    first = next(entry["version"] for entry in entries if entry["by"] == "bot")
    own_counts, *moves = page.locator("#status").evaluate("(region) => region.moves")
    # The first text starts anywhere in the sentences of the player's own turn.
    assert f"{sentences(server, gathering, 0, first - 1)} Computer is playing.".endswith(own_counts)
    assert own_counts.startswith("You ")
    versions = [entry["version"] for entry in entries if entry["version"] >= first]
    assert moves == [sentences(server, gathering, version - 1, version) for version in versions]


def test_seats_are_given_to_bots_at_opening(at: Opener, server: Server) -> None:
    page = at("/table", bypass_csp=True)
    # In Tutto a cloverleaf could end the game in the first bot's turn.
    control(page, "game-yatzee").tap()
    control(page, "plays-0").select_option("careful")
    control(page, "add-player").tap()
    control(page, "plays-2").select_option("bold")
    assert_accessible(page)
    control(page, "open").tap()
    expect(page).to_have_url(TABLE)
    state = read_session(server, gathering_at(page))
    assert state["bots"] == [{"seat": 0, "level": "careful"}, {"seat": 2, "level": "bold"}]
    assert state["players"] == ["Bot 1", "Player 2", "Bot 3"]
    assert state["player"] == 1
    control(page, "menu").tap()
    expect(page.locator(".people li").first).to_contain_text("Bot, careful")
    control(page, "links").tap()
    expect(control(page, "copy-0")).to_have_count(0)
    expect(control(page, "copy-1")).to_be_visible()


def test_people_with_their_own_dice_play_without_bots(at: Opener, server: Server) -> None:
    page = at("/table")
    control(page, "plays-1").select_option("best")
    control(page, "more").click()
    control(page, "dice-client").check()
    expect(control(page, "plays-1")).to_have_count(0)
    control(page, "open").tap()
    expect(page).to_have_url(TABLE)
    assert read_session(server, gathering_at(page))["bots"] == []
