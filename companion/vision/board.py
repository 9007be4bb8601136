"""Finds a board of known cells on the table: by the lines of its grid and of its rim, to parts of a millimetre."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import CameraPose, TableMarkers
from companion.view import BoardPose, BoardShape
from companion.vision.cells import CellCutter, CellSettings, plane_map, to_table

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """How a board is searched and what counts as found."""

    search_mm: float = 2.0  # one pixel of the view from above in which the board is searched
    reach_mm: float = 20.0  # how far beyond the markers' centres that view reaches
    edge_level: float = 3.0  # a step of grey per millimetre, in medians of all steps, that is surely an edge
    least_edge_level: float = 4.0
    angle_step_deg: float = 0.5
    angle_peaks: int = 3  # directions of edges that are tried
    askew: float = 2.0  # an edge counts for a line when it runs along it this many times more than across
    line_cover: float = 0.6  # share of a line that has to be seen as an edge to count in full
    least_score: float = 0.55  # mean of all lines below which there is no such board
    peak_reach: float = 0.12  # of a cell: how far from its place a line is looked for in the fine fit
    segment: float = 0.6  # share of a cell's side, around its middle, that is averaged in the fine fit
    fine_passes: int = 3
    fine_residual_mm: float = 0.4  # a side of a cell further off is not used
    least_segments: float = 0.35  # share of all sides that must agree in the fine fit
    scale_warning: float = 0.012  # cells that differ by more than this share are not those that were described


@dataclass(frozen=True, slots=True)
class BoardFix:
    """Where the board lies, and how well that is known."""

    pose: BoardPose
    score: float  # share of the sides of cells that lie where they should, 0..1
    error_mm: float  # root mean square of those sides
    cell_scale: float  # measured size of the cells in units of the size given
    given: bool = False  # not searched: x, y and rotation were given

    def warnings(self, shape: BoardShape, settings: BoardSettings) -> tuple[str, ...]:
        """What a person should know about this fit."""
        if abs(self.cell_scale - 1) > settings.scale_warning:
            measured = shape.cell_mm * self.cell_scale
            return (f"cells measure {measured:.1f} mm, not {shape.cell_mm:g} mm: check the board's size",)
        return ()


def find_board(
    image: Picture,
    camera: CameraPose,
    shape: BoardShape,
    markers: TableMarkers,
    settings: BoardSettings | None = None,
) -> BoardFix | None:
    """The board's pose on the table from one picture, None when no such board is seen.

    Which of the two (square boards: four) equal-looking ways round it lies is left open: the one nearest to 0.
    """
    settings = settings or BoardSettings()
    view = view_from_above(image, camera, shape.thickness_mm, markers, settings)
    steps = gradients(view)
    turns = (0.0, 90.0) if shape.cols != shape.rows else (0.0,)
    best: tuple[float, BoardPose] | None = None
    for angle in edge_directions(steps, settings):
        for turn in turns:
            best = _better(best, _place_at(steps, angle + turn, shape, settings))
    for shift in (2, 1, 0.5):
        middle = best[1].rotation_deg if best else 0.0
        for side in (-1, 1):
            angle = middle + side * shift * settings.angle_step_deg
            best = _better(best, _place_at(steps, angle, shape, settings))
    if best is None or best[0] < settings.least_score:
        return None
    return refine_board(image, camera, best[1], shape, settings)


def refine_board(
    image: Picture,
    camera: CameraPose,
    start: BoardPose,
    shape: BoardShape,
    settings: BoardSettings | None = None,
) -> BoardFix | None:
    """The exact pose near `start` (within a tenth of a cell), None when the lines are not there."""
    settings = settings or BoardSettings()
    pose, fit = start, None
    for _ in range(settings.fine_passes):
        cutter = CellCutter(camera, pose, shape, CellSettings())
        fit = measure_lines(cutter.flat(image), shape, cutter.settings, settings)
        if fit is None:
            return None
        shift = to_table(np.array([[fit.dx_mm, fit.dy_mm]]), pose)[0]
        pose = BoardPose(float(shift[0]), float(shift[1]), _wrapped(pose.rotation_deg + fit.turn_deg))
        if max(abs(fit.dx_mm), abs(fit.dy_mm)) < 0.05:
            break
    assert fit is not None
    return BoardFix(pose, fit.share, fit.error_mm, fit.scale)


def view_from_above(
    image: Picture, camera: CameraPose, z_mm: float, markers: TableMarkers, settings: BoardSettings
) -> Picture:
    """The table at height z, one pixel per `search_mm`, the table's origin in its middle."""
    half = np.array([markers.width_mm, markers.height_mm]) / 2 + settings.reach_mm
    size = np.ceil(2 * half / settings.search_mm).astype(int)
    fine = (2 * int(size[0]), 2 * int(size[1]))
    origin = BoardPose(0.0, 0.0, 0.0)
    x, y = plane_map(camera, origin, z_mm, fine, settings.search_mm / 2, CellSettings().lattice_px)
    view = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(view, (fine[0] // 2, fine[1] // 2), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def gradients(view: Picture) -> tuple[Singles, Singles]:
    """Steps per pixel to the right and up, of the channel in which they are largest."""
    right = np.asarray(cv2.Scharr(view, cv2.CV_32F, 1, 0, scale=1 / 32), dtype=np.float32)
    up = np.asarray(cv2.Scharr(view, cv2.CV_32F, 0, 1, scale=-1 / 32), dtype=np.float32)
    strongest = np.argmax(right**2 + up**2, axis=2)[..., None]
    pick = np.take_along_axis
    return pick(right, strongest, 2)[..., 0], pick(up, strongest, 2)[..., 0]


def edge_directions(steps: tuple[Singles, Singles], settings: BoardSettings) -> list[float]:
    """Angles in degrees (-45..45) along which most edges run, modulo a right angle, strongest first."""
    right, up = steps
    size = np.hypot(right, up)
    weight = np.minimum(size / _edge_level(size, settings), 1)
    angle = (np.rad2deg(np.arctan2(up, right)) + 45) % 90
    bins = round(90 / settings.angle_step_deg)
    strong = weight > 0.5
    histogram, _ = np.histogram(angle[strong], bins=bins, range=(0, 90), weights=weight[strong])
    kernel = np.hanning(9)
    padded = np.concatenate([histogram[-4:], histogram, histogram[:4]])
    smooth = np.convolve(padded, kernel / kernel.sum(), mode="valid")
    found: list[float] = []
    for _ in range(settings.angle_peaks):
        peak = int(np.argmax(smooth))
        if smooth[peak] <= 0:
            break
        found.append((peak + 0.5) * settings.angle_step_deg - 45)
        smooth[np.arange(peak - 6, peak + 7) % bins] = 0
    return found


def _edge_level(size: Singles, settings: BoardSettings) -> float:
    return max(settings.edge_level * float(np.median(size)), settings.least_edge_level)


Place = tuple[float, BoardPose]  # a score and where


def _better(first: Place | None, second: Place | None) -> Place | None:
    return max((p for p in (first, second) if p is not None), key=lambda place: place[0], default=None)


def _place_at(
    steps: tuple[Singles, Singles], angle_deg: float, shape: BoardShape, settings: BoardSettings
) -> Place | None:
    """Where the lines of grid and rim have most edges under them, with the grid turned by `angle_deg`."""
    across, along, back = _turned_edges(steps, angle_deg, settings)
    pitch = shape.cell_mm / settings.search_mm
    width, height = shape.cols * pitch, shape.rows * pitch
    border = shape.border_mm / settings.search_mm
    score, lines = _comb(across, _lines(shape.cols, pitch, border), height, settings)
    score_h, lines_h = _comb(along.T, _lines(shape.rows, pitch, border), width, settings)
    # score[y, x]: lines from row y down, first line in column x; score_h[x, y] likewise: both have the corner (x, y)
    rows, cols = min(score.shape[0], score_h.shape[1]), min(score.shape[1], score_h.shape[0])
    if rows <= 0 or cols <= 0:
        return None
    total = (score[:rows, :cols] + score_h.T[:rows, :cols]) / (lines + lines_h)
    y, x = np.unravel_index(int(np.argmax(total)), total.shape)
    middle = np.array([x + border + width / 2, y + border + height / 2, 1.0])
    size = np.array(steps[0].shape[::-1])
    x_mm, y_mm = (back @ middle - (size - 1) / 2) * (settings.search_mm, -settings.search_mm)
    return float(total[y, x]), BoardPose(float(x_mm), float(y_mm), _wrapped(angle_deg))


def _turned_edges(
    steps: tuple[Singles, Singles], angle_deg: float, settings: BoardSettings
) -> tuple[Singles, Singles, Floats]:
    """Edges (0..1) across and along the turned axes, in a view turned so that these are columns and rows."""
    right, up = steps
    c, s = np.float32(np.cos(np.deg2rad(angle_deg))), np.float32(np.sin(np.deg2rad(angle_deg)))
    level = _edge_level(np.hypot(right, up), settings)
    u, v = np.abs(c * right + s * up), np.abs(c * up - s * right)
    across = np.where(u > settings.askew * v, np.minimum(u / level, 1), 0).astype(np.float32)
    along = np.where(v > settings.askew * u, np.minimum(v / level, 1), 0).astype(np.float32)
    height, width = right.shape
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    size = np.ceil([width * c + height * abs(s), width * abs(s) + height * c]).astype(int)
    size = np.maximum(size, 1)
    turn = np.array([(c, s), (-s, c)], dtype=np.float64)  # turned pixels -> pixels of the view (y down)
    back: Floats = np.empty((2, 3))
    back[:, :2], back[:, 2] = turn, middle - turn @ ((size - 1) / 2)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    target = (int(size[0]), int(size[1]))
    turned = [np.asarray(cv2.warpAffine(e, back, target, flags=flags), dtype=np.float32) for e in (across, along)]
    return turned[0], turned[1], back


def _lines(cells: int, pitch: float, border: float) -> Floats:
    """Distances of the lines from the outer edge of the rim, in pixels: the rim's edges (if any) and the grid."""
    grid: Floats = border + pitch * np.arange(cells + 1, dtype=np.float64)
    outer: Floats = np.array([0.0, float(grid[-1]) + border])
    return np.sort(np.concatenate([outer, grid])) if border > 1 else grid


def _comb(edges: Singles, lines: Floats, length: float, settings: BoardSettings) -> tuple[Singles, int]:
    """For every first row and column: how many of the lines below and to the right have edges along `length`."""
    near = cv2.dilate(edges, np.ones((1, 3), np.uint8))  # a line may lie between two columns
    sums = np.vstack([np.zeros((1, near.shape[1]), np.float32), np.cumsum(near, axis=0, dtype=np.float32)])
    inset = lines[1] - lines[0] if len(lines) > 2 and lines[1] - lines[0] < lines[2] - lines[1] else 0.0
    span = round(length)
    offset = round(inset)
    reach = offset + span
    rows = sums.shape[0] - reach - offset
    cols = near.shape[1] - round(lines[-1])
    if rows <= 0 or cols <= 0:
        return np.zeros((0, 0), np.float32), len(lines)
    cover = (sums[reach : reach + rows] - sums[offset : offset + rows]) / span
    counted = (np.minimum(cover / settings.line_cover, 1) + cover) / 2  # every line matters, and all of each
    total = np.zeros((rows, cols), np.float32)
    for line in lines:
        at = round(line)
        total += counted[:, at : at + cols]
    return total, len(lines)


@dataclass(frozen=True, slots=True)
class LineFit:
    """How the grid in a flattened board lies against where it should: board mm, counter-clockwise degrees."""

    dx_mm: float
    dy_mm: float
    turn_deg: float
    scale: float
    share: float
    error_mm: float


def measure_lines(flat: Picture, shape: BoardShape, cells: CellSettings, settings: BoardSettings) -> LineFit | None:
    """Fits the sides of all cells in a flattened board; None when too few of them can be seen."""
    scale = shape.cell_mm / cells.cell_px
    v = _side_offsets(flat, shape.cols, shape.rows, cells, settings)  # lines x cells along them
    h = _side_offsets(np.swapaxes(flat, 0, 1), shape.rows, shape.cols, cells, settings)
    cols, rows = shape.cols, shape.rows
    line_x = (np.arange(cols + 1) - cols / 2) * shape.cell_mm
    line_y = (rows / 2 - np.arange(rows + 1)) * shape.cell_mm
    mid_x, mid_y = line_x[:-1] + shape.cell_mm / 2, line_y[:-1] - shape.cell_mm / 2
    vx, vy = np.meshgrid(line_x, mid_y, indexing="ij")
    hy, hx = np.meshgrid(line_y, mid_x, indexing="ij")
    # unknowns dx, dy, turn, stretch: a side at (x, y) is moved by (dx - turn y + stretch x, dy + turn x + stretch y)
    one, none = np.ones(v.size), np.zeros(v.size)
    across = np.stack([one, none, -vy.ravel(), vx.ravel()], axis=1)
    along = np.stack([np.zeros(h.size), np.ones(h.size), hx.ravel(), hy.ravel()], axis=1)
    system = np.vstack([across, along])
    moved = np.concatenate([v.ravel() * scale, -h.ravel() * scale])
    seen = np.isfinite(moved)
    if seen.sum() < settings.least_segments * len(moved):
        return None
    answer, kept = _trimmed_fit(system[seen], moved[seen], settings)
    share = float(kept.sum() / len(moved))
    if share < settings.least_segments:
        return None
    residual = moved[seen][kept] - system[seen][kept] @ answer
    error = float(np.sqrt((residual**2).mean()))
    dx, dy, turn, stretch = (float(a) for a in answer)
    return LineFit(dx, dy, float(np.rad2deg(turn)), 1 + stretch, share, error)


def _side_offsets(flat: Picture, lines: int, along: int, cells: CellSettings, settings: BoardSettings) -> Floats:
    """(lines + 1, along) pixels by which the sides of the cells lie right of where they should; NaN: no side seen."""
    px, margin = cells.cell_px, cells.margin_px
    reach = max(round(settings.peak_reach * px), 2)
    inset = round((1 - settings.segment) / 2 * px)
    offsets = np.arange(-reach, reach + 1)
    columns = margin + px * np.arange(lines + 1)[:, None] + np.arange(-reach - 1, reach + 1)  # pixel pairs' left ones
    rows = margin + px * np.arange(along)[:, None] + np.arange(inset, px - inset)
    strip = flat[rows][:, :, columns].astype(np.float32)  # along, rows, lines, columns, channels
    profile = strip.mean(axis=1)  # along, lines, columns, channels
    steps = np.abs(np.diff(profile, axis=2)).max(axis=3)  # between pixel pairs: at the offsets but half a pixel
    peak = steps.max(axis=2)
    floor = np.median(steps, axis=2)
    weight = np.clip(steps - (floor + 0.35 * (peak - floor))[..., None], 0, None)
    total = weight.sum(axis=2)
    middles = offsets.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        at = (weight @ middles) / total
        spread = (weight @ middles**2) / total - at**2
    clear = (peak > settings.least_edge_level / 2) & (peak > 2.5 * floor) & (spread < (reach / 2) ** 2)
    return np.where(clear, at, np.nan).T


def _trimmed_fit(system: Floats, moved: Floats, settings: BoardSettings) -> tuple[Floats, NDArray[np.bool_]]:
    """Least squares on those that agree; starts from the medians."""
    answer = np.zeros(system.shape[1])
    for axis in (0, 1):
        mine = system[:, axis] == 1
        answer[axis] = np.median(moved[mine]) if mine.any() else 0.0
    kept = np.abs(moved - system @ answer) < 5 * settings.fine_residual_mm
    for limit in (3.0, 2.0, 1.0, 1.0):
        if kept.sum() < 2 * system.shape[1]:
            break
        answer = np.asarray(np.linalg.lstsq(system[kept], moved[kept], rcond=None)[0], dtype=np.float64)
        kept = np.abs(moved - system @ answer) < limit * settings.fine_residual_mm
    return answer, kept


def _wrapped(angle_deg: float) -> float:
    """The angle in (-180, 180]."""
    return 180 - (180 - angle_deg) % 360


def half_turned(pose: BoardPose) -> BoardPose:
    """The same place, the board the other way round."""
    return replace(pose, rotation_deg=_wrapped(pose.rotation_deg + 180))
