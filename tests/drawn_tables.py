"""Tables drawn by mapping flat prints through a camera: enough for paper, lens, light and geometry."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.markers import CharucoShape
from calibration.paper import Rect
from calibration.sheets import charuco_rects, marker_rects
from calibration.table import CameraPose, TableMarkers
from companion.bench.vision_score import samples_folder
from companion.view import BoardPose, BoardShape
from companion.vision.boards.cells import to_table

LENS = Lens(1600, 1200, 1309.5, 1311.1, 806.9, 593.7, -0.042, 0.021, 0.0006, -0.0004, 0.0)
SMALL = LENS.scaled(800, 600)
KHET = BoardShape(10, 8, 38.0, 10.0, 0.0)
LYING = BoardPose(4.0, -6.0, 1.5)
PX_PER_MM = 3.0
AREA = (900.0, 700.0)  # mm of the table that are painted


def samples(*parts: str) -> Path:
    """A folder of the sample pictures; skips the test where they are not."""
    root = samples_folder()
    if root is None or not root.joinpath(*parts).is_dir():
        pytest.skip("no sample pictures: COMPANION_SAMPLES names their folder")
    return root.joinpath(*parts)


def camera(
    lens: Lens = LENS, height: float = 780.0, tilt: tuple[float, float] = (4.0, -3.0), turn: float = 2.0
) -> CameraPose:
    """A camera over the middle of the table, tilted about x and y and turned, in degrees."""
    angles = np.deg2rad([180 + tilt[0], tilt[1], turn])
    about_x, about_y, about_z = (cv2.Rodrigues(np.eye(3)[i] * angles[i])[0] for i in range(3))
    rotation = about_x @ about_y @ about_z
    return CameraPose(lens, rotation, np.array([6.0, -8.0, height]))


@lru_cache(maxsize=2)
def _grain(height: int, width: int) -> NDArray[np.float32]:
    """Noise of standard deviation 1, larger than a picture: each takes another part of it."""
    return np.random.default_rng(1).standard_normal((height + 64, width + 64, 3), dtype=np.float32)


def with_noise(pixels: NDArray[np.generic], seed: int, noise: float | NDArray[np.generic] = 2.0) -> NDArray[np.uint8]:
    """The picture (h, w, 3) with a sensor's noise of that standard deviation, the same for the same seed."""
    height, width = pixels.shape[:2]
    y, x = np.random.default_rng(seed).integers(64, size=2)
    grain = _grain(height, width)[y : y + height, x : x + width] * np.float32(noise)
    return np.asarray(cv2.add(pixels.astype(np.float32), grain, dtype=cv2.CV_8U), np.uint8)


@dataclass
class Paint:
    """The table top as a texture that rectangles are painted on; origin in the middle, y up."""

    ground: tuple[int, int, int] = (120, 140, 150)
    image: NDArray[np.uint8] = field(init=False)

    def __post_init__(self) -> None:
        size = (round(AREA[1] * PX_PER_MM), round(AREA[0] * PX_PER_MM))
        self.image = np.empty((*size, 3), np.uint8)
        cv2.rectangle(self.image, (0, 0), size[::-1], self.ground, cv2.FILLED)  # ten times as fast as numpy's own

    def polygon(self, points_mm: NDArray[np.float64], colour: tuple[int, int, int]) -> None:
        """A filled polygon of table millimetres, to a sixteenth of a texture pixel."""
        pixels = (np.asarray(points_mm) * (1, -1) + np.array(AREA) / 2) * PX_PER_MM - 0.5
        cv2.fillConvexPoly(self.image, np.rint(pixels * 16).astype(np.int32), colour, cv2.LINE_AA, 4)

    def markers(self, white: int = 235, skip: tuple[int, ...] = ()) -> None:
        """The four markers with their white rims."""
        for number, corners in TableMarkers().corners_mm().items():
            if number not in skip:
                self.marker(number, corners, white)

    def marker(self, number: int, corners: NDArray[np.float64], white: int = 235) -> None:
        """One marker at four corners, top left first."""
        middle = corners.mean(axis=0)
        self.polygon(middle + (corners - middle) * 1.4, (white, white, white))
        side = float(np.hypot(*(corners[1] - corners[0])))
        across, down = (corners[1] - corners[0]) / side, (corners[3] - corners[0]) / side
        for rect in marker_rects(number, 0, 0, side):
            self.rect(rect, corners[0], across, down, white)

    def rect(self, rect: Rect, origin: NDArray, across: NDArray, down: NDArray, white: int = 235) -> None:
        """A rectangle of a sheet whose top left corner lies at `origin`."""
        xs, ys = (rect.x, rect.x + rect.width), (rect.y, rect.y + rect.height)
        points = [origin + x * across + y * down for x, y in zip((*xs, *xs[::-1]), np.repeat(ys, 2), strict=True)]
        tone = 18 if rect.black else white
        self.polygon(np.array(points), (tone, tone, tone))

    def charuco(self, shape: CharucoShape, turn_deg: float = 0.0, at: tuple[float, float] = (0.0, 0.0)) -> None:
        """A ChArUco board on white, its middle at a place."""
        c, s = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
        across, down = np.array([c, s]), np.array([s, -c])
        size = np.array([shape.cols, shape.rows]) * shape.square_mm
        origin = np.array(at) - across * size[0] / 2 - down * size[1] / 2
        self.rect(Rect(-15, -15, size[0] + 30, size[1] + 30, black=False), origin, across, down)
        for rect in charuco_rects(shape, 0, 0):
            self.rect(rect, origin, across, down)

    def board(
        self,
        shape: BoardShape,
        pose: BoardPose,
        field_colour: tuple[int, int, int] = (90, 90, 92),
        rim: tuple[int, int, int] = (45, 45, 48),
        line: tuple[int, int, int] | None = (30, 30, 30),
        other: tuple[int, int, int] | None = None,
        line_mm: float = 0.8,
    ) -> None:
        """A board with rim, and lines or a second colour of cells."""
        half = np.array([shape.cols, shape.rows]) * shape.cell_mm / 2
        self.on_board(pose, -half - shape.border_mm, half + shape.border_mm, rim)
        self.on_board(pose, -half, half, field_colour)
        for col in range(shape.cols):
            for row in range(shape.rows):
                if other is not None and (col + row) % 2:
                    corner = -half + np.array([col, row]) * shape.cell_mm
                    self.on_board(pose, corner, corner + shape.cell_mm, other)
        if line is not None:
            for x in np.arange(shape.cols + 1) * shape.cell_mm - half[0]:
                self.on_board(pose, np.array([x - line_mm / 2, -half[1]]), np.array([x + line_mm / 2, half[1]]), line)
            for y in np.arange(shape.rows + 1) * shape.cell_mm - half[1]:
                self.on_board(pose, np.array([-half[0], y - line_mm / 2]), np.array([half[0], y + line_mm / 2]), line)

    def piece(
        self, shape: BoardShape, pose: BoardPose, cell: str, colour: tuple[int, int, int], share: float = 0.7
    ) -> None:
        """A flat square on a cell, its upper right half darker."""
        half = np.array([shape.cols, shape.rows]) * shape.cell_mm / 2
        place = np.array([ord(cell[0]) - ord("a"), int(cell[1:]) - 1]) + 0.5
        middle, reach = place * shape.cell_mm - half, share * shape.cell_mm / 2
        self.on_board(pose, middle - reach, middle + reach, colour)
        corner = np.array([(-1, 1), (1, 1), (1, -1)]) * reach + middle
        self.polygon(to_table(corner, pose), (colour[0] // 2, colour[1] // 2, colour[2] // 2))

    def on_board(self, pose: BoardPose, low: NDArray, high: NDArray, colour: tuple[int, int, int]) -> None:
        """A rectangle of board millimetres."""
        points = np.array([(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])])
        self.polygon(to_table(points, pose), colour)

    def seen_by(self, pose: CameraPose, blur: float = 0.7, noise: float = 1.5, seed: int = 1) -> NDArray[np.uint8]:
        """The picture, (h, w, 3) BGR."""
        lens, step = pose.lens, 16
        x, y = np.arange(-step, lens.width + 2 * step, step), np.arange(-step, lens.height + 2 * step, step)
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2).astype(np.float64)
        table = pose.to_table(grid).reshape(len(y), len(x), 2)
        at = (table * (1, -1) + np.array(AREA) / 2) * PX_PER_MM - 0.5
        fine = cv2.resize(at.astype(np.float32), (len(x) * step, len(y) * step), interpolation=cv2.INTER_LINEAR)
        first = np.float32(1.5 * step - 0.5)  # where pixel 0 lies in the enlarged lattice
        exact = cv2.remap(
            fine,
            *np.meshgrid(
                np.arange(lens.width, dtype=np.float32) + first, np.arange(lens.height, dtype=np.float32) + first
            ),
            cv2.INTER_LINEAR,
        )
        texture = cv2.GaussianBlur(self.image, (0, 0), 0.8 * max(1.0, PX_PER_MM * 780 / lens.fx / 2))
        picture = cv2.remap(texture, exact[..., 0], exact[..., 1], cv2.INTER_LINEAR, borderValue=self.ground)
        return with_noise(cv2.GaussianBlur(picture, (0, 0), blur), seed, noise)


def lens_boards(count: int) -> list[NDArray[np.uint8]]:
    """Pictures of the printed lens board, each from another side."""
    views = []
    for i in range(count):
        paint = Paint()
        paint.charuco(CharucoShape(), 35.0 * i, (40.0 * np.cos(i), 30.0 * np.sin(i)))
        tilt = (25.0 * np.cos(2 * i), 22.0 * np.sin(2 * i))
        views.append(paint.seen_by(camera(SMALL, height=480 + 30 * i, tilt=tilt)))
    return views


def khet_table(
    pose: CameraPose | None = None,
    board: BoardPose = LYING,
    shape: BoardShape = KHET,
    pieces: Mapping[str, tuple[int, int, int]] | None = None,
    skip: tuple[int, ...] = (),
    **how: object,
) -> NDArray[np.uint8]:
    """A picture of a board between the four markers."""
    paint = Paint()
    paint.markers(skip=skip)
    paint.board(shape, board, **how)
    for cell, colour in (pieces or {}).items():
        paint.piece(shape, board, cell, colour)
    return paint.seen_by(pose or camera())
