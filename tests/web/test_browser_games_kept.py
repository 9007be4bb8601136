"""The host erases a game on the page, brings it back, goes on with a closed one: in Chromium, over a real journal."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_visit import PHONE, Visit, too_small
from playwright.sync_api import Browser, expect
from web_helpers import PIN

from companion.exports import EXPORTS
from companion.journal.archive import open_archive
from companion.journal.restore import restorer
from companion.referee.commands import Command
from companion.referee.happenings import SetUp
from companion.referee.readmodel import Desk
from companion.web import WebSettings, build_app, serve
from companion.web.parts import parts

pytestmark = pytest.mark.browser
PLAYER = "Zoë <b>♟𝔸</b>"


@pytest.fixture
def kept(browser: Browser, tmp_path: Path) -> Iterator[tuple[Visit, Desk]]:
    """The host's phone, and two games in the journal: the first of many actions, the second on the table."""
    archive = open_archive(tmp_path / "j.sqlite3")
    desk = Desk(archive, exports=EXPORTS, restorer=restorer)
    for player in (PLAYER, "Grace"):
        desk.submit(Command("new_game", {"game": "khet"}))
        desk.table.record(SetUp())
        desk.submit(Command("join", {"seat": 0, "player": player}))
        for move in ("c5+", "h4+", "c5-", "h4-") * (40 if player == PLAYER else 0):
            desk.submit(Command("enter_move", {"move": move}))
        desk.submit(Command("resign", {"seat": 0}))
    app = build_app(desk, desk, WebSettings(tmp_path))
    parts(app).pins.set(PIN)
    server = serve(app, "127.0.0.1", 0)
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    visit = Visit(context.new_page(), f"http://127.0.0.1:{server.address[1]}", desk)  # type: ignore[arg-type]
    visit.log_in()
    visit.faults.clear()
    yield visit, desk
    context.close()
    server.close()
    archive.close()
    assert visit.faults == []


def numbers(desk: Desk) -> list[int]:
    return [line["id"] for line in desk.games()]


def test_a_game_is_erased_after_a_warning_and_brought_back_while_the_page_is_open(kept: tuple[Visit, Desk]) -> None:
    visit, desk = kept
    before = desk.export(1, "json")
    assert len(before) > 64 * 1024, "more than one request may hold"
    page = visit.go("/games/1")
    page.click("#erase")
    expect(page.locator("#dialog")).to_contain_text("for good, with the names of its players")
    page.click("#dialog >> text=Cancel")
    assert numbers(desk) == [2, 1]
    page.click("#erase")
    page.click("#dialog button[value=yes]")
    expect(page.locator("#erased")).to_be_visible()
    expect(page.locator("#erase")).to_be_hidden()
    assert numbers(desk) == [2]
    page.click("#bring-back")
    expect(page.locator("#erased")).to_be_hidden(timeout=20000)
    expect(page.locator("#erase")).to_be_visible()
    expect(page.locator("#about")).to_contain_text(PLAYER)
    assert json.loads(desk.export(1, "json"))["events"] == json.loads(before)["events"]


def test_the_game_on_the_table_stays_and_that_is_said(kept: tuple[Visit, Desk]) -> None:
    visit, desk = kept
    page = visit.go("/games/2")
    page.click("#erase")
    page.click("#dialog button[value=yes]")
    expect(page.locator("#toast")).to_have_text("This game is on the table: start another one before you erase it.")
    expect(page.locator("#bring-back")).to_be_hidden()
    assert numbers(desk) == [2, 1]
    visit.faults.clear()  # the browser tells of every answer that refuses


def test_a_saved_game_is_brought_back_from_its_file_and_a_torn_one_is_not(
    kept: tuple[Visit, Desk], tmp_path: Path
) -> None:
    visit, desk = kept
    saved, torn = tmp_path / "game-1.json", tmp_path / "torn.json"
    saved.write_text(desk.export(1, "json"), encoding="utf-8")
    torn.write_text(desk.export(1, "json")[:70000], encoding="utf-8")
    desk.submit(Command("erase_game", {"number": 1}))
    page = visit.go("/games")
    page.set_input_files("#file", torn)
    page.click("#restore button")
    expect(page.locator("#toast")).to_contain_text("torn")
    assert numbers(desk) == [2]
    visit.faults.clear()
    for words in ("It is back: game 1.", "It was here already: game 1."):
        page.set_input_files("#file", saved)
        page.click("#restore button")
        expect(page.locator("#restored")).to_have_text(words)
    page.click("#restored a")
    expect(page.locator("#about")).to_contain_text(PLAYER)
    assert desk.snapshot().phase == "over"


def test_a_closed_game_is_gone_on_with_once_the_host_was_told_that_another_one_ends(kept: tuple[Visit, Desk]) -> None:
    visit, desk = kept
    for player in ("Ada", "Bo"):
        desk.submit(Command("new_game", {"game": "khet"}))
        desk.table.record(SetUp())
        desk.submit(Command("join", {"seat": 0, "player": player}))
        desk.submit(Command("enter_move", {"move": "c5+"}))
    page = visit.go("/games/3")
    old = page.context.new_page()
    old.goto(page.url)
    page.click("#go-on")
    expect(page.locator("#dialog")).to_contain_text("Khet is being played: that game ends without a result.")
    page.click("#dialog >> text=Cancel")
    assert desk.table.game_id == 4
    assert too_small(page) == []
    page.click("#go-on")
    expect(page.locator("#dialog")).to_be_visible()  # it still holds the words of the last question
    expect(page.locator("#dialog")).to_contain_text("Khet is being played")
    desk.submit(Command("new_game", {"game": "ataxx"}))  # by another phone of the host's
    page.eval_on_selector(
        "#dialog button[value=yes]", "yes => yes.click()"
    )  # once: a click by the mouse is tried again
    expect(page.locator("#dialog")).to_contain_text("Ataxx is being set up: that game ends without a result.")
    page.click("#dialog button[value=yes]")
    page.wait_for_url("**/game")
    expect(page.locator("#seats")).to_contain_text("Ada")
    assert desk.table.game_id == 6
    assert desk.games()[1]["result"] == "no result: another game was gone on with"
    old.click("#go-on")
    expect(old.locator("#toast")).to_have_text("This game is on already, as game 6.")
    expect(old.locator("#dialog")).to_be_hidden()
    old.close()
    expect(visit.go("/games/3").locator("#go-on")).to_have_count(0)
    assert too_small(page) == []
    page.click("#to-table")
    page.wait_for_url("**/game")


def test_neither_a_finished_game_nor_the_one_that_is_on_offers_to_go_on_with_it(kept: tuple[Visit, Desk]) -> None:
    visit, desk = kept
    desk.submit(Command("new_game", {"game": "khet"}))
    desk.table.record(SetUp())
    for number in (1, 2, 3):
        page = visit.go(f"/games/{number}")
        expect(page.locator("#erase")).to_be_visible()
        expect(page.locator("#go-on")).to_have_count(0)
    desk.submit(Command("reset"))
    page = visit.go("/games/3")
    page.click("#go-on")
    expect(page.locator("#dialog")).not_to_contain_text("ends without a result")
    page.click("#dialog button[value=yes]")
    page.wait_for_url("**/game")
    assert (desk.table.game_id, desk.snapshot().phase) == (4, "play")


def test_an_erased_game_is_not_offered_to_go_on_with(kept: tuple[Visit, Desk]) -> None:
    visit, desk = kept
    for game in ("khet", "ataxx"):
        desk.submit(Command("new_game", {"game": game}))
    page = visit.go("/games/3")
    expect(page.locator("#go-on")).to_be_visible()
    page.click("#erase")
    page.click("#dialog button[value=yes]")
    expect(page.locator("#erased")).to_be_visible()
    expect(page.locator("#go-on")).to_be_hidden()
