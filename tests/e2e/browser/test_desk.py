"""The felt on a desk and on a phone: cards keep their ratio, and the first choice is in view."""

from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, Page, ViewportSize, expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control
from tests.e2e.browser.gathering import gathered, play_event
from tests.e2e.browser.test_narrow import LOCALES
from tests.wire import Server

PHONE: ViewportSize = {"width": 360, "height": 740}
DESK: ViewportSize = {"width": 1440, "height": 900}
DESKS: list[ViewportSize] = [{"width": 1024, "height": 768}, {"width": 1280, "height": 720}]
LARGE = 72
"""Minimum width of a die from 1280 pixels on."""
POSITIONS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "tutto": (
        "tutto",
        [
            {"type": "draw", "card": "plus-minus"},
            {"type": "roll", "dice": [1, 1, 2, 3, 4, 6]},
            {"type": "keep", "dice": [1]},
            {"type": "roll", "dice": [5, 5, 2, 3, 4]},
        ],
    ),
    "yatzee": ("yatzee", [{"type": "roll", "dice": [1, 1, 2, 4, 5, 6]}]),
    "pot": ("pot", [{"type": "roll", "dice": [2, 2, 2]}]),
}
"""Positions of Ada with a choice: the game and its events."""
RATIOS = """() => [...document.querySelectorAll(".card")]
  .filter((card) => card.checkVisibility())
  .map(({ offsetWidth, offsetHeight }) => [offsetWidth, offsetHeight])"""


def laid(server: Server, name: str) -> Any:
    """Creates a table for Ada and Ben in this position."""
    game, events = POSITIONS[name]
    gathering = gathered(server, game, dice="client")
    for event in events:
        play_event(server, gathering, event)
    return gathering


def box(part: Locator) -> FloatRect:
    """Returns the place of an element in the window."""
    place = part.bounding_box()
    assert place
    return place


def expect_cards_alike(page: Page) -> None:
    cards = page.evaluate(RATIOS)
    assert cards
    for width, height in cards:
        # Half a pixel is lost at each edge.
        assert abs(height - width * 4 / 3) <= 1.5, (width, height)


def expect_choices_in_view(page: Page) -> None:
    """Expects all choices of the bar in view without scrolling."""
    expect(page.locator(".dock button").first).to_be_visible()
    for choice in page.locator(".dock button").all():
        expect(choice).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("window", [PHONE, DESK], ids=lambda window: window["width"])
def test_card_has_one_ratio_on_every_page(
    at: Opener, server: Server, origin: str, window: ViewportSize
) -> None:
    gathering = gathered(server, "tutto", dice="client")
    page = at("/livez", viewport=window, refused=True)
    paths = ["/rules", "/rules/tutto", "/rules/tutto/T5.2", "/guides", "/docs", "/nothing"]
    # Phones show neither card.
    paths += [] if window == PHONE else ["/embedding", "/table"]
    for path in paths:
        page.goto(origin + path)
        page.locator(".card:visible").first.wait_for()
        expect_cards_alike(page)
    # All cards to choose from, then a drawn card beside the pile.
    hand = at(gathering.link(0), viewport=window)
    expect(hand.locator(".hand .card")).to_have_count(11)
    expect_cards_alike(hand)
    for card in ("stop", "plus-minus"):
        play_event(server, gathering, {"type": "draw", "card": card})
        expect(hand.locator(f".spot .card-{card}")).to_be_visible()
        expect_cards_alike(hand)


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("window", DESKS, ids=lambda window: window["width"])
@pytest.mark.parametrize("name", POSITIONS)
def test_first_choice_at_a_desk_is_in_view(
    at: Opener, server: Server, window: ViewportSize, language: str, name: str
) -> None:
    page = at(laid(server, name).link(0), viewport=window, locale=LOCALES[language])
    expect_choices_in_view(page)


@pytest.mark.long
@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("window", DESKS, ids=lambda window: window["width"])
def test_invitation_at_a_desk_is_beside_the_first_choice(
    at: Opener, server_for_phones: Server, window: ViewportSize, language: str
) -> None:
    origin = f"http://localhost:{server_for_phones.port}"
    page = at(f"{origin}/table", also=(origin,), viewport=window, locale=LOCALES[language])
    control(page, "open").click()
    expect(page.locator(".qr .modules")).to_be_in_viewport(ratio=1)
    expect_choices_in_view(page)


@pytest.mark.long
@pytest.mark.parametrize("window", DESKS, ids=lambda window: window["width"])
@pytest.mark.parametrize("name", POSITIONS)
def test_dice_at_a_desk_are_large_and_centred(
    at: Opener, server: Server, name: str, window: ViewportSize
) -> None:
    page = at(laid(server, name).link(0), viewport=window)
    dice = page.locator(".slots .die")
    expect(dice.first).to_be_visible()
    places = [box(die) for die in dice.all()]
    assert all(place["width"] >= LARGE for place in places)
    assert len({place["y"] for place in places}) == 1
    play = box(page.locator(".play"))
    left = places[0]["x"] - play["x"]
    right = play["x"] + play["width"] - places[-1]["x"] - places[-1]["width"]
    assert abs(left - right) <= 2
    small = places[0]["width"]
    page.set_viewport_size({"width": 1440, "height": 900})
    assert box(dice.first)["width"] > small


def test_waiting_felt_shows_the_seats(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client", players=("Ada", "Ben", "Cleo"))
    play_event(server, gathering, {"type": "draw", "card": "bonus-300"})
    page = at(gathering.path, viewport=DESK)
    seats = page.locator(".places li")
    expect(seats).to_have_count(3)
    assert [text.split()[0] for text in seats.all_text_contents()] == ["Ada", "Ben", "Cleo"]
    expect(page.locator(".places .now")).to_contain_text("Ada")
    felt, row = box(page.locator(".felt")), box(page.locator(".places"))
    assert felt["y"] < row["y"]
    assert row["y"] + row["height"] < felt["y"] + felt["height"] < 900
    page.set_viewport_size(PHONE)
    expect(page.locator(".places")).to_be_hidden()
    # The coins of POT name the seats.
    pot = at(laid(server, "pot").link(1), viewport=DESK)
    expect(pot.locator(".purse").first).to_contain_text("Ada")
    expect(pot.locator(".places")).to_be_hidden()


@pytest.mark.long
@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("path", ["table", "playground"])
def test_pot_on_a_phone_begins_with_the_dice(
    at: Opener, server: Server, language: str, path: str
) -> None:
    roll = "roll=222&rolls_made=1&coins=12,10&pot=3&bank=30&player=0&holder=1&to_beat=5"
    link = laid(server, "pot").link(0) if path == "table" else f"/#pot?{roll}"
    page = at(link, viewport=PHONE, locale=LOCALES[language])
    expect_choices_in_view(page)
    head, dice, coins = (box(page.locator(part)) for part in (".verdict", ".slots", ".coins"))
    assert head["y"] < dice["y"] < coins["y"]
    cells = [box(cell) for cell in page.locator(".purse").all()]
    # The bank is the fourth cell of a row.
    assert len(cells) == 4
    assert len({(cell["y"], round(cell["width"])) for cell in cells}) == 1


CONTROLS = """() => [...document.querySelectorAll("button, select, input, summary")]
  .filter((control) => control.checkVisibility())
  .filter(({ className }) => !/rule|die-button|card-button/.test(className))
  .map((control) => control.textContent)"""


def test_paper_shows_rules_and_no_controls(at: Opener, server: Server) -> None:
    page = at("/rules/tutto", viewport=DESK)
    page.emulate_media(media="print")
    assert box(page.locator(".rules-list p").first)["width"] > 400
    page = at(laid(server, "tutto").link("host"), viewport=DESK)
    expect(page.locator(".people")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".slots .die").first).to_be_visible()
    assert page.evaluate(CONTROLS) == []
    colours = "it => [getComputedStyle(it).color, getComputedStyle(it).backgroundColor]"
    assert page.locator(".to-play").evaluate(colours) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]


def test_forced_colours_show_the_felt_and_the_sign(at: Opener, server: Server) -> None:
    page = at(laid(server, "tutto").link(0), viewport=DESK, forced_colors="active")
    expect(page.locator(".connection.live")).to_be_visible()
    width = "(it, part) => parseFloat(getComputedStyle(it, part).borderTopWidth)"
    assert page.locator(".felt").evaluate(width, None) >= 1
    # The border fills the sign.
    assert page.locator(".connection").evaluate(width, "::before") >= 4
