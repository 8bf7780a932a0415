"""The contract as pages, from this service alone, under a policy without exceptions for style."""

import json

from playwright.sync_api import expect

from tests.e2e.browser.conftest import Opener


def test_an_operation_is_tried_out_in_the_documentation(at: Opener) -> None:
    page = at("/docs")
    operation = page.locator(".opblock", has_text="/v1/tutto/adjudications").first
    operation.locator(".opblock-summary-control").click()
    operation.get_by_role("button", name="Execute").click()
    answer = operation.locator(".live-responses-table .response").first
    expect(answer).to_contain_text("200")
    shown = answer.locator(".highlight-code, .microlight").first.inner_text()
    assert json.loads(shown[shown.index("{") : shown.rindex("}") + 1])["ruleset"] == "abacus-2013"
    expect(operation.locator(".request-url")).to_contain_text("/v1/tutto/adjudications")
