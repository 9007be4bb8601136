"""The virtual table's page in Chromium: dragging with a finger, choosing and moving by keyboard, no faults."""

import cv2
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from companion.games import game
from companion.simulator.carry import Tempo
from companion.simulator.demo_page import demo_pages
from companion.simulator.design import TableDesign
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


@pytest.fixture
def address(table, errands, tmp_path):
    grey = np.full((DESIGN.height, DESIGN.width, 3), 120, np.uint8)
    picture = cv2.imencode(".jpg", grey)[1].tobytes()
    pages = ExtraPages(table_pages(table, lambda: picture, errands), "anyone", "Virtual table")
    demos = ExtraPages(demo_pages(load("khet"), CHOSEN.append), "anyone", "Demonstrations")
    app = build_app(object(), object(), WebSettings(tmp_path, extra=(pages, demos)))
    server = serve(app, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.address[1]}/table/"
    server.close()


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
    assert [fault for fault in faults if "ERR_INTERNET_DISCONNECTED" not in fault] == []


def test_a_piece_is_dragged_chosen_turned_and_moved_by_keyboard(page, table, errands):
    outline = page.locator('polygon[aria-label*="silver pharaoh"]')
    outline.scroll_into_view_if_needed()
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
    page.fill("#vt-cell", "e3")
    page.keyboard.press("Enter")
    expect(page.locator("#vt-said")).to_have_text("There is a piece on e3: take that one off first.")


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
