"""Printed pages as pictures, for measuring what really stands in the PDF."""

import cv2
import numpy as np
import pypdfium2

from calibration.paper import Drawing, Page, pdf

PX = 8.0  # pixels per millimetre


def pictures(pages, px=PX):
    """Every page of a PDF as a BGR picture."""
    document = pypdfium2.PdfDocument(pdf(pages, "test"))
    return [np.ascontiguousarray(page.render(scale=px * 25.4 / 72).to_numpy()[:, :, :3]) for page in document]


def picture_of(drawing: Drawing, px=PX):
    """A drawing by itself."""
    return pictures([Page(drawing.width, drawing.height, drawing.marks)], px)[0]


def grey(picture):
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)


def ruler_mm(picture, px=PX):
    """The length of the ruler and the number of its ticks, as printed at the foot."""
    dark = grey(picture) < 140
    foot = len(dark) - round((8 + 15 + 1) * px)
    rows = dark[foot : foot + round(3 * px)]
    row = max(rows, key=np.count_nonzero)  # the ruler's line is the longest thing there
    start = np.argmax(row)
    end = start + np.argmin(row[start:]) - 1
    ticks = dark[foot + int(np.argmax([np.count_nonzero(r) for r in rows])) + round(1.2 * px)][: end + round(px)]
    return (end - start) / px, int(np.count_nonzero(np.diff(ticks.astype(int)) == 1))
