"""Controls of a player, by pointer or by keyboard."""

from playwright.sync_api import Locator, Page, expect

MOST_TABS = 90
FOCUSED = """() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.dataset.key ?? element?.id ?? "";
}"""


def control(page: Page | Locator, key: str) -> Locator:
    """Returns the control of the table with this key."""
    return page.locator(f'[data-key="{key}"]')


def resting(page: Page) -> None:
    """Waits until the actions of a new position respond. Mouse clicks wait by themselves."""
    expect(page.locator(".resting")).to_have_count(0)


def put(page: Page, dice: str) -> None:
    """Puts dice on the table with the mouse, in order."""
    for face in dice:
        control(page, f"face-{face}").click()


def tab_to(page: Page, key: str) -> int:
    """Presses Tab until the focus is on this control and returns the number of presses."""
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
    """Returns the verdict in large letters."""
    return page.locator(".verdict-word")


def announced(page: Page, text: str) -> None:
    """Expects the live region to announce this text."""
    expect(page.locator(".unseen[role=status]")).to_contain_text(text)
