"""Printable sheets as they come out of the PDF: exact, complete and on the page."""

import re

import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.markers import CharucoFinder, CharucoShape, MarkerFinder
from calibration.paper import (
    PAGE_MARGIN,
    PAPERS,
    WHITE,
    Disc,
    Drawing,
    Label,
    Line,
    box,
    pdf,
    room_on,
    text_width,
    wrapped,
)
from calibration.sheets import colour_card, lens_pages, marker_pages, patch_centre, patches
from calibration.tiling import FLAP, MOST_PAGES, tiled
from tests.printed import PX, grey, picture_of, pictures, ruler_mm


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("side", [30.0, 40.0, 120.0])
def test_every_marker_is_printed_once_in_its_size(paper, side):
    found = {}
    for picture in pictures(marker_pages(paper, side), 4):
        here = MarkerFinder().find(grey(picture), range(4))
        assert not found.keys() & here.keys()
        found |= here
    assert sorted(found) == [0, 1, 2, 3]
    for corners in found.values():
        sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T) / 4
        assert sides == pytest.approx([side] * 4, abs=0.3)


@pytest.mark.parametrize("side", [10.0, 30.0, 40.0])
def test_a_marker_is_cut_out_with_its_name_and_printed_as_it_lies_on_the_table(side):
    (page,) = marker_pages("a4", side)
    cuts = [mark for mark in page.marks if isinstance(mark, Line) and mark.dashed]
    frames = [[value for line in cuts[i : i + 4] for value in (line.x1, line.y1)] for i in range(0, 16, 4)]
    names = [mark for mark in page.marks if isinstance(mark, Label) and mark.text.startswith("marker")]
    for name, frame in zip(names, frames, strict=True):
        wide = text_width(name.text, name.size) / 2
        assert min(frame[0::2]) < name.x - wide < name.x + wide < max(frame[0::2])
        assert min(frame[1::2]) < name.y < max(frame[1::2])
    places = {name.text.partition(": ")[2]: (name.x, name.y) for name in names}
    assert places["top left"][0] == places["bottom left"][0] < places["top right"][0] == places["bottom right"][0]
    assert places["top left"][1] == places["top right"][1] < places["bottom left"][1] == places["bottom right"][1]


def test_nobody_is_anonymous_in_a_pdf():
    data = pdf(lens_pages(), "lens")
    assert b"anonymous" not in data
    assert b"unspecified" not in data


@pytest.mark.parametrize("paper", PAPERS)
def test_the_lens_board_is_printed_in_its_size(paper):
    (picture,) = pictures(lens_pages(paper))
    seen = CharucoFinder().find(grey(picture))
    assert len(seen.ids) == 24
    spread = np.ptp(seen.pixels, axis=0) / PX
    assert spread == pytest.approx([150.0, 90.0], abs=0.15)


def test_the_colour_card_has_its_colours_where_it_says():
    picture = picture_of(colour_card(), 4)
    for place, (red, green, blue) in patches().items():
        x, y = (round(4 * v) for v in patch_centre(*place))
        assert picture[y, x].tolist() == [blue, green, red]
    assert len(set(patches().values())) == 32


@pytest.mark.parametrize(("paper", "points"), [("a4", (595.2756, 841.8898)), ("letter", (612, 792))])
def test_the_pdf_has_the_papers_size_and_is_never_scaled(paper, points):
    data = pdf(marker_pages(paper), "markers")
    box_ = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", data)
    assert (float(box_[1]), float(box_[2])) == pytest.approx(points, abs=0.01)
    assert data.startswith(b"%PDF")
    assert b"/PrintScaling /None" in data


def test_the_same_sheet_is_the_same_file():
    assert pdf(lens_pages(), "lens") == pdf(lens_pages(), "lens")


@pytest.mark.parametrize(("paper", "side"), [("a3", 40.0), ("a4", 200.0), ("a4", -5.0)])
def test_what_does_not_fit_is_refused(paper, side):
    with pytest.raises(CalibrationError):
        marker_pages(paper, side)


def test_a_board_larger_than_the_paper_is_refused():
    with pytest.raises(CalibrationError, match="does not fit"):
        lens_pages("a4", CharucoShape(12, 9))


def _chart(width, height, seams_x=(), seams_y=()):
    """Discs and boxes of every colour, so that no two places look alike."""
    marks = [box(0, 0, width, height, "#ccddee")]
    for i in range(int(width // 15) + 1):
        for j in range(int(height // 15) + 1):
            colour = f"#{(i * 37) % 256:02x}{(j * 53) % 256:02x}{(i * j * 29) % 256:02x}"
            marks.append(Disc(15 * i, 15 * j, 6, colour))
    return Drawing(width, height, tuple(marks), tuple(seams_x), tuple(seams_y))


def _glued(pages, drawing, px):
    """What lies on the table once every page is cut along its dashed lines and glued on the one before."""
    table = np.zeros((round(drawing.height * px), round(drawing.width * px), 3), np.uint8)
    shown = np.zeros(table.shape[:2], int)
    for page, picture in zip(pages, pictures(pages, px), strict=True):
        part = page.marks[0]
        x, y, left, top = (round(v * px) for v in (part.x, part.y, part.from_x, part.from_y))
        piece = picture[y : y + round(part.height * px), x : x + round(part.width * px)]
        table[top : top + len(piece), left : left + piece.shape[1]] = piece[: len(table) - top, : len(table[0]) - left]
        shown[top : top + len(piece), left : left + piece.shape[1]] += 1
    return table, shown


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("size", [(300.0, 120.0), (420.0, 420.0)])
def test_a_divided_drawing_is_whole_again_once_glued(paper, size):
    drawing, px = _chart(*size), 4.0
    table, shown = _glued(tiled(drawing, paper, "chart"), drawing, px)
    assert (shown > 0).all()
    whole = picture_of(drawing, px)[: len(table), : len(table[0])]
    off = np.abs(table.astype(int) - whole.astype(int)).max(axis=2) > 60
    assert off.mean() < 0.015  # ticks, cuts and the word "glue"
    assert (shown > 1).mean() > 0.02  # flaps


def test_seams_lie_where_the_drawing_wants_them():
    seams = [30.0 * i for i in range(1, 12)]
    for page in tiled(_chart(360, 360, seams, seams), "a4", "chart"):
        part = page.marks[0]
        for start, length, room in (
            (part.from_x, part.width, room_on(page.width, page.height)[0]),
            (part.from_y, part.height, room_on(page.width, page.height)[1]),
        ):
            assert start % 30 == 0
            assert length <= room + 1e-6
            assert (start + length - FLAP) % 30 == pytest.approx(0) or start + length == 360


def test_a_drawing_that_fits_is_on_one_page_turned_if_need_be():
    (page,) = tiled(_chart(270, 100), "a4", "chart")
    assert page.width > page.height
    (page,) = tiled(_chart(100, 230), "a4", "chart")
    assert page.width < page.height


def test_a_wall_of_paper_is_refused():
    with pytest.raises(CalibrationError, match=f"{MOST_PAGES} at most"):
        tiled(_chart(3000, 2000), "a4", "chart")


@pytest.mark.parametrize("paper", PAPERS)
def test_every_page_has_an_exact_ruler(paper):
    for pages in (marker_pages(paper), lens_pages(paper), tiled(_chart(400, 300), paper, "chart")):
        for picture in pictures(pages):
            length, ticks = ruler_mm(picture)
            assert length == pytest.approx(100.0, abs=0.3)
            assert ticks == 101


def test_text_is_wrapped_to_its_width():
    lines = wrapped("many words that go on and on until the paper is full " * 3, 60.0)
    assert len(lines) > 2
    assert all(text_width(line) <= 60.0 for line in lines)


def test_nothing_is_printed_in_the_margin():
    for picture in (*pictures(marker_pages()), *pictures(tiled(_chart(400, 300), "a4", "chart"))):
        edge = round((PAGE_MARGIN - 0.5) * PX)
        inner = picture.copy()
        inner[edge:-edge, edge:-edge] = int(WHITE[1:3], 16)
        assert inner.min() > 250
