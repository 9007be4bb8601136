"""Finds a board on the table by the whole pattern of its cells' sides: where it lies best on the edges that are seen.

Boards of hexagons, and those of squares whose lines are too faint to be counted one by one.

Edges and sides are compared by their direction alone (doubled, so that a line's two flanks agree); the pattern is
moved over the whole table at every turn by a correlation, then finely around the best place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import CameraPose, TableMarkers
from companion.view import BoardPose, BoardShape
from companion.vision.boards.cells import CellSettings, cell_centres, field_mm, resized, to_table
from companion.vision.boards.edges import Edges, edge_directions, view_from_above
from companion.vision.boards.finder import BoardFix
from companion.vision.boards.settings import BoardSettings

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
TOO_LARGE = -1.0  # score of a board that finds no room in the view


@dataclass(frozen=True, slots=True)
class PatternSettings:
    """The search for a pattern."""

    angle_step_deg: float = 1.5
    angles_beside: int = 2  # steps to either side of the directions along which most edges run
    points: int = 7  # looked at along each side of a cell
    inset: float = 0.15  # of a side, left out at both ends
    spread_px: float = 0.9  # how far from its place a side still counts
    fine_mm: float = 1.0  # one pixel of the view in which the best place is refined
    fine_reach_px: int = 5
    fine_angles: int = 5
    fine_passes: int = 2
    size_span: float = 0.015  # the size of cells is measured so far around the one given where its ends fit better
    fine_sizes: int = 5
    size_passes: int = 3  # while the best of them is the first or the last
    rim_weight: float = 0.4  # of the board's outer edge, where there is a rim, beside all sides of cells together
    least_score: float = 0.22  # mean agreement of all sides below which there is no such board ...
    least_with_rim: float = 0.32  # ... and the same with that of the rim
    least_of_size: float = 0.5  # ... and of cells of another size, in which another board may be seen
    weak: float = 0.5  # of the score at which it was found: less, and it is searched anew
    watch_px: int = 20  # of a cell, in the view in which a known board is checked
    watch_reach_px: int = 4
    slip_mm: float = 1.5  # a board that moved by more is fitted anew


def turn_of(shape: BoardShape) -> float:
    """A board looks the same after so many degrees."""
    return 60.0 if shape.kind == "hex" else 90.0 if shape.cols == shape.rows else 180.0


def find_pattern(
    image: Picture, camera: CameraPose, shape: BoardShape, markers: TableMarkers, board: BoardSettings | None = None
) -> BoardFix | None:
    """The board's pose on the table, of its equal-looking ways round the one nearest to 0; None when not seen."""
    board, settings = board or BoardSettings(), PatternSettings()
    coarse = _Field.of(view_from_above(image, camera, shape.thickness_mm, markers, board), board, board.search_mm)
    angles = _angles(coarse, shape, board, settings)
    if not angles.size:
        return None
    rough = _roughly(coarse, shape, angles, board, settings)
    if rough is None:
        return None
    scale, pose = rough
    close = replace(board, search_mm=settings.fine_mm)
    fine = _Field.of(view_from_above(image, camera, shape.thickness_mm, markers, close), close, settings.fine_mm)
    score, pose = fine.turned(resized(shape, scale), pose, settings)
    if scale != 1 or fine.beside(shape, pose, settings) > score:  # a size that fits stays as it was given
        score, scale, pose = fine.stretched(shape, scale, pose, settings)
    least = settings.least_with_rim if shape.border_mm > 0 else settings.least_score
    if abs(scale - 1) > board.scale_warning:
        least = settings.least_of_size
    return BoardFix(pose, score, 0.0, scale) if score >= least else None


def pattern_scores(view: Picture, shapes: Sequence[BoardShape], board: BoardSettings) -> list[float]:
    """How well each of these boards fits at its best place and turn in a view from above."""
    settings = PatternSettings()
    field = _Field.of(view, board, board.search_mm)

    def tried(shape: BoardShape) -> Iterator[float]:
        return (field.best(shape, float(a), settings)[0] for a in _angles(field, shape, board, settings))

    return [max(tried(shape), default=TOO_LARGE) for shape in shapes]


def _roughly(
    coarse: "_Field", shape: BoardShape, angles: Floats, board: BoardSettings, settings: PatternSettings
) -> tuple[float, BoardPose] | None:
    """The size of the cells in units of the one given, and where the board lies: another size where that fits better.

    Cells are measured with a ruler, and ten of them add up a slip. None for a board that is larger than all that is
    seen.
    """
    tried = [coarse.best(shape, float(a), settings) for a in angles]
    if shape.kind == "hex":  # every turn is possible: every other one is tried, then those beside the best
        middle = max(tried, key=lambda found: found[0])[1].rotation_deg
        tried += [
            coarse.best(shape, middle + beside, settings)
            for beside in (-settings.angle_step_deg, settings.angle_step_deg)
        ]
    best = (*max(tried, key=lambda found: found[0]), 1.0)
    for scales in board.other_scales:  # the next ones only where one of the nearer fits better than the one given
        angle, before = best[1].rotation_deg, best
        sizes = [(*coarse.best(resized(shape, scale), angle, settings), scale) for scale in scales]
        best = max(best, *sizes, key=lambda found: found[0])
        if best is before:
            break
    return None if best[0] <= TOO_LARGE else (best[2], best[1])


def pattern_slip(flat: Picture, shape: BoardShape, cells: CellSettings, found: float) -> bool:
    """True if a flattened board no longer lies where it was found with this score."""
    settings = PatternSettings()
    scale = settings.watch_px / cells.cell_px
    small = np.asarray(cv2.resize(flat, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    mm = shape.cell_mm / settings.watch_px
    field = _Field.of(small, BoardSettings(), mm)
    reach = replace(settings, fine_reach_px=settings.watch_reach_px)
    shape, found = replace(shape, border_mm=0.0), found - settings.rim_weight * (shape.border_mm > 0)  # cells alone
    score, pose = field.near(shape, BoardPose(0.0, 0.0, 0.0), reach)
    moved = float(np.hypot(pose.x_mm, pose.y_mm)) > settings.slip_mm
    return score < settings.weak * found or moved


def _angles(field: "_Field", shape: BoardShape, board: BoardSettings, settings: PatternSettings) -> Floats:
    """Every other turn of a hexagon; of squares those along which most edges run, none where there are no edges."""
    step, turn = settings.angle_step_deg, turn_of(shape)
    if shape.kind == "hex":
        return np.arange(-turn / 2, turn / 2, 2 * step)
    about = np.arange(-settings.angles_beside, settings.angles_beside + 1) * step
    found = (np.array(edge_directions(field.seen, board))[:, None] + about).ravel()
    return found if turn == 90 else np.concatenate([found, found + 90])


@dataclass(frozen=True, slots=True, eq=False)
class _Field:
    """Edges seen from above: strength (0..1) times cosine and sine of twice their direction."""

    edges: Singles  # (height, width, 2)
    mm: float  # one pixel
    seen: Edges

    @classmethod
    def of(cls, view: Picture, board: BoardSettings, mm: float) -> "_Field":
        seen = Edges.of(view, board)
        length = np.maximum(np.hypot(seen.right, seen.up), 1e-6)
        weight = np.minimum(length / seen.level, 1) / length**2
        edges = np.stack([weight * (seen.right**2 - seen.up**2), weight * 2 * seen.right * seen.up], axis=-1)
        return cls(np.ascontiguousarray(edges, dtype=np.float32), mm, seen)

    def best(self, shape: BoardShape, angle_deg: float, settings: PatternSettings) -> tuple[float, BoardPose]:
        """The best place anywhere, at this turn."""
        middles = np.abs(to_table(cell_centres(shape), BoardPose(0.0, 0.0, angle_deg))).max(axis=0)
        if (2 * middles / self.mm > self.edges.shape[1::-1]).any():  # its pattern might fill the memory
            return TOO_LARGE, BoardPose(0.0, 0.0, angle_deg)
        pattern = _pattern(shape, angle_deg, self.mm, settings)
        height, width = pattern.shape[:2]
        if height > self.edges.shape[0] or width > self.edges.shape[1]:
            return TOO_LARGE, BoardPose(0.0, 0.0, angle_deg)
        scores = np.asarray(cv2.matchTemplate(self.edges, pattern, cv2.TM_CCORR))
        y, x = (int(i) for i in np.unravel_index(int(np.argmax(scores)), scores.shape))
        middle = ((width - 1) / 2 + x, (height - 1) / 2 + y)
        return float(scores[y, x]), self._pose(middle, angle_deg)

    def near(self, shape: BoardShape, pose: BoardPose, settings: PatternSettings) -> tuple[float, BoardPose]:
        """The best place near this one, between pixels."""
        pattern = _pattern(shape, pose.rotation_deg, self.mm, settings)
        height, width, reach = *pattern.shape[:2], settings.fine_reach_px
        rows, cols = self.edges.shape[:2]
        x = round(pose.x_mm / self.mm + (cols - 1) / 2 - (width - 1) / 2)
        y = round((rows - 1) / 2 - pose.y_mm / self.mm - (height - 1) / 2)
        pad = reach + max(0, -x, -y, x + width - cols, y + height - rows)
        padded = np.pad(self.edges, ((pad, pad), (pad, pad), (0, 0)))
        crop = padded[y + pad - reach : y + pad + reach + height, x + pad - reach : x + pad + reach + width]
        scores = np.asarray(cv2.matchTemplate(np.ascontiguousarray(crop), pattern, cv2.TM_CCORR))
        v, u = (int(i) for i in np.unravel_index(int(np.argmax(scores)), scores.shape))
        du, dv = _peak(list(scores[v]), u), _peak(list(scores[:, u]), v)
        middle = (x - reach + u + du + (width - 1) / 2, y - reach + v + dv + (height - 1) / 2)
        return float(scores[v, u]), self._pose(middle, pose.rotation_deg)

    def turned(self, shape: BoardShape, pose: BoardPose, settings: PatternSettings) -> tuple[float, BoardPose]:
        """The best place and turn near this one."""
        score, span = 0.0, settings.angle_step_deg
        for _ in range(settings.fine_passes):
            turns = np.linspace(-span, span, settings.fine_angles)
            tried = [
                self.near(shape, replace(pose, rotation_deg=pose.rotation_deg + float(t)), settings) for t in turns
            ]
            best = int(np.argmax([s for s, _ in tried]))
            turn = float(turns[best]) + _peak([s for s, _ in tried], best) * float(turns[1] - turns[0])
            score, found = tried[best]
            pose = BoardPose(found.x_mm, found.y_mm, pose.rotation_deg + turn)
            span /= settings.fine_angles / 2
        return score, pose

    def beside(self, shape: BoardShape, pose: BoardPose, settings: PatternSettings) -> float:
        """How well cells fit here that are smaller or larger by the whole span of sizes, the better of both."""
        ends = (1 - settings.size_span, 1 + settings.size_span)
        return max(self.near(resized(shape, end), pose, settings)[0] for end in ends)

    def stretched(
        self, shape: BoardShape, scale: float, pose: BoardPose, settings: PatternSettings
    ) -> tuple[float, float, BoardPose]:
        """The score, the size of the cells in units of the shape's, and the place near these that fit best."""
        score = 0.0
        for _ in range(settings.size_passes):
            sizes = scale * np.linspace(1 - settings.size_span, 1 + settings.size_span, settings.fine_sizes)
            tried = [self.near(resized(shape, float(size)), pose, settings)[0] for size in sizes]
            best = int(np.argmax(tried))
            scale = float(sizes[best]) + _peak(tried, best) * float(sizes[1] - sizes[0])
            score, pose = self.near(resized(shape, scale), pose, settings)
            if 0 < best < len(sizes) - 1:
                break
        return score, scale, pose

    def _pose(self, middle_px: tuple[float, float], angle_deg: float) -> BoardPose:
        rows, cols = self.edges.shape[:2]
        x, y = middle_px
        return BoardPose((x - (cols - 1) / 2) * self.mm, ((rows - 1) / 2 - y) * self.mm, angle_deg)


def _pattern(shape: BoardShape, angle_deg: float, mm: float, settings: PatternSettings) -> Singles:
    """The sides of all cells, each once, and the outer edge as an image of doubled directions."""
    points, normals = _sides(replace(shape, cell_mm=1.0), settings)  # once for all sizes
    points = points * shape.cell_mm
    weight = np.full(len(points), 1 / len(points))
    if shape.border_mm > 0:
        rim, across = _rim(shape)
        points, normals = np.concatenate([points, rim]), np.concatenate([normals, across])
        weight = np.concatenate([weight, np.full(len(rim), settings.rim_weight / len(rim))])
    turned = to_table(points, BoardPose(0.0, 0.0, angle_deg))
    half = np.ceil(np.abs(turned).max(axis=0) / mm).astype(int) + 2
    width, height = (2 * int(h) + 1 for h in half)
    x, y = turned[:, 0] / mm + half[0], half[1] - turned[:, 1] / mm
    doubled = 2 * (normals + np.deg2rad(angle_deg))
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    right, low = x - left, y - top  # shares of the next pixels
    share = weight * np.stack([(1 - right) * (1 - low), right * (1 - low), (1 - right) * low, right * low])
    at = 2 * (top * width + left + np.array([[0], [1], [width], [width + 1]]))
    both = (
        np.concatenate([at, at + 1]).ravel(),
        np.concatenate([share * np.cos(doubled), share * np.sin(doubled)]).ravel(),
    )
    drawn = np.bincount(*both, 2 * height * width).reshape(height, width, 2).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(drawn, (0, 0), settings.spread_px), dtype=np.float32)


def _rim(shape: BoardShape) -> tuple[Floats, Floats]:
    """(n, 2) board millimetres along the outer edge of the rim, one each, and the (n) directions across it."""
    half = (np.array(field_mm(shape)) / 2 + shape.border_mm).astype(np.float64)
    points, normals = [], []
    for axis in (0, 1):
        along = np.arange(-half[1 - axis], half[1 - axis])
        for side in (-1, 1):
            place = np.empty((len(along), 2))
            place[:, axis], place[:, 1 - axis] = side * half[axis], along
            points.append(place)
            normals.append(np.full(len(along), axis * np.pi / 2))
    return np.concatenate(points), np.concatenate(normals)


@lru_cache(maxsize=8)
def _sides(shape: BoardShape, settings: PatternSettings) -> tuple[Floats, Floats]:
    """(n, 2) points along the sides of cells of 1 mm, no side twice, and the (n) directions across them."""
    corners = 6 if shape.kind == "hex" else 4
    side_mm = 3**-0.5 if shape.kind == "hex" else 1.0
    along = (np.linspace(settings.inset, 1 - settings.inset, settings.points) - 0.5) * side_mm
    centres, seen, points, normals = cell_centres(shape), set(), [], []
    for k in range(corners):
        normal = k * 2 * np.pi / corners
        across, side = np.array([np.cos(normal), np.sin(normal)]), np.array([-np.sin(normal), np.cos(normal)])
        for middle in centres + across / 2:
            key = (round(float(middle[0]), 2), round(float(middle[1]), 2))
            if key not in seen:
                seen.add(key)
                points.append(middle + along[:, None] * side)
                normals.append(np.full(len(along), normal))
    return np.concatenate(points), np.concatenate(normals)


def _peak(values: list[float], at: int) -> float:
    """Where between its neighbours a peak lies, -0.5 to 0.5."""
    if not 0 < at < len(values) - 1:
        return 0.0
    low, middle, high = (float(values[i]) for i in (at - 1, at, at + 1))
    bend = low - 2 * middle + high
    return float(np.clip((low - high) / (2 * bend), -0.5, 0.5)) if bend < 0 else 0.0
