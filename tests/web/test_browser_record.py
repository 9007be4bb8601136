"""The record of a game in Chromium: who looks back through it, by slider, arrows and taps."""

import re
from dataclasses import replace

import pytest
from browser_visit import Visit
from free_states import kaxxt
from playwright.sync_api import expect
from web_fakes import discs, playing, record

from companion.referee.snapshot import Ply

pytestmark = pytest.mark.browser


def test_a_replay_shows_the_shields_as_they_were(visit: Visit) -> None:
    told = kaxxt()
    lines = record(3)
    plies = tuple(
        replace(ply, pieces=told.pieces, scores=(30 - 4 * i,) * len(told.seats)) for i, ply in enumerate(lines)
    )
    cards = tuple(replace(card, text="in hand") if card.name == "South" else card for card in told.cards)
    page = visit.go("/game", replace(told, record=plies, cards=cards))
    south = page.locator("#cards .sheet", has_text="South")
    expect(page.locator("#board")).to_contain_text("North 29")
    expect(south.locator(".card-value")).to_have_text("+2 26/30")
    expect(south.locator(".card-text")).to_have_text("in hand")
    page.locator("#record button").nth(1).click()
    expect(page.locator("#board")).to_contain_text("North 26")
    expect(south.locator(".card-value")).to_have_text("26/30")
    expect(south.locator(".card-text")).to_have_count(0)
    robot = page.locator("#cards .sheet", has_text="Kaxxt")
    for told_of_now in (robot.locator(".card-value"), robot.locator(".meter"), page.locator("#cards .tokens").first):
        expect(told_of_now).to_be_hidden()
    page.click("#live")
    expect(page.locator("#board")).to_contain_text("North 29")
    expect(robot.locator(".card-value")).to_be_visible()
    expect(south.locator(".card-text")).to_have_text("in hand")


def test_the_numbers_of_a_long_record_keep_clear_of_its_words(visit: Visit) -> None:
    lines = tuple(replace(ply, number=108 + i, text="Kaka goes to level 0. " * 4) for i, ply in enumerate(record(4)))
    page = visit.go("/game", playing(record=lines))
    apart = page.evaluate(
        """[...document.querySelectorAll('#record button')].map((line) => {
            const [number, words] = line.children;
            const written = document.createRange();
            written.selectNodeContents(number);
            return words.getBoundingClientRect().left - written.getBoundingClientRect().right;
        })"""
    )
    assert len(apart) >= 4
    assert min(apart) >= 8


def test_the_slider_goes_through_the_record_and_back(visit: Visit) -> None:
    page = visit.go("/game", playing())
    page.focus("#slider")
    page.keyboard.press("Home")
    expect(page.locator("#last")).to_have_text(re.compile(r"^1\."))
    assert page.locator("#record [aria-current]").count() == 1
    page.keyboard.press("ArrowRight")
    expect(page.locator("#last")).to_have_text(re.compile(r"^2\."))
    visit.table.publish(playing(number=50, record=record(13)))
    expect(page.locator("#record li")).to_have_count(13)
    assert page.inner_text("#last").startswith("2.")  # looking back is not disturbed
    page.click("#live")
    expect(page.locator("#last")).to_have_text(re.compile(r"^Red turns"))


def test_who_looks_back_at_an_action_sees_the_one_that_was_made_in_its_place(visit: Visit) -> None:
    usual = playing()
    *before, last = usual.record
    page = visit.go("/game", usual)
    page.locator("#record button").last.click()
    expect(page.locator("#last")).to_have_text(f"{last.number}. {last.text}")
    moved = replace(usual.pieces[0], cell="j8", words="the piece that was moved instead")
    instead = replace(last, move="j8", text="Another action was made instead.", pieces=(moved,))
    visit.table.publish(replace(usual, record=(*before, instead)))
    expect(page.locator("#last")).to_have_text(f"{last.number}. Another action was made instead.")
    expect(page.locator("#board-title")).to_contain_text("1 piece")


def test_arrows_step_through_the_record_but_not_while_something_is_typed(visit: Visit) -> None:
    page = visit.as_host("/game", playing(record=record(12)))
    page.wait_for_selector("#host-card:not([hidden])")
    for key, number in (("ArrowLeft", 12), ("ArrowLeft", 11), ("ArrowLeft", 10), ("ArrowRight", 11)):
        page.keyboard.press(key)
        expect(page.locator("#last")).to_have_text(re.compile(rf"^{number}\."))
    page.fill("#move-text", "c4+")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Alt+ArrowRight")
    expect(page.locator("#record [aria-current] .number")).to_have_text("11")


def test_a_running_game_can_be_stepped_back_to_its_set_up_and_begun_anew(visit: Visit) -> None:
    visit.log_in()
    first = Ply(0, None, "", "The set-up.", pieces=playing().pieces[:3])
    page = visit.go("/game", playing(record=record(2), beginning=first))
    page.wait_for_selector("#host-card:not([hidden])")
    expect(page.locator("#record li")).to_have_count(3)
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    expect(page.locator("#last")).to_have_text("0. The set-up.")
    expect(page.locator("#board .piece")).to_have_count(3)
    page.click("text=Undo all actions")
    expect(page.locator("#dialog")).to_contain_text("All actions are taken back.")
    page.click("#dialog button:has-text('Undo')")
    assert visit.asked("undo")[0].arguments == {"ply": 0}


def test_the_cards_show_what_was_there_when_one_looks_back(visit: Visit) -> None:
    lines = tuple(replace(line, scores=(9 + line.number, 4)) for line in record(3))
    page = visit.go("/game", discs(record=lines))
    expect(page.locator("#cards .card-value").first).to_have_text("2")
    page.locator("#record button").first.click()
    expect(page.locator("#cards .card-value").first).to_have_text("10")
    page.click("#live")
    expect(page.locator("#cards .card-value").first).to_have_text("2")


def test_the_record_opens_at_its_newest_line(visit: Visit) -> None:
    page = visit.go("/game", playing(record=record(40)))
    expect(page.locator("#record li")).to_have_count(40)
    last = page.locator("#record button").last
    assert last.evaluate("e => e.getBoundingClientRect().bottom <= e.closest('ol').getBoundingClientRect().bottom + 1")


def test_who_reads_the_records_beginning_is_not_taken_to_its_end(visit: Visit) -> None:
    page = visit.go("/game", playing(record=record(40)))
    lines = page.locator("#record")
    page.wait_for_function("document.querySelector('#record').scrollTop > 0")
    lines.evaluate("list => { list.scrollTop = 30; }")
    visit.table.publish(playing(record=record(41), number=41))
    expect(page.locator("#record li")).to_have_count(41)
    assert lines.evaluate("list => list.scrollTop") == 30
