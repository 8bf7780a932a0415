"""Fixtures for a real browser and a real server; pages log no error and ask no other origin."""

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
"""Timeout of a test, in milliseconds: longer than any step takes on a busy machine."""
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
"""Script that ends every rest of ``rest.js`` at once; only rests take 450 ms."""


@pytest.fixture(scope="session")
def server(redis_url: str) -> Iterator[Server]:
    with serving(WORKERS=1, LOG_ANSWERS=1, REDIS_URL=redis_url) as started:
        yield started


@pytest.fixture(scope="session")
def origin(server: Server) -> str:
    return f"http://localhost:{server.port}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Starts a browser per module, so that Playwright's event loop ends with the module."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=executable(), args=[*QUIET])
        yield started
        started.close()


@pytest.fixture(scope="module")
def contexts() -> dict[tuple[str, int], BrowserContext]:
    """Returns the browser contexts that tests with equal settings share, with cached files."""
    return {}


@pytest.fixture
def at(
    browser: Browser,
    origin: str,
    contexts: dict[tuple[str, int], BrowserContext],
    request: pytest.FixtureRequest,
) -> Iterator[Opener]:
    """Gives a function that opens a path on a new page, and clears local storage afterwards.

    The test fails if a page logs an error or requests an origin other than the service's and
    those in ``also``. ``refused`` and ``cut`` permit the browser's own messages about refused
    requests and lost connections. ``apart`` isolates a page from the others of its test.
    ``new`` isolates it from all pages and starts with an empty cache. ``resting`` keeps the
    pause before the actions of a new position respond. A module may set defaults for its tests
    in ``USUAL``.
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
