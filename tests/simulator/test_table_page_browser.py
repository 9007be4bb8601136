"""The virtual table's page in Chromium: dragging with a finger, choosing and moving by keyboard, no faults."""

import cv2
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from companion.games import game
from companion.pieces import Piece
from companion.simulator.carry import Tempo
from companion.simulator.demo_page import demo_pages
from companion.simulator.design import TableDesign
from companion.simulator.designs import design_for
from companion.simulator.errands import Errands
from companion.simulator.playbook import load
from companion.simulator.setting import Setting
from companion.simulator.table_page import table_pages
from companion.simulator.world import VirtualTable
from companion.web import WebSettings, build_app, serve
from companion.web.settings import ExtraPages

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::ResourceWarning")]

DESIGN = TableDesign(seed=2_000_105, clutter=False, fps=500.0)
CHOSEN = []
LINE_LOST = ("ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET")
FAR = (("pyramid", "c1"), ("pyramid", "j4"))  # a piece, and one that stands far from it
PHONE = {"width": 360, "height": 740}
CUT_OFF = "(e => e.scrollWidth - e.clientWidth)(document.querySelector('.vt-picture'))"  # of the picture, to the right


@pytest.fixture
def table():
    khet = game("khet")
    table = VirtualTable(DESIGN)
    table.show(Setting(table.furniture).state(khet.layout(khet.start({"layout": "classic-2.0"}))))
    return table


@pytest.fixture
def errands(table):
    return Errands(table, tempo=Tempo(1, 1, 1, 1))


def free_table():
    kaxxt = game("kaxxt")
    layout = kaxxt.layout(kaxxt.start({}))
    table = VirtualTable(design_for("kaxxt", layout, fps=500.0))
    table.show(Setting(table.furniture).state(layout))
    return table, Errands(table, tempo=Tempo(1, 1, 1, 1))


class Served:
    """The pages of a table at an address; those of another one take their place, as in a demonstration begun anew."""

    def __init__(self, state_dir):
        self.state_dir, self.server, self.port = state_dir, None, 0

    def show(self, table, errands):
        self.close()
        grey = np.full((DESIGN.height, DESIGN.width, 3), 120, np.uint8)
        picture = cv2.imencode(".jpg", grey)[1].tobytes()
        pages = ExtraPages(table_pages(table, lambda: picture, errands), "anyone", "Virtual table")
        demos = ExtraPages(demo_pages(load("khet"), CHOSEN.append), "anyone", "Demonstrations")
        app = build_app(object(), object(), WebSettings(self.state_dir, extra=(pages, demos)))
        self.server = serve(app, "127.0.0.1", self.port)
        self.port = self.server.address[1]

    def close(self):
        if self.server is not None:
            self.server.close()


@pytest.fixture
def served(table, errands, tmp_path):
    served = Served(tmp_path)
    served.show(table, errands)
    yield served
    served.close()


@pytest.fixture
def address(served):
    return f"http://127.0.0.1:{served.port}/table/"


@pytest.fixture
def page(chromium, address):
    faults = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=PHONE)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda line: faults.append(line.text) if line.type == "error" and "409" not in line.text else None,
        )
        page.goto(address)
        page.wait_for_selector("polygon")
        yield page
        browser.close()
    assert [fault for fault in faults if not any(lost in fault for lost in LINE_LOST)] == []


def test_a_piece_is_dragged_chosen_turned_and_moved_by_keyboard(page, table, errands):
    outline = page.locator('polygon[aria-label*="silver pharaoh"]')
    outline.hover()
    box = outline.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 1.9 * box["height"], steps=4)
    page.mouse.up()
    expect(page.locator("#vt-chosen")).to_contain_text("silver pharaoh on e3")
    errands.wait()
    assert table.state.on_cell("e3").piece.kind == "pharaoh"

    pyramid = table.state.on_cell("c5") or table.state.on_cell("c4")
    chosen = page.locator(f'polygon[data-name="{pyramid.name}"]')
    chosen.focus()
    page.keyboard.press("r")
    expect(chosen).not_to_have_attribute(
        "aria-label", f"silver pyramid on {pyramid.cell}, facing {pyramid.piece.facing}"
    )
    errands.wait()
    assert table.state.piece(pyramid.name).piece.facing != pyramid.piece.facing
    page.keyboard.press("Enter")
    page.keyboard.type("d3")
    page.keyboard.press("Enter")
    expect(page.locator("#vt-chosen")).to_contain_text("on d3")
    page.fill("#vt-where", "e3")
    page.keyboard.press("Enter")
    expect(page.locator("#vt-said")).to_have_text("There is a piece on e3: take that one off first.")


@pytest.fixture
def tower_page(page, served, address):
    """The page of a tower beside which a die lies."""
    kdak = game("kdak")
    layout = kdak.layout(kdak.start({}))
    table = VirtualTable(design_for("kdak", layout, fps=500.0))
    table.show(Setting(table.furniture).state(layout))
    errands = Errands(table, tempo=Tempo(1, 1, 1, 1))
    errands.bring(Piece("die", suit="suns"))
    errands.wait()
    served.show(table, errands)
    page.goto(address)
    page.wait_for_selector("polygon")
    return page, table, errands


def test_a_die_is_thrown_and_turned_to_a_face(tower_page):
    page, table, errands = tower_page
    lay = table.state.standing[-1]
    expect(page.locator("#vt-face")).to_be_hidden()
    expect(page.locator("[data-act=throw]")).to_be_disabled()
    die = page.locator('polygon[aria-label*="die"]')
    die.focus()
    page.keyboard.press("t")
    expect(die).not_to_have_attribute("aria-label", f"suns {lay.piece.value} die at {lay.x_mm:.0f}, {lay.y_mm:.0f}")
    errands.wait()
    fell = table.state.piece(lay.name)
    expect(page.locator("#vt-value")).to_have_value(fell.piece.value)
    wanted = "4" if fell.piece.value != "4" else "3"
    page.select_option("#vt-value", wanted)
    page.click("#vt-face button")
    expect(die).to_have_attribute("aria-label", f"suns {wanted} die at {fell.x_mm:.0f}, {fell.y_mm:.0f}")
    expect(page.locator("#vt-value")).to_have_value(wanted)
    page.locator('polygon[aria-label*="pawn"]').first.focus()
    page.keyboard.press("t")
    expect(page.locator("#vt-said")).to_have_text("A pawn is no die.")
    expect(page.locator("#vt-face")).to_be_hidden()


def test_a_second_finger_neither_moves_the_first_ones_piece_nor_breaks_the_page(page, table, errands):
    pharaoh, sphinx = (page.locator(f'polygon[aria-label*="silver {kind}"]') for kind in ("pharaoh", "sphinx"))
    pharaoh.hover()
    box, other = pharaoh.bounding_box(), sphinx.bounding_box()
    finger = {"bubbles": True, "button": 0, "pointerType": "touch"}
    first = {**finger, "pointerId": 1, "clientX": box["x"] + 5, "clientY": box["y"] + 5}
    second = {**finger, "pointerId": 2, "clientX": other["x"] + 5, "clientY": other["y"] + 5}
    page.evaluate("SVGElement.prototype.setPointerCapture = () => {}")  # these fingers are none that a screen knows
    up = {**first, "clientY": first["clientY"] - 1.9 * box["height"]}
    for shape, event, at in (
        (pharaoh, "pointerdown", first),
        (sphinx, "pointerdown", second),
        (sphinx, "pointermove", {**second, "clientY": second["clientY"] - 60}),
        (pharaoh, "pointermove", up),
        (pharaoh, "pointerup", up),
        (sphinx, "pointercancel", second),
    ):
        shape.dispatch_event(event, at)
    expect(page.locator("#vt-chosen")).to_contain_text("silver pharaoh on e3")
    errands.wait()
    assert table.state.on_cell("e3").piece.kind == "pharaoh"
    expect(page.locator("polygon.dragged, polygon[transform]")).to_have_count(0)


def test_a_phone_that_lies_on_its_side_shows_the_whole_board(page):
    page.set_viewport_size({"width": 844, "height": 390})
    seen = page.locator(".vt-picture").bounding_box()
    assert seen["y"] + seen["height"] <= 390
    assert page.locator(".vt-bar").bounding_box()["x"] > seen["x"] + seen["width"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_piece_goes_where_the_finger_lets_it_go_in_a_low_window_too(page, table, errands):
    page.set_viewport_size({"width": 1200, "height": 420})  # the picture is narrower than its room
    boxes = [page.locator(f'polygon[aria-label*="silver {kind} on {cell}"]').bounding_box() for kind, cell in FAR]
    (x, y), (right, up) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + (right - x) * 7 / 8, y + (up - y) * 7 / 8, steps=4)
    page.mouse.up()
    expect(page.locator("#vt-chosen")).to_contain_text("silver pyramid on i4")
    errands.wait()


def test_another_table_is_shown_with_its_own_buttons(page, served):
    expect(page.locator("#vt-go label")).to_have_text("To cell")
    served.show(*free_table())
    expect(page.locator("#vt-go label")).to_have_text("To (mm)")


def opened_on(page, served, table, errands):
    """The page of another table; one that is open would be loaded anew by itself, in the middle of that."""
    url = page.url
    page.goto("about:blank")
    served.show(table, errands)
    page.goto(url)


def test_pieces_of_a_free_table_are_moved_and_tipped_by_keyboard(page, served):
    table, errands = free_table()
    errands.bring(Piece("pyramid", "red", "large", "upright"))
    opened_on(page, served, table, errands)
    pyramid = page.locator('polygon[aria-label*="large upright red pyramid"]')
    pyramid.focus()
    page.keyboard.press("Enter")
    page.keyboard.type("-60, 42")
    page.keyboard.press("Enter")
    expect(page.locator("#vt-chosen")).to_contain_text("at -60, 42")
    page.get_by_role("button", name="Lay down").click()
    expect(page.locator("#vt-chosen")).to_contain_text("large lying red pyramid")
    errands.wait()
    assert (table.state.standing[-1].x_mm, table.state.standing[-1].y_mm) == pytest.approx((-60, 42), abs=0.1)
    page.get_by_role("button", name="Stand up").click()
    expect(page.locator("#vt-chosen")).to_contain_text("large upright red pyramid")
    errands.wait()
    assert table.state.standing[-1].piece.pose == "upright"
    card = page.locator('polygon[aria-label*="robot card"]')
    card.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Turn over")).to_be_disabled()
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_a_pyramid_is_brought_in_lying_just_where_it_is_wanted(page, served):
    table, errands = free_table()
    opened_on(page, served, table, errands)
    page.select_option("#vt-reserve", "large upright red pyramid")
    page.get_by_label("Lay down").check()
    page.locator("#vt-there").fill("-60, 42, 90")
    page.get_by_role("button", name="Bring in").click()
    expect(page.locator('polygon[aria-label="large lying red pyramid at -60, 42"]')).to_have_count(1)
    expect(page.get_by_label("Lay down")).not_to_be_checked()
    expect(page.locator("#vt-there")).to_have_value("")
    errands.wait()
    assert table.state.standing[-1].heading_deg == pytest.approx(90)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_hands_that_play_a_script_are_told_of(page, errands):
    expect(page.locator("#vt-others")).to_be_hidden()

    class Playing:
        at_work = True

        def give_way(self):
            self.at_work = False
            return True

    errands.others = Playing()
    expect(page.locator("#vt-others")).to_be_visible()
    page.get_by_role("button", name="Knock against the camera").click()
    expect(page.locator("#vt-others")).to_be_hidden()


def test_the_page_is_accessible_and_fits_a_phone(page):
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(CUT_OFF) <= 0
    assert page.locator("#vt-image").get_attribute("href") is not None
    page.get_by_role("button", name="Whole table").click()
    expect(page.locator("#vt-view")).to_have_attribute("viewBox", f"0 0 {DESIGN.width} {DESIGN.height}")
    assert page.evaluate(CUT_OFF) <= 0


def test_a_demonstration_is_chosen_on_a_page_of_all_games(page):
    page.get_by_role("link", name="Demonstrations").click()
    expect(page.locator("section.card h2")).to_have_count(6)
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("button[aria-current]")).to_have_count(1)
    page.locator('button[data-script="ataxx_classic"]').click()
    expect(page.locator("#demo-said")).to_contain_text("being set up")
    for _ in range(100):  # the page says so before it is answered
        if CHOSEN:
            break
        page.wait_for_timeout(50)
    assert [book.name for book in CHOSEN] == ["ataxx_classic"]


def test_a_line_that_was_lost_is_said_to_be_no_longer_once_it_is_back(page):
    page.context.set_offline(True)
    expect(page.locator("#vt-said")).to_have_text("The companion cannot be reached.")
    page.context.set_offline(False)
    expect(page.locator("#vt-said")).to_have_text("")
