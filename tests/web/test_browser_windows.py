"""More windows of one browser than it is given streams, and lines that come back to what is shown already."""

from collections.abc import Iterator
from typing import Any

import pytest
from browser_visit import Visit
from flask import Flask
from playwright.sync_api import Page, expect
from web_fakes import FakeTable, playing
from web_helpers import PIN

from companion.referee.snapshot import Snapshot, Waiting
from companion.web import Server, WebSettings, build_app, serve
from companion.web.parts import parts

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, FakeTable, Flask]]:
    """A server that gives each browser one stream, and soon notices when its window is closed."""
    table = FakeTable()
    settings = WebSettings(tmp_path_factory.mktemp("state"), streams_per_visitor=1, stream_here_s=0.2)
    app = build_app(table, table, settings)
    parts(app).pins.set(PIN)
    server = serve(app, "127.0.0.1", 0)
    yield server, table, app
    server.close()


def saying(words: str) -> Snapshot:
    return playing(last_text=words, waiting=Waiting(words))


def window_without_a_stream(visit: Visit) -> Page:
    """The browser's second window; the first one holds its only stream."""
    visit.go("/game", saying("It begins."))
    expect(visit.page.locator("#last")).to_have_text("It begins.")
    another = visit.page.context.new_page()
    with another.expect_response("**/api/stream") as refused:
        another.goto(visit.base + "/game")
    assert refused.value.status == 429
    return another


def test_a_window_without_a_stream_follows_the_game_and_takes_one_once_it_may(visit: Visit) -> None:
    another = window_without_a_stream(visit)
    for words in ("It begins.", "It goes on."):
        visit.table.publish(saying(words))
        expect(another.locator("#last")).to_have_text(words)
    expect(another.locator("#link")).to_be_hidden()
    with another.expect_response(lambda answer: answer.url.endswith("/api/stream") and answer.ok):
        visit.page.close()
    visit.table.publish(saying("Told at once."))
    expect(another.locator("#last")).to_have_text("Told at once.")


def test_a_window_without_a_stream_draws_nothing_anew_that_is_shown(visit: Visit) -> None:
    another = window_without_a_stream(visit)
    button = another.get_by_role("button", name="Join Red")
    button.focus()
    with another.expect_request_finished(lambda asked: asked.url.endswith("/api/state")):
        pass
    with another.expect_request("**/api/stream"):  # what was asked for before is drawn by then
        pass
    expect(button).to_be_focused()


def test_a_window_without_a_stream_says_when_the_companion_is_gone(visit: Visit) -> None:
    another = window_without_a_stream(visit)
    expect(another.locator("#link")).to_be_hidden()
    another.context.set_offline(True)
    expect(another.locator("#link")).to_contain_text("is lost")
    another.context.set_offline(False)
    expect(another.locator("#link")).to_be_hidden()
    visit.faults.clear()  # the browser notes what was cut, and the stream that it was not given


def test_the_start_page_says_no_more_that_the_line_is_lost_once_it_is_back(visit: Visit, house: Any) -> None:
    words = visit.go("/", saying("It begins.")).locator("#now-waiting")
    expect(words).to_have_text("It begins.")
    parts(house[2]).closing.set()  # ends the streams
    expect(words).to_have_text("The connection is lost; trying again.")
    parts(house[2]).closing.clear()
    expect(words).to_have_text("It begins.")
    visit.faults.clear()  # the browser notes the stream that was cut


def test_a_window_says_no_more_that_there_is_no_pin_once_another_phone_has_set_it(visit: Visit, house: Any) -> None:
    pins = parts(house[2]).pins
    pins.path.unlink()
    page = visit.go("/game", saying("It begins."))
    expect(page.locator("#notices")).to_contain_text("No PIN is set yet.")
    pins.set(PIN)
    expect(page.locator("#notices")).to_be_empty()


def test_a_phone_that_was_logged_out_from_another_offers_no_more_what_it_may_not_do(visit: Visit, house: Any) -> None:
    page = visit.as_host("/game", saying("It begins."))
    expect(page.get_by_role("button", name="End without result")).to_be_visible()
    parts(house[2]).sessions.take_all()
    expect(page.get_by_role("button", name="End without result")).to_be_hidden()
    expect(page.locator("#main-bar")).to_be_hidden()
    expect(page.get_by_role("button", name="Resign")).to_be_hidden()
