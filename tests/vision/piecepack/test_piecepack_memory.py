"""Where a watched table has not changed, no piece of a piecepack is looked for, and none read anew."""

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_tables import with_noise

from companion.simulator.piecepack_tables import piecepack_picture, piecepack_table
from companion.simulator.tables import TESTING
from companion.view import Sighting
from companion.vision.finders import TableFinder
from companion.vision.ground.foreground import Past, see_ground
from companion.vision.piecepack.finder import PiecepackFinder
from companion.vision.piecepack.memory import ReadBefore
from companion.vision.piecepack.networks import Networks, Singles
from companion.vision.piecepack.places import Spot
from companion.vision.reader import TablePicture

TABLE = piecepack_table(TESTING[1])  # six squares of tiles
PICTURE = piecepack_picture(TABLE)


class Counted(Networks):
    """Networks that count the windows that they are asked of."""

    asked: Counter[str]

    def embed(self, name: str, patches: np.ndarray) -> Singles:
        self.asked[name] += len(patches)
        return super().embed(name, patches)


class Watched:
    """A finder before the table, on which a card is laid."""

    def __init__(self) -> None:
        self.networks = Counted()
        self.networks.asked = Counter()
        self.family = PiecepackFinder(networks=self.networks)
        self.finder, self.looks = TableFinder([self.family]), 0

    def look(self, taken_s: float, card_mm: np.ndarray | None = None) -> tuple[list[Sighting], Counter[str]]:
        """What is found, and how many windows were asked of each network."""
        self.looks += 1
        self.networks.asked.clear()
        pixels = PICTURE.copy()
        if card_mm is not None:
            corners = card_mm + np.array([(-12, -12), (12, -12), (12, 12), (-12, 12)])
            at = TABLE.scene.camera.project(np.hstack([corners, np.zeros((4, 1))]))
            cv2.fillConvexPoly(pixels, np.rint(at).astype(np.int32), (60, 160, 70))
        noisy = with_noise(pixels, self.looks, 1.0)
        return self.finder.find(TablePicture(noisy, np.ones(3), TABLE.scene.camera, (), taken_s)), Counter(
            self.networks.asked
        )


@pytest.fixture
def settled() -> tuple[Watched, Counter[str]]:
    watched = Watched()
    watched.look(1.0)
    return watched, watched.look(1.2)[1]


def a_tile() -> np.ndarray:
    tile = next(p for p in TABLE.truth()["pieces"] if p["kind"] == "tile")
    return np.array([tile["x_mm"], tile["y_mm"]])


def told(seen: list[Sighting]) -> set[tuple[str, int, int]]:
    return {(str(s.piece), round((s.x_mm or 0) / 8), round((s.y_mm or 0) / 8)) for s in seen if not s.faint}


def test_of_what_lies_as_it_lay_nothing_is_asked_again(settled) -> None:
    watched, all_of_it = settled
    assert all_of_it["tile"] >= 24
    card, tiles = a_tile(), list[int]()
    for taken_s in (1.4, 1.6):
        seen, asked = watched.look(taken_s, card)
        tiles.append(asked["tile"])
        assert 0 < asked["tile"] <= all_of_it["tile"] / 2
        assert asked["small"] <= all_of_it["small"] / 2
    assert tiles[1] >= 0.7 * tiles[0], "but for noise, the second look is as good as the first"
    afresh, everything = Watched().look(1.6, card)
    assert everything["tile"] >= 24
    assert len(told(seen) & told(afresh)) >= 0.9 * len(told(afresh))
    assert watched.look(1.8, card)[1].total() == 0


def test_after_a_while_everything_is_asked_again(settled) -> None:
    watched, all_of_it = settled
    assert watched.look(20.0)[1]["tile"] >= 0.7 * all_of_it["tile"]


def test_once_other_looks_were_taught_everything_is_asked_again(settled) -> None:
    watched, all_of_it = settled
    picture = TablePicture(PICTURE, np.ones(3), TABLE.scene.camera)
    watched.finder.learn(picture, [s for s in watched.finder.find(picture) if s.piece.kind == "coin"])
    assert watched.look(1.4, a_tile())[1]["tile"] >= 0.7 * all_of_it["tile"]


def test_what_lies_in_a_zone_is_proposed_there_as_if_all_of_the_table_were_seen() -> None:
    ground = see_ground(TablePicture(PICTURE, np.ones(3), TABLE.scene.camera))
    zone, finder = np.zeros(ground.log.shape[:2], bool), PiecepackFinder()
    zone[250:400, 300:500] = True
    (every, own), (some, same) = (
        (len(spots), [spot for spot in spots if zone[int(spot.y / 2), int(spot.x / 2)]])
        for spots in (finder.spots(seen, seen.colours) for seen in (ground, replace(ground, zone=zone)))
    )
    assert some < 0.7 * every
    assert len(own) == len(same) > 10
    for one, other in zip(own, same, strict=True):
        assert (one.kind, one.x, one.y) == (other.kind, pytest.approx(other.x), pytest.approx(other.y))
        assert one.heat == pytest.approx(other.heat, abs=1e-4)


@pytest.mark.parametrize(
    ("turned_deg", "off_mm", "known"), [(0, 0, True), (1, 0.5, True), (90, 0, False), (0, 3, False), (359, 0, True)]
)
def test_what_was_said_of_a_place_goes_for_that_place_and_way_round(turned_deg, off_mm, known) -> None:
    ground = see_ground(TablePicture(PICTURE, np.ones(3), TABLE.scene.camera))
    spot, before = Spot(0, 300.0, 400.0, 10.0, 0.9), ReadBefore()
    before.keep("tile", {spot: {"kind": np.zeros(3, np.float32)}})
    again = replace(spot, x=spot.x + off_mm / ground.settings.fine_mm, heading_deg=spot.heading_deg + turned_deg)
    assert (before.of(ground, "tile", again) is not None) is known
    assert before.of(ground, "small", again) is None


@pytest.mark.parametrize(("apart_mm", "known"), [(0, False), (25, False), (35, True)])
def test_what_changed_within_the_window_that_was_read_is_forgotten(apart_mm, known) -> None:
    ground = see_ground(TablePicture(PICTURE, np.ones(3), TABLE.scene.camera))
    spot, before = Spot(0, 300.0, 400.0, 10.0, 0.9), ReadBefore()
    before.keep("tile", {spot: {"kind": np.zeros(3, np.float32)}})
    changed = np.zeros(ground.log.shape[:2], bool)
    changed[200, 150 + round(apart_mm / ground.settings.fine_mm / ground.settings.coarse)] = True
    look = replace(ground, past=Past(ground, (), unsettled=changed), zone=changed)
    before.look(look, {"tile": 57.6})
    assert (before.of(look, "tile", spot) is not None) is known
