"""A phone that visits the page, and what it noticed there."""

from typing import Any

import pytest
from playwright.sync_api import Page
from web_fakes import FakeTable
from web_helpers import PIN

from companion.referee.commands import Command
from companion.referee.snapshot import Snapshot

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
DEAF_MS = 350  # as in steady.js
JPEG = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb004300080606070605080707070909080a0c140d0c0b0b0c1912130f141d1a1f1e1d"
    "1a1c1c20242e2720222c231c1c2837292c30313434341f27393d38323c2e333432ffc0000b080001000101011100ffc4001f000001050101"
    "0101010100000000000000000102030405060708090a0bffc400b5100002010303020403050504040000017d010203000411051221314106"
    "13516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455"
    "565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9ba"
    "c2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9faffda0008010100003f00fbfe28ffd9"
)


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
            self.page.wait_for_selector("#board rect", state="attached")  # it is hidden while no game is on
        return self.page

    def tap(self, place: str, **at: Any) -> None:
        """Tap what is drawn on the board, once the page knows who holds the phone."""
        self.page.locator("#board.may-correct").wait_for()
        self.page.locator(f"#board {place}").click(force=True, **at)

    def at_rest(self) -> Page:
        """The page once every button hears again after what was drawn last."""
        self.page.wait_for_timeout(DEAF_MS + 50)
        return self.page

    def asked(self, name: str, count: int = 1) -> list[Command]:
        """The commands of this name, once the table was asked that many."""
        for _ in range(200):
            if len(found := [command for command in self.table.asked if command.name == name]) >= count:
                return found
            self.page.wait_for_timeout(50)
        pytest.fail(f"{count} x {name} were to come; the table was asked {[c.name for c in self.table.asked]}")

    def log_in(self) -> None:
        self.go("/host")
        _log_in(self.page)

    def as_host(self, path: str, state: Snapshot | None = None) -> Page:
        self.log_in()
        return self.go(path, state)

    def log_in_elsewhere(self) -> None:
        """In another window of the same browser."""
        other = self.page.context.new_page()
        other.goto(self.base + "/host")
        _log_in(other)
        other.close()


def middle(page: Page, place: str) -> tuple[float, float]:
    """Of what is drawn there, once it is in view."""
    page.locator(place).hover()  # which looks again where the page draws it anew meanwhile
    box = page.locator(place).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _log_in(page: Page) -> None:
    page.fill("#pin", PIN)
    page.click("#login button")
    page.wait_for_selector("#inside:not([hidden])")


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
