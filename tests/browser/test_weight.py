"""What a visitor has to fetch, and what the pages may do."""

import pytest
from playwright.sync_api import Request, expect

from tests.browser.conftest import Opener
from tests.browser.playing import control

LIMIT = 100_000
"""Bytes over the wire until the playground can be used, what the API answers included."""


def test_the_playground_is_light(at: Opener) -> None:
    sizes: dict[str, int] = {}

    def finished(request: Request) -> None:
        sizes[request.url] = request.sizes()["responseBodySize"]

    # Nobody else asks for this language, so nothing is cached yet.
    page = at("/livez", locale="en-NZ")
    page.on("requestfinished", finished)
    page.goto(page.url.replace("/livez", "/"))
    control(page, "card-double").click()
    page.wait_for_load_state("networkidle")
    assert len(sizes) > 20
    assert sum(sizes.values()) < LIMIT, sizes


@pytest.mark.parametrize("path", ["/", "/docs", "/embedding"])
def test_no_page_may_run_what_stands_in_it(at: Opener, path: str) -> None:
    page = at(path)
    answer = page.request.get(page.url)
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    for inline in ("<style", "style=", "onclick", "<script>"):
        assert inline not in answer.text()
    expect(page.locator("#top nav a[aria-current]")).to_have_count(1)
