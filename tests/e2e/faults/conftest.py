"""Fixtures of the tests of faults: every engine, and a browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from service.server.local_redis import RedisBinary
from tests.e2e.browser.chromium import QUIET, executable
from tests.engines.servers import FIRST_SOONER


@pytest.fixture(params=FIRST_SOONER, scope="module")
def engine(request: pytest.FixtureRequest) -> RedisBinary:
    binary: RedisBinary = request.param
    return binary


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=executable(), args=[*QUIET])
        yield started
        started.close()
