"""Bytes and requests of a visit, and the bounds on pages."""

import pytest
from playwright.sync_api import Page, Request, expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control
from tests.e2e.browser.gathering import gathered
from tests.engines.servers import wait_until
from tests.wire import Server

LIMIT = 150_000
"""Maximum bytes over the wire until a page is usable, API answers included."""


def weighed(page: Page, address: str, key: str) -> dict[str, int]:
    """Returns the bytes of every file that the page fetches until this control is used."""
    sizes: dict[str, int] = {}
    open_requests: set[Request] = set()
    pressed = False

    def began(request: Request) -> None:
        if request.resource_type != "eventsource":
            open_requests.add(request)

    def finished(request: Request) -> None:
        open_requests.discard(request)
        # The answer to the press is left out: its size depends on the roll.
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


def test_the_playground_is_light(at: Opener, origin: str) -> None:
    sizes = weighed(at("/livez"), f"{origin}/", "keep-chosen")
    assert len(sizes) <= 20, sizes.keys()
    assert sum(sizes.values()) < LIMIT, sizes


def test_a_table_that_people_play_at_is_light(at: Opener, server: Server) -> None:
    sizes = weighed(at("/livez"), gathered(server, "tutto").link(0), "draw")
    assert len(sizes) <= 30, sizes.keys()
    assert sum(sizes.values()) < LIMIT, sizes


@pytest.mark.parametrize("path", ["/", "/table"])
def test_start_pages_are_lighter(
    at: Opener, origin: str, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page, sizes = at("/livez"), dict[str, int]()
    page.on(
        "requestfinished",
        lambda request: sizes.update({request.url: request.sizes()["responseBodySize"]}),
    )
    page.goto(origin + path)
    page.wait_for_load_state("networkidle")
    with capsys.disabled():
        print(f"\n{path}: {sum(sizes.values()):,} bytes in {len(sizes)} requests")
    assert 0 < sum(sizes.values()) <= 110_000, sizes
    assert 0 < len(sizes) <= 20, sizes


@pytest.mark.parametrize(
    "path",
    ["/rules/tutto", "/rules/tutto/T5.2", "/play/tutto", "/guides/sessions", "/docs", "/embedding"],
)
def test_a_page_to_read_is_light(
    at: Opener, origin: str, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page, sizes = at("/livez"), []
    page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    page.goto(origin + path)
    page.wait_for_load_state("networkidle")
    assert 0 < sum(sizes) < LIMIT, sizes
    with capsys.disabled():
        print(f"\n{path}: {sum(sizes):,} bytes in {len(sizes)} requests")


def test_no_page_may_run_what_stands_in_it(at: Opener, origin: str) -> None:
    page = at("/livez", refused=True)
    for path in (
        "/",
        "/table",
        "/table/none",
        "/docs",
        "/embedding",
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
