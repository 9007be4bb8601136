"""A tile that is hardly made out lies where it lay while nothing has changed there."""

from dataclasses import replace

import numpy as np
import pytest
from drawn_tables import Paint, camera

from calibration.table import CameraPose
from companion.pieces import Piece
from companion.view import Sighting
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground, Past, see_ground
from companion.vision.piecepack.settings import PiecepackSettings
from companion.vision.piecepack.stayed import with_still
from companion.vision.reader import TablePicture

CORK, BACK, PAWN = (96, 130, 160), (102, 136, 166), (40, 40, 190)
HALF = 25.4
TILE = np.array([(-HALF, HALF), (HALF, HALF), (HALF, -HALF), (-HALF, -HALF)])
PLACE = np.array([40.0, -20.0])
SETTINGS = PiecepackSettings()
POSE = camera()


def table(
    tile: bool = True, pawn: bool = False, brighter: float = 1.0, seed: int = 1, pose: CameraPose = POSE
) -> Ground:
    paint, rng = Paint(CORK), np.random.default_rng(9)
    paint.image[:] = np.clip(paint.image * rng.normal(1, 0.15, paint.image.shape[:2])[..., None], 0, 255)  # its grain
    if tile:
        paint.polygon(TILE + PLACE, BACK)
    if pawn:
        paint.polygon(TILE * 0.45 + PLACE, PAWN)
    pixels = paint.seen_by(pose, noise=0.0) * brighter + np.random.default_rng(seed).normal(0, 2.0, (1200, 1600, 3))
    return see_ground(TablePicture(np.clip(pixels, 0, 255).astype(np.uint8), np.ones(3), pose))


def pixel(pose: CameraPose, at: np.ndarray) -> tuple[float, float]:
    """Where the middle of a tile's top is seen."""
    ((x, y),) = pose.project(np.array([[*at, SETTINGS.thickness_mm]])).tolist()
    return x, y


def claim(sure: float = 0.9, faint: bool = False, at: np.ndarray = PLACE) -> Found:
    x_px, y_px = pixel(POSE, at)
    place = {"x_mm": at[0], "y_mm": at[1], "heading_deg": 0.0, "x_px": x_px, "y_px": y_px}
    return Found(Sighting(((Piece("tile", face="back"), sure),), **place, faint=faint), sure, TILE + at)


def told(now: Ground, *tiles: Found, before: Found | None = None) -> list[Found]:
    return with_still(replace(now, past=Past(table(), [before or claim()], once=True)), tiles, SETTINGS)


@pytest.mark.parametrize("brighter", [1.0, 1.1])
def test_a_tile_of_the_cloths_tone_that_is_not_made_out_lies_there_still(brighter):
    (tile,) = told(table(seed=2, brighter=brighter))
    assert tile.sighting == claim().sighting


def test_after_the_camera_was_moved_it_is_marked_where_the_new_picture_shows_it():
    moved = camera(height=700.0, turn=9.0)
    (tile,) = told(table(seed=2, pose=moved))
    assert (tile.sighting.x_px, tile.sighting.y_px) == pytest.approx(pixel(moved, PLACE))
    assert (tile.sighting.x_mm, tile.sighting.y_mm) == tuple(PLACE)


@pytest.mark.parametrize("now", [claim(0.1, faint=True), claim(0.7), claim(0.7, at=PLACE + 9.0)])
def test_what_is_less_surely_made_out_gives_way_to_it(now):
    (tile,) = told(table(seed=2), now)
    assert tile.sure == 0.9


@pytest.mark.parametrize("change", [{"tile": False}, {"pawn": True}], ids=["taken", "stepped on"])
def test_where_something_has_changed_only_what_is_seen_counts(change):
    assert told(table(seed=2, **change)) == []


def test_what_is_surely_made_out_there_stands():
    other = claim(0.8, at=PLACE + 9.0)
    assert told(table(seed=2), other) == [other]


@pytest.mark.parametrize("before", [claim(0.1, faint=True), claim(0.5)])
def test_what_was_not_surely_made_out_before_is_no_tile_now(before):
    assert told(table(seed=2), before=before) == []
