"""A real browser before a real server. Every page of a test has to be quiet and stay at home."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

from tests.e2e.browser.chromium import QUIET, executable
from tests.server.serving import Server, serving

WAIT = 240_000
"""Milliseconds until a test gives up: nothing takes as long, however busy the machine is."""
expect.set_options(timeout=WAIT)

NOTE = "Failed to load resource: the server responded with a status of 4"
"""Message of Chromium's console for each refused request."""

CUT = ("Failed to load resource: net::ERR_", "with a status of 503")
"""Messages of Chromium's console while the service is away or a connection is cut."""

Opener = Callable[..., Page]
NO_REST = """
const later = window.setTimeout.bind(window);
window.setTimeout = (act, time, ...more) => later(act, time === 450 ? 0 : time, ...more);
"""
"""Ends every rest of ``rest.js`` at once: they take 450 ms, no other timer does."""


@pytest.fixture(scope="session")
def server(redis_url: str) -> Iterator[Server]:
    with serving(WORKERS=1, LOG_ANSWERS=1, REDIS_URL=redis_url) as started:
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
def contexts() -> dict[tuple[str, int], BrowserContext]:
    """Tests that ask for the same kind of browser share one, with the files that it has cached."""
    return {}


@pytest.fixture
def at(
    browser: Browser,
    origin: str,
    contexts: dict[tuple[str, int], BrowserContext],
    request: pytest.FixtureRequest,
) -> Iterator[Opener]:
    """Opens a path on a page of its own, and forgets afterwards what the page has kept.

    At the end of the test no page may have written an error to its console, nor asked any origin
    but the service's and those in ``also``. Of a request that is ``refused``, and of a line that is
    ``cut``, the browser makes a note of its own. A page ``apart`` shares nothing with the others of
    its test, a ``new`` one with no other at all: not even files have been fetched. The actions of a
    new position rest for no moment, unless the test is about that (``resting``). All this a module
    may say for its tests in ``USUAL``.
    """
    pages: list[Page] = []
    own: list[BrowserContext] = []
    people: Counter[str] = Counter()
    faults: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            faults.append(message.text)

    def opened(
        path: str,
        also: tuple[str, ...] = (),
        refused: bool = False,
        cut: bool = False,
        apart: bool = False,
        new: bool = False,
        resting: bool = False,
        **how: Any,
    ) -> Page:
        wanted = {"reduced_motion": "reduce", "locale": "en-GB", **how}
        people[repr(wanted)] += apart
        kind = repr(wanted), people[repr(wanted)] if apart else 0
        context = None if new else contexts.get(kind)
        if context is None:
            context = browser.new_context(**wanted)
            context.set_default_timeout(WAIT)
            if new:
                own.append(context)
            else:
                contexts[kind] = context
        page = context.new_page()
        if not resting:
            page.add_init_script(NO_REST)
        pages.append(page)
        noted = (*((NOTE,) if refused else ()), *(CUT if cut else ()))
        page.on(
            "console",
            lambda message: None if any(note in message.text for note in noted) else heard(message),
        )
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((origin, *also, "data:"))
                else faults.append(f"asked {request.url}")
            ),
        )
        page.goto(path if path.startswith("http") else origin + path)
        return page

    yield partial(opened, **getattr(request.module, "USUAL", {}))
    for page in pages:
        if page.context not in own:
            page.evaluate("localStorage.clear()")
        page.close()
    for context in own:
        context.close()
    assert not faults
