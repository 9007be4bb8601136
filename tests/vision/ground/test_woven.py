"""A cloth whose pattern comes again is told from one picture, under what lies on it, too."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_tables import Paint, camera

from companion.games import game
from companion.headings import turn_deg
from companion.pieces import Piece
from companion.simulator.design import furnish
from companion.simulator.designs import design_for
from companion.simulator.setting import Setting
from companion.simulator.source import ScriptedTable
from companion.view import Sighting
from companion.vision.finders import FinderSettings, TableFinder
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground, see_ground
from companion.vision.ground.pattern_settings import PatternSettings
from companion.vision.ground.without_pattern import told_from, without_pattern
from companion.vision.ground.woven import WovenSettings, _median_of_nine, bare_cloth, shifts_of
from companion.vision.kaxxt_finder import new_reader
from companion.vision.pipeline import Eye
from companion.vision.reader import TablePicture
from companion.vision.settings import EyeSettings

DARK, MIDDLE, LIGHT = (40, 40, 130), (105, 105, 155), (175, 178, 180)
CORNERS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
BARE = np.array([-90.0, 90.0])
SQUARE = np.array([(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)])
GREEN, PAPER = (60, 140, 50), (150, 150, 120)
PIECES = [
    np.array(at) for at in ((-150.0, 40.0), (-60.0, -70.0), (0.0, 10.0), (22.0, 10.0), (90.0, 60.0), (120.0, -50.0))
]


def turned(points: np.ndarray, turn_deg: float) -> np.ndarray:
    a = math.radians(turn_deg)
    return points @ np.array([(math.cos(a), math.sin(a)), (-math.sin(a), math.cos(a))])


def gingham(side_mm: float, turn_deg: float, columns: range | None = None) -> Paint:
    """Stripes of two tones, woven across stripes of the same two; all over the table, or in these columns."""
    paint, count = Paint(MIDDLE), math.ceil(600 / side_mm)
    for col in columns or range(-count, count):
        for row in range(-count, count):
            if (col + row) % 2 == 0:
                corners = (CORNERS + np.array([col, row])) * side_mm
                paint.polygon(turned(corners, turn_deg), DARK if col % 2 else LIGHT)
    return paint


def seen(paint: Paint, noise: float = 3.0) -> Ground:
    pose = camera()
    return see_ground(TablePicture(paint.seen_by(pose, noise=noise), np.ones(3), pose))


def laid(paint: Paint, *places: np.ndarray, colour=GREEN, size: float = 1.0) -> Paint:
    for place in places:
        paint.polygon(SQUARE * size + place, colour)
    return paint


def part(ground: Ground) -> np.ndarray:
    """What lies around the middle, evened out over its noise."""
    (left, low), (right, top) = (np.rint(ground.fine_px(np.array(p))).astype(int) for p in ((-200, -120), (200, 120)))
    return cv2.blur(ground.colours[top:low, left:right], (5, 5)).astype(np.float32)


@pytest.mark.parametrize(("side_mm", "turn_deg"), [(14.0, 0.0), (21.0, 17.0), (33.0, 44.0), (40.0, -8.0)])
def test_of_a_checked_cloth_the_bare_cloth_is_told_under_what_lies_on_it(side_mm, turn_deg):
    full, bare = seen(laid(gingham(side_mm, turn_deg), *PIECES)), seen(gingham(side_mm, turn_deg))
    told = bare_cloth(full)
    assert told is not None
    off = np.abs(part(told) - part(bare)).max(axis=2)
    assert (np.abs(part(full) - part(bare)).max(axis=2) > 25).mean() > 0.015  # what lies there hides this much of it
    assert (off > 25).mean() < 0.004  # edges of checks, which are not hidden


@pytest.mark.parametrize("turn_deg", [0.0, 17.0])
def test_after_each_shift_the_pattern_comes_again(turn_deg):
    side_mm, settings = 21.0, WovenSettings()
    ground = seen(gingham(side_mm, turn_deg))
    shifts = shifts_of(ground, settings)
    assert shifts is not None
    for shift in shifts:
        in_mm = shift * ground.settings.fine_mm * ground.settings.coarse * (1, -1)
        repeats = turned(in_mm, -turn_deg) / (2 * side_mm)
        assert repeats == pytest.approx(np.rint(repeats), abs=0.02)
        assert np.hypot(*in_mm) > settings.apart_mm


@pytest.mark.parametrize(
    "paint",
    [
        Paint(),
        laid(Paint(), *(np.array([x, y]) * 50.8 for x in range(-3, 3) for y in range(-2, 2)), size=2.8),
        laid(Paint(), *(np.array([x, 0.0]) for x in range(-300, 301, 24)), size=1.2),
        gingham(21.0, 0.0, columns=range(-6, 6)),
    ],
    ids=["plain", "rows of tiles", "a track", "a checked runner"],
)
def test_what_does_not_come_again_all_over_a_table_is_no_cloth(paint):
    assert bare_cloth(seen(paint)) is None


def test_a_large_thing_on_the_cloth_shows_no_checks():
    """Though its own tone is that of some of them."""
    place = np.array([60.0, 20.0])
    full = seen(laid(gingham(21.0, 0.0), place, colour=DARK, size=5.0))
    settings = PatternSettings()
    plain = without_pattern(full, told_from(bare_cloth(full), settings), (), settings)
    (left, low), (right, top) = (np.rint(full.fine_px(place + d)).astype(int) for d in (-35.0, 35.0))
    inside, before = (cv2.blur(ground.colours[top:low, left:right], (5, 5)) for ground in (plain, full))
    assert (np.abs(inside.astype(int) - before).max(axis=2) > 20).mean() < 0.01


class ClaimsBoth:
    """Sees a piece where one lies, and another where the cloth is bare."""

    def find(self, ground):
        piece = Sighting(((Piece("pyramid", colour="white", size="medium", pose="upright"), 0.99),), *PIECES[0])
        places = (PIECES[0], BARE)
        return [Found(replace(piece, x_mm=at[0], y_mm=at[1]), 0.99, SQUARE + at) for at in places]


def test_what_seems_to_lie_where_the_cloth_is_as_it_would_be_is_its_pattern():
    paint, pose = laid(gingham(21.0, 17.0), *PIECES), camera()
    picture = TablePicture(paint.seen_by(pose, noise=3.0), np.ones(3), pose)
    (told,) = TableFinder([ClaimsBoth()], FinderSettings(starts_bare=True)).find(picture)
    assert (told.x_mm, told.y_mm) == pytest.approx(PIECES[0])


def test_the_robots_card_is_seen_on_a_checked_cloth_of_which_nothing_else_is_known():
    kaxxt = game("kaxxt")
    layout = kaxxt.layout(kaxxt.start({}))
    design = replace(design_for("kaxxt", layout), seed=7200007, usual=False)
    furniture = furnish(design)
    assert furniture.scene.surface.kind == "check"
    table = ScriptedTable(design, [Setting(furniture, design.seed).state(layout)])
    table.open()
    eye = Eye(EyeSettings(), furniture.scene.camera.lens, furniture.scene.markers.places, None, new_reader())
    (card,) = eye.read(table.read(1.0)).sightings
    (lying,) = layout.pieces
    assert card.piece == lying.piece
    assert math.hypot(card.x_mm - lying.x_mm, card.y_mm - lying.y_mm) < 12  # hands lay it down
    assert abs(turn_deg(card.heading_deg, lying.heading_deg)) < 12


def test_the_median_of_nine_layers_is_that_of_numpy():
    layers = list(np.random.default_rng(3).integers(0, 256, (9, 40, 50, 3), np.uint8))
    assert (_median_of_nine(list(layers)) == np.median(layers, axis=0)).all()
