"""Discs on boards: read untaught, taught, in part, on a hexagon, and in light that shows nothing."""

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_tables import with_noise

from calibration.table import TableMarkers
from companion.pieces import EMPTY, Piece
from companion.view import BoardShape
from companion.vision.boards.cells import HEXAGONS, CellSettings, cell_centres, cell_windows, field_mm
from companion.vision.discs import reader as disc_reader
from companion.vision.discs.alone import WHY, AloneSettings, beside_paper, coloured, dark_odds, paper_odds, white_odds
from companion.vision.discs.looks import BoardLooks
from companion.vision.discs.reader import DiscReader
from companion.vision.discs.rings import find_rings
from companion.vision.picture import small_grey
from companion.vision.pipeline import Eye
from companion.vision.reader import CellPatches
from companion.vision.settings import EyeSettings
from hardware.frames import Frame
from tests.vision.disc_boards import cut_board, wrong

BLACK, WHITE = Piece("disc", "black"), Piece("disc", "white")
BOARDS = (0, 1, 3, 4, 5)
WELLS = (
    (413, 0.335),
    (478, 0.358),
)  # boards with circles printed on their cells, and the radius of their discs in cells
DIM = 2  # black discs alone, shining in dim light: told only once they were taught


def test_boards_are_read_untaught() -> None:
    cells = unknown = 0
    faults = []
    for number in BOARDS:
        patches, pieces = cut_board(number)
        readings = DiscReader().read(patches)
        faults += wrong(patches, pieces, readings)
        cells += len(readings)
        unknown += sum(r.why is not None for r in readings)
    assert cells > 150
    assert not faults
    assert unknown <= cells * 0.05


def white_alone(number: int, dim: float) -> tuple[CellPatches, Mapping[str, Piece]]:
    """A board less the cells with black discs, in little light."""
    patches, pieces = cut_board(number)
    left = patches.only([i for i, cell in enumerate(patches.cells) if pieces.get(cell) != BLACK])
    return replace(left, pixels=(left.pixels * dim).astype(np.uint8)), pieces


def test_discs_of_one_colour_in_the_dark_are_not_taken_for_the_other() -> None:
    told = 0
    for number in (BOARDS[3], BOARDS[4]):
        patches, pieces = white_alone(number, 0.35)
        readings = DiscReader().read(patches)
        assert not wrong(patches, pieces, readings)
        told += sum(r.why is None and r.beliefs[0][0] == WHITE for r in readings)
    assert told > 10  # where the board's ground tells it
    patches, pieces = white_alone(BOARDS[4], 0.2)
    assert wrong(patches, pieces, DiscReader().read(replace(patches, white_known=True)))  # a white that is not so


def test_what_neither_ground_nor_paper_tells_is_unknown_and_why() -> None:
    patches, pieces = white_alone(BOARDS[4], 1.0)
    middle = (patches.size - 1) / 2
    y, x = np.mgrid[: patches.size, : patches.size] - middle
    within = np.hypot(x, y) < 0.36 * patches.cell_mm / patches.mm_per_px
    held = np.array([cell in pieces for cell in patches.cells])
    pixels = patches.pixels.copy()
    pixels[held[:, None, None] & within] //= 2  # as bright as a ground
    readings = DiscReader().read(replace(patches, pixels=pixels))
    assert {r.why for r, disc in zip(readings, held, strict=True) if disc} == {WHY}


def test_discs_between_the_grounds_of_a_board_may_be_of_either_colour() -> None:
    grounds = np.array([[60, 0, 0], [180, 0, 0]], np.float32)
    for light in (1.0, 0.3):  # as dim as it likes
        looks = BoardLooks(grounds * np.float32(light), 200.0 * light, 10.0 * light, 1.0)
        odds = [white_odds(float(np.log(grey + 6)), looks, AloneSettings()) for grey in (20, 95, 200)]
        assert odds[0] < -4
        assert abs(odds[1]) < 2
        assert odds[2] > 4
    shares = coloured(np.array([[0.9, 0.1, 0.0], [0.0, 1.0, 0.0]], np.float32), 0.0)
    assert shares == pytest.approx(np.array([[0.9, 0.05, 0.05], [0, 0.5, 0.5]]))


@pytest.mark.parametrize("number", BOARDS[2:])  # in full light, as if balanced by paper
def test_beside_paper_discs_of_one_colour_are_told(number: int) -> None:
    patches, pieces = white_alone(number, 1.0)
    readings = DiscReader().read(replace(patches, white_known=True))
    assert not wrong(patches, pieces, readings)
    assert all(r.why is None for cell, r in zip(patches.cells, readings, strict=True) if cell in pieces)


def test_what_is_darker_beside_paper_than_white_discs_are_is_black_and_what_is_brighter_may_be_either() -> None:
    lights = np.array([0.0, 0.05, 0.15, 0.25, 0.4, 1.2], np.float32)
    odds = dark_odds(lights, AloneSettings())
    assert (np.diff(odds) >= 0).all()
    assert odds[:3].max() < -5
    assert odds[4:].tolist() == [0, 0]
    shares = beside_paper(np.array([[0.5, 0.1, 0.4]] * 6, np.float32), odds)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert shares[:, 0] == pytest.approx(0.5)  # whether a disc is there it does not say
    assert (shares[:3, 1] > 10 * shares[:3, 2]).all()


def test_beside_paper_black_and_white_are_far_apart() -> None:
    black, between, white = (paper_odds(light, AloneSettings()) for light in (0.2, 0.31, 0.45))
    assert black < -3
    assert white > 3
    assert between == pytest.approx(0.0)
    shares = beside_paper(np.array([[0.2, 0.4, 0.4], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], np.float32), np.log(3.0))
    assert shares == pytest.approx(np.array([[0.2, 0.2, 0.6], [0, 1, 0], [1, 0, 0]]))


def test_a_few_cells_are_read_as_the_whole_board_was() -> None:
    patches, _ = cut_board(BOARDS[1])
    reader = DiscReader()
    whole = dict(zip(patches.cells, reader.read(patches), strict=True))
    some = patches.named(list(patches.cells[2:6]))
    for cell, reading in zip(some.cells, reader.read(some), strict=True):
        assert reading.beliefs[0][0] == whole[cell].beliefs[0][0]
        assert reading.beliefs[0][1] == pytest.approx(whole[cell].beliefs[0][1], abs=0.2)


@pytest.mark.parametrize(("number", "radius"), WELLS)
def test_circles_in_print_do_not_tell_how_large_discs_are(number: int, radius: float, monkeypatch) -> None:
    tried = []

    def found(*asked):
        tried.append(rings := find_rings(*asked))
        return rings

    monkeypatch.setattr(disc_reader, "find_rings", found)
    patches, pieces = cut_board(number)
    assert not wrong(patches, pieces, DiscReader().read(patches))
    of_all, of_discs = tried
    assert abs(of_discs.radius - radius) < 0.04 < abs(of_all.radius - radius)


def test_beliefs_are_probabilities_in_order() -> None:
    patches, _ = cut_board(BOARDS[0])
    for reading in DiscReader().read(patches):
        shares = [share for _, share in reading.beliefs]
        assert shares == sorted(shares, reverse=True)
        assert 0.9 < sum(shares) <= 1.001


def test_teaching_is_kept_on_disk(tmp_path: Path) -> None:
    patches, pieces = cut_board(DIM)
    reader = DiscReader()
    reader.learn(patches, pieces)
    reader.save(tmp_path)
    again = DiscReader()
    again.load(tmp_path)
    assert [r.beliefs for r in again.read(patches)] == [r.beliefs for r in reader.read(patches)]
    assert not wrong(patches, pieces, again.read(patches))
    assert (tmp_path / "empty.png").exists()


def test_teaching_refuses_what_is_no_disc(tmp_path: Path) -> None:
    patches, _ = cut_board(DIM)
    with pytest.raises(ValueError, match="no disc"):
        DiscReader().learn(patches, {patches.cells[0]: Piece("pyramid", "red")})
    with pytest.raises(ValueError, match="teach"):
        DiscReader().load(tmp_path)


def test_glare_is_no_evidence() -> None:
    patches, pieces = cut_board(BOARDS[1])
    number = next(i for i, cell in enumerate(patches.cells) if pieces.get(cell) == BLACK)
    pixels, glare = patches.pixels.copy(), patches.glare.copy()
    pixels[number], glare[number] = 255, True
    reading = DiscReader().read(replace(patches, pixels=pixels, glare=glare))[number]
    assert reading.why is not None or reading.beliefs[0][0] != BLACK
    assert reading.why is None or "glare" in reading.why or "between" in reading.why


def test_nothing_to_read_raises_nothing() -> None:
    patches, _ = cut_board(BOARDS[0])
    assert DiscReader().read(patches.only([])) == []
    for level in (0, 128, 255):
        flat = replace(patches, pixels=np.full_like(patches.pixels, level))
        assert len(DiscReader().read(flat)) == len(patches)


def test_a_board_of_26_cells_and_of_3() -> None:
    for cells in (3, 26):
        shape = BoardShape(cells, cells, 10.0)
        assert len(cell_centres(shape)) == cells * cells
        windows = cell_windows(shape, CellSettings())
        assert tuple(windows[0]) == ((cells - 1) * 60, 0)
        assert field_mm(shape) == pytest.approx((10.0 * cells, 10.0 * cells))


def test_what_was_taught_on_hexagons_is_not_taken_for_that_of_another_version(tmp_path: Path) -> None:
    patches, pieces = cut_board(0)
    reader = DiscReader(tones=HEXAGONS)
    reader.learn(patches, pieces)
    reader.save(tmp_path)
    with pytest.raises(ValueError, match="they were taught on cells of another shape"):
        DiscReader().load(tmp_path)


HEXAGON = BoardShape(9, 9, 40.0, kind="hex")


def _hexagon(pieces: Mapping[str, Piece]) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """A drawn hexagon seen from straight above, and the corners of the rectangle round its field."""
    scale, off = 2.0, 60
    width, height = field_mm(HEXAGON)
    image = np.full((round(height * scale) + 2 * off, round(width * scale) + 2 * off, 3), (60, 120, 70), np.uint8)
    for cell, (x, y) in zip(HEXAGON.cells(), cell_centres(HEXAGON), strict=True):
        at = (round((x + width / 2) * scale) + off, round((height / 2 - y) * scale) + off)
        cv2.circle(image, at, round(20 * scale), (40, 90, 50), 1, cv2.LINE_AA)
        if cell in pieces:
            tone = 35 if pieces[cell] == BLACK else 225
            cv2.circle(image, at, round(15 * scale), (tone, tone, tone), -1, cv2.LINE_AA)
    image = with_noise(cv2.GaussianBlur(image, (0, 0), 0.8), 5)
    x1, y1 = off + width * scale, off + height * scale
    return image, np.array([(off, off), (x1, off), (x1, y1), (off, y1)], dtype=np.float64)


def test_the_hexagon_is_read() -> None:
    assert len(set(HEXAGON.cells())) == 61
    pieces = {"a1": BLACK, "a5": WHITE, "e9": BLACK, "i9": WHITE, "e5": WHITE, "f5": BLACK}
    image, corners = _hexagon(pieces)
    eye = Eye(EyeSettings(), None, TableMarkers(), HEXAGON, DiscReader(), corners=corners)
    view = eye.read(Frame(image, small_grey(image), time.monotonic(), 0))
    assert view.clear, view.warnings
    assert {c: s.piece for c, s in view.by_cell().items() if s.piece != EMPTY} == pieces


def test_a_set_whose_sides_look_alike_is_named() -> None:
    patches, pieces = cut_board(BOARDS[1])
    reader = DiscReader()
    assert reader.too_close == ()
    blacks = [cell for cell, piece in pieces.items() if piece == BLACK]
    reader.learn(patches, {cell: (BLACK, WHITE)[i % 2] for i, cell in enumerate(blacks)})
    assert reader.too_close == (("black", "white"),)
