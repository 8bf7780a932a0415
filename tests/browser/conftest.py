"""A real browser before a real server. Every page of a test has to be quiet and stay at home."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.browser.chromium import QUIET, executable
from tests.doors.serving import Server, serving

WAIT = 15_000
"""Milliseconds until a test gives up; nothing here is expected to take as long."""

NOTE = "Failed to load resource: the server responded with a status of 4"
"""What Chromium writes to the console whenever a request is refused."""

Opener = Callable[..., Page]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with serving(WORKERS=1, LOG_ANSWERS=1) as started:
        yield started


@pytest.fixture(scope="session")
def origin(server: Server) -> str:
    return f"http://localhost:{server.port}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Playwright's event loop runs until the end of a module, so that others may run theirs."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=executable(), args=[*QUIET])
        yield started
        started.close()


@pytest.fixture(scope="module")
def contexts() -> dict[str, BrowserContext]:
    """Tests that ask for the same kind of browser share one, with the files that it has cached."""
    return {}


@pytest.fixture
def at(browser: Browser, origin: str, contexts: dict[str, BrowserContext]) -> Iterator[Opener]:
    """Opens a path on a page of its own, and forgets afterwards what the page has kept.

    At the end of the test no page may have written an error to its console, nor asked any origin
    but the service's and those in ``also``. Of a request that is ``refused`` the browser makes a
    note of its own.
    """
    pages: list[Page] = []
    faults: list[str] = []

    def heard(said: ConsoleMessage) -> None:
        if said.type in ("error", "warning"):
            faults.append(said.text)

    def opened(path: str, also: tuple[str, ...] = (), refused: bool = False, **how: Any) -> Page:
        wanted = {"reduced_motion": "reduce", "locale": "en-GB", **how}
        context = contexts.get(repr(wanted))
        if context is None:
            context = contexts[repr(wanted)] = browser.new_context(**wanted)
            context.set_default_timeout(WAIT)
        page = context.new_page()
        pages.append(page)
        page.on("console", lambda said: None if refused and NOTE in said.text else heard(said))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "request",
            lambda asked: (
                None
                if asked.url.startswith((origin, *also, "data:"))
                else faults.append(f"asked {asked.url}")
            ),
        )
        page.goto(path if path.startswith("http") else origin + path)
        return page

    yield opened
    for page in pages:
        page.evaluate("localStorage.clear()")
        page.close()
    assert not faults
