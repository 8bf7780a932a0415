"""Links to seats: copied, shared, or shown as a QR code."""

import re
from typing import Any
from urllib.parse import urljoin

import pytest
import segno
from playwright.sync_api import Locator, Page, expect

from dice_referee.web.assets import version
from tests.e2e.browser.accessibility import SMALLEST_PHONE, assert_accessible, assert_fits
from tests.e2e.browser.conftest import PUBLIC, Opener
from tests.e2e.browser.controls import control
from tests.e2e.browser.gathering import Gathering, connection, gathered, play_event
from tests.e2e.browser.listening import listen, wait_heard
from tests.wire import Server

MARGIN = 4
MASKS = range(8)

SHARING = """
window.shared = [];
Navigator.prototype.share = (what) => {
  window.shared.push(what);
  return window.refusal ? Promise.reject(new DOMException("", window.refusal)) : Promise.resolve();
};
"""
ENCODE = """async ([path, text, border]) => {
  const { encode } = await import(path);
  const { data } = encode(text, { border });
  return data.flatMap((row, y) => row.flatMap((is, x) => (is ? [[x, y]] : [])));
}"""
NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', {value: undefined});"
NO_COPYING = NO_CLIPBOARD + "Document.prototype.execCommand = () => false;"


def visit(at: Opener, address: str, script: str) -> Page:
    """Opens an address in a page that this script has changed."""
    page = at("/livez", also=(urljoin(address, "/"),))
    page.add_init_script(script)
    page.goto(address)
    return page


def dark_modules(code: Locator) -> set[tuple[int, int]]:
    """Returns the dark modules of a QR code on the page, as columns and rows."""
    path = code.locator("path").get_attribute("d") or ""
    return {(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path)}


def for_phones(gathering: Gathering) -> Gathering:
    """Returns the gathering at the origin of its links."""
    return gathering._replace(origin=PUBLIC)


def codes(text: str) -> list[set[tuple[int, int]]]:
    """Returns the dark modules of the QR code of this text for each mask."""
    drawn = [
        segno.make_qr(text, error="l", boost_error=False, mask=mask).matrix_iter(border=MARGIN)
        for mask in MASKS
    ]
    return [
        {(x, y) for y, row in enumerate(code) for x, dark in enumerate(row) if dark}
        for code in drawn
    ]


def encoded(page: Page, text: str) -> set[tuple[int, int]]:
    """Returns the dark modules of a text by the page's own encoder, which a test checks."""
    modules = page.evaluate(ENCODE, [f"/static/{version()}/vendor/uqr/index.mjs", text, MARGIN])
    return {(x, y) for x, y in modules}


@pytest.mark.long
def test_qr_code_of_a_seat_is_made_without_a_request(at: Opener, server_for_phones: Server) -> None:
    server = server_for_phones
    gathering = gathered(server, "tutto", dice="client")
    page = at(gathering.link(0), also=(gathering.origin,))
    expect(connection(page)).to_have_text("Live")
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    control(page, "code-0").click()
    code = page.get_by_role("dialog", name="QR code: Ada").get_by_role("img")
    expect(code).to_be_visible()
    assert dark_modules(code) in codes(for_phones(gathering).link(0))
    loaded = [address for address in addresses if "/static/" in address]
    assert [address.rpartition("/static/")[2][13:] for address in loaded] == [
        "vendor/uqr/index.mjs"
    ]
    assert gathering.seats[0] not in "".join(addresses)

    # An event redraws the players and keeps the code open.
    play_event(server, gathering, {"type": "draw", "card": "double"})
    expect(page.locator(".log li")).to_have_count(1)
    expect(code).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(control(page, "code-0")).to_be_focused()


def test_host_has_all_links_and_a_player_only_their_own(
    at: Opener, server_for_phones: Server
) -> None:
    gathering = gathered(server_for_phones, "tutto")
    also = (gathering.origin,)
    host, ben = at(gathering.link("host"), also=also), at(gathering.link(1), also=also)
    control(host, "links").click()
    control(host, "reissue-0").click()
    control(host, "code-0").click()
    expect(host.get_by_role("dialog")).to_contain_text("Ada")
    control(host, "close-code").click()
    expect(host.get_by_role("dialog")).to_have_count(0)
    for key, name, address in (
        ("watch", "To watch", for_phones(gathering).address),
        ("host", "The host", for_phones(gathering).link("host")),
    ):
        control(host, f"code-{key}").click()
        dialog = host.get_by_role("dialog", name=f"QR code: {name}")
        assert dark_modules(dialog.get_by_role("img")) == encoded(host, address)
        control(host, "close-code").click()
        expect(control(host, f"code-{key}")).to_be_focused()
    expect(control(ben, "code-watch")).to_be_visible()
    expect(control(ben, "code-1")).to_be_visible()
    for key in ("copy-0", "code-0", "reissue-1", "copy-host", "code-host"):
        expect(control(ben, key)).to_have_count(0)


def test_link_is_shared_if_the_browser_can(at: Opener, server_for_phones: Server) -> None:
    gathering = gathered(server_for_phones, "tutto")
    page = visit(at, gathering.link(0), SHARING)
    link = for_phones(gathering).link(0)
    for refusal in (None, "AbortError"):
        page.evaluate("refusal => { window.refusal = refusal; }", refusal)
        control(page, "share-0").click()
        expect(control(page, "share-0")).to_be_visible()
    assert page.evaluate("window.shared.map(({url}) => url)") == [link] * 2
    page.evaluate("window.refusal = 'NotAllowedError'")
    control(page, "share-0").click()
    expect(page.locator(".link")).to_have_value(link)
    expect(page.locator(".link")).to_be_focused()

    plain = visit(at, gathering.link(0), "delete Navigator.prototype.share;")
    expect(control(plain, "copy-0")).to_be_visible()
    expect(control(plain, "share-0")).to_have_count(0)


def test_link_is_copied_without_the_secure_clipboard(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    page = visit(at, gathering.link(0), NO_CLIPBOARD)
    control(page, "copy-0").click()
    expect(control(page, "copy-0")).to_have_text("Copied")
    expect(control(page, "copy-0")).to_be_focused()
    control(page, "seed").evaluate("field => field.removeAttribute('maxlength')")
    control(page, "seed").press("ControlOrMeta+v")
    expect(control(page, "seed")).to_have_value(gathering.link(0))


def test_link_is_selected_if_copying_fails(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    page = visit(at, gathering.link(0), NO_COPYING)
    control(page, "copy-0").click()
    field = page.locator(".link")
    expect(field).to_have_value(gathering.link(0))
    selected = field.evaluate("field => [field.selectionStart, field.selectionEnd]")
    assert selected == [0, len(gathering.link(0))]


def test_qr_code_is_accessible_on_a_phone_in_dark_mode(
    at: Opener, server_for_phones: Server
) -> None:
    gathering = gathered(server_for_phones, "tutto")
    look: dict[str, Any] = {"viewport": SMALLEST_PHONE, "color_scheme": "dark"}
    page = at(gathering.link(0), also=(gathering.origin,), bypass_csp=True, **look)
    control(page, "menu").click()
    control(page, "code-0").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("img")).to_be_in_viewport(ratio=1)
    assert_accessible(page)
    assert_fits(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(control(page, "code-0")).to_be_visible()


def test_each_copy_of_a_link_is_announced(at: Opener) -> None:
    page = at("/", permissions=["clipboard-read", "clipboard-write"])
    expect(control(page, "share")).to_be_visible()
    page.wait_for_load_state("networkidle")
    listen(page)
    for _ in range(2):
        control(page, "share").click()
        assert wait_heard(page)[-1] == "Copied."


def test_loopback_address_has_no_code_and_names_make_play(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    page = visit(at, gathering.link(0), SHARING)
    expect(page.locator(".links > .hint")).to_contain_text("run “make play”")
    expect(control(page, "copy-0")).to_be_visible()
    for key in ("code-0", "share-0", "code-watch"):
        expect(control(page, key)).to_have_count(0)
