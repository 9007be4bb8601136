"""The pages in Chromium on which the host starts a game and sets camera and table up."""

import re
from dataclasses import replace

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_visit import JPEG, Visit
from playwright.sync_api import expect
from web_fakes import playing, setting_up

from companion.journal.archive import MemoryArchive
from companion.referee.readmodel import Desk
from companion.referee.snapshot import Waiting

pytestmark = pytest.mark.browser


def test_the_host_starts_a_game(visit: Visit) -> None:
    page = visit.as_host("/new", playing(phase="idle"))
    page.wait_for_selector("#go:not([disabled])")
    page.wait_for_selector("#preview .piece")
    with page.expect_response(re.compile("layout=imhotep-2.0")):
        page.select_option("#option-layout", label="Imhotep 2.0")
    page.check("#option-both_pharaohs_tie")
    page.click("#go")
    page.wait_for_url("**/game")
    asked = visit.table.asked[-1]
    assert asked.arguments == {"game": "khet", "options": {"layout": "imhotep-2.0", "both_pharaohs_tie": True}}


def test_who_would_end_a_game_that_another_phone_began_meanwhile_is_told_first(visit: Visit) -> None:
    page = visit.as_host("/new", playing(phase="idle", game=None))
    page.wait_for_selector("#go:not([disabled])")
    expect(page.locator("#note")).to_be_hidden()
    visit.table.publish(playing())
    count = len(visit.table.asked)
    page.click("#go")
    expect(page.locator("#note")).to_have_text("A game is running: starting another one ends it without a result.")
    expect(page.locator("#go")).to_be_enabled()
    assert len(visit.table.asked) == count
    page.click("#go")
    page.wait_for_url("**/game")
    assert visit.table.asked[-1].name == "new_game"


def test_what_does_not_go_with_what_is_chosen_above_is_not_offered(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(MemoryArchive())
    kaxxt = [choice for choice in desk.choices() if choice["name"] == "kaxxt"]
    monkeypatch.setattr(visit.table, "choices", lambda: kaxxt)  # the table is all tests' own
    monkeypatch.setattr(visit.table, "preview", desk.preview)
    page = visit.as_host("/new", playing(phase="idle", game=None))
    first = page.locator("#option-first")
    expect(first.locator("option:not([hidden])")).to_have_text(["Whom his card looks at", "South", "North"])
    page.select_option("#option-seats", label="4")
    expect(first.locator("option:not([hidden])")).to_have_count(5)
    page.select_option("#option-first", label="East")
    page.select_option("#option-seats", label="3")
    expect(first.locator("option:checked")).to_have_text("Whom his card looks at")
    page.click("#go")
    (started,) = visit.asked("new_game")
    assert (started.arguments["options"]["seats"], started.arguments["options"]["first"]) == (3, "shown")


def test_who_comes_back_to_a_new_game_can_start_another(visit: Visit) -> None:
    page = visit.as_host("/new", playing(phase="idle"))
    page.wait_for_selector("#go:not([disabled])")
    page.locator("#go").evaluate("button => { button.disabled = true; }")  # as it was left
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator("#go")).to_be_enabled()


def test_a_host_page_that_is_looked_at_again_knows_who_the_phone_is(visit: Visit) -> None:
    page = visit.go("/host", playing())
    visit.log_in_elsewhere()
    expect(page.locator("#login")).to_be_visible()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#inside")).to_be_visible()


def test_a_host_at_an_idle_table_is_led_to_a_new_game(visit: Visit) -> None:
    page = visit.as_host("/game", playing(phase="idle", game="", record=(), seats=()))
    expect(page.locator("#host-tools button")).to_have_text(["Quiet", "Measure the light"])
    for part in ("#board", "#zoom", "#words"):
        expect(page.locator(part)).to_be_hidden()
    page.click("#host-tools >> text=Start a game")
    page.wait_for_url("**/new")


def test_the_host_may_begin_though_the_set_up_is_not_seen_complete(visit: Visit) -> None:
    page = visit.as_host("/game", setting_up())
    page.click("#host-tools >> text=Begin anyway")
    page.click("#dialog button[value=no]")
    page.click("#host-tools >> text=Begin anyway")
    page.click("#dialog button[value=yes]")
    expect(page.locator("#dialog")).to_be_hidden()
    assert [command.expects for command in visit.asked("begin")] == [3]
    visit.table.publish(playing())
    expect(page.locator("#host-tools button", has_text="Begin")).to_have_count(0)


def test_what_is_still_to_be_put_right_stands_above_the_board(visit: Visit) -> None:
    missing = "Put the silver pyramid, mirror to NE, on h2. Take the silver pyramid on h3 away."
    state = replace(setting_up(), waiting=Waiting("Set the pieces up", missing), sight_text="The table is seen.")
    page = visit.go("/game", state)
    expect(page.locator("#now")).to_have_text(f"Set the pieces up: {missing}")
    moving = "Something is moving: waiting until the table is still"
    visit.table.publish(replace(state, waiting=Waiting("Set the pieces up", moving), sight_text=moving))
    expect(page.locator("#now")).to_have_text("Set the pieces up")


def test_without_a_camera_no_torn_picture_is_shown(visit: Visit) -> None:
    page = visit.as_host("/calibrate")
    expect(page.locator("#note")).to_have_text("There is no picture from the camera now.")
    expect(page.locator(".picture")).to_be_hidden()
    visit.table.image = JPEG
    expect(page.locator(".picture")).to_be_visible()
    expect(page.locator(".corner")).to_have_count(4)
    expect(page.locator("#note")).to_be_hidden()
    visit.faults.clear()  # the browser notes the picture that it could not load


def test_the_host_is_led_through_the_guided_steps(visit: Visit) -> None:
    visit.log_in()
    visit.table.image = JPEG
    off = {"running": False, "lens": "not measured", "set": "not learned", "lesson": ""}
    visit.table.guide = off
    page = visit.go("/calibrate")
    expect(page.locator("#guide-lens")).to_have_text("The lens is not measured.")
    page.click("#guide-start")
    lens = {**off, "running": True, "step": "lens", "text": "show the board", "taken": 2, "wanted": 10}
    visit.table.guide = {**lens, "outlines": [[[0.1, 0.1], [0.5, 0.1], [0.5, 0.5]]]}
    expect(page.locator("#guide-text")).to_have_text("Show the board (2 of 10)")
    expect(page.locator("[data-step=lens]")).to_have_attribute("aria-current", "step")
    expect(page.locator("polygon.found")).to_have_count(1)
    page.click("#guide-skip")
    expect(page.locator("#guide-next")).to_have_text("Measure the lens")
    visit.table.guide = {**lens, "step": "markers", "text": "fits", "warnings": ["the table is dark"]}
    expect(page.locator("#guide-warnings li")).to_have_text("the table is dark")
    expect(page.locator("#guide-skip")).to_be_hidden()
    page.click("#guide-next")
    expect(page.locator("#call-off")).to_be_hidden()
    page.click("#learn")
    visit.table.guide = {**off, "lesson": "Waiting for a clear picture of the table.", "waits": True}
    page.click("#call-off")
    visit.table.guide = {
        **off,
        "lesson": "The looks of 26 pieces were learned.",
        "learned": "2026-11-25T18:04:05+00:00",
        "pictures": ["pyramid-red-large-upright", "silver-anubis"],
    }
    expect(page.locator("#set-text")).to_have_text("The looks of 26 pieces were learned.")
    expect(page.locator("#set-pictures li")).to_have_text(["red large upright", "silver anubis"])
    expect(page.locator("#unlearn")).to_be_hidden()
    pictures = page.locator("#set-pictures img")
    for number in range(2):
        expect(pictures.nth(number)).to_have_js_property("complete", True)
    assert pictures.evaluate_all("(all) => all.every((image) => image.naturalWidth > 0)")
    expect(page.locator("#guide-next")).to_be_hidden()
    asked = [(c.name, c.arguments.get("step"), c.arguments.get("at")) for c in visit.table.asked]
    assert asked == [
        ("calibrate", "start", None),
        ("calibrate", "skip", "lens"),
        ("calibrate", "next", "markers"),
        ("learn_set", None, None),
        ("call_off_lesson", None, None),
    ]


def test_a_set_is_kept_under_a_name_used_renamed_deleted_and_brought_back(visit: Visit) -> None:
    visit.log_in()
    visit.table.image = JPEG
    learned = {"learned": "2026-11-25T18:04:05+00:00", "version": "0.1.0"}
    club = {"id": "1", "name": "Club <set>", "used": True, "deleted": False, **learned}
    travel = {"id": "2", "name": "Travel set", "used": False, "deleted": False, **learned}
    gone = {"id": "3", "name": "Old set", "used": False, "deleted": True, **learned}
    guide = {"running": False, "lens": "measured", "set": "learned", "lesson": "", "keeps": True, "sets": []}
    visit.table.guide = guide
    page = visit.go("/calibrate")
    page.click("#keep-set")
    page.fill("#field-name", "Club <set>")
    page.locator("#dialog").get_by_role("button", name="Keep").click()
    visit.asked("keep_sets")
    visit.table.guide = {**guide, "sets": [club, travel, gone]}
    expect(page.locator("#kept-sets .kept-name")).to_have_text(["Club <set>", "Travel set", "Old set"])
    size = "head => parseFloat(getComputedStyle(head).fontSize)"
    assert page.locator("#kept-head").evaluate(size) < page.locator("#set-head").evaluate(size)
    about = re.compile(r"in use; learned 2026-11-2\d \d\d:04, version 0\.1\.0")  # as the list of games has it
    expect(page.locator("#kept-sets .quiet-text").first).to_have_text(about)
    expect(page.locator("#keep-set")).to_be_hidden()
    page.get_by_role("button", name="Rename: Club <set>").click()
    assert page.input_value("#field-name") == "Club <set>"
    page.fill("#field-name", "Club")
    page.locator("#dialog").get_by_role("button", name="Rename").click()
    visit.asked("keep_sets", 2)
    for number, words in enumerate(("Use: Travel set", "Delete: Travel set", "Bring back: Old set"), 3):
        page.get_by_role("button", name=words).click()
        visit.asked("keep_sets", number)
    assert [command.arguments for command in visit.asked("keep_sets", 5)] == [
        {"step": "keep", "name": "Club <set>"},
        {"step": "rename", "set": "1", "name": "Club"},
        {"step": "use", "set": "2"},
        {"step": "delete", "set": "2"},
        {"step": "restore", "set": "3"},
    ]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_what_was_learned_is_forgotten_only_when_the_host_is_sure(visit: Visit) -> None:
    visit.log_in()
    visit.table.image = JPEG
    visit.table.guide = {"running": False, "lens": "measured", "set": "learned", "lesson": "", "forgets": True}
    page = visit.go("/calibrate")
    for answer in ("Cancel", "Forget it"):
        page.click("#unlearn")
        expect(page.get_by_role("dialog")).to_contain_text("It cannot be brought back.")
        assert visit.table.asked == []
        page.get_by_role("button", name=answer).click()
    assert len(visit.asked("forget_set")) == 1


def test_a_game_without_a_board_asks_for_no_corners(visit: Visit) -> None:
    visit.log_in()
    visit.table.image = JPEG
    off = {"running": False, "lens": "measured", "set": "not learned", "lesson": ""}
    visit.table.guide = {**off, "corners": False}
    page = visit.go("/calibrate")
    for part in ("#by-corners", "#field"):
        expect(page.locator(part)).to_be_hidden()
    visit.table.guide = {**off, "corners": True}
    expect(page.locator("#save")).to_be_visible()
    expect(page.locator(".corner").first).to_be_visible()
