"""Every page in Chromium at the size of a phone, light and dark: it fits, and everybody can use it."""

from dataclasses import replace
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_visit import JPEG, PHONE, Visit, too_small
from cases import long
from free_states import chaos, hexagon, kaxxt, tower
from web_fakes import discs, playing, removing, ruled, setting_up, won

from companion.referee.snapshot import BoardView, Snapshot

pytestmark = pytest.mark.browser


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
VIEWS: dict[str, tuple[str, Snapshot | None]] = {
    "start": ("/", None),
    "playing": ("/game", playing()),
    "removing": ("/game", removing()),
    "ruled": ("/game", ruled()),
    "setting up": ("/game", setting_up()),
    "blind, and names and texts of one word": (
        "/game",
        playing(
            sight="dark",
            sight_text="Tischbeleuchtungsunterversorgung" * 4,
            seats=tuple(replace(seat, player="W" * 40) for seat in playing().seats),
            last_text="Donaudampfschifffahrtsgesellschaft" * 4,
        ),
    ),
    "won": ("/game", won()),
    "discs": ("/game", discs()),
    "large board": ("/game", discs(board=BoardView("grid", 26, 26))),
    "lasers": ("/game", kaxxt()),
    "one is out": (
        "/game",
        replace(kaxxt(), cards=tuple(replace(card, out=card.seat == 1, text="out") for card in kaxxt().cards)),
    ),
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


@pytest.mark.parametrize("name", [long(name) if name == "large board" else name for name in VIEWS])
def test_a_page_fits_a_phone_and_everybody_can_use_it(visit: Visit, name: str) -> None:
    path, state = VIEWS[name]
    if name in ("ruled", "calibrate", "new", "games", "replay"):
        visit.log_in()
    visit.table.image = JPEG
    page = visit.go(path, state)
    page.wait_for_load_state("networkidle") if path in ("/new", "/games/7", "/host") else page.wait_for_timeout(250)
    for details in page.query_selector_all("details:not([open], [hidden]) > summary"):
        details.click()
    for scheme in SCHEMES[: 1 if name == "large board" else 2]:  # its colours are those of "discs"
        page.emulate_media(color_scheme=scheme)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"], f"{name} is {width} wide"
        assert too_small(page) == []
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
        assert found.violations_count == 0, f"{scheme}: {found.generate_report()}"


def test_nothing_comes_from_elsewhere(visit: Visit) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    for path in ("/", "/game", "/new", "/games", "/games/7", "/host"):
        visit.go(path)
        visit.page.wait_for_timeout(100)
    assert asked
    assert all(url.startswith(visit.base) for url in asked)
