"""A game that is shared as one file, opened in Chromium."""

from dataclasses import replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_visit import PHONE, Visit, too_small
from playwright.sync_api import expect
from web_fakes import playing, record

from companion.referee.snapshot import Offer, Ply
from companion.web.replay_file import replay_file

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("visit", ["light", "dark"], indirect=True)
def test_a_shared_game_is_one_file_that_draws_itself(visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    lines = (Ply(0, None, "", "The set-up."), *record(4))
    plies = tuple(replace(ply, pieces=playing().pieces, scores=(13 - i, 13)) for i, ply in enumerate(lines))
    going_on = playing(record=plies, ending="It is still being played.")
    path.write_text(replay_file(going_on), "utf-8")
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    page = visit.page
    page.goto(path.as_uri())
    page.wait_for_selector("#board .piece")
    expect(page.locator("#ending")).to_have_text("It is still being played.")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    expect(page.locator("#last")).to_have_text("0. The set-up.")
    expect(page.locator("#record li").first).to_have_text("0The set-up.")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#last")).to_have_text(f"1. {plies[1].text}")
    page.focus("#slider")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#last")).to_have_text(f"2. {plies[2].text}")
    box = page.locator("#strip").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    expect(page.locator("#last")).to_have_text(f"4. {plies[4].text}")
    assert page.locator("#strip .strip-mark").count() == 4
    assert too_small(page) == []
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    assert found.violations_count == 0, found.generate_report()


def test_a_shared_game_without_an_action_has_nothing_to_step_through(visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    path.write_text(replay_file(playing(record=(), ending="It is still being played.")), "utf-8")
    page = visit.page
    page.goto(path.as_uri())
    page.wait_for_selector("#board .piece")
    for key in ("ArrowLeft", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert visit.faults == []


@pytest.mark.parametrize("width", [360, 1200])
def test_a_name_of_one_long_word_fits(visit: Visit, tmp_path: Path, width: int) -> None:
    name = "W" * 40
    ended = f"Red ({name}) resigns: Silver ({name}) wins."
    page = visit.page
    page.set_viewport_size({"width": width, "height": 800})
    path = tmp_path / "game.html"
    path.write_text(replay_file(playing(record=record(4), ending=ended, about=f"{name} (Silver)")), "utf-8")
    page.goto(path.as_uri())
    page.wait_for_selector("#board .piece")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    seats = tuple(replace(seat, player=name) for seat in playing().seats)
    visit.go("/game", playing(seats=seats, draw_text=ended))
    expect(page.locator(".turn .player")).to_have_text(name)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_recorded_game_says_when_it_was_played_how_and_by_whom(visit: Visit, tmp_path: Path) -> None:
    about = 'Set-up: Imhotep 2.0 · דוד </p> "Ada" (Silver)'
    old = playing(record=record(4), started="2026-01-01T20:00:00+0100", about=about)
    path = tmp_path / "game.html"
    path.write_text(replay_file(old), "utf-8")
    page = visit.page
    page.goto(path.as_uri())
    expect(page).to_have_title("Khet, Classic 2.0, 2026-01-01 20:00")
    expect(page.locator("h1")).to_have_text("Khet, Classic 2.0 2026-01-01 20:00")
    expect(page.locator("#about")).to_have_text(about)
    visit.go("/games/7")
    expect(page.locator("h1")).to_have_text("Khet, Classic 2.0 2026-01-01 20:00")
    expect(page.locator("#about")).to_have_text("Ada (Silver)")


@pytest.mark.parametrize("visit", ["light", "dark"], indirect=True)
def test_on_paper_the_record_is_whole_and_dark_on_light(visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    path.write_text(replay_file(playing(record=record(40))), "utf-8")
    for place in (path.as_uri(), f"{visit.base}/games/7"):
        page = visit.page
        page.goto(place)
        page.wait_for_selector("#record button")
        page.emulate_media(media="print")
        seen, whole = page.evaluate("(e => [e.clientHeight, e.scrollHeight])(document.getElementById('record'))")
        assert seen == whole
        assert (
            page.locator("button:visible:not(#record button), input:visible, nav:visible, a.button:visible").count()
            == 0
        )
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(28, 33, 39)"
        page.emulate_media(media="screen")


def test_on_paper_a_host_s_page_has_nothing_to_press(visit: Visit) -> None:
    visit.log_in()
    state = playing(record=record(3), offers=(Offer("=1", "The die shows 1."),))
    page = visit.go("/game", state)
    for path, heads in (
        ("/game", [state.waiting.text, "Players", "Record"]),
        ("/games/7", ["How it ended", "Record"]),
    ):
        page.goto(visit.base + path)
        page.wait_for_selector("#record button")
        page.locator(".acts:visible").first.wait_for()
        page.emulate_media(media="print")
        expect(page.locator("button:visible:not(#record button), input:visible, a.button:visible")).to_have_count(0)
        assert page.locator("h2:visible").all_inner_texts() == heads
        page.emulate_media(media="screen")


def test_a_shared_game_can_be_read_where_no_script_runs(visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    lost, why = "South: 0 of 30 (−30), out", "Stack overflow: South is annihilated."
    lines = (Ply(0, None, "", "The set-up."), *record(3), Ply(4, 0, "=1", "The die shows 1.", changes=(lost, why)))
    path.write_text(replay_file(playing(record=lines, ending="Red (<b>Ada</b>) wins.")), "utf-8")
    browser = visit.page.context.browser
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    expect(page.locator("main")).to_contain_text("open this file in a newer browser")
    expect(page.locator("main")).to_contain_text("Red (<b>Ada</b>) wins.")
    told = [" ".join([line.text, *(f"Hit: {hit}." for hit in line.hits)]) for line in lines[:-1]]
    assert page.locator("li:visible").all_inner_texts() == [*told, f"The die shows 1. {lost}. {why}"]
    assert page.locator("svg:visible, button:visible").count() == 0
    context.close()


def test_the_slider_of_a_recorded_game_ends_at_its_end(visit: Visit) -> None:
    page = visit.go("/games/7")
    slider = page.locator("#slider")
    slider.focus()
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "the end")
    visit.go("/game", playing())
    expect(page.locator("#slider")).to_have_attribute("aria-valuetext", "as it is now")


def test_a_recorded_game_plays_by_itself_to_its_end(visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    path.write_text(replay_file(playing(record=record(2), ending="Red wins.")), "utf-8")
    page = visit.page
    page.clock.install()
    for place, plies in ((path.as_uri(), 2), (f"{visit.base}/games/7", 12)):
        page.goto(place)
        page.wait_for_selector("#record button")
        expect(page.locator("#last")).to_contain_text("1. ")
        page.click("#play")
        expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
        for number in range(2, plies + 1):
            page.clock.run_for(2500)
            expect(page.locator("#last")).to_contain_text(f"{number}. ")
        page.clock.run_for(5000)
        expect(page.locator("#slider")).to_have_attribute("aria-valuetext", "the end")
        expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
