"""Buttons under a finger: they stay where they are, and what comes there instead is not pressed by mistake."""

from dataclasses import replace
from typing import Any

import pytest
from browser_visit import DEAF_MS, Visit, middle, too_small
from playwright.sync_api import Browser, Page, expect
from web_fakes import playing, ruled

from companion.referee.snapshot import Offer, Snapshot

pytestmark = pytest.mark.browser
FINAL = "#main-bar button"
PHONE_LOW = {"width": 360, "height": 640}
HEARD_MS = 300  # an order that was given is at the table by then
RULED = replace(ruled(), question=None, number=playing().number)


def with_its_clock_stopped(visit: Visit, state: Snapshot) -> Page:
    """The page of a game, for which no time goes by: only `clock.run_for` lets it, however busy this computer is."""
    visit.page.clock.install()
    page = visit.go("/game", state)
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    return page


def shown(visit: Visit, state: Snapshot) -> None:
    """The state, once the page has drawn it."""
    visit.table.publish(state)
    expect(visit.page.locator("#ruling" if state.ruling else "#actions")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE_LOW, {"width": 390, "height": 844}, {"width": 1280, "height": 800}])
def test_the_main_button_stays_where_it_is_whatever_is_told_above(visit: Visit, size) -> None:
    visit.log_in()
    visit.page.set_viewport_size(size)
    page = visit.go("/game", playing())
    expect(page.locator(FINAL)).to_have_text("My action is final")
    places = set()
    for state in (playing(), RULED, ruled(), playing(notices=("The disk is nearly full.",))):
        visit.table.publish(state)
        expect(page.locator("#ruling")).to_be_visible(visible=state.ruling is not None)
        expect(page.locator("#question")).to_be_visible(visible=state.question is not None)
        expect(page.locator("#notices p")).to_have_count(len(state.notices))
        box = page.locator(FINAL).bounding_box()
        places.add((box["x"], box["y"]))
        assert box["y"] + box["height"] <= size["height"]
    assert len(places) == 1


@pytest.mark.parametrize("text", ["100%", "200%"])
def test_nothing_lies_under_the_main_button_for_good(visit: Visit, text: str) -> None:
    visit.log_in()
    visit.page.set_viewport_size(PHONE_LOW)
    page = visit.go("/game", ruled())
    page.evaluate(f"document.documentElement.style.fontSize = '{text}'")
    expect(page.locator("#host-card")).to_be_visible()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last, bar = page.locator("#move-form button").bounding_box(), page.locator("#main-bar").bounding_box()
    assert last["y"] + last["height"] <= bar["y"]


@pytest.mark.parametrize("size", [{"width": 940, "height": 700}, {"width": 1280, "height": 800}])
def test_in_a_wide_window_the_main_button_covers_no_board(visit: Visit, size) -> None:
    visit.log_in()
    visit.page.set_viewport_size(size)
    page = visit.go("/game", playing())
    bar, board = page.locator("#main-bar").bounding_box(), page.locator("#board").bounding_box()
    side = page.locator(".side").bounding_box()
    assert board["x"] + board["width"] <= bar["x"]
    assert bar["x"] + bar["width"] <= size["width"]
    assert abs(bar["x"] - side["x"]) <= 12


def test_only_who_plays_or_acts_for_others_has_a_main_button(visit: Visit) -> None:
    page = visit.go("/game", playing())
    expect(page.locator("#main-bar")).to_be_hidden()
    page = visit.as_host("/game", playing())
    expect(page.locator("#main-bar")).to_be_visible()
    visit.table.publish(playing(phase="over", to_move=None))
    expect(page.locator("#main-bar")).to_be_hidden()


@pytest.mark.parametrize("button", ["#actions >> text=Offer a draw", "#host-tools >> text=Quiet"])
def test_a_press_counts_though_a_ruling_arrives_under_the_finger(visit: Visit, button: str) -> None:
    visit.log_in()
    page = with_its_clock_stopped(visit, playing())
    page.mouse.move(*middle(page, button))
    page.mouse.down()
    before = page.locator(button).bounding_box()
    visit.table.publish(RULED)
    page.wait_for_timeout(HEARD_MS)
    page.clock.run_for(1000)
    assert page.locator(button).bounding_box() == pytest.approx(before, abs=0.5)  # of a pixel
    page.mouse.up()
    visit.asked("offer_draw" if "draw" in button else "set_quiet")
    expect(page.locator("#ruling")).to_be_visible()


def test_a_finger_that_rests_on_a_button_holds_nothing_up(visit: Visit) -> None:
    page = visit.as_host("/game", playing())
    page.mouse.move(*middle(page, FINAL))
    page.mouse.down()
    visit.table.publish(RULED)
    expect(page.locator("#ruling")).to_be_visible()
    page.mouse.up()


def test_a_button_that_came_under_the_finger_just_now_is_not_pressed(visit: Visit) -> None:
    visit.log_in()
    page = with_its_clock_stopped(visit, playing())
    page.mouse.move(*middle(page, "#host-tools >> text=Measure the light"))
    shown(visit, RULED)
    place = page.evaluate(
        """() => {
            const button = document.querySelector('#ruling button');
            button.scrollIntoView({ block: 'center' });
            const { left, top } = button.getBoundingClientRect();
            return [left + 8, top + 8];
        }"""
    )
    page.mouse.click(*place)
    expect(page.locator("#rule-words")).to_be_hidden()
    page.clock.run_for(DEAF_MS + 50)
    page.mouse.click(*place)
    expect(page.locator("#rule-words")).to_be_visible()


def test_a_click_that_no_finger_made_counts(visit: Visit) -> None:
    page = visit.as_host("/game", playing())
    shown(visit, RULED)
    page.locator("#ruling >> text=Why?").evaluate(
        "button => button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }))"
    )
    expect(page.locator("#rule-words")).to_be_visible()


def test_the_second_tap_of_two_offers_no_draw_and_gives_no_game_up(visit: Visit) -> None:
    visit.log_in()
    offers = tuple(Offer(f"r{i}", f"The die shows {i}.") for i in range(1, 4))
    visit.table.answer = lambda command: replace(visit.table.state, offers=())
    page = with_its_clock_stopped(visit, playing(offers=offers))
    x, y = middle(page, "#offers >> text=The die shows 1.")
    for _ in range(4):  # as a nervous finger does
        page.mouse.click(x, y)
        expect(page.locator("#offers button")).to_have_count(0)
        page.clock.run_for(80)
    page.wait_for_timeout(HEARD_MS)
    visit.table.answer = None
    assert [command.name for command in visit.table.asked] == ["play_move"]


def test_a_dialog_that_opens_under_a_finger_is_not_answered_by_its_second_tap(visit: Visit) -> None:
    visit.log_in()
    page = with_its_clock_stopped(visit, playing())
    page.click("#actions >> text=Resign")
    box = page.locator("#dialog button[value=yes]").bounding_box()
    page.keyboard.press("Escape")
    assert box
    # so that the button lies where the dialog's will
    page.locator("#actions button", has_text="Resign").evaluate(
        "(e, [x, y]) => Object.assign(e.style, { position: 'fixed', zIndex: 9, left: `${x}px`, top: `${y}px` })",
        [box["x"], box["y"]],
    )
    page.mouse.dblclick(box["x"] + 9, box["y"] + 9, delay=20)
    expect(page.locator("#dialog")).to_be_visible()
    assert not [command for command in visit.table.asked if command.name == "resign"]
    page.clock.run_for(550)
    page.mouse.click(box["x"] + 9, box["y"] + 9)
    visit.asked("resign")


def test_one_button_may_be_tapped_again_and_again(visit: Visit) -> None:
    page = visit.go("/game", playing())
    x, y = middle(page, "#back")
    for _ in range(3):
        page.mouse.click(x, y)
    expect(page.locator("#now")).to_contain_text("Looking back, at action 10.")


def test_an_order_that_is_given_twice_in_a_moment_is_given_once(visit: Visit) -> None:
    visit.log_in()
    page = with_its_clock_stopped(visit, playing())
    for _ in range(2):
        page.click(FINAL)
        page.wait_for_timeout(HEARD_MS)  # the answer to the first shows another state
    page.clock.run_for(2000)
    assert [command.name for command in visit.table.asked] == ["end_turn"]
    expect(page.locator("#toast")).to_have_text("Heard. As soon as an action is seen, it is final.")


def test_letters_of_a_board_stay_readable_where_it_gets_narrower_by_itself(visit: Visit) -> None:
    visit.page.set_viewport_size(PHONE_LOW)
    page = visit.go("/game", playing())
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.wait_for_timeout(100)
    assert too_small(page) == []


def test_a_beam_goes_on_growing_though_a_line_below_the_board_gets_longer(browser: Browser, house: Any) -> None:
    server, table, _ = house
    table.publish(playing(beams=()))
    context = browser.new_context(viewport=PHONE_LOW, reduced_motion="no-preference")
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.address[1]}/game")
    page.wait_for_selector("#board rect")
    table.publish(playing(last_text="Red turns the pyramid, and here is what it was all about. " * 3))
    page.wait_for_selector("#board .beam-core")
    page.wait_for_timeout(100)
    assert page.evaluate("document.querySelector('#board .beam-core').getAnimations().length")
    context.close()
