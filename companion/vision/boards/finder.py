"""Finds a board of known cells on the table: by the lines of its grid and of its rim, to parts of a millimetre."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import CameraPose, TableMarkers
from companion.view import BoardPose, BoardShape
from companion.vision.boards.cells import CellCutter, CellSettings, to_table
from companion.vision.boards.edges import Edges, edge_directions, view_from_above
from companion.vision.boards.lines import measure_lines
from companion.vision.boards.settings import BoardSettings
from companion.vision.boards.tones import alike_everywhere, tones_of

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BoardFix:
    """Where the board lies, and how well that is known."""

    pose: BoardPose
    score: float  # share of the sides of cells that lie where they should, 0..1
    error_mm: float  # root mean square of those sides
    cell_scale: float  # measured size of the cells in units of the size given
    given: bool = False  # not searched: x, y and rotation were given
    rim: bool = False  # by the edge of the board alone

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
    rim: bool = False,
) -> BoardFix | None:
    """The board's pose on the table from one picture, None when no such board is seen.

    Which of the two (square boards: four) equal-looking ways round it lies is left open: the one nearest to 0.
    Boards of square cells only; `pattern_finder` finds the others. `rim`: it is fitted by its edge alone, which shows
    where hardly a line does, and the edges of pieces may pass for lines.
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
    least = settings.least_by_rim if rim else settings.least_score
    likely = [best[turn] for turn in _likely(best, settings.rival) if best[turn].score >= least]
    fixes = [refine_board(image, camera, place.pose, shape, settings, rim) for place in likely]
    return max((fix for fix in fixes if fix is not None), key=lambda fix: fix.score, default=None)


def corners_off_mm(one: BoardFix, other: BoardFix, shape: BoardShape) -> float:
    """How far apart both put the corners of the cells, at most."""
    corners = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) / 2 * (shape.cols, shape.rows) * shape.cell_mm
    return float(np.hypot(*(to_table(corners, one.pose) - to_table(corners, other.pose)).T).max())


def refine_board(
    image: Picture,
    camera: CameraPose,
    start: BoardPose,
    shape: BoardShape,
    settings: BoardSettings | None = None,
    rim: bool = False,
) -> BoardFix | None:
    """The exact pose near `start` (within a tenth of a cell), None when the lines, or the `rim`, are not there."""
    settings = settings or BoardSettings()
    pose, fit = start, None
    margin = shape.border_mm / shape.cell_mm + 2 * settings.peak_reach if rim else 0.0
    cells = CellSettings(margin=max(CellSettings().margin, margin))
    for number in range(settings.fine_passes):
        flat = CellCutter(camera, pose, shape, cells).flat(image)
        fit = measure_lines(flat, shape, cells, settings, near=number > 0, rim=rim)
        if fit is None:
            return None
        shift = to_table(np.array([[fit.dx_mm, fit.dy_mm]]), pose)[0]
        pose = BoardPose(float(shift[0]), float(shift[1]), wrapped(pose.rotation_deg + fit.turn_deg))
        if max(abs(fit.dx_mm), abs(fit.dy_mm)) < settings.settled_mm and abs(fit.turn_deg) < 0.1:
            break
    assert fit is not None
    return BoardFix(pose, settings.rim_score * fit.share if rim else fit.share, fit.error_mm, fit.scale, rim=rim)


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
    reach = round(pitch * settings.places)  # colours tell which board it is, lines where it lies
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


def wrapped(angle_deg: float) -> float:
    """The angle in (-180, 180]."""
    return 180 - (180 - angle_deg) % 360


def half_turned(pose: BoardPose) -> BoardPose:
    """The same place, the board the other way round."""
    return turned_by(pose, 180)


def turned_by(pose: BoardPose, angle_deg: float) -> BoardPose:
    """The same place, the board turned counter-clockwise."""
    return replace(pose, rotation_deg=wrapped(pose.rotation_deg + angle_deg))
