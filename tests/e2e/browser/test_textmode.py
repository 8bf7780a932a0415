"""Text mode: whole games by typing alone, in the service's own sentences."""

import re
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from tests.e2e.browser.accessibility import assert_accessible_everywhere
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import FOCUSED, control
from tests.e2e.browser.gathering import Gathering, connection, gathered, play_event, read_session
from tests.e2e.browser.test_live import reset_stream
from tests.wire import Server

BANK_AT = 350
"""Points for which a player of Tutto stops."""
TARGETS = {"tutto": 2000, "pot": 5}
MOST = 600
"""Maximum number of commands in a game."""


USUAL: dict[str, Any] = {"refused": True}


def opened(at: Opener, gathering: Gathering, seat: int | str, **how: Any) -> Page:
    """Opens the text mode of this seat."""
    page = at(gathering.link(seat).replace("#", "?text#"), **how)
    expect(connection(page)).to_have_class("connection live")
    expect(page.locator(".told")).to_have_attribute("data-version", re.compile(r"\d+"))
    return page


def typed(page: Page, line: str) -> None:
    """Types a command into the focused line."""
    assert page.evaluate(FOCUSED) == "command"
    page.keyboard.type(line)
    page.keyboard.press("Enter")


def lines(page: Page) -> list[str]:
    """Returns the lines of the log."""
    return page.locator(".told p:not(.asked)").all_text_contents()


def expect_last(page: Page, text: str) -> None:
    """Expects this last line of the log."""
    expect(page.locator(".told p").last).to_have_text(text)


def expect_version(page: Page, number: int) -> None:
    """Waits until the log shows this version."""
    expect(page.locator(".told")).to_have_attribute("data-version", str(number))


# Playing ----------------------------------------------------------------------------------------


def command(state: Any) -> str:
    """Returns a player's next command: the adjudication's best choice."""
    judged = state["adjudication"]
    if judged is None:
        return "roll"
    match state["game"]:
        case "tutto":
            bank = judged["bank"]
            if bank and (bank["turn_points"] >= BANK_AT or not judged["legal_keeps"]):
                return "bank"
            best = max(judged["legal_keeps"], key=lambda keep: keep["turn_points"])
            return f"keep {' '.join(map(str, best['dice']))}"
        case "yatzee":
            left = [category for category in judged["categories"] if category["open"]]
            best = max(left, key=lambda category: (category["satisfied"], category["points"]))
            return f"{'write' if best['satisfied'] else 'strike'} {best['category']}"
        case _:
            names = [state["players"][player] for player in judged["choices"][0]["players"]]
            return f"accept {', '.join(names)}"


def keep_news(news: list[Response], answer: Response) -> None:
    """Collects answers with new events in sentences."""
    in_words = answer.headers["content-type"].startswith("text/plain")
    if in_words and "/events?after=" in answer.url:
        news.append(answer)


@pytest.mark.long
@pytest.mark.parametrize("game", ["tutto", "yatzee", "pot"])
def test_whole_game_is_played_by_typing_alone(at: Opener, server: Server, game: str) -> None:
    options: dict[str, Any] = {"target": TARGETS[game]} if game in TARGETS else {}
    gathering = gathered(server, game, **options)
    pages = [opened(at, gathering, seat) for seat in (0, 1)]
    before = [len(lines(page)) for page in pages]
    news: list[list[Response]] = [[], []]
    for page, heard in zip(pages, news, strict=True):
        page.on("response", partial(keep_news, heard))
    state = read_session(server, gathering)
    count = 0
    while state["status"] == "running":
        count += 1
        assert count < MOST
        typed(pages[state["player"]], command(state))
        expect(
            pages[state["player"]].locator(f'.told:not([data-version="{state["version"]}"])')
        ).to_be_visible()
        state = read_session(server, gathering)
        for page in pages:
            expect_version(page, state["version"])
    for page, heard, first in zip(pages, news, before, strict=True):
        reached = [
            (
                int(answer.url.partition("after=")[2].partition("&")[0]),
                int(answer.headers["etag"].strip('"').partition("-")[0]),
            )
            for answer in heard
        ]
        assert reached[0][0] == 0
        assert reached[-1][1] == state["version"]
        assert all(earlier[1] == later[0] for earlier, later in pairwise(reached))
        assert lines(page)[first:] == [
            line for answer in heard for line in answer_lines(answer.text())
        ]
        assert page.evaluate(FOCUSED) == "command"
    print(f"{game}: {count} commands, {state['version']} events, {len(lines(pages[0]))} lines")


LISTEN = """() => {
  window.heard = [];
  const said = (one) => one.ariaHidden || window.heard.push(one.textContent);
  const hear = (records) => records.forEach(({ addedNodes }) => addedNodes.forEach(said));
  new MutationObserver(hear).observe(document.querySelector("[role=log]"), { childList: true });
}"""
SCRIPT = ("draw bonus 400", "roll 132651", "keep 1 1", "roll 2346")


def answer_lines(text: str) -> list[str]:
    """Returns the non-empty lines of an answer as the page shows them."""
    return list(filter(None, text.splitlines()))


def sentences(
    server: Server, gathering: Gathering, path: str, seat: int, language: str = "en"
) -> list[str]:
    """Returns the service's own sentences for this seat."""
    address = f"/v1/sessions/{gathering.id}{path}seat={seat}"
    answer = server.ask("GET", address, b"", "Accept: text/plain", f"Accept-Language: {language}")
    return answer_lines(answer.body.decode())


def test_live_region_repeats_the_sentences_of_the_service(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    ada, ben = opened(at, gathering, 0), opened(at, gathering, 1, locale="de-DE")
    for page in (ada, ben):
        page.evaluate(LISTEN)
    for after, line in enumerate(SCRIPT):
        typed(ada, line)
        for seat, page, language in ((0, ada, "en"), (1, ben, "de")):
            expect_version(page, after + 1)
            path = f"/events?after={after}&"
            heard = page.evaluate("window.heard.splice(0)")
            assert heard == sentences(server, gathering, path, seat, language)


def test_text_mode_is_stored_and_left_by_a_command(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    page = at(gathering.link(0))
    expect(control(page, "draw")).to_be_visible()
    control(page, "text").check()
    expect(page.locator("#command")).to_be_focused()
    expect(control(page, "draw")).to_be_hidden()
    page.reload()
    expect(page.locator("#command")).to_be_focused()
    typed(page, "table")
    expect(control(page, "draw")).to_be_visible()
    expect(control(page, "text")).not_to_be_checked()
    page.reload()
    expect(control(page, "draw")).to_be_visible()
    expect(page.locator("#command")).to_have_count(0)


def test_dice_are_checked_by_typing(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    page = opened(at, gathering, 0)
    typed(page, "check")
    expect_last(page, "The game is not over yet.")
    play_event(server, gathering, {}, "abandon")
    expect_version(page, 1)
    typed(page, "fair")
    expect_last(page, "Complete.")
    assert lines(page)[-4:-1] == [
        "Fair: every roll follows from the seed.",
        "The seed matches the fingerprint from the beginning.",
        "Recomputed: 0 rolls and draws.",
    ]


def test_undo_after_the_computer_says_why(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee", bots=({"seat": 1, "level": "careful"},))
    for event in ({"type": "roll"}, {"type": "strike", "category": "royal"}):
        state = play_event(server, gathering, event)
    page = opened(at, gathering, 0)
    expect_version(page, state["version"])
    typed(page, "undo")
    reason = "The computer has moved since then, and its moves stay, so nothing can be undone here."
    expect_last(page, f"{reason} Play on from here.")


def test_text_mode_reloads_after_a_reset(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    play_event(server, gathering, {"type": "draw", "card": "bonus-400"})
    page = at(gathering.link(0).replace("#", "?text#"))
    expect_version(page, 1)
    page.locator("#command").fill("help")
    page.locator("#command").press("Enter")
    expect_last(page, "help: hear this list")
    reset_stream(page)
    told_anew = ["Type help to see the commands.", *sentences(server, gathering, "?", 0)]
    expect(page.locator(".told p")).to_have_text(told_anew)
    typed(page, "roll 132651")
    expect_version(page, 2)


def test_text_mode_is_accessible_on_the_smallest_phone(at: Opener, server: Server) -> None:
    page = opened(at, gathered(server, "tutto"), 0, bypass_csp=True)
    typed(page, "help")
    expect(page.locator(".told")).to_contain_text("rules T5.4")
    assert_accessible_everywhere(page)


# Keys of the drawn table ------------------------------------------------------------------------


def test_drawn_table_has_keys(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    page = at(gathering.link(0))
    status = page.locator("#status")
    play_event(server, gathering, {"type": "draw", "card": "bonus-400"})
    play_event(server, gathering, {"type": "roll", "dice": [1, 1, 2, 3, 5, 6]})
    dice = page.locator(".felt .die-button")
    expect(control(page, "die-5")).to_be_visible()
    expect(dice).to_have_count(6)
    chosen = page.locator(".felt .die-button[aria-pressed=true]")
    for key, number in (("1", 1), ("1", 2), ("5", 3), ("1", 1), ("5", 0), ("4", 0), ("1", 1)):
        page.keyboard.press(key)
        expect(chosen).to_have_count(number)
    for _ in range(2):
        page.keyboard.press("?")
        expect(status).to_contain_text("Bank 250.")
        page.keyboard.press("s")
        expect(status).to_have_text("Points: you 0, Ben 0.")
    control(page, "keys").uncheck()
    page.keyboard.press("b")
    control(page, "keys").check()
    assert read_session(server, gathering)["version"] == 2
    page.locator("#heading").click()
    page.keyboard.press("r")
    entry = page.locator('.log li[data-version="3"] .log-said')
    expect(entry).to_have_text("You set aside for 100.")
    expect(entry.get_by_role("img", name="1", exact=True)).to_have_count(1)
    play_event(server, gathering, {"type": "roll", "dice": [1, 1, 2, 3, 4]})
    expect(control(page, "bank")).to_be_visible()
    page.keyboard.press("b")
    expect(page.locator('.log li[data-version="5"]')).to_contain_text("You bank")


def test_keys_roll_and_draw_except_while_typing(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee")
    page = at(gathering.link(0))
    expect(control(page, "roll")).to_be_visible()
    control(page, "seed").focus()
    page.keyboard.type("rrr")
    expect(control(page, "seed")).to_have_value("rrr")
    assert read_session(server, gathering)["version"] == 0
    page.locator("#heading").click()
    page.keyboard.press("r")
    expect(page.locator(".felt .die-button")).to_have_count(6)
    for key, controls in (("x", ".strikes button"), ("w", "[data-key^=best-]")):
        page.keyboard.press(key)
        expect(page.locator(controls).first).to_be_focused()
