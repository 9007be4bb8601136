"""What all tests share: how many run at once, and that browser tests are skipped where there is no browser."""

import logging
import os
from collections.abc import Iterator

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


@pytest.fixture(autouse=True)
def no_picture_brings_a_fault_to_light(request: pytest.FixtureRequest) -> Iterator[None]:
    """An eye that stumbles says so in its log and goes on; no test may pass by that, but for those marked `faulty`."""
    faults: list[logging.LogRecord] = []
    hears = logging.Handler(logging.ERROR)
    hears.emit = faults.append  # type: ignore[method-assign]
    reading = logging.getLogger("companion.vision.pipeline")
    reading.addHandler(hears)
    yield
    reading.removeHandler(hears)
    if "faulty" not in request.keywords:
        assert not faults, faults[0].exc_info or faults[0].getMessage()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests marked `browser` need Chromium, whose driver leaves sockets to be closed."""
    reason = f"no {PACKAGE} on this machine: `make browser` installs it where it may"
    absent = pytest.mark.skipif(browser() is None, reason=reason)
    for item in items:
        if "browser" in item.keywords:
            item.add_marker(absent)
            item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's program, for Playwright's `executable_path`."""
    path = browser()
    assert path is not None, "mark the test with `browser`"
    return path
