"""What tests of the page share: a browser, and processes that think."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from dreamfactory_env.viewer.workers import Workers
from tests.viewer import browser as browsing


@pytest.fixture(scope="module")  # while there is one, no other event loop runs in this thread
def browser() -> Iterator[Browser]:
    with browsing.browser() as found:
        yield found


@pytest.fixture(scope="session")
def workers() -> Iterator[Workers]:
    with Workers(1) as found:
        yield found
