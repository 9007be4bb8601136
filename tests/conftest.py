"""What all tests share: how many run at once, and that browser tests are skipped where there is no browser."""

import os

import pytest
from hypothesis import HealthCheck, settings
from install_browser import PACKAGE, browser

# A busy machine or a Pi is slow, not wrong.
settings.register_profile("companion", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("companion")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than cores, for tests that wait; more than four would only fight for memory on a Pi."""
    return min(4, len(os.sched_getaffinity(0)) + 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests marked `browser` need Chromium."""
    if browser() is not None:
        return
    skip = pytest.mark.skip(reason=f"no {PACKAGE} on this machine: `make browser` installs it where it may")
    for item in items:
        if "browser" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's program, for Playwright's `executable_path`."""
    path = browser()
    assert path is not None, "mark the test with `browser`"
    return path
