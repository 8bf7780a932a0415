"""Serious violations that axe-core reports on a page."""

import json
from typing import Any

from playwright.sync_api import Page, ViewportSize

from tests.programs import NODE_MODULES

AXE = NODE_MODULES / "axe-core" / "axe.min.js"
GRAVE = {"serious", "critical"}
CONTRAST = "color-contrast"
"""Only rule that the dark scheme alone can break."""
SMALLEST_PHONE: ViewportSize = {"width": 320, "height": 640}


def assert_accessible(page: Page, *rules: str) -> None:
    """Expects axe-core to find no serious violation of these rules, or of any rule by default."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text("utf-8"))
    how: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        how["runOnly"] = {"type": "rule", "values": rules}
    report: dict[str, Any] = page.evaluate("how => axe.run(document, how)", how)
    grave = [
        f"{fault['id']}: {json.dumps(node['target'])} {node['html'][:120]}"
        for fault in report["violations"]
        if fault["impact"] in GRAVE
        for node in fault["nodes"]
    ]
    assert not grave, grave


def assert_fits(page: Page) -> None:
    """Asserts that the page is no wider than the screen."""
    size = page.viewport_size
    assert size
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def assert_accessible_everywhere(page: Page) -> None:
    """Asserts contrast in the dark scheme, and every rule and the width in light and on a phone."""
    page.emulate_media(color_scheme="dark")
    assert_accessible(page, CONTRAST)
    page.emulate_media(color_scheme="light")
    assert_accessible(page)
    page.set_viewport_size(SMALLEST_PHONE)
    assert_fits(page)
    assert_accessible(page)
