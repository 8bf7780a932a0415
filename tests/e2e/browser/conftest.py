"""Fixtures for a real browser and a real server. Pages log no error and ask no other origin.

pytest-playwright starts Chromium once per process. Its event loop runs until the process ends, and
``asyncio.run`` fails beside it. ``make`` runs these tests in separate processes.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect
from pytest_playwright import CreateContextCallback

from tests.e2e.browser.chromium import QUIET, executable
from tests.e2e.browser.clock import FAST
from tests.wire import Server, serving

WAIT = 240_000
"""Timeout of a step, in milliseconds: longer than any step takes on a busy machine."""
expect.set_options(timeout=WAIT)

NOTE = "Failed to load resource: the server responded with a status of 4"
"""Message of Chromium's console for each refused request."""

CUT = ("Failed to load resource: net::ERR_", "with a status of 503")
"""Messages of Chromium's console while the service is unavailable or a connection is cut."""

PUBLIC = f"http://{'x' * 33}.example"
"""Origin of links for phones. Ada's link fills a QR code of version 6, level L (134 bytes): Segno
adds a zero byte before the padding, which the standard does not require."""

Opener = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Runs the tests of this folder after all others, for a process that runs both."""
    items.sort(key=lambda item: "/e2e/browser/" in item.path.as_posix())


@pytest.fixture(scope="session")
def server(redis_url: str) -> Iterator[Server]:
    with serving(WORKERS=1, LOG_ANSWERS=1, REDIS_URL=redis_url) as started:
        yield started


@pytest.fixture(scope="session")
def server_for_phones(redis_url: str) -> Iterator[Server]:
    """Runs a server like that of ``make play``: links contain an address of the network."""
    with serving(WORKERS=1, REDIS_URL=redis_url, PUBLIC_URL=PUBLIC) as started:
        yield started


@pytest.fixture(scope="module")
def seeded(redis_url: str) -> Iterator[Server]:
    """Starts a server with the same dice in every run of a module."""
    app = "tests.e2e.browser.seeded:app"
    with serving(WORKERS=1, REDIS_URL=redis_url, app=app) as started:
        yield started


@pytest.fixture(scope="session")
def origin(server: Server) -> str:
    return f"http://localhost:{server.port}"


@pytest.fixture(scope="session")
def base_url(origin: str) -> str:
    """Replaces a fixture of pytest-playwright that pytest 9 warns of."""
    return origin


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": executable(), "args": [*QUIET]}


@pytest.fixture
def at(
    new_context: CreateContextCallback, origin: str, request: pytest.FixtureRequest
) -> Iterator[Opener]:
    """Gives a function that opens a path on a page of a new context.

    The test fails if a page logs an error or requests an origin other than the service's and
    those in ``also``. ``refused`` and ``cut`` permit the browser's own messages about refused
    requests and lost connections. ``real_time`` keeps the timers of the pages. A module may set
    defaults for its tests in ``USUAL``.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def opened(
        path: str,
        also: tuple[str, ...] = (),
        refused: bool = False,
        cut: bool = False,
        real_time: bool = False,
        **how: Any,
    ) -> Page:
        context = new_context(**{"reduced_motion": "reduce", "locale": "en-GB", **how})
        contexts.append(context)
        context.set_default_timeout(WAIT)
        if not real_time:
            context.add_init_script(FAST)
        permitted = (*((NOTE,) if refused else ()), *(CUT if cut else ()))

        def log(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning") and not any(
                text in message.text for text in permitted
            ):
                faults.append(message.text)

        context.on("console", log)
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((origin, *also, "data:"))
                else faults.append(f"asked {request.url}")
            ),
        )
        page = context.new_page()
        page.goto(path)
        return page

    yield partial(opened, **getattr(request.module, "USUAL", {}))
    for context in contexts:
        context.close()
    assert not faults
