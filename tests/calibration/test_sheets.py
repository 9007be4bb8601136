"""Printable sheets: exact, complete and on the page."""

import re

import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.markers import CharucoFinder, CharucoShape, MarkerFinder
from calibration.sheets import PAGE_MARGIN, PAPERS, RULER, lens_pages, marker_pages, pdf

PX = 4  # pixels per millimetre


def painted(page):
    image = np.full((round(page.height * PX), round(page.width * PX)), 255, np.uint8)
    for rect in page.rects:
        x, y = round(rect.x * PX), round(rect.y * PX)
        right, bottom = round((rect.x + rect.width) * PX), round((rect.y + rect.height) * PX)
        image[y:bottom, x:right] = 0 if rect.black else 255
    return image


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("side", [30.0, 40.0, 80.0, 120.0])
def test_every_marker_is_printed_once_in_its_size(paper, side):
    found = {}
    for page in marker_pages(paper, side):
        here = MarkerFinder().find(painted(page), range(4))
        assert not found.keys() & here.keys()
        found |= here
    assert sorted(found) == [0, 1, 2, 3]
    for corners in found.values():
        sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T) / PX
        assert sides == pytest.approx([side] * 4, abs=0.3)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_lens_board_is_printed_in_its_size(paper):
    (page,) = lens_pages(paper)
    seen = CharucoFinder().find(painted(page))
    assert len(seen.ids) == 24
    spread = np.ptp(seen.pixels, axis=0) / PX
    assert spread == pytest.approx([150.0, 90.0], abs=0.1)


@pytest.mark.parametrize("paper", PAPERS)
def test_everything_lies_on_the_page_and_the_ruler_is_exact(paper):
    for page in (*marker_pages(paper), *lens_pages(paper)):
        assert all(r.x >= PAGE_MARGIN - 1e-6 and r.x + r.width <= page.width - PAGE_MARGIN + 1e-6 for r in page.rects)
        assert all(r.y > 0 and r.y + r.height < page.height - PAGE_MARGIN - 10 for r in page.rects)
        assert any(line.x2 - line.x1 == RULER for line in page.lines)
        assert sum(line.x1 == line.x2 and not line.dashed for line in page.lines) == RULER + 1
        assert all(label.y < page.height - 5 for label in page.labels)


@pytest.mark.parametrize(("paper", "points"), [("a4", (595.2756, 841.8898)), ("letter", (612, 792))])
def test_the_pdf_has_the_papers_size(paper, points):
    data = pdf(marker_pages(paper), "markers")
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", data)
    assert (float(box[1]), float(box[2])) == pytest.approx(points, abs=0.01)
    assert data.startswith(b"%PDF")


def test_the_same_sheet_is_the_same_file():
    assert pdf(lens_pages(), "lens") == pdf(lens_pages(), "lens")


@pytest.mark.parametrize(("paper", "side"), [("a3", 40.0), ("a4", 200.0), ("a4", -5.0)])
def test_what_does_not_fit_is_refused(paper, side):
    with pytest.raises(CalibrationError):
        marker_pages(paper, side)


def test_a_board_larger_than_the_paper_is_refused():
    with pytest.raises(CalibrationError, match="does not fit"):
        lens_pages("a4", CharucoShape(12, 9))
