"""Listener to a page that records every text of its live region, in order."""

from playwright.sync_api import Page

LISTEN = """(region) => {
  region.heard = [];
  const hear = () => region.textContent && region.heard.push(region.textContent);
  new MutationObserver(hear).observe(region, { childList: true, subtree: true });
}"""
REGION = "#status"


def listen(page: Page, region: str = REGION) -> None:
    """Starts recording."""
    page.locator(region).evaluate(LISTEN)


def heard(page: Page, region: str = REGION) -> list[str]:
    """Returns the texts since the last call."""
    texts: list[str] = page.locator(region).evaluate("(region) => region.heard.splice(0)")
    return texts


def wait_heard(page: Page, region: str = REGION, least: int = 1, end: str = "") -> list[str]:
    """Waits for ``least`` texts, the last with this end. Returns the texts since the last call."""
    handle = page.locator(region).element_handle()
    page.wait_for_function(
        "([region, least, end]) =>"
        " region.heard.length >= least && region.heard.at(-1).endsWith(end)",
        arg=[handle, least, end],
    )
    return heard(page, region)
