"""What a page says to a screen reader: everything that its live region has held, in order."""

from playwright.sync_api import Page

LISTEN = """() => {
  const region = document.getElementById("status");
  window.heard = [];
  const hear = () => region.textContent && window.heard.push(region.textContent);
  new MutationObserver(hear).observe(region, { childList: true, subtree: true });
}"""


def listen(page: Page) -> None:
    """Record from now on."""
    page.evaluate(LISTEN)


def heard(page: Page) -> list[str]:
    """What was said since the last time that this was asked."""
    said: list[str] = page.evaluate("window.heard.splice(0)")
    return said


def wait_heard(page: Page) -> list[str]:
    """The same, once there is something."""
    page.wait_for_function("() => window.heard.length > 0")
    return heard(page)
