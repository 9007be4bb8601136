"""Draws over a picture what was recognised in it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import EMPTY, UNKNOWN
from companion.view import Sighting, TableView
from companion.vision.cells import to_table
from companion.vision.pipeline import Look

Picture = NDArray[np.uint8]
GRID, SURE, UNSURE, LOST, TEXT = (255, 160, 0), (0, 200, 0), (0, 165, 255), (0, 0, 255), (255, 255, 255)
SURE_FROM = 0.9
USUAL_PX = 1100  # width of pictures on which labels have their usual size


def drawn(look: Look, view: TableView) -> Picture:
    """A copy of the picture (at the size at which it was read) with the board's grid and a label at each piece."""
    canvas = look.picture.pixels.copy()
    if look.cutter is not None:
        _draw_grid(canvas, look)
    for sighting in view.sightings:
        if (middle := _middle(sighting)) is not None:
            _draw_label(canvas, look.picture.from_original(middle[None])[0], sighting)
    return _warned(canvas, view)


def labelled(picture: Picture, view: TableView) -> Picture:
    """A copy of a picture in which no table was seen, with a label at each piece."""
    canvas = picture.copy()
    for sighting in view.sightings:
        if (middle := _middle(sighting)) is not None:
            _draw_label(canvas, middle, sighting)
    return _warned(canvas, view)


def _middle(sighting: Sighting) -> NDArray[np.float64] | None:
    """(2,) pixels of the picture as taken; None of an empty cell."""
    if sighting.piece == EMPTY or sighting.x_px is None or sighting.y_px is None:
        return None
    return np.array([sighting.x_px, sighting.y_px])


def _warned(canvas: Picture, view: TableView) -> Picture:
    for i, warning in enumerate(view.warnings):
        _write(canvas, warning, (10, 24 + 22 * i), 0.55, UNSURE)
    return canvas


def _draw_grid(canvas: Picture, look: Look) -> None:
    cutter = look.cutter
    assert cutter is not None
    shape = cutter.shape
    if shape.kind != "grid":
        for x_px, y_px in np.rint(cutter.centres_px()).astype(int):
            cv2.circle(canvas, (int(x_px), int(y_px)), 3, GRID, 1, cv2.LINE_AA)
        return
    x = (np.arange(shape.cols + 1) - shape.cols / 2) * shape.cell_mm
    y = (np.arange(shape.rows + 1) - shape.rows / 2) * shape.cell_mm
    for points in [[(v, y[0]), (v, y[-1])] for v in x] + [[(x[0], v), (x[-1], v)] for v in y]:
        along = np.linspace(points[0], points[1], 9)
        table = np.hstack([to_table(along, cutter.board), np.full((9, 1), shape.thickness_mm)])
        pixels = np.rint(cutter.pose.project(table)).astype(np.int32)
        cv2.polylines(canvas, [pixels.reshape(-1, 1, 2)], isClosed=False, color=GRID, thickness=1, lineType=cv2.LINE_AA)


def _draw_label(canvas: Picture, at: NDArray[np.float64], sighting: Sighting) -> None:
    centre, size = (round(float(at[0])), round(float(at[1]))), max(1.0, canvas.shape[1] / USUAL_PX)
    piece = sighting.piece
    colour = LOST if piece == UNKNOWN else SURE if sighting.confidence >= SURE_FROM else UNSURE
    cv2.circle(canvas, centre, round(4 * size), colour, -1, cv2.LINE_AA)
    words = [piece.colour or "", piece.kind, piece.facing or piece.value or ""]
    _write(
        canvas,
        " ".join(w for w in words if w),
        (centre[0] - round(26 * size), centre[1] + round(18 * size)),
        0.38 * size,
        TEXT,
    )
    if sighting.heading_deg is not None:
        angle = np.deg2rad(sighting.heading_deg)
        tip = (round(centre[0] + 25 * float(np.cos(angle))), round(centre[1] - 25 * float(np.sin(angle))))
        cv2.arrowedLine(canvas, centre, tip, colour, 2, cv2.LINE_AA)


def _write(canvas: Picture, text: str, at: tuple[int, int], size: float, colour: tuple[int, int, int]) -> None:
    font = cv2.FONT_HERSHEY_SIMPLEX
    thick = max(1, round(size / 0.5))
    cv2.putText(canvas, text, at, font, size, (0, 0, 0), 2 * thick + 1, cv2.LINE_AA)
    cv2.putText(canvas, text, at, font, size, colour, thick, cv2.LINE_AA)
