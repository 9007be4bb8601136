"""Finds a board of known cells on the table: by the lines of its grid and of its rim, to parts of a millimetre."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import CameraPose, TableMarkers
from companion.view import BoardPose, BoardShape
from companion.vision.board_settings import BoardSettings
from companion.vision.board_tones import alike_everywhere, tones_of
from companion.vision.cells import CellCutter, CellSettings, plane_map, to_table

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.integer]


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
        warnings = []
        if abs(self.cell_scale - 1) > settings.scale_warning:
            measured = shape.cell_mm * self.cell_scale
            warnings.append(f"cells measure {measured:.1f} mm, not {shape.cell_mm:g} mm: check the board's size")
        if not self.given and self.score < settings.weak_score:
            warnings.append("the board's lines are hardly seen: more light, or drag its corners")
        return tuple(warnings)


def find_board(
    image: Picture,
    camera: CameraPose,
    shape: BoardShape,
    markers: TableMarkers,
    settings: BoardSettings | None = None,
) -> BoardFix | None:
    """The board's pose on the table from one picture, None when no such board is seen.

    Which of the two (square boards: four) equal-looking ways round it lies is left open: the one nearest to 0.
    Boards of square cells only; `pattern_finder` finds the others.
    """
    settings = settings or BoardSettings()
    if shape.kind != "grid":
        return None
    view = view_from_above(image, camera, shape.thickness_mm, markers, settings)
    edges, tones = Edges.of(view, settings), tones_of(view, settings)
    turns = (0.0,) if shape.cols == shape.rows else (0.0, 90.0)  # a square board looks the same after a quarter turn
    best: dict[float, Place] = {}
    for angle in edge_directions(edges, settings):
        _keep_better(best, _places_at(edges, tones, angle, turns, shape, settings))
    for shift in settings.angle_shifts_deg:
        for turn in _likely(best, settings.rival_early):
            middle = best[turn].pose.rotation_deg - turn
            for angle in (middle - shift, middle + shift):
                _keep_better(best, _places_at(edges, tones, angle, (turn,), shape, settings))
    likely = [best[turn] for turn in _likely(best, settings.rival) if best[turn].score >= settings.least_score]
    fixes = [refine_board(image, camera, place.pose, shape, settings) for place in likely]
    return max((fix for fix in fixes if fix is not None), key=lambda fix: fix.score, default=None)


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
    for number in range(settings.fine_passes):
        cutter = CellCutter(camera, pose, shape, CellSettings())
        fit = measure_lines(cutter.flat(image), shape, cutter.settings, settings, near=number > 0)
        if fit is None:
            return None
        shift = to_table(np.array([[fit.dx_mm, fit.dy_mm]]), pose)[0]
        pose = BoardPose(float(shift[0]), float(shift[1]), wrapped(pose.rotation_deg + fit.turn_deg))
        if max(abs(fit.dx_mm), abs(fit.dy_mm)) < settings.settled_mm and abs(fit.turn_deg) < 0.1:
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


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Steps of grey per pixel to the right and up, and the step that surely is an edge at each place."""

    right: Singles
    up: Singles
    level: Singles

    @classmethod
    def of(cls, view: Picture, settings: BoardSettings) -> "Edges":
        """Of the channel in which the step is largest."""
        right = np.asarray(cv2.Scharr(view, cv2.CV_32F, 1, 0, scale=1 / 32), dtype=np.float32)
        up = np.asarray(cv2.Scharr(view, cv2.CV_32F, 0, 1, scale=-1 / 32), dtype=np.float32)
        strongest = np.argmax(right**2 + up**2, axis=2)[..., None]
        right, up = (np.take_along_axis(step, strongest, 2)[..., 0] for step in (right, up))
        steps = np.hypot(right, up)
        usual = max(settings.edge_level * float(np.median(steps)), settings.least_edge_level)
        return cls(right, up, np.minimum(_near_level(steps, settings), np.float32(usual)))

    def turned(self, angle_deg: float, askew: float) -> tuple[Singles, Singles, Floats]:
        """Edges (0..1) across and along turned axes, in a view turned so that these are columns and rows.

        The (2, 3) matrix takes pixels of the turned view back to pixels of this one.
        """
        c, s = np.float32(np.cos(np.deg2rad(angle_deg))), np.float32(np.sin(np.deg2rad(angle_deg)))
        u, v = np.abs(c * self.right + s * self.up), np.abs(c * self.up - s * self.right)
        scale = 1 / self.level
        across = np.minimum(u * scale, np.float32(1)) * (u > askew * v)
        along = np.minimum(v * scale, np.float32(1)) * (v > askew * u)
        height, width = self.right.shape
        size = np.ceil([width * abs(c) + height * abs(s), width * abs(s) + height * abs(c)]).astype(int)
        size = np.maximum(size, 1)
        turn = np.array([(c, s), (-s, c)], dtype=np.float64)
        back: Floats = np.empty((2, 3))
        back[:, :2] = turn
        back[:, 2] = np.array([(width - 1) / 2, (height - 1) / 2]) - turn @ ((size - 1) / 2)
        flags, target = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (int(size[0]), int(size[1]))
        both = [np.asarray(cv2.warpAffine(e, back, target, flags=flags), dtype=np.float32) for e in (across, along)]
        return both[0], both[1], back


def _near_level(steps: Singles, settings: BoardSettings) -> Singles:
    """The step that is an edge among those around each pixel: `edge_level` medians of them."""
    fine = 16  # in so many parts of a grey level
    small = np.minimum(steps * fine, 255).astype(np.uint8)
    usual = np.asarray(cv2.medianBlur(small, settings.quiet_px), dtype=np.float32) / fine
    return np.maximum(settings.edge_level * usual, np.float32(settings.least_quiet_level))


def edge_directions(edges: Edges, settings: BoardSettings, turn_deg: float = 90.0) -> list[float]:
    """Angles in degrees along which most edges run, modulo a turn (-turn/2..turn/2), strongest first."""
    weight = np.minimum(np.hypot(edges.right, edges.up) / edges.level, 1)
    strong = weight > 0.5
    angle = (np.rad2deg(np.arctan2(edges.up[strong], edges.right[strong])) + turn_deg / 2) % turn_deg
    bins = round(turn_deg / settings.angle_step_deg)
    histogram, _ = np.histogram(angle, bins=bins, range=(0, turn_deg), weights=weight[strong])
    kernel = np.hanning(9)
    padded = np.concatenate([histogram[-4:], histogram, histogram[:4]])
    smooth = np.convolve(padded, kernel / kernel.sum(), mode="valid")
    found: list[float] = []
    for _ in range(settings.angle_peaks):
        peak = int(np.argmax(smooth))
        if smooth[peak] <= 0:
            break
        found.append((peak + 0.5) * settings.angle_step_deg - turn_deg / 2)
        smooth[np.arange(peak - 6, peak + 7) % bins] = 0
    return found


@dataclass(frozen=True, slots=True)
class Place:
    """Where a board may lie: how much of its lines is seen there, and that weighed by how unlike its surroundings."""

    pose: BoardPose
    score: float
    worth: float


def _keep_better(best: dict[float, Place], places: dict[float, Place]) -> None:
    for turn, place in places.items():
        if turn not in best or place.worth > best[turn].worth:
            best[turn] = place


def _likely(best: dict[float, Place], share: float) -> list[float]:
    """The turns whose place is worth nearly as much as the best, the best first."""
    order = sorted(best, key=lambda turn: -best[turn].worth)
    return [turn for turn in order if best[turn].worth >= share * best[order[0]].worth]


def _places_at(
    edges: Edges, tones: Picture, angle_deg: float, turns: tuple[float, ...], shape: BoardShape, settings: BoardSettings
) -> dict[float, Place]:
    """Where the lines of grid and rim have most edges under them: grid turned by the angle, and by a quarter more."""
    across, along, back = edges.turned(angle_deg, settings.askew)
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    turned = cv2.warpAffine(tones, back, across.shape[::-1], flags=flags, borderValue=settings.tones**3)
    size = np.array(edges.right.shape[::-1])
    places = {}
    for turn in turns:
        cells = (shape.cols, shape.rows) if turn == 0.0 else (shape.rows, shape.cols)
        found = _grid_place(across, along, np.asarray(turned, np.uint8), cells, shape, settings)
        if found is not None:
            score, worth, middle = found
            x, y = (back @ np.append(middle, 1.0) - (size - 1) / 2) * (settings.search_mm, -settings.search_mm)
            places[turn] = Place(BoardPose(float(x), float(y), wrapped(angle_deg + turn)), score, worth)
    return places


def _grid_place(
    across: Singles, along: Singles, tones: Picture, cells: tuple[int, int], shape: BoardShape, settings: BoardSettings
) -> tuple[float, float, Floats] | None:
    """The score and the worth of the best upright grid of (columns, rows), and the pixel of its middle."""
    pitch, border = shape.cell_mm / settings.search_mm, shape.border_mm / settings.search_mm
    width, height = cells[0] * pitch, cells[1] * pitch
    score, lines = _comb(across, _lines(cells[0], pitch, border), height, settings)
    score_h, lines_h = _comb(along.T, _lines(cells[1], pitch, border), width, settings)
    outer = round(width + 2 * border), round(height + 2 * border)
    alike = alike_everywhere(tones, outer, round(settings.beside_cells * pitch), settings)
    # score[y, x]: lines from row y down, first line in column x; score_h[x, y] likewise: both have the corner (x, y)
    rows, cols = (min(sizes) for sizes in zip(score.shape, score_h.T.shape, alike.shape, strict=True))
    if rows <= 0 or cols <= 0:
        return None
    total = (score[:rows, :cols] + score_h.T[:rows, :cols]) / (lines + lines_h)
    worth = total * (1 - settings.unlike * alike[:rows, :cols])
    y, x = np.unravel_index(int(np.argmax(worth)), total.shape)
    reach = round(pitch / 2)  # colours tell which board it is, lines where it lies
    top, left = max(0, int(y) - reach), max(0, int(x) - reach)
    near = total[top : int(y) + reach + 1, left : int(x) + reach + 1]
    down, right = np.unravel_index(int(np.argmax(near)), near.shape)
    middle = np.array([left + right + border + width / 2, top + down + border + height / 2])
    return float(near.max()), float(worth[y, x]), middle


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


def measure_lines(
    flat: Picture, shape: BoardShape, cells: CellSettings, settings: BoardSettings, near: bool = False
) -> LineFit | None:
    """Fits the sides of all cells in a flattened board; None when too few of them can be seen.

    `near`: the board was flattened by a good fit already, there is nothing to vote about.
    """
    if shape.kind != "grid":
        return None
    sides = _Sides.of(flat, shape, cells, settings)
    if sides is None:
        return None
    start = np.zeros(4) if near else sides.voted(settings)
    answer, share, error_px = sides.fitted(start, settings)
    if share < settings.least_sides:
        return None
    scale = shape.cell_mm / cells.cell_px
    dx, dy, turn, stretch = (float(a) for a in answer)
    return LineFit(dx * scale, dy * scale, float(np.rad2deg(turn)), 1 + stretch, share, error_px * scale)


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """Every side of every cell: where it should be, and how strong an edge is at each offset from there.

    The unknowns are dx, dy, turn, stretch, in pixels of the flat board with y up: a side at (x, y) is moved by
    dx - turn y + stretch x (upright sides), or dy + turn x + stretch y (level sides).
    """

    edges: Singles  # (n, offsets) 0..1
    system: Floats  # (n, 4): the offset of a side is its row times the unknowns
    reach: int

    @classmethod
    def of(cls, flat: Picture, shape: BoardShape, cells: CellSettings, settings: BoardSettings) -> "_Sides | None":
        reach = max(round(settings.peak_reach * cells.cell_px), 2)
        upright = _side_edges(flat, shape.cols, shape.rows, reach, cells, settings)
        level = _side_edges(np.swapaxes(flat, 0, 1), shape.rows, shape.cols, reach, cells, settings)[..., ::-1]
        edges = np.concatenate([upright.reshape(-1, upright.shape[-1]), level.reshape(-1, level.shape[-1])])
        noise = float(np.median(edges[edges > 0])) if (edges > 0).any() else 0.0
        full = min(float(np.quantile(edges.max(axis=1), settings.full_share)), settings.clear_noise * noise)
        if full <= 0:
            return None
        px = cells.cell_px
        x = (np.arange(shape.cols + 1) - shape.cols / 2) * px
        y = (shape.rows / 2 - np.arange(shape.rows + 1)) * px
        ux, uy = np.meshgrid(x, y[:-1] - px / 2, indexing="ij")
        ly, lx = np.meshgrid(y, x[:-1] + px / 2, indexing="ij")
        none, one = np.zeros(ux.size), np.ones(ux.size)
        across = np.stack([one, none, -uy.ravel(), ux.ravel()], axis=1)
        none, one = np.zeros(lx.size), np.ones(lx.size)
        along = np.stack([none, one, lx.ravel(), ly.ravel()], axis=1)
        return cls(np.minimum(edges / full, 1), np.vstack([across, along]), reach)

    def voted(self, settings: BoardSettings) -> Floats:
        """The unknowns that most edges agree with, on a coarse grid: no single side can mislead it."""
        turns = np.deg2rad(_spread(settings.vote_turns) * settings.vote_turn_deg)
        stretches = _spread(settings.vote_stretches) * settings.vote_stretch
        offsets = np.arange(-self.reach, self.reach + 1)
        width = (2 * settings.line_px + 1, 1)  # both edges of a printed line vote for its middle
        edges = cv2.blur(self.edges, width, borderType=cv2.BORDER_CONSTANT)
        best = (-1.0, np.zeros(4))
        for turn in turns:
            for stretch in stretches:
                shift = self.system @ np.array([0.0, 0.0, turn, stretch])
                at = np.rint(shift[:, None] + offsets).astype(int) + self.reach
                inside = (at >= 0) & (at <= 2 * self.reach)
                rows = np.arange(len(at))[:, None]
                there = np.where(inside, edges[rows, np.clip(at, 0, 2 * self.reach)], 0)
                votes = [there[self.system[:, axis] == 1].sum(axis=0) for axis in (0, 1)]
                total = float(votes[0].max() + votes[1].max())
                total *= 1 - settings.vote_doubt * abs(stretch) / settings.vote_stretch
                if total > best[0]:
                    dx, dy = (float(offsets[int(np.argmax(v))]) for v in votes)
                    best = (total, np.array([dx, dy, turn, stretch]))
        return best[1]

    def fitted(self, answer: Floats, settings: BoardSettings) -> tuple[Floats, float, float]:
        """Least squares on the sides that agree: the unknowns, the share of the sides used, their error in pixels."""
        share, error = 0.0, 0.0
        for limit in settings.agree_px:
            expected, at, clear = self._seen(answer, settings)
            used = clear & (np.abs(at - expected) <= limit)
            if used.sum() < settings.least_sides * len(used):
                return answer, 0.0, 0.0
            keep_scale = np.array([[0, 0, 0, settings.scale_stiffness]])  # hardly seen sides must not stretch the board
            system, moved = np.vstack([self.system[used], keep_scale]), np.append(at[used], 0.0)
            answer = np.asarray(np.linalg.lstsq(system, moved, rcond=None)[0], dtype=np.float64)
            off = at[used] - self.system[used] @ answer
            share, error = float(used.mean()), float(np.sqrt((off**2).mean()))
        return answer, share, error

    def _seen(self, answer: Floats, settings: BoardSettings) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """For every side: the offset expected, the middle of the edges near there, and whether that is one thing."""
        expected = self.system @ answer
        offsets = np.arange(-self.reach, self.reach + 1)
        window = np.clip(settings.near_px + 1 - np.abs(offsets - expected[:, None]), 0, 1)
        seen = self.edges * window
        peak = seen.max(axis=1)
        seen = np.clip(seen - settings.peak_floor * peak[:, None], 0, None)
        weight = np.maximum(seen.sum(axis=1), 1e-6)
        at = (seen @ offsets) / weight
        spread = (seen @ offsets.astype(np.float64) ** 2) / weight - at**2
        return expected, at, (peak > settings.least_peak) & (spread < settings.widest_px**2)


def _spread(count: int) -> Floats:
    """So many values from -1 to 1; 0 alone when there is one."""
    return np.linspace(-1, 1, count) if count > 1 else np.zeros(1)


def _side_edges(
    flat: Picture, lines: int, along: int, reach: int, cells: CellSettings, settings: BoardSettings
) -> Singles:
    """(lines + 1, along, offsets) steps of grey across every upright side of the cells, above what is usual there."""
    px, margin = cells.cell_px, cells.margin_px
    inset = round((1 - settings.segment) / 2 * px)
    rows = (margin + px * np.arange(along)[:, None] + np.arange(inset, px - inset, settings.segment_step)).reshape(-1)
    band = flat[rows].reshape(along, -1, flat.shape[1] * 3)
    profile = band.mean(axis=1, dtype=np.float32).reshape(along, -1, 3)  # along, columns, channels
    columns = margin + px * np.arange(lines + 1)[:, None] + np.arange(-reach - 1, reach + 1)
    change = np.abs(np.diff(profile[:, columns], axis=2))  # a step lies between two pixels, as lines do
    steps = np.maximum(np.maximum(change[..., 0], change[..., 1]), change[..., 2])
    above = steps - np.median(steps, axis=2, keepdims=True)
    return np.ascontiguousarray(np.moveaxis(np.clip(above, 0, None), 0, 1))


def wrapped(angle_deg: float) -> float:
    """The angle in (-180, 180]."""
    return 180 - (180 - angle_deg) % 360


def half_turned(pose: BoardPose) -> BoardPose:
    """The same place, the board the other way round."""
    return turned_by(pose, 180)


def turned_by(pose: BoardPose, angle_deg: float) -> BoardPose:
    """The same place, the board turned counter-clockwise."""
    return replace(pose, rotation_deg=wrapped(pose.rotation_deg + angle_deg))
