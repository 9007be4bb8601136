"""A face on which a pawn was put is told as it was read before, as long as what is seen of it is as it was."""

from dataclasses import replace

import numpy as np
import pytest
from drawn_tables import Paint, camera

from companion.pieces import Piece
from companion.view import Sighting
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground, Past, see_ground
from companion.vision.piecepack.settings import PiecepackSettings
from companion.vision.piecepack.trodden import with_faces_before
from companion.vision.reader import TablePicture

CORK, WOOD, SHADE, BLUE, BLACK = (96, 130, 160), (170, 200, 215), (100, 118, 126), (150, 60, 30), (25, 25, 25)
HALF, PLACE = 25.4, np.array([40.0, -20.0])
TILE = np.array([(-HALF, HALF), (HALF, HALF), (HALF, -HALF), (-HALF, -HALF)])
TURNS = np.linspace(0, 2 * np.pi, 12, endpoint=False)
ROUND = np.stack([np.cos(TURNS), np.sin(TURNS)], axis=1)
FIVE, THREE = (Piece("tile", suit="arms", value=value, face="front") for value in ("5", "3"))
S = PiecepackSettings()


def stroke(x: float, y: float, wide: float = 14.0, high: float = 4.0) -> np.ndarray:
    return PLACE + np.array([(x, y), (x + wide, y), (x + wide, y - high), (x, y - high)])


STROKES = (stroke(-8.0, 14.0), stroke(-8.0, -10.0))
COVERED = np.array([-2.0, 12.0])  # beside the tile's middle, on the first stroke


def table(strokes=STROKES, pawn: float | None = None, shadow: bool = False) -> Ground:
    paint = Paint(CORK)
    paint.polygon(TILE + PLACE, WOOD)
    if shadow:
        paint.polygon(stroke(0.0, 6.0, 22.0, 12.0), SHADE)
    for one in strokes:
        paint.polygon(one, BLUE)
    if pawn is not None:
        paint.polygon(ROUND * pawn + PLACE + COVERED, BLACK)
    pose = camera()
    return see_ground(TablePicture(paint.seen_by(pose, noise=1.0), np.ones(3), pose))


def tile(piece: Piece, sure: float = 0.95, at: np.ndarray = PLACE) -> Found:
    return Found(Sighting(((piece, sure),), x_mm=at[0], y_mm=at[1], heading_deg=0.0), sure, TILE + at)


def coin(radius: float) -> Found:
    """What stands there; a coin does not lean."""
    x, y = PLACE + COVERED
    return Found(
        Sighting(((Piece("coin", value="2", face="value"), 0.9),), x_mm=x, y_mm=y), 0.9, ROUND * radius + (x, y)
    )


def told(now: Ground, seen: Found, *small: Found, before: Found | None = None) -> Piece:
    (face,) = with_faces_before(replace(now, past=Past(table(), (before or tile(FIVE),))), [seen], small, S)
    return face.sighting.piece


@pytest.mark.parametrize("shadow", [False, True])
def test_a_face_of_which_the_rest_is_as_it_was_is_the_same(shadow: bool) -> None:
    assert told(table(pawn=8.0, shadow=shadow), tile(THREE), coin(8.0)) == FIVE


@pytest.mark.parametrize(
    "strokes", [STROKES[:1], (STROKES[0], stroke(-8.0, 0.0))], ids=["a stroke has gone", "it is elsewhere"]
)
def test_where_another_face_lies_what_is_seen_counts(strokes) -> None:
    assert told(table(strokes, pawn=8.0), tile(THREE), coin(8.0)) == THREE


def test_what_is_covered_nearly_whole_is_told_as_it_is_seen() -> None:
    assert told(table(pawn=30.0), tile(THREE), coin(30.0)) == THREE


def test_a_face_on_which_nothing_stands_is_told_as_it_is_seen() -> None:
    assert told(table(), tile(THREE)) == THREE


@pytest.mark.parametrize(
    "before",
    [tile(Piece("tile", face="back")), tile(FIVE, 0.5), tile(FIVE, at=PLACE + 9.0)],
    ids=["it was face-down", "not surely read", "it lay elsewhere"],
)
def test_without_a_face_that_was_surely_read_there_what_is_seen_counts(before: Found) -> None:
    assert told(table(pawn=8.0), tile(THREE), coin(8.0), before=before) == THREE


def test_of_a_table_that_was_not_seen_before_nothing_is_known() -> None:
    seen = [tile(THREE)]
    assert with_faces_before(table(pawn=8.0), seen, [coin(8.0)], S) == seen
