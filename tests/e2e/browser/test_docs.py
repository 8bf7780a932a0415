"""Contract as pages: operations are found, read and tried out, also on a slow phone."""

import json
import time

from playwright.sync_api import Page, expect

from tests.e2e.browser.conftest import Opener

SLOW_4G = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
"""Slow network in Chromium's terms: milliseconds, and bytes per second."""


def tried(page: Page) -> str:
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#answer-status")).to_have_text("200 OK")
    # The status appears before the text.
    expect(page.locator("#answer")).not_to_be_empty()
    return page.locator("#answer").inner_text()


def test_operation_can_be_tried_out_in_the_documentation(at: Opener) -> None:
    page = at("/docs")
    page.get_by_role("link", name="/v1/tutto/adjudications", exact=False).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Adjudicate a roll")
    assert json.loads(tried(page))["ruleset"] == "abacus-2013"
    expect(page.locator("#curl")).to_contain_text("-H 'Content-Type: application/json'")


def test_chosen_example_and_parameter_are_sent(at: Opener) -> None:
    page = at("/docs/adjudicateTutto")
    page.get_by_label("Example").select_option(label="A Niete loses the turn")
    assert json.loads(tried(page))["status"] == "niete"
    page = at("/docs/getRule")
    page.get_by_label("Accept-Language").fill("de")
    page.get_by_label("game", exact=True).fill("tutto")
    page.get_by_label("number", exact=True).fill("T1.2")
    assert "Einzelwürfel" in json.loads(tried(page))["text"]


def test_refusal_is_shown_as_sent(at: Opener) -> None:
    page = at("/docs/adjudicateTutto", refused=True)
    page.get_by_label("Request body").fill('{"card": 1}')
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#answer-status")).to_have_text("400 Bad Request")
    expect(page.locator("#answer")).to_contain_text("/problems/invalid-request")


def test_reference_is_usable_on_a_slow_phone(at: Opener, origin: str) -> None:
    """Measures with a simulated network and processor. The bound is generous."""
    page = at("/livez", viewport={"width": 360, "height": 740})
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.emulateNetworkConditions", {"offline": False, **SLOW_4G})
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    began = time.monotonic()
    page.goto(f"{origin}/docs")
    page.get_by_role("link", name="/v1/tutto/adjudications", exact=False).first.click()
    page.get_by_role("button", name="Send").wait_for()
    print(f"an operation can be tried out after {time.monotonic() - began:.1f} s on slow 4G")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    tried(page)
