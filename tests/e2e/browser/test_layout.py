"""Layout under stress: phones, many players, long names, wide letters, other colours."""

from functools import partial

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control
from tests.e2e.browser.gathering import gathered, play_event
from tests.engines.servers import wait_until
from tests.wire import Server

pytestmark = pytest.mark.long

PHONE: ViewportSize = {"width": 375, "height": 812}
SMALLEST: ViewportSize = {"width": 320, "height": 568}
MANY = tuple(f"Person {number}" for number in range(1, 11))
LONG = ("Maximiliane Charlotte", "Bartholomäus Konstantin", "Wilhelmina Alexandra")
WIDTH = 52
"""Minimum width of a die at a desk, in pixels."""
STOP = {"type": "draw", "card": "stop"}
"""Ends a turn of Tutto at once."""


@pytest.fixture
def on_phone(at: Opener) -> Opener:
    return partial(at, viewport=PHONE, has_touch=True, is_mobile=True)


def whose_turn(page: Page, name: str) -> None:
    """Expects the line over the table and the felt to show the player's turn."""
    now = page.locator(".strip .now")
    expect(now).to_contain_text(name)
    expect(now).to_be_in_viewport(ratio=0.98)
    expect(page.locator(".turn-of")).to_have_text(f"{name} to play")
    expect(page.locator(".turn-of")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("names", [("Ada", "Ben", "Cleo", "Dan"), LONG, MANY])
def test_phone_shows_whose_turn_it_is_with_many_players(
    on_phone: Opener, server: Server, names: tuple[str, ...]
) -> None:
    gathering = gathered(server, "tutto", dice="client", players=names)
    page = on_phone(gathering.link("host"))
    for name in (*names, names[0]):
        whose_turn(page, name)
        play_event(server, gathering, STOP)


def test_phone_shows_that_it_is_your_turn(on_phone: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    page = on_phone(gathering.link(1))
    play_event(server, gathering, STOP)
    expect(page.locator(".turn-of")).to_have_text("Your turn")
    expect(page.locator(".turn-of")).to_be_in_viewport(ratio=1)


def test_watcher_at_a_desk_sees_six_dice_in_a_row(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client", players=LONG)
    play_event(server, gathering, {"type": "draw", "card": "bonus-300"})
    play_event(server, gathering, {"type": "roll", "dice": [1, 2, 2, 3, 5, 6]})
    page = at(gathering.path, viewport={"width": 1280, "height": 800})
    expect(page.locator(".verdict-word")).to_have_text(f"{LONG[0]} chooses")
    # The heading has already named the player.
    expect(page.locator(".turn-of")).to_have_count(0)
    tops = page.locator(".slots .die").evaluate_all(
        "dice => dice.map(die => die.getBoundingClientRect()).map(({ top, width }) => [top, width])"
    )
    assert len(tops) == 6
    assert len({top for top, _ in tops}) == 1
    assert all(width > WIDTH for _, width in tops)


def bordered(page: Page, selector: str) -> int:
    """Returns the greatest width of an element's edge, in pixels."""
    width: int = page.locator(selector).first.evaluate(
        """element => {
          const style = getComputedStyle(element);
          const none = getComputedStyle(document.body).backgroundColor;
          return Math.max(...["Top", "Bottom"].map(side =>
            style[`border${side}Style`] === "none" || style[`border${side}Color`] === none
              ? 0 : parseFloat(style[`border${side}Width`])));
        }"""
    )
    return width


def test_forced_colours_show_the_player_and_the_page(on_phone: Opener, server: Server) -> None:
    gathering = gathered(server, "pot")
    page = on_phone(gathering.link("host"), forced_colors="active")
    expect(page.locator(".strip .now")).to_be_visible()
    assert bordered(page, ".strip .now") >= 2
    assert bordered(page, ".strip li:not(.now)") == 0
    assert bordered(page, ".purse.now") >= 2
    control(page, "menu").tap()
    assert bordered(page, "#top nav [aria-current]") >= 2
    assert bordered(page, "#top nav a:not([aria-current])") == 0
    assert bordered(page, ".people .now") >= 2


TURNED = "A\u202edlrow\u2066B"


def test_right_to_left_names_keep_their_neighbours_in_order(at: Opener, server: Server) -> None:
    gathering = gathered(server, "pot", dice="client", players=("דנה 7", "Ben", "Ada"), target=5)
    page = at(gathering.link("host"))
    heading = page.locator("#heading")
    expect(heading).to_have_text("POT · \u2068דנה 7\u2069, Ben, Ada")
    expect(page.locator(".verdict-word")).to_have_text("\u2068דנה 7\u2069 to play")
    play_event(server, gathering, {"type": "roll", "dice": [1, 2, 4]})
    expect(page.locator(".log-said").first).to_contain_text("\u2068דנה 7\u2069 rolls")
    for text in page.locator("#board, #beside, #status").all_text_contents():
        assert not {"\u202e", "\u2066"} & set(text)


def test_name_fields_follow_the_direction_of_the_name(at: Opener) -> None:
    page = at("/table")
    control(page, "player-0").fill("דנה")
    assert control(page, "player-0").evaluate("it => getComputedStyle(it).direction") == "rtl"
    control(page, "player-1").fill(TURNED)
    control(page, "more").click()
    expect(page.locator("#here option").nth(1)).to_have_text("A dlrow B")


STICKY = """(scroller) => {
  scroller.scrollTo(scroller.scrollWidth, scroller.scrollHeight);
  const place = scroller.getBoundingClientRect();
  const [row] = [...scroller.querySelectorAll("tbody tr")].slice(-1);
  const [category, number] = [row.cells[0], row.cells[row.cells.length - 2]];
  const name = scroller.querySelector("thead tr").cells[row.cells.length - 2];
  const inside = (cell) => {
    const own = cell.getBoundingClientRect();
    const [x, y] = [own.left + own.width / 2, own.top + own.height / 2];
    const over = document.elementFromPoint(x, y);
    return x > place.left && x < place.right && y > place.top - 1 && cell.contains(over);
  };
  return [category, number, name].map(inside);
}"""


def test_long_sheet_keeps_category_and_player_in_view(on_phone: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee", dice="client", players=MANY)
    page = on_phone(gathering.link("host"))
    scroller = page.locator(".sheet-scroll")
    scroller.scroll_into_view_if_needed()
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    assert scroller.evaluate(STICKY) == [True, True, True]
    before = scroller.evaluate("it => [it.scrollLeft, it.scrollTop]")
    play_event(server, gathering, {"type": "roll", "dice": [1, 2, 3, 4, 5, 6]})
    expect(page.locator('[data-key^="best-"]').first).to_be_visible()
    assert scroller.evaluate("it => it.scrollLeft") == before[0] > 0
    assert scroller.evaluate("it => it.scrollTop") > 0


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR", "it-IT"])
def test_accessible_name_begins_with_the_visible_label(
    at: Opener, server: Server, locale: str
) -> None:
    gathering = gathered(server, "yatzee", dice="client")
    play_event(server, gathering, {"type": "roll", "dice": [1, 2, 3, 4, 5, 6]})
    page = at(gathering.link(0), locale=locale)
    best = page.locator('.choices [data-key^="best-"]').first
    seen = " ".join((best.text_content() or "").split())
    called = best.get_attribute("aria-label") or ""
    assert seen
    assert called.startswith(seen)
    assert len(called) > len(seen) + 4


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/", "To the table"),
        ("/table", "To the content"),
        ("/rules/tutto", "To the content"),
        ("/problems/not-found", "To the content"),
        ("/nothing", "To the content"),
    ],
)
def test_skip_link_names_its_target(at: Opener, path: str, text: str) -> None:
    page = at(path, refused=True)
    expect(page.locator("#language")).to_be_attached()
    expect(page.locator(".skip")).to_have_text(text)


WIDE = ("W" * 40, "M" * 40, "Ada")
SPACED = """* { line-height: 1.5 !important; letter-spacing: .12em !important;
  word-spacing: .16em !important; } p { margin-bottom: 2em !important; }"""
"""Text spacing that readers may apply (WCAG 1.4.12)."""
TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  const scrolls = "pre, .strip, .sheet-scroll, .tools, .unseen, .connection, h1";
  const visible = [...document.querySelectorAll("body *")].filter(one => one.checkVisibility()
    && !one.closest(scrolls));
  const out = visible.filter(one => one.getBoundingClientRect().right > width + 1);
  const cut = visible.filter(one => getComputedStyle(one).overflowX === "hidden"
    && one.scrollWidth > one.clientWidth + 1);
  return [...out, ...cut].map(one => `${one.tagName}.${one.getAttribute("class")}`);
}"""
DRAWN: dict[str, dict[str, object]] = {
    "tutto": {"type": "draw", "card": "plus-minus"},
    "pot": {"type": "roll", "dice": [1, 2, 4]},
    "yatzee": {"type": "roll", "dice": [1, 2, 3, 4, 5, 6]},
}


@pytest.mark.parametrize("game", ["tutto", "pot", "yatzee"])
def test_names_of_forty_wide_letters_fit_the_smallest_phone(
    at: Opener, server: Server, game: str
) -> None:
    gathering = gathered(server, game, dice="client", players=WIDE)
    page = at(gathering.link(0), viewport=SMALLEST)
    for event in (None, DRAWN[game]):
        if event:
            play_event(server, gathering, event)
            expect(page.locator(".log li")).to_have_count(1)
        expect(page.locator(".felt")).to_be_visible()
        assert page.evaluate(TOO_WIDE) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= SMALLEST["width"]
    control(page, "menu").click()
    expect(page.locator("p.who")).to_be_visible()
    assert page.evaluate(TOO_WIDE) == []


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR", "it-IT"])
def test_spaced_letters_fit_the_smallest_phone(at: Opener, server: Server, locale: str) -> None:
    gathering = gathered(server, "pot", dice="client")
    play_event(server, gathering, DRAWN["pot"])
    cards = gathered(server, "tutto", dice="client").link("host")
    for path in (gathering.link("host"), cards, "/#tutto"):
        page = at(path, viewport=SMALLEST, locale=locale, bypass_csp=True)
        page.locator(".felt button:visible").first.wait_for()
        if path == "/#tutto":
            control(page, "card-clover").wait_for()
        assert page.evaluate(TOO_WIDE) == []
        page.add_style_tag(content=SPACED)
        assert page.evaluate(TOO_WIDE) == []


@pytest.mark.parametrize("path", ["/", "/table", None])
def test_slow_network_shows_a_notice_and_loads_at_once(
    at: Opener, server: Server, path: str | None
) -> None:
    gathering = gathered(server, "tutto")
    page = at("/livez", viewport=PHONE)
    held: list[Route] = []
    page.route("**/*.js", lambda route: held.append(route))
    address = gathering.origin + path if path else gathering.link(0)
    page.goto(address, wait_until="commit")
    expect(page.locator(".loading")).to_be_in_viewport(ratio=1)
    files = page.locator("script[type=module]")
    wait_until("the page is parsed", lambda: page.evaluate("document.readyState") == "interactive")
    wait_until("all files are requested", lambda: len(held) >= files.count() > 0)
    assert len(held) == files.count()
    # Without the route, held requests continue.
    page.unroute("**/*.js")
    expect(page.locator(".loading")).to_have_count(0)
    expect(page.locator("main button").first).to_be_visible()


def test_press_before_the_connection_is_executed(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    page = at("/livez")
    held: list[Route] = []
    page.route("**/v1/**", lambda route: held.append(route))
    page.goto(gathering.link(0), wait_until="commit")
    expect(page.locator("#connection")).to_have_text("Connecting …")
    page.unroute("**/v1/**")
    expect(page.locator("#connection")).to_have_text("Live")


SHIFTS = """() => {
  window.shifted = 0;
  const watch = (list) => list.getEntries().forEach(({ value, hadRecentInput }) =>
    (window.shifted += hadRecentInput ? 0 : value));
  new PerformanceObserver(watch).observe({ type: "layout-shift", buffered: true });
}"""


WINDOWS: list[ViewportSize] = [
    {"width": 360, "height": 740},
    {"width": 768, "height": 1024},
    {"width": 1440, "height": 900},
]


@pytest.mark.parametrize("window", WINDOWS, ids=lambda window: window["width"])
@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR", "it-IT"])
def test_playground_loads_without_shifts(at: Opener, window: ViewportSize, locale: str) -> None:
    page = at("/livez", viewport=window, locale=locale)
    page.add_init_script(f"({SHIFTS})()")
    page.goto(page.url.removesuffix("/livez"))
    expect(page.locator("#tools button")).to_have_count(4)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.shifted") <= 0.02
    # The felt with all decisions is in view first.
    assert page.locator(".felt").evaluate("it => it.getBoundingClientRect().top") <= 260
    expect(control(page, "bank")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(
    "path",
    ["/", "/#yatzee", "/table", "/embedding", "/rules/tutto", "/play/tutto", "/docs", "/guides"],
)
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_page_loads_without_shifts(at: Opener, path: str, width: int) -> None:
    assert shift(at, path, width) <= 0.02


def shift(at: Opener, path: str, width: int) -> float:
    """Returns the layout shift of a page until its network is idle."""
    page = at("/livez", viewport={"width": width, "height": 740})
    page.add_init_script(f"({SHIFTS})()")
    page.goto(page.url.removesuffix("/livez") + path)
    expect(page.locator("#language")).to_be_visible()
    expect(page.locator(".loading")).to_have_count(0)
    page.wait_for_load_state("networkidle")
    shifted: float = page.evaluate("window.shifted")
    print(f"layout shift {path}: {shifted:.3f}")
    return shifted


@pytest.mark.parametrize("game", ["tutto", "pot"])
def test_felt_fills_a_desktop_screen_while_waiting(at: Opener, server: Server, game: str) -> None:
    gathering = gathered(server, game)
    waiting = at(gathering.link(1), viewport=WINDOWS[2])
    expect(waiting.locator("#lobby li")).to_have_count(2)
    felt, seats = (waiting.locator(part).bounding_box() for part in (".felt", "#lobby"))
    assert felt
    assert seats
    assert felt["height"] == 640
    # The seats are at its lower edge.
    assert felt["y"] < seats["y"] < felt["y"] + 640
    own = at(gathering.link(0), viewport=WINDOWS[2])
    expect(own.locator(".dock")).to_be_visible()
    felt = own.locator(".felt").bounding_box()
    assert felt
    assert felt["height"] < 640
