"""The pages in Chromium at the size of a phone, light and dark, by touch and by keyboard."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from free_states import chaos, hexagon, kaxxt, tower
from hostile_texts import HOSTILE
from playwright.sync_api import Browser, Page, expect, sync_playwright
from web_fakes import BEAM, FakeTable, discs, playing, record, removing, ruled, seats, setting_up, won
from web_helpers import PIN

from companion.referee.commands import Command
from companion.referee.snapshot import BoardView, Choice, PieceView, Question, Ruling, Snapshot, Step, Waiting
from companion.web import Server, WebSettings, build_app, serve
from companion.web.parts import parts
from companion.web.replay_file import replay_file

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 360, "height": 740}
SMALLEST_PX = 14
CLICK_GONE_MS = 700  # longer than the page waits for the click of a finger that has left

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


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
    settings = WebSettings(tmp_path_factory.mktemp("state"), address="http://companion.local:8000", changes_per_s=1000)
    app = build_app(table, table, settings)
    parts(app).pins.set(PIN)
    server = serve(app, "127.0.0.1", 0)
    yield server, table, app
    server.close()


class Visit:
    """A page, its faults, and the table behind it."""

    def __init__(self, page: Page, base: str, table: FakeTable) -> None:
        self.page, self.base, self.table = page, base, table
        self.faults: list[str] = []
        page.set_default_timeout(10000)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda line: self.faults.append(line.text) if line.type == "error" else None)
        page.on("dialog", lambda dialog: self.faults.append(f"dialog {dialog.message}"))

    def go(self, path: str, state: Snapshot | None = None) -> Page:
        if state is not None:
            self.table.publish(state)
        self.page.goto(self.base + path)
        if path == "/game":
            self.page.wait_for_selector("#board rect")
        return self.page

    def tap(self, place: str, **at: Any) -> None:
        """Tap what is drawn on the board, once the page knows who holds the phone."""
        self.page.locator("#board.may-correct").wait_for()
        self.page.locator(f"#board {place}").click(force=True, **at)

    def asked(self, name: str, count: int = 1) -> list[Command]:
        """The commands of this name, once the table was asked that many."""
        for _ in range(200):
            if len(found := [command for command in self.table.asked if command.name == name]) >= count:
                return found
            self.page.wait_for_timeout(50)
        pytest.fail(f"{count} x {name} were to come; the table was asked {[c.name for c in self.table.asked]}")

    def log_in(self) -> None:
        self.go("/host")
        self.page.fill("#pin", PIN)
        self.page.click("#login button")
        self.page.wait_for_selector("#inside:not([hidden])")


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


JPEG = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb004300080606070605080707070909080a0c140d0c0b0b0c1912130f141d1a1f1e1d"
    "1a1c1c20242e2720222c231c1c2837292c30313434341f27393d38323c2e333432ffc0000b080001000101011100ffc4001f000001050101"
    "0101010100000000000000000102030405060708090a0bffc400b5100002010303020403050504040000017d010203000411051221314106"
    "13516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455"
    "565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9ba"
    "c2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9faffda0008010100003f00fbfe28ffd9"
)

VIEWS: dict[str, tuple[str, Snapshot | None]] = {
    "start": ("/", None),
    "playing": ("/game", playing()),
    "removing": ("/game", removing()),
    "ruled": ("/game", ruled()),
    "setting up": ("/game", setting_up()),
    "won": ("/game", won()),
    "discs": ("/game", discs()),
    "large board": ("/game", discs(board=BoardView("grid", 26, 26))),
    "lasers": ("/game", kaxxt()),
    "captures": ("/game", chaos()),
    "tower": ("/game", tower()),
    "hexagon": ("/game", hexagon()),
    "idle": ("/game", Snapshot(1, waiting=playing().waiting, board=BoardView("grid", 10, 8))),
    "new": ("/new", None),
    "games": ("/games", None),
    "replay": ("/games/7", None),
    "host": ("/host", None),
    "calibrate": ("/calibrate", None),
}


def test_a_tapped_disc_shows_where_it_can_go(visit: Visit) -> None:
    page = visit.go("/game", discs())
    visit.tap("[data-cell=a7]")
    expect(page.locator("#reach")).to_have_text("From a7: a new piece on a6, b6; or go to c7.")
    assert page.locator("#board .reach").count() == 4
    assert page.locator('[data-cell="b6"] .reach.drop').count() == 1
    assert page.locator('[data-cell="c7"] .reach.move').count() == 1
    visit.tap("[data-cell=a7]")
    expect(page.locator("#reach")).to_be_empty()


def test_the_host_sees_the_laser_on_the_picture_of_the_table(visit: Visit) -> None:
    visit.table.image = JPEG
    page = visit.go("/game", kaxxt())
    expect(page.locator("#photo")).to_be_hidden()
    visit.log_in()
    page = visit.go("/game", kaxxt())
    page.get_by_role("button", name="Camera picture").click()
    picture = page.locator("#board image")
    expect(picture).to_have_attribute("href", re.compile(r"/api/table\.jpg\?width_mm=\d"))
    assert page.locator("#board .badge").count() == len(kaxxt().beams)
    assert (
        page.evaluate("fetch(document.querySelector('#board image').getAttribute('href')).then((a) => a.status)") == 200
    )
    page.get_by_role("button", name="Camera picture").click()
    expect(picture).to_have_count(0)


def test_shields_and_the_power_of_a_beam_are_always_in_view(visit: Visit) -> None:
    page = visit.go("/game", kaxxt())
    expect(page.locator("#cards .sheet")).to_have_count(6)  # Kaxxt, four players, the bag
    south = page.locator("#cards .sheet", has_text="South")
    expect(south.locator(".card-value")).to_have_text("+2 26/30")
    powers = page.locator("#board .badge text").all_text_contents()
    assert powers[0] == "3"
    assert {beam.power for beam in kaxxt().beams} == {float(power) for power in powers}
    expect(page.locator("#board")).to_contain_text("North 29")
    expect(page.locator("#board .scale-text")).to_have_text("100 mm")
    page.get_by_role("button", name="Closer").click()
    page.get_by_role("button", name="Closer").click()
    expect(page.locator("#board .scale-text")).to_have_text("50 mm")
    page = visit.go("/game", chaos())
    expect(page.locator("#cards .token.have")).to_have_count(1)
    expect(page.locator("#cards .sheet", has_text="Player 2")).to_contain_text("large black, standing")


def too_small(page: Page) -> list[Any]:
    """Texts that are drawn smaller than they may be, SVG labels measured on the screen."""
    return page.evaluate(
        """(least) => [...document.querySelectorAll('body *')].filter((e) => {
            const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
            if (!own || e.closest('.unseen, title, script, noscript') || !e.getClientRects().length) return false;
            let size = parseFloat(getComputedStyle(e).fontSize);
            const matrix = e.getScreenCTM ? e.getScreenCTM() : null;
            if (matrix) size *= Math.hypot(matrix.a, matrix.b);
            return size < least - 0.01;
        }).map((e) => [e.tagName, e.textContent.slice(0, 40)])""",
        SMALLEST_PX,
    )


@pytest.mark.parametrize("visit", ["light", "dark"], indirect=True)
@pytest.mark.parametrize("name", VIEWS)
def test_a_page_fits_a_phone_and_everybody_can_use_it(visit: Visit, name: str) -> None:
    path, state = VIEWS[name]
    if name in ("ruled", "calibrate", "new"):
        visit.log_in()
    visit.table.image = JPEG
    page = visit.go(path, state)
    page.wait_for_load_state("networkidle") if path in ("/new", "/games/7", "/host") else page.wait_for_timeout(250)
    for details in page.query_selector_all("details:not([open]) > summary"):
        details.click()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], f"{name} is {width} wide"
    assert too_small(page) == []
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("visit", ["light", "dark"], indirect=True)
def test_a_shared_game_is_one_file_that_draws_itself(visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    plies = tuple(replace(ply, pieces=playing().pieces, scores=(13 - i, 13)) for i, ply in enumerate(record(4)))
    path.write_text(replay_file(playing(record=plies), {"title": "Khet", "started": "2026-01-01T20:00"}), "utf-8")
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    page = visit.page
    page.goto(path.as_uri())
    page.wait_for_selector("#board .piece")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    expect(page.locator("#last")).to_have_text(f"1. {plies[0].text}")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#last")).to_have_text(f"2. {plies[1].text}")
    box = page.locator("#strip").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    expect(page.locator("#last")).to_have_text(f"4. {plies[3].text}")
    assert page.locator("#strip .strip-mark").count() == 3
    assert too_small(page) == []
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    assert found.violations_count == 0, found.generate_report()


def test_a_replay_shows_the_shields_as_they_were(visit: Visit) -> None:
    told = kaxxt()
    lines = record(3)
    plies = tuple(
        replace(ply, pieces=told.pieces, scores=(30 - 4 * i,) * len(told.seats)) for i, ply in enumerate(lines)
    )
    page = visit.go("/game", replace(told, record=plies))
    expect(page.locator("#board")).to_contain_text("North 29")
    page.locator("#record button").nth(1).click()
    expect(page.locator("#board")).to_contain_text("North 26")
    page.click("#live")
    expect(page.locator("#board")).to_contain_text("North 29")


def test_the_start_page_says_once_whose_turn_it_is(visit: Visit) -> None:
    page = visit.go("/", playing(waiting=Waiting("Silver to move")))
    expect(page.locator("#now-waiting")).to_have_text("Silver to move.")
    visit.table.publish(removing())
    asked = "Take the silver pyramid off c7. It was hit on its open side."
    expect(page.locator("#now-waiting")).to_have_text(asked)


def test_the_beam_and_every_piece_are_drawn(visit: Visit) -> None:
    page = visit.go("/game", playing())
    assert page.locator("#board .piece").count() == 26
    assert page.locator("#board .beam-core").count() == 1
    drawn = page.locator("#board .beam-core").get_attribute("d")
    assert drawn is not None
    assert drawn.count("L") == len(BEAM.points) - 1


def test_the_beam_grows_hop_by_hop_unless_motion_is_unwanted(browser: Browser, house: Any) -> None:
    server, table, _ = house
    table.publish(playing(beams=()))
    for motion, moving in (("no-preference", True), ("reduce", False)):
        context = browser.new_context(viewport=PHONE, reduced_motion=motion)
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.address[1]}/game")
        page.wait_for_selector("#board rect")
        table.publish(playing())
        page.wait_for_selector("#board .beam-core")
        running = page.evaluate("document.querySelector('#board .beam-core').getAnimations().length")
        assert bool(running) == moving
        table.publish(playing(beams=()))
        context.close()


def test_states_arrive_by_themselves_and_are_announced(visit: Visit) -> None:
    page = visit.go("/game", playing())
    visit.table.publish(ruled())
    page.wait_for_selector("#ruling:not([hidden])")
    assert "a3" in page.inner_text("#ruling")
    assert "Put the pyramid back on b3." in (page.text_content("#ruled") or "")
    page.click("text=Why?")
    assert "Eye of Horus" in page.inner_text("#rule-words")
    visit.table.publish(won())
    page.wait_for_selector("#result:not([hidden])")
    assert page.locator("#board .wash rect").count() == 80
    assert page.locator("#ruling").is_hidden()


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


def test_a_host_corrects_a_square_by_tapping_it(visit: Visit) -> None:
    visit.log_in()
    page = visit.go("/game", playing())
    page.wait_for_selector("#board.may-correct")
    visit.tap("[data-cell=c4]", position={"x": 3, "y": 3})
    expect(page.locator("#dialog-head")).to_have_text("Square c4")
    page.select_option("#field-kind", "scarab")
    page.select_option("#field-facing", "/")
    page.click("#dialog button[value=yes]")
    expect(page.locator("#dialog")).to_be_hidden()
    asked = visit.asked("correct")[-1]
    assert asked.arguments == {"cell": "c4", "piece": {"kind": "scarab", "colour": "silver", "facing": "/"}}
    assert asked.expects is None
    assert asked.key


def test_a_host_corrects_a_tile_of_the_tower_and_who_stands_on_it_by_tapping_it(visit: Visit) -> None:
    visit.log_in()
    page = visit.go("/game", tower())
    visit.tap("[data-cell='0b']", position={"x": 12, "y": 20})
    expect(page.locator("#dialog-head")).to_have_text("Tile 0b")
    page.select_option("#field-lies", "front")
    page.select_option("#field-suit", "crowns")
    page.select_option("#field-value", "ace")
    page.select_option("#field-who", "moons")
    page.click("#dialog button[value=yes]")
    expect(page.locator("#dialog")).to_be_hidden()
    assert [command.arguments for command in visit.asked("correct", 2)] == [
        {"cell": "0b", "piece": {"kind": "tile", "face": "front", "suit": "crowns", "value": "ace"}},
        {"cell": "0b/moons", "piece": {"kind": "pawn", "suit": "moons"}},
    ]


def test_a_tap_counts_though_the_board_is_drawn_anew_under_the_finger(visit: Visit) -> None:
    visit.log_in()
    page = visit.go("/game", playing())
    page.locator("#board.may-correct").wait_for()
    square = page.locator("#board [data-cell=c4] .square").bounding_box()
    assert square
    page.mouse.move(square["x"] + square["width"] / 2, square["y"] + square["height"] / 2)
    page.mouse.down()
    visit.table.publish(playing(title="Khet, meanwhile", last_text="Gold moved meanwhile"))
    expect(page.locator("#title")).to_have_text("Khet, meanwhile")
    page.mouse.up()
    expect(page.locator("#dialog-head")).to_have_text("Square c4")
    expect(page.locator("#last")).to_have_text("Gold moved meanwhile")


def test_a_finger_that_stays_after_a_quick_tap_keeps_the_board_as_it_is(visit: Visit) -> None:
    page = visit.go("/game", discs())
    visit.tap("[data-cell=a7]")
    square = page.locator("[data-cell=a7]").bounding_box()
    assert square
    page.mouse.move(square["x"] + square["width"] / 2, square["y"] + square["height"] / 2)
    page.mouse.down()
    page.locator("[data-cell=a7]").evaluate("cell => { cell.underFinger = true; }")
    visit.table.publish(discs(title="Ataxx, meanwhile"))
    expect(page.locator("#title")).to_have_text("Ataxx, meanwhile")
    page.wait_for_timeout(CLICK_GONE_MS)
    assert page.locator("[data-cell=a7]").evaluate("cell => cell.underFinger === true")
    page.mouse.up()
    expect(page.locator("#reach")).to_be_empty()


def test_a_host_corrects_a_free_piece_and_adds_one_by_tapping(visit: Visit) -> None:
    visit.log_in()
    page = visit.go("/game", chaos())
    visit.tap("[data-piece='1']")
    expect(page.locator("#dialog-head")).to_have_text("At 40, 40 mm")
    page.select_option("#field-colour", "orange")
    page.click("#dialog button[value=yes]")
    expect(page.locator("#dialog")).to_be_hidden()
    page.locator("#board").click(position={"x": 40, "y": 30}, force=True)
    page.select_option("#field-lies", "lying")
    page.select_option("#field-heading", "90")
    page.select_option("#field-colour", "blue")
    page.click("#dialog button[value=yes]")
    expect(page.locator("#dialog")).to_be_hidden()
    first, second = (command.arguments for command in visit.asked("correct", 2))
    standing = {"kind": "pyramid", "pose": "upright", "colour": "orange", "size": "large"}
    assert first == {"x_mm": 40.0, "y_mm": 40.0, "piece": standing}
    assert second["piece"] == {"kind": "pyramid", "pose": "lying", "colour": "blue", "size": "large"}
    assert second["heading_deg"] == 90
    assert second["x_mm"] < -150
    assert second["y_mm"] > 50


def test_a_host_says_where_kaxxts_card_lies(visit: Visit) -> None:
    visit.log_in()
    page = visit.go("/game", kaxxt())
    card = next(i for i, piece in enumerate(kaxxt().pieces) if piece.kind == "robot_card")
    for heading in ("", "180"):
        visit.tap(f"[data-piece='{card}']")
        expect(page.locator("#field-colour")).to_be_hidden()
        page.select_option("#field-heading", heading)
        page.click("#dialog button[value=yes]")
        expect(page.locator("#dialog")).to_be_hidden()
    drawn, turned = (command.arguments for command in visit.asked("correct", 2))
    assert drawn["piece"] == {"kind": "robot_card"}
    assert drawn["heading_deg"] == kaxxt().pieces[card].heading_deg
    assert turned["heading_deg"] == 180


def test_by_keyboard_alone(visit: Visit) -> None:
    visit.log_in()
    page = visit.go("/game", ruled())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("(document.activeElement.textContent || '').trim()"))
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", reached[-1]
        if reached[-1] == "Turned on c4":
            break
    page.keyboard.press("Enter")
    assert visit.asked("answer")[-1].arguments == {"question": "q1", "choice": "2"}


def test_a_player_claims_a_seat_and_plays(visit: Visit) -> None:
    page = visit.go("/game", playing(to_move=1))
    page.click("text=Join")
    page.fill("#field-player", "<b>Grace</b>")
    page.fill("#field-pin", PIN)
    page.click("#dialog button[value=yes]")
    page.wait_for_selector("text=Your turn")
    assert "<b>Grace</b>" in page.inner_text("#seats")
    page.click("text=Resign")
    page.click("#dialog button[value=yes]")
    assert visit.asked("resign")[-1].by == "seat 1"


def test_the_host_starts_a_game(visit: Visit) -> None:
    visit.log_in()
    page = visit.go("/new", playing(phase="idle"))
    page.wait_for_selector("#go:not([disabled])")
    page.wait_for_selector("#preview .piece")
    with page.expect_response(re.compile("layout=imhotep-2.0")):
        page.select_option("#option-layout", label="Imhotep-2.0")
    page.check("#option-both_pharaohs_tie")
    page.click("#go")
    page.wait_for_url("**/game")
    asked = visit.table.asked[-1]
    assert asked.arguments == {"game": "khet", "options": {"layout": "imhotep-2.0", "both_pharaohs_tie": True}}


def test_corners_are_dragged_and_moved_by_key(visit: Visit) -> None:
    visit.log_in()
    visit.table.image = JPEG
    page = visit.go("/calibrate")
    page.wait_for_selector(".corner")
    page.focus(".corner[data-index='2']")
    page.keyboard.press("ArrowRight")
    page.click("#save")
    corners = visit.asked("set_corners")[-1].arguments["corners"]
    assert len(corners) == 4
    assert corners[2][0] == 1.0  # a picture of one pixel: the key has gone to its edge


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
    page.click("#learn")
    visit.table.guide = {**off, "lesson": "The looks of 26 pieces were learned."}
    expect(page.locator("#set-text")).to_have_text("The looks of 26 pieces were learned.")
    expect(page.locator("#guide-next")).to_be_hidden()
    asked = [(c.name, c.arguments.get("step")) for c in visit.table.asked]
    assert asked == [("calibrate", "start"), ("calibrate", "skip"), ("calibrate", "next"), ("learn_set", None)]


def test_a_lost_connection_is_said_and_mended(browser: Browser, app: Flask, table: FakeTable) -> None:
    server = serve(app, "127.0.0.1", 0)
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.address[1]}/game")
    page.wait_for_selector("#board rect")
    server.close()
    page.wait_for_selector("#link:not([hidden])")
    assert "lost" in page.inner_text("#link")
    parts(app).closing.clear()
    again = serve(app, "127.0.0.1", server.address[1])
    table.publish(replace(playing(), last_text="Back again."))
    expect(page.locator("#last")).to_have_text("Back again.", timeout=20000)
    assert page.locator("#link").is_hidden()
    context.close()
    again.close()


def test_the_list_of_games_is_sifted_by_word_game_and_end(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = [
        ("khet", "Khet", "Silver wins: the other pharaoh was hit."),
        ("khet", "Khet", "no result: an hour without a move"),
        ("chaos", "Chaos", ""),
    ]
    line = visit.table.games()[0]
    many = [{**line, "id": i, "game": g, "title": t, "result": r} for i, (g, t, r) in enumerate(kinds)]
    monkeypatch.setattr(visit.table, "games", lambda: many)  # the table is all tests' own
    page = visit.go("/games")
    shown = page.locator("#games li:visible")
    expect(shown).to_have_count(3)
    page.fill("#filter", "pharaoh khet")
    expect(shown).to_have_count(1)
    page.fill("#filter", "")
    page.select_option("#of-game", "khet")
    expect(shown).to_have_count(2)
    page.select_option("#ended", "no")
    expect(shown).to_have_count(1)
    page.select_option("#of-game", "chaos")
    page.select_option("#ended", "yes")
    expect(page.locator("#none")).to_be_visible()


def test_nothing_comes_from_elsewhere(visit: Visit) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    for path in ("/", "/game", "/new", "/games", "/games/7", "/host"):
        visit.go(path)
        visit.page.wait_for_timeout(100)
    assert asked
    assert all(url.startswith(visit.base) for url in asked)


def test_hostile_texts_stay_texts_wherever_they_are_shown(visit: Visit) -> None:
    def count() -> int:
        return int(visit.page.evaluate("document.querySelectorAll('script,iframe,object,base,style,img').length"))

    usual = playing()
    page = visit.go("/game", usual)
    elements = count()
    lines = [replace(ply, text=text, move=text) for ply, text in zip(record(len(HOSTILE)), HOSTILE, strict=True)]
    for first in range(0, len(HOSTILE), 48):
        few = HOSTILE[first : first + 48]
        seated = [replace(seat, player=text, name=text) for seat, text in zip(usual.seats, few, strict=False)]
        asked = Question("q", few[3], tuple(Choice(str(i), text) for i, text in enumerate(few)))
        steps = tuple(Step(text, False, "c4") for text in few)
        hostile = replace(
            ruled(),
            number=100 + first,
            seats=tuple(seated),
            title=few[2],
            question=asked,
            ruling=Ruling(few[4], few[5], few[6], few[7], few[8]),
            waiting=Waiting(few[9], few[10], steps),
            notices=tuple(few),
            last_text=few[11],
            sight_text=few[0],
            pieces=tuple(replace(piece, words=few[12]) for piece in usual.pieces),
            record=tuple(lines),
        )
        visit.table.publish(hostile)
        expect(page.locator("#last")).to_have_text(few[11])
        assert few[9] in (page.text_content("main") or "")
    assert page.locator("#record li").count() == len(HOSTILE)
    assert count() == elements
    assert page.url == f"{visit.base}/game"


def test_a_free_table_and_a_board_of_hexagons(visit: Visit) -> None:
    page = visit.go("/game", free_table())
    assert page.locator("#board [data-piece]").count() == len(free_table().pieces)
    whole = page.locator("#board").get_attribute("viewBox") or ""
    page.click("text=Closer")
    near = page.locator("#board").get_attribute("viewBox") or ""
    assert float(near.split()[2]) < float(whole.split()[2]) == 400
    page.click("text=Whole table")
    assert page.locator("#board").get_attribute("viewBox") == whole
    page = visit.go("/game", hexxagon())
    assert page.locator("#board [data-cell]").count() == 61
    assert page.locator("#zoom").is_hidden()


def test_pieces_of_a_free_table_keep_their_own_colours_however_the_seats_are_named(visit: Visit) -> None:
    of = {"red": "#d93a2e", "yellow": "#f0d021"}
    colours = [piece.colour for piece in chaos().pieces]
    page = visit.go("/game", chaos())
    fills = [
        {side.get_attribute("fill") for side in piece.locator("polygon").all()}
        for piece in page.locator("#board [data-piece]").all()
    ]
    assert set(colours) == set(of)
    assert [[name for name in of if of[name] in own] for own in fills] == [[colour] for colour in colours]


def test_corrections_name_the_catalogue_whatever_the_sets_colours(visit: Visit) -> None:
    visit.log_in()
    page = visit.go("/game", playing(seats=seats("silver", "gold")))
    page.wait_for_selector("#board.may-correct")
    visit.tap("[data-cell=c7]", position={"x": 3, "y": 3})
    assert page.locator("#field-colour option:checked").inner_text() == "gold"
    page.click("#dialog button[value=yes]")
    assert visit.asked("correct")[-1].arguments["piece"] == {"kind": "pyramid", "colour": "red", "facing": "SW"}


def free_table() -> Snapshot:
    """Pyramids, tiles, coins, pawn and die in millimetres."""
    lying = [
        PieceView("pyramid", "green", size="large", pose="lying", x_mm=-120, y_mm=60, heading_deg=30),
        PieceView("pyramid", "red", size="small", pose="upright", x_mm=-60, y_mm=40, heading_deg=10),
        PieceView("pyramid", "black", size="medium", pose="upright", x_mm=-20, y_mm=70, heading_deg=45, state="wrong"),
        PieceView("tile", suit="suns", value="3", face="face", x_mm=60, y_mm=40, heading_deg=0),
        PieceView("tile", face="back", x_mm=111, y_mm=40, heading_deg=0),
        PieceView("coin", suit="arms", face="suit", x_mm=60, y_mm=-20, heading_deg=90),
        PieceView("coin", value="ace", face="value", x_mm=90, y_mm=-20, heading_deg=0),
        PieceView("pawn", suit="crowns", x_mm=120, y_mm=-20),
        PieceView("die", suit="moons", value="4", x_mm=150, y_mm=-20, heading_deg=20),
        PieceView("unknown", x_mm=-100, y_mm=-60),
    ]
    return playing(board=BoardView("free", width_mm=400, height_mm=260), pieces=tuple(lying), beams=(), last_cells=())


def hexxagon() -> Snapshot:
    """Three discs each in the corners."""
    cells = {"a1": "black", "e9": "black", "i5": "black", "a5": "white", "i9": "white", "e1": "white"}
    discs = tuple(PieceView("disc", colour, cell=cell) for cell, colour in cells.items())
    return playing(board=BoardView("hex", 9, 9), pieces=discs, beams=(), last_cells=("e9",), game="hexxagon")
