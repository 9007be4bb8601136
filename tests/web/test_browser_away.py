"""Phones that were away, or are no more what they were: a dead line, no network, a seat that was freed, a log-out."""

from typing import Any

import pytest
from browser_visit import Visit
from playwright.sync_api import expect
from web_fakes import playing, record, seats
from web_helpers import PIN

from companion.web.parts import parts

SILENT_MS = 15_000  # as in live.js
AT_ONCE_MS = 2500  # before the browser tries again by itself
TOLD_MS = 300  # whatever the page asks for has been answered by then
WAKE = "document.dispatchEvent(new Event('visibilitychange'))"

pytestmark = pytest.mark.browser


def test_a_line_that_is_silent_for_long_is_given_up_and_opened_anew(visit: Visit) -> None:
    opened: list[str] = []
    visit.page.on("request", lambda request: opened.append(request.url) if "/stream" in request.url else None)
    visit.page.clock.install()
    page = visit.go("/game", playing())
    page.clock.run_for(SILENT_MS - 1000)
    visit.table.publish(playing(last_text="Heard."))
    expect(page.locator("#last")).to_have_text("Heard.")
    page.clock.run_for(SILENT_MS - 1000)
    assert len(opened) == 1
    page.clock.run_for(2000)
    visit.table.publish(playing(last_text="Heard again."))
    expect(page.locator("#last")).to_have_text("Heard again.")
    expect(page.locator("#link")).to_be_hidden()
    assert len(opened) == 2


def test_a_phone_that_notices_itself_that_its_network_is_gone_or_back_says_so_at_once(visit: Visit) -> None:
    page = visit.go("/game", playing())
    for away in (True, False):
        page.context.set_offline(away)
        expect(page.locator("#link")).to_be_visible(visible=away, timeout=AT_ONCE_MS)
        expect(page.locator("#turn .see")).to_have_attribute("data-sight", "away" if away else "seeing")
    visit.faults.clear()  # the browser notes what it could not load


def test_without_a_network_the_record_stays_where_it_is_and_words_say_why(visit: Visit) -> None:
    page = visit.go("/game", playing())
    page.context.set_offline(True)
    page.click("#back")
    expect(page.locator("#toast")).to_have_text("The companion cannot be reached.")
    expect(page.locator("#slider")).to_have_js_property("value", "13")
    expect(page.locator("#record [aria-current]")).to_have_count(0)
    visit.faults.clear()  # the browser notes what it could not load


@pytest.mark.parametrize(("path", "button"), [("/game", "#back"), ("/games/7", "#forward")])
def test_what_failed_is_said_until_something_succeeds(visit: Visit, path: str, button: str) -> None:
    page = visit.go(path, playing(record=record(4)))
    page.wait_for_selector("#board .piece")
    page.context.set_offline(True)
    page.click(button)
    expect(page.locator("#toast")).to_have_text("The companion cannot be reached.")
    expect(page.locator("#toast")).to_be_visible()
    page.context.set_offline(False)
    page.click(button)
    expect(page.locator("#toast")).to_be_hidden()
    visit.faults.clear()  # the browser notes what it could not load


def test_a_seat_that_the_host_freed_is_this_phones_no_more(visit: Visit, house: Any) -> None:
    page = visit.go("/game", playing(to_move=1))
    page.click("text=Join")
    page.fill("#field-player", "Grace")
    page.fill("#field-pin", PIN)
    page.click("#dialog button[value=yes]")
    expect(page.locator("#turn .yours")).to_have_text("Your turn")
    parts(house[2]).sessions.take_seat(1)
    visit.table.publish(playing(to_move=1, seats=seats(players=("Ada", None))))
    expect(page.locator("#turn .yours")).to_have_count(0)
    expect(page.locator("#actions-card")).to_be_hidden()


def test_a_host_who_was_logged_out_elsewhere_is_told_and_shown_no_dead_buttons(visit: Visit, house: Any) -> None:
    page = visit.as_host("/game", playing())
    expect(page.locator("#host-card")).to_be_visible()
    parts(house[2]).sessions.take_all()
    page.click("text=Quiet")
    expect(page.locator("#toast")).to_have_text("Only the host may do this: enter the PIN on the host page.")
    expect(page.locator("#host-card")).to_be_hidden()
    page.wait_for_timeout(TOLD_MS)
    expect(page.locator("#toast")).to_be_visible()
    visit.faults.clear()  # the browser notes the refusal


def test_a_wrong_pin_is_said_to_be_wrong_for_long_enough_to_be_read(visit: Visit) -> None:
    page = visit.go("/host")
    page.fill("#pin", "99999999")
    page.click("#login button")
    expect(page.locator("#toast")).to_have_text("This is not the PIN.")
    page.wait_for_timeout(TOLD_MS)
    expect(page.locator("#toast")).to_be_visible()
    visit.faults.clear()  # the browser notes the refusal


def test_a_login_in_another_window_counts_in_this_one_once_it_is_looked_at(visit: Visit) -> None:
    page = visit.go("/game", playing())
    visit.log_in_elsewhere()
    page.evaluate(WAKE)
    expect(page.locator("#host-card")).to_be_visible()


def test_a_phone_that_was_without_a_line_learns_what_became_of_its_seat(visit: Visit, house: Any) -> None:
    page = visit.as_host("/game", playing())
    expect(page.locator("#host-card")).to_be_visible()
    page.context.set_offline(True)
    parts(house[2]).closing.set()  # ends the streams
    expect(page.locator("#link")).to_be_visible()
    parts(house[2]).closing.clear()
    parts(house[2]).sessions.take_all()
    page.context.set_offline(False)
    expect(page.locator("#link")).to_be_hidden()
    expect(page.locator("#host-card")).to_be_hidden()
    visit.faults.clear()  # the browser notes what it could not load
