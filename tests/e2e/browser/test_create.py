"""Form that opens a table, keeps its input and names mistakes."""

import json

import pytest
from playwright.sync_api import Locator, Page, Route, ViewportSize, expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control, put, verdict
from tests.e2e.browser.gathering import (
    gathering_at,
    name_players,
    read_session,
)
from tests.e2e.browser.test_live import TABLE
from tests.wire import Server

BOUNDS = "A whole number from 50 to 1,000,000"
SESSIONS = "**/v1/sessions"
DESK: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}
PLACES = """() => [...document.querySelectorAll(
  ":is(button, a, summary, select, input):not(.steps *, .create > .actions *)")].map((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return [one.dataset.key ?? one.id, Math.round(top + scrollY), Math.round(bottom + scrollY)];
})"""
"""Script that returns the positions of all controls.

Except those in the list of requests, and in the bar that stays at the edge of the window.
"""


def opened(page: Page, server: Server) -> dict[str, object]:
    """Submits the form and returns the state of the new table."""
    control(page, "open").click()
    expect(page).to_have_url(TABLE)
    state: dict[str, object] = read_session(server, gathering_at(page))
    return state


def test_invalid_house_rule_opens_no_table(at: Opener, server: Server) -> None:
    page = at("/table")
    control(page, "more").click()
    target = control(page, "option-target")
    target.fill("6000.5")
    target.press("Tab")
    expect(target).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert")).to_have_text(BOUNDS)
    control(page, "more").click()
    control(page, "open").click()
    expect(target).to_be_focused()
    target.fill("700")
    options = opened(page, server)["options"]
    assert isinstance(options, dict)
    assert options["target"] == 700


def refuse(route: Route) -> None:
    """Answers with a 429."""
    problem = {
        "type": "/problems/rate-limited",
        "title": "Too many",
        "detail": "Wait.",
        "errors": [],
        "findings": [],
    }
    route.fulfill(status=429, content_type="application/problem+json", body=json.dumps(problem))


@pytest.mark.parametrize("answers", [True, False])
def test_refused_table_keeps_the_focus_and_shows_the_reason(at: Opener, answers: bool) -> None:
    page = at("/table", refused=True, cut=True, viewport={"width": 360, "height": 500})
    page.route(SESSIONS, refuse if answers else lambda route: route.abort())
    control(page, "open").press("Enter")
    reason = page.get_by_role("alert")
    expect(reason).to_contain_text("Too many" if answers else "No answer came")
    expect(reason).to_be_in_viewport(ratio=1)
    expect(control(page, "open")).to_be_focused()
    expect(control(page, "open")).not_to_have_attribute("aria-disabled", "true")
    control(page, "more").click()
    control(page, "option-target").fill("1500")
    before = page.evaluate(PLACES)
    control(page, "option-target").press("Tab")
    expect(page.locator(".differs")).to_have_count(1)
    assert page.evaluate(PLACES) == before


def chosen(page: Page, key: str) -> str:
    """Returns the chosen entry of a list."""
    text: str = control(page, key).evaluate("list => list.selectedOptions[0].text")
    return text


def add_players(page: Page, count: int) -> None:
    for _ in range(count):
        control(page, "add-player").click()


def test_surplus_players_return_with_a_larger_game(at: Opener, server: Server) -> None:
    page = at("/table")
    add_players(page, 5)
    names = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Fay", "Gus")
    name_players(page, *names)
    control(page, "more").click()
    control(page, "here").select_option(label="Gus")
    control(page, "game-pot").click()
    expect(page.locator(".names input")).to_have_count(5)
    expect(page.locator("#form")).to_contain_text("At most 5 can play POT: without Fay, Gus.")
    assert chosen(page, "here") == "Ada"
    control(page, "game-tutto").click()
    expect(page.locator(".names input")).to_have_count(7)
    assert [field.input_value() for field in page.locator(".names input").all()] == [*names]
    assert chosen(page, "here") == "Gus"
    control(page, "game-pot").click()
    expect(page.locator(".names input")).to_have_count(5)
    assert opened(page, server)["players"] == [*names[:5]]


def test_perfect_play_is_offered_for_solved_rules(at: Opener, server: Server) -> None:
    page = at("/table")
    level, hint = control(page, "plays-1"), page.get_by_text("Perfect:")
    level.select_option("perfect")
    expect(hint).to_contain_text("wins most games of two")
    add_players(page, 1)
    expect(level).to_have_value("best")
    expect(level.locator("option")).to_have_count(4)
    expect(hint).to_have_count(0)
    expect(page.get_by_text("Perfect needs 2 players")).to_be_visible()
    control(page, "game-yatzee").click()
    expect(level).to_have_value("perfect")
    expect(hint).to_contain_text("most points on average")
    control(page, "more").click()
    control(page, "option-upper_bonus").fill("35")
    control(page, "option-upper_bonus").press("Tab")
    expect(level).to_have_value("best")
    expect(page.get_by_text("Perfect needs the published rules")).to_be_visible()
    control(page, "game-pot").click()
    expect(page.locator("#form")).to_contain_text("POT")
    expect(level.locator("option")).to_have_count(4)
    control(page, "out-2").click()
    control(page, "game-tutto").click()
    expect(level).to_have_value("perfect")
    assert opened(page, server)["bots"] == [{"seat": 1, "level": "perfect"}]


def turn_off(route: Route) -> None:
    """Answers like a service without sessions."""
    if route.request.method == "GET":
        answer = route.fetch()
        body = answer.text().replace('"sessions" content="on"', '"sessions" content="off"')
        route.fulfill(response=answer, body=body)
        return
    problem = {"type": "/problems/sessions-away", "title": "Away", "detail": "Switched off."}
    route.fulfill(status=503, content_type="application/problem+json", body=json.dumps(problem))


def test_form_says_at_once_that_sessions_are_off(at: Opener, origin: str) -> None:
    page = at("/livez", cut=True)
    page.route(f"{origin}/table", turn_off)
    page.route(SESSIONS, turn_off)
    page.goto(f"{origin}/table")
    expect(page.get_by_role("alert")).to_have_text("Away Switched off.")
    expect(control(page, "open")).to_have_count(0)
    page.locator("#language").select_option("de")
    expect(page.locator("#heading")).to_have_text("Zusammen spielen, jeder am eigenen Gerät.")
    expect(page.get_by_role("alert")).to_have_text("Away Switched off.")


def test_equal_names_are_refused_before_opening(at: Opener, server: Server) -> None:
    page = at("/table")
    name_players(page, "Ada", " Ada")
    control(page, "open").click()
    expect(page.get_by_role("alert")).to_have_text(
        "Two players are called Ada. Give one of them another name."
    )
    expect(control(page, "player-1")).to_have_attribute("aria-invalid", "true")
    expect(control(page, "player-1")).to_be_focused()
    name_players(page, "Ada", "Ben")
    assert opened(page, server)["players"] == ["Ada", "Ben"]
    expect(page.locator(".strip")).to_have_count(1)


def press(
    page: Page, pressed: Locator, meanwhile: str = "() => {}", about: int | None = None
) -> None:
    """Presses with the mouse and runs a script between down and up."""
    pressed.scroll_into_view_if_needed()
    box = pressed.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.evaluate(meanwhile, about)
    page.mouse.up()


@pytest.mark.parametrize("touch", [False, True])
def test_press_that_leaves_a_field_opens_the_table(at: Opener, server: Server, touch: bool) -> None:
    page = at("/table", viewport=PHONE if touch else DESK, has_touch=touch, is_mobile=touch)
    control(page, "more").click()
    control(page, "option-target").fill("1500")
    if touch:
        control(page, "open").tap()
    else:
        press(page, control(page, "open"))
    expect(page).to_have_url(TABLE)
    state = read_session(server, gathering_at(page))
    assert state["options"] == {"target": 1500}


@pytest.mark.parametrize(
    ("path", "viewport", "locale"),
    [
        ("/table", PHONE, "de-DE"),
        ("/table", DESK, "en-GB"),
        ("/#tutto", PHONE, "fr-FR"),
        ("/#yatzee", DESK, "it-IT"),
    ],
)
def test_leaving_a_field_shifts_nothing(
    at: Opener, path: str, viewport: ViewportSize, locale: str
) -> None:
    page = at(path, viewport=viewport, locale=locale)
    control(page, "more" if path == "/table" else "house").click()
    field = page.locator(".numbers input").first
    for entry, state in (("-99", "[aria-invalid=true]"), ("900", ".differs")):
        field.fill(entry)
        before = page.evaluate(PLACES)
        field.press("Tab")
        expect(page.locator(state)).to_have_count(1)
        assert page.evaluate(PLACES) == before
    assert control(page, "ruleset-only").get_attribute("aria-disabled") is None
    control(page, "ruleset-only").click()
    expect(page.locator(".differs")).to_have_count(0)
    expect(control(page, "ruleset-only")).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_leaving_a_name_shifts_nothing(at: Opener, viewport: ViewportSize) -> None:
    page = at("/table", viewport=viewport)
    for name in ("Ada", "Ada von und zu Lovelace auf Ockham Park"):
        name_players(page, name, name)
        before = page.evaluate(PLACES)
        control(page, "player-1").press("Tab")
        expect(page.get_by_role("alert")).to_contain_text("Two players are called")
        assert page.evaluate(PLACES) == before
        name_players(page, name, "Ben")
        expect(page.get_by_role("alert")).to_have_count(0)
        assert page.evaluate(PLACES) == before


MOVED = """() => document.getElementById("form").before(
  Object.assign(document.createElement("p"), { style: "height: 200px" }))"""
REDRAWN = f"""() => {{
  ({MOVED})();
  document.querySelector("[data-key=dice-client]").click();
}}"""


@pytest.mark.parametrize("meanwhile", [MOVED, REDRAWN], ids=["moved", "redrawn"])
def test_moving_button_is_still_pressed(at: Opener, meanwhile: str) -> None:
    page = at("/table", viewport=DESK)
    press(page, control(page, "add-player"), meanwhile)
    expect(page.locator(".names input")).to_have_count(3)


MORE = """async (count) => {
  const steps = document.getElementsByClassName("step");
  while (steps.length === count) await new Promise(requestAnimationFrame);
}"""
"""Script that waits until the page has made more requests than this number."""


def test_request_line_that_moves_during_a_press_opens(at: Opener) -> None:
    page = at("/#tutto?card=double&roll=115556", viewport=DESK)
    control(page, "house").click()
    control(page, "keep-chosen").click()
    put(page, "1")
    # The page shows the last answer.
    expect(verdict(page)).to_contain_text("Tutto")
    steps = page.locator(".step")
    first = steps.last
    expect(first).not_to_have_attribute("open", "")
    control(page, "option-target").fill("1500")
    press(page, first.locator("summary"), MORE, steps.count())
    expect(first).to_have_attribute("open", "")


def test_every_button_of_the_form_has_the_page_style(at: Opener) -> None:
    page = at("/table")
    control(page, "more").click()
    control(page, "option-target").fill("1500")
    control(page, "option-target").press("Tab")
    grey = page.evaluate(
        """() => {
          const plain = document.body.appendChild(document.createElement("button"));
          const { backgroundColor } = getComputedStyle(plain);
          plain.remove();
          const buttons = [...document.querySelectorAll("#form button")];
          return buttons.filter((one) => getComputedStyle(one).backgroundColor === backgroundColor)
            .map(({ textContent }) => textContent);
        }"""
    )
    assert grey == []


@pytest.mark.parametrize(
    "locale",
    [
        "de-DE",
        *(pytest.param(locale, marks=pytest.mark.long) for locale in ("en-GB", "fr-FR", "it-IT")),
    ],
)
def test_table_opens_after_game_opponents_and_a_click(
    at: Opener, server: Server, locale: str
) -> None:
    page = at("/table", viewport=PHONE, locale=locale)
    expect(control(page, "open")).to_be_in_viewport(ratio=1)
    # A single button is primary, and settings with good defaults are folded.
    expect(page.locator("#form :is(.gold, .strong)")).to_have_count(1)
    expect(page.locator("#form fieldset:visible")).to_have_count(2)
    expect(control(page, "here")).to_be_hidden()
    expect(page.locator("[data-key^=game-]").first).to_have_attribute("data-key", "game-tutto")
    # Only names have a choice of player.
    control(page, "plays-1").select_option("best")
    state = opened(page, server)
    assert state["game"] == "tutto"
    assert state["bots"] == [{"seat": 1, "level": "best"}]
