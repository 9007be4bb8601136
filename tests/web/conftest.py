"""The page over a fake table: a Flask test client, a client with the host's PIN, and a real server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_visit import ARGUMENTS, PHONE, Visit
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, sync_playwright
from web_fakes import FakeTable
from web_helpers import GOOD, PIN

from companion.web import Server, WebSettings, build_app, pin, serve
from companion.web.parts import parts


@pytest.fixture(autouse=True)
def _quick_hash(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The PIN's hash is slow on purpose; only one test needs it so."""
    if "slow_hash" not in request.fixturenames:
        monkeypatch.setitem(pin.SCRYPT, "n", 2)


@pytest.fixture
def slow_hash() -> None:
    """Ask for the real hash."""


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def codes() -> list[str]:
    """The set-up codes that were shown at the device."""
    return []


@pytest.fixture
def settings(tmp_path: Path, codes: list[str]) -> WebSettings:
    # tests make more changes in a second than a hand can; the limit has a test of its own
    return WebSettings(tmp_path / "state", show_setup_code=codes.append, hosts=("games.example",), changes_per_s=1000)


@pytest.fixture
def fresh(table: FakeTable, settings: WebSettings) -> Flask:
    """An app as after the installation: no PIN."""
    app = build_app(table, table, settings)
    app.testing = False  # errors are answered as in service
    return app


@pytest.fixture
def app(fresh: Flask) -> Flask:
    parts(fresh).pins.set(PIN)
    return fresh


@pytest.fixture
def watcher(app: Flask) -> FlaskClient:
    client = app.test_client()
    client.get("/game")
    return client


@pytest.fixture
def host(app: Flask) -> FlaskClient:
    client = app.test_client()
    assert client.post("/api/login", json={"pin": PIN}, headers=GOOD).status_code == 200
    return client


@pytest.fixture
def server(app: Flask) -> Iterator[Server]:
    running = serve(app, "127.0.0.1", 0)
    yield running
    running.close()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, FakeTable, Flask]]:
    """One server for all browser tests."""
    table = FakeTable()
    settings = WebSettings(tmp_path_factory.mktemp("state"), lambda: "http://companion.local:8000", changes_per_s=1000)
    app = build_app(table, table, settings)
    parts(app).pins.set(PIN)
    server = serve(app, "127.0.0.1", 0)
    yield server, table, app
    server.close()


@pytest.fixture
def visit(browser: Browser, house: Any, request: pytest.FixtureRequest) -> Iterator[Visit]:
    server, table, _ = house
    table.asked.clear()
    table.image = table.guide = None
    marker = getattr(request, "param", "light")
    context = browser.new_context(viewport=PHONE, color_scheme=marker, reduced_motion="reduce")
    visit = Visit(context.new_page(), f"http://127.0.0.1:{server.address[1]}", table)
    yield visit
    context.close()
    assert visit.faults == []
