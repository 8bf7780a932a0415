"""Bytes and requests of a visit, and the bounds on pages."""

import pytest
from playwright.sync_api import Page, Request, expect

from dice_referee.web.assets import asset, files
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control
from tests.e2e.browser.gathering import gathered
from tests.engines.servers import wait_until
from tests.wire import Server

LIMIT = 150_000
"""Maximum bytes over the wire until a page is usable, API answers included."""


OWN = ("document", "script", "stylesheet")
"""Types of requests for the page's own files."""


def fetched_bytes(page: Page, address: str, key: str) -> dict[str, int]:
    """Returns the bytes of every file that the page fetches until this control is used."""
    sizes: dict[str, int] = {}
    open_requests: set[Request] = set()
    pressed = False

    def began(request: Request) -> None:
        if not request.url.endswith("/stream?state=true"):
            open_requests.add(request)

    def finished(request: Request) -> None:
        open_requests.discard(request)
        # The answer to the press is excluded, since its size depends on the roll.
        if not pressed or request.method == "GET":
            sizes[request.url] = request.sizes()["responseBodySize"]

    page.on("request", began)
    page.on("requestfinished", finished)
    page.goto(address)
    expect(control(page, key)).to_be_enabled()
    pressed = True
    control(page, key).click()
    expect(control(page, key)).to_have_count(0)
    wait_until("all files have arrived", lambda: bool(page.title() and not open_requests))
    return sizes


def test_playground_is_light(at: Opener, origin: str) -> None:
    sizes = fetched_bytes(at("/livez"), f"{origin}/", "keep-chosen")
    assert len(sizes) <= 20, sizes.keys()
    assert sum(sizes.values()) < LIMIT, sizes


def test_live_table_is_light(at: Opener, server: Server) -> None:
    sizes = fetched_bytes(at("/livez"), gathered(server, "tutto").link(0), "draw")
    assert len(sizes) <= 30, sizes.keys()
    assert sum(sizes.values()) < LIMIT, sizes


def fetched(page: Page, address: str) -> list[Request]:
    """Returns the requests of a page until its network is idle."""
    requests: list[Request] = []
    page.on("requestfinished", lambda request: requests.append(request))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return requests


def weight(requests: list[Request]) -> int:
    """Returns the bytes over the wire of the answers, without headers."""
    return sum(request.sizes()["responseBodySize"] for request in requests)


@pytest.mark.parametrize("path", ["/", "/table"])
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_start_pages_stay_below_their_limits(
    at: Opener, origin: str, path: str, locale: str, capsys: pytest.CaptureFixture[str]
) -> None:
    requests = fetched(at("/livez", locale=locale), origin + path)
    own = [request for request in requests if request.resource_type in OWN]
    with capsys.disabled():
        print(
            f"\n{path} {locale}: {weight(requests):,} bytes in {len(requests)} requests,"
            f" {weight(own):,} in {len(own)} of its own"
        )
    assert 0 < weight(own) <= 60_000
    assert 0 < len(own) <= 8
    assert weight(requests) <= 110_000
    assert len(requests) <= 14


def test_style_sheets_are_small() -> None:
    sheets = [len(asset(name)) for name in files() if name.endswith(".css")]
    assert 0 < sum(sheets) <= 69_000


@pytest.mark.parametrize(
    "path",
    ["/rules/tutto", "/rules/tutto/T5.2", "/play/tutto", "/guides/sessions", "/docs", "/embedding"],
)
def test_reading_page_is_light(
    at: Opener, origin: str, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    requests = fetched(at("/livez"), origin + path)
    with capsys.disabled():
        print(f"\n{path}: {weight(requests):,} bytes in {len(requests)} requests")
    assert 0 < weight(requests) <= 130_000


def test_pages_forbid_and_contain_no_inline_code(at: Opener, origin: str) -> None:
    page = at("/livez", refused=True)
    for path in (
        "/",
        "/table",
        "/table/none",
        "/docs",
        "/embedding",
        "/problems/not-found",
        "/rules/pot/P4.5",
        "/play/tutto",
        "/guides",
    ):
        answer = page.goto(origin + path)
        assert answer
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy, path
        assert "default-src 'none'" in policy, path
        for inline in ("<style", "style=", "onclick", "<script>"):
            assert inline not in answer.text(), path
        expect(page.locator("#top nav a[aria-current]")).to_have_count(1)
