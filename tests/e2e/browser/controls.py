"""Controls of a player: pointing at things, or the keyboard alone."""

from playwright.sync_api import Locator, Page, expect

MOST_TABS = 90
FOCUSED = """() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.dataset.key ?? element?.id ?? "";
}"""


def control(page: Page | Locator, key: str) -> Locator:
    """The control of the table that goes by this key."""
    return page.locator(f'[data-key="{key}"]')


def resting(page: Page) -> None:
    """The actions of a new position rest for a moment; a mouse waits for them by itself."""
    expect(page.locator(".resting")).to_have_count(0)


def put(page: Page, dice: str) -> None:
    """Put dice on the table with the mouse, one by one."""
    for face in dice:
        control(page, f"face-{face}").click()


def tab_to(page: Page, key: str) -> int:
    """Move the focus with the tabulator key until it is there; how often it was pressed."""
    resting(page)
    seen: list[str] = []
    for _ in range(MOST_TABS):
        focused = page.evaluate(FOCUSED)
        if focused == key:
            return len(seen)
        seen.append(focused)
        page.keyboard.press("Tab")
    raise AssertionError(f"{key} cannot be reached with the keyboard: {seen}")


def verdict(page: Page) -> Locator:
    """The verdict in large letters."""
    return page.locator(".verdict-word")


def announced(page: Page, text: str) -> None:
    """Expects a screen reader to be told this text."""
    expect(page.locator(".unseen[role=status]")).to_contain_text(text)
