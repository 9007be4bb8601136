"""Square markers and ChArUco boards: the only user of `cv2.aruco` and of its differences between OpenCV 4 and 5."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError

Picture = NDArray[np.uint8]
Corners = NDArray[np.float64]  # (4, 2) pixels: top-left, top-right, bottom-right, bottom-left of the marker itself
TABLE_DICTIONARY = "DICT_4X4_50"
LEAST_MIRRORED = 2  # one alone may be an accident of some print


@dataclass(frozen=True, slots=True)
class MarkerSettings:
    """How markers are searched."""

    quick_width_px: int = 720  # the whole picture is searched at this width first, with one threshold
    quick_threshold_px: int = 13  # window of that threshold
    thorough_width_px: int = 1000  # then at this one and in full, with several
    smooth_px: float = 1.0  # of the last search, for markers that noise hides
    cell_px: int = 8  # of a straightened marker's cell ...
    cell_rim: float = 0.25  # ... of whose width so much is left out at each side: glaring paper spreads over the ink
    window_sides: float = 0.6  # around a marker's last place, in sides of the marker
    least_side_px: float = 8.0  # smaller squares are left as they were found
    edge_steps: int = 17  # samples along each profile
    edge_floor: float = 0.25  # of a profile's largest step: smaller ones are noise
    edge_least_step: float = 10.0  # grey levels from ink to paper, at least
    edge_samples: int = 24  # profiles across each side of a marker
    edge_reach_px: float = 4.0  # how far from the found side its edge is looked for
    edge_inset: float = 0.12  # share of a side left out at both corners, where edges are rounded
    edge_keep: float = 0.7  # share of the profiles that the straight line is fitted to
    refine_passes: int = 3


@dataclass(frozen=True, slots=True)
class CharucoShape:
    """A ChArUco board: squares, their side, the markers' side and dictionary."""

    cols: int = 7
    rows: int = 5
    square_mm: float = 30.0
    marker_mm: float = 22.0
    dictionary: str = "DICT_5X5_100"


def dictionary(name: str) -> Any:
    """OpenCV's dictionary of that name; CalibrationError lists the name when there is none."""
    number = getattr(cv2.aruco, name, None)
    if not name.startswith("DICT_") or not isinstance(number, int):
        raise CalibrationError(f"no marker dictionary is called {name!r}; the table's is {TABLE_DICTIONARY}")
    return cv2.aruco.getPredefinedDictionary(number)


def marker_cells(number: int, name: str = TABLE_DICTIONARY) -> NDArray[np.bool_]:
    """The marker's black cells, border included, as (n, n) booleans; row 0 is its top."""
    patterns = dictionary(name)
    side = int(patterns.markerSize) + 2
    if not 0 <= number < len(patterns.bytesList):
        raise CalibrationError(f"{name} has no marker {number}")
    picture = np.asarray(cv2.aruco.generateImageMarker(patterns, number, side, borderBits=1))
    return np.asarray(picture == 0, dtype=np.bool_)


class MarkerFinder:
    """Finds the markers of one dictionary, with corners as exact as the picture allows."""

    def __init__(self, name: str = TABLE_DICTIONARY, settings: MarkerSettings | None = None) -> None:
        self.settings = settings or MarkerSettings()
        quick, thorough = cv2.aruco.DetectorParameters(), cv2.aruco.DetectorParameters()
        quick.adaptiveThreshWinSizeMin = quick.adaptiveThreshWinSizeMax = self.settings.quick_threshold_px
        for parameters in (quick, thorough):
            parameters.perspectiveRemovePixelPerCell = self.settings.cell_px
            parameters.perspectiveRemoveIgnoredMarginPerCell = self.settings.cell_rim
        self._quick = cv2.aruco.ArucoDetector(dictionary(name), quick)
        self._thorough = cv2.aruco.ArucoDetector(dictionary(name), thorough)

    def find(
        self, grey: Picture, wanted: Iterable[int], near: Mapping[int, Corners] | None = None
    ) -> dict[int, Corners]:
        """The wanted markers by id. `near` gives their last corners: those windows are searched first."""
        missing = set(wanted)
        found = self._in_windows(grey, near, missing) if near else {}
        missing -= set(found)
        width = grey.shape[1]
        steps = (
            (self.settings.quick_width_px, self._quick),
            (self.settings.thorough_width_px, self._thorough),
            (width, self._thorough),
        )
        for at_width, detector in steps:
            if missing and at_width <= width:
                found |= self._in_picture(grey, at_width, missing, detector)
                missing -= set(found)
        if missing and min(grey.shape) > 0:  # noise may hide a marker: look once more with less of it
            smooth = np.asarray(cv2.GaussianBlur(grey, (0, 0), self.settings.smooth_px), dtype=np.uint8)
            found |= {n: c for n, c in _detected(self._thorough, smooth).items() if n in missing}
        return self._refined(grey, found)

    def mirrored(self, grey: Picture, wanted: Iterable[int]) -> bool:
        """True if at a quick look the picture's mirror image shows at least two of the wanted markers."""
        flipped = np.ascontiguousarray(grey[:, ::-1])
        width = min(self.settings.quick_width_px, grey.shape[1])
        return len(self._in_picture(flipped, width, set(wanted), self._quick)) >= LEAST_MIRRORED

    def _in_windows(self, grey: Picture, near: Mapping[int, Corners], wanted: set[int]) -> dict[int, Corners]:
        found: dict[int, Corners] = {}
        for number, corners in near.items():
            if number not in wanted:
                continue
            side = float(np.ptp(corners, axis=0).max())
            x0, y0 = np.maximum(np.floor(corners.min(0) - side * self.settings.window_sides), 0).astype(int)
            x1, y1 = np.ceil(corners.max(0) + side * self.settings.window_sides).astype(int)
            window = grey[y0 : max(y1, 0), x0 : max(x1, 0)]
            if min(window.shape) > 0:
                here = _detected(self._thorough, np.ascontiguousarray(window))
                if number in here:
                    found[number] = here[number] + (x0, y0)
        return found

    def _in_picture(self, grey: Picture, width: int, wanted: set[int], detector: Any) -> dict[int, Corners]:
        scale = grey.shape[1] / width
        height = max(round(grey.shape[0] / scale), 1)
        small = grey if width == grey.shape[1] else cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA)
        factor = np.array([scale, grey.shape[0] / height])
        here = _detected(detector, np.asarray(small, dtype=np.uint8))
        return {n: (c + 0.5) * factor - 0.5 for n, c in here.items() if n in wanted}

    def _refined(self, grey: Picture, found: Mapping[int, Corners]) -> dict[int, Corners]:
        if not found:
            return {}
        numbers = sorted(found)
        squares = np.stack([found[number] for number in numbers])
        for _ in range(self.settings.refine_passes):
            squares = refine_squares(grey, squares, self.settings)
        return dict(zip(numbers, squares, strict=True))


def _detected(detector: Any, grey: Picture) -> dict[int, Corners]:
    """OpenCV's answer in one form; of two markers with one id the larger is taken."""
    corners, ids, _ = detector.detectMarkers(grey)
    if ids is None:
        return {}
    found: dict[int, Corners] = {}
    for number, square in zip(np.asarray(ids).reshape(-1), corners, strict=True):
        points = np.asarray(square, dtype=np.float64).reshape(4, 2)
        if int(number) not in found or _area(points) > _area(found[int(number)]):
            found[int(number)] = points
    return found


def refine_squares(grey: Picture, squares: NDArray[np.float64], settings: MarkerSettings) -> NDArray[np.float64]:
    """(n, 4, 2) corners as the meeting points of straight lines fitted to the sides; unchanged where that fails.

    Lines over whole sides do not have the inward pull that corner refinement has at blurred corners.
    """
    normals, distances, seen = _side_lines(grey, squares, settings)
    before = np.roll(normals, 1, axis=1)
    system = np.stack([before, normals], axis=2)  # (n, 4, 2, 2): the sides that meet in each corner
    firm = np.abs(np.linalg.det(system)) > 0.2  # else nearly parallel: no square any more
    system[~firm] = np.eye(2)
    values = np.stack([np.roll(distances, 1, axis=1), distances], axis=2)[..., None]
    refined = np.linalg.solve(system, values)[..., 0]
    near = np.abs(refined - squares).max(axis=(1, 2)) <= 2 * settings.edge_reach_px
    good = seen.all(axis=1) & firm.all(axis=1) & near
    return np.where(good[:, None, None], refined, squares)


def _side_lines(
    grey: Picture, squares: NDArray[np.float64], settings: MarkerSettings
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """The lines n.x = d along the sides of black squares: (n, 4, 2), (n, 4), and (n, 4) whether they are seen."""
    start, end = squares, np.roll(squares, -1, axis=1)
    along = end - start
    length = np.maximum(np.hypot(along[..., 0], along[..., 1]), 1e-6)
    outward = np.stack([along[..., 1], -along[..., 0]], axis=-1) / length[..., None]  # corners run clockwise
    reach = np.minimum(settings.edge_reach_px, length / 8)
    offsets = reach[..., None] * np.linspace(-1, 1, settings.edge_steps)
    at = np.linspace(settings.edge_inset, 1 - settings.edge_inset, settings.edge_samples)
    base = start[..., None, :] + at[:, None] * along[..., None, :]
    points = base[..., None, :] + offsets[..., None, :, None] * outward[..., None, None, :]
    steps = np.clip(np.diff(sample(grey, points), axis=-1), 0, None)  # black inside, white outside
    steps = np.where(steps >= settings.edge_floor * steps.max(axis=-1, keepdims=True), steps, 0)
    weight = steps.sum(axis=-1)
    middles = (offsets[..., :-1] + offsets[..., 1:]) / 2
    shift = np.einsum("nsao,nso->nsa", steps, middles) / np.maximum(weight, 1e-6)
    seen = weight > settings.edge_least_step
    slope, offset = _trimmed_line(at, shift, seen.astype(np.float64), settings.edge_keep)
    p, q = start + outward * offset[..., None], end + outward * (slope + offset)[..., None]
    normal = np.stack([(q - p)[..., 1], -(q - p)[..., 0]], axis=-1)
    normal /= np.maximum(np.hypot(normal[..., 0], normal[..., 1]), 1e-6)[..., None]
    enough = (seen.sum(axis=-1) >= settings.edge_samples // 2) & (length >= settings.least_side_px)
    return normal, (normal * p).sum(axis=-1), enough


def _trimmed_line(
    x: NDArray[np.float64], y: NDArray[np.float64], weight: NDArray[np.float64], keep: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Slopes and offsets of lines through y (..., samples) over x; the worst samples are left out of the second fit."""
    for _ in range(2):
        total = np.maximum(weight.sum(axis=-1, keepdims=True), 1e-6)
        mean_x = (weight * x).sum(axis=-1, keepdims=True) / total
        mean_y = (weight * y).sum(axis=-1, keepdims=True) / total
        spread = np.maximum((weight * (x - mean_x) ** 2).sum(axis=-1, keepdims=True), 1e-9)
        slope = (weight * (x - mean_x) * (y - mean_y)).sum(axis=-1, keepdims=True) / spread
        offset = mean_y - slope * mean_x
        residual = np.where(weight > 0, np.abs(y - slope * x - offset), np.inf)
        kept = max(int(keep * len(x)), 2)
        limit = np.partition(residual, kept - 1, axis=-1)[..., kept - 1 : kept]
        weight = weight * (residual <= limit)
    return slope[..., 0], offset[..., 0]


def sample(grey: Picture, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bilinear values of a grey picture at (..., 2) pixel positions; outside, the border is repeated."""
    flat = points.reshape(points.shape[0], -1, 2).astype(np.float32)
    values = cv2.remap(grey, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(values, dtype=np.float64).reshape(points.shape[:-1])


def _area(square: Corners) -> float:
    x, y = square.T
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


@dataclass(frozen=True, slots=True, eq=False)
class BoardCorners:
    """Inner corners of a ChArUco board in one picture."""

    ids: NDArray[np.int32]  # (n,)
    pixels: NDArray[np.float64]  # (n, 2)
    board_mm: NDArray[np.float64]  # (n, 3), z = 0


class CharucoFinder:
    """Finds a ChArUco board's inner corners, exact to a few hundredths of a pixel."""

    def __init__(self, shape: CharucoShape | None = None) -> None:
        self.shape = shape or CharucoShape()
        self._detectors = [cv2.aruco.CharucoDetector(_charuco(self.shape, old)) for old in (False, True)]

    def find(self, grey: Picture) -> BoardCorners | None:
        """The corners seen, None when fewer than four are; boards printed by older programs are known too."""
        for detector in self._detectors:
            pixels, ids, _, _ = detector.detectBoard(grey)
            if ids is None or len(ids) < 4:
                continue
            numbers = np.asarray(ids).reshape(-1)
            board = np.asarray(detector.getBoard().getChessboardCorners(), dtype=np.float64)[numbers]
            exact = self._exact(grey, np.asarray(pixels, dtype=np.float64).reshape(-1, 2), board)
            return BoardCorners(numbers.astype(np.int32), exact, board)
        return None

    def _exact(self, grey: Picture, pixels: NDArray[np.float64], board: NDArray[np.float64]) -> NDArray[np.float64]:
        """Saddle points found anew: some versions of the detector answer half a pixel off."""
        homography, _ = cv2.findHomography(board[:, :2], pixels)
        if homography is None:
            return pixels
        gap = (self.shape.square_mm - self.shape.marker_mm) / 2  # from a corner to the next marker's edge
        middle = board[:, :2].mean(axis=0)
        ends = cv2.perspectiveTransform(np.array([[middle, (middle[0] + gap, middle[1])]]), homography).reshape(2, 2)
        reach = int(np.clip(np.hypot(*(ends[1] - ends[0])) * 0.8, 2, 9))
        stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.001)
        start = np.ascontiguousarray(pixels, dtype=np.float32).reshape(-1, 1, 2)
        return np.asarray(cv2.cornerSubPix(grey, start, (reach, reach), (-1, -1), stop), np.float64).reshape(-1, 2)


def charuco_markers(shape: CharucoShape) -> dict[int, tuple[int, int]]:
    """Marker number -> (column, row) of its white square, the top left square being (0, 0) and black."""
    white = [(col, row) for row in range(shape.rows) for col in range(shape.cols) if (col + row) % 2]
    return dict(enumerate(white))


def _charuco(shape: CharucoShape, old: bool) -> Any:
    size, patterns = (shape.cols, shape.rows), dictionary(shape.dictionary)
    needed, there = shape.cols * shape.rows // 2, len(patterns.bytesList)
    if needed > there:
        raise CalibrationError(
            f"a board of {shape.cols}x{shape.rows} squares has {needed} markers, and {shape.dictionary} only {there}"
        )
    board = cv2.aruco.CharucoBoard(size, shape.square_mm, shape.marker_mm, patterns)
    board.setLegacyPattern(old)
    return board
