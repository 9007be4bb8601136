"""Keeps the board's place on the table, and notices when it was pushed."""

import dataclasses

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableMarkers
from companion.view import BoardPose, BoardShape
from companion.vision.boards.cells import CellCutter, resized
from companion.vision.boards.edges import view_from_above
from companion.vision.boards.finder import BoardFix, corners_off_mm, find_board, half_turned, refine_board, turned_by
from companion.vision.boards.lines import measure_lines
from companion.vision.boards.pattern_finder import find_pattern, pattern_slip, turn_of
from companion.vision.boards.settings import BoardSettings
from companion.vision.boards.tones import alike_beside
from companion.vision.errors import ObstructedView
from companion.vision.picture import Picture
from companion.vision.settings import EyeSettings
from companion.vision.table_watch import Place

Flat = NDArray[np.uint8]


class BoardWatch:
    """Finds the board once, then only checks that its lines lie where they lay."""

    def __init__(
        self,
        settings: EyeSettings,
        markers: TableMarkers,
        shape: BoardShape,
        given: BoardPose | None,
        rough: bool = False,
    ) -> None:
        """`given`: the pose is known; with `rough` not exactly (corners dragged by hand), and fitted if possible."""
        self._settings, self._markers, self._shape = settings, markers, shape
        self._given, self._rough = given, rough
        self.fix: BoardFix | None = None
        self._cutter: CellCutter | None = None
        self._decided = False
        self._by_pattern = False  # found by the pattern of its sides alone

    def see(self, picture: Picture, place: Place) -> tuple[CellCutter, Flat]:
        """What cuts the cells out of this picture, and the whole board flattened. ObstructedView: no board."""
        if self._cutter is not None and self._cutter.pose is place.pose:
            flat = self._cutter.flat(picture.pixels)
            if not self._slipped(flat):
                return self._cutter, flat
        cutter = self._start(picture, place)
        return cutter, cutter.flat(picture.pixels)

    @property
    def undecided(self) -> bool:
        """True until it is known which way round the board lies."""
        return self._given is None and not self._decided

    def decide(self, turned: bool) -> None:
        """Which way round the board lies; the next picture is cut accordingly."""
        self._decided = True
        if turned and self.fix is not None:
            self.fix, self._cutter = dataclasses.replace(self.fix, pose=half_turned(self.fix.pose)), None

    def _start(self, picture: Picture, place: Place) -> CellCutter:
        before, self.fix = self.fix, self._find(picture, place)
        kept = self._cutter
        if kept is None or kept.pose is not place.pose or before is None or not _alike(before, self.fix):
            kept = CellCutter(place.pose, self.fix.pose, self.shape_seen, self._settings.cells)
        self._cutter = kept
        return kept

    def _find(self, picture: Picture, place: Place) -> BoardFix:
        settings = self._settings.board
        if not place.lens_guessed:  # a measured lens leaves no doubt about the scale
            settings = dataclasses.replace(settings, vote_stretches=1)
        if self._given is not None and not self._rough:
            return BoardFix(self._given, 1.0, 0.0, 1.0, given=True)
        given = BoardFix(self._given, 0.0, 0.0, 1.0, given=True) if self._given else None
        near = self.fix or given
        fix = self._refined(picture, place, near, settings) if near and not self._by_pattern else None
        if fix is None and self._rough and near is not None:
            self._by_pattern = False
            return dataclasses.replace(near, score=0.0, error_mm=0.0, given=True)
        if fix is None or (near is not None and fix.score < settings.as_sure * near.score):
            fix = self._searched(picture, place, near, fix, settings)
        if fix is None:
            raise ObstructedView("board", _advice(self._shape))
        return fix

    def _searched(
        self, picture: Picture, place: Place, near: BoardFix | None, fix: BoardFix | None, settings: BoardSettings
    ) -> BoardFix | None:
        """Where it lies now, the way round that it lay; as it was fitted where it lay, if nowhere better.

        Of a board that was pushed, half the lines may fit where it lay.
        """
        found, turn = self._search(picture, place, settings), turn_of(self._shape)
        if fix is not None and (found is None or (fix.score > found.score and not self._by_pattern)):
            self._by_pattern = False
            return fix
        if found is None or near is None:
            return found
        turns = round((near.pose.rotation_deg - found.pose.rotation_deg) / turn)
        return dataclasses.replace(found, pose=turned_by(found.pose, turns * turn))

    def _refined(self, picture: Picture, place: Place, near: BoardFix, settings: BoardSettings) -> BoardFix | None:
        """Near where it lies, with cells as large as they were measured."""
        shape = resized(self._shape, near.cell_scale)
        fix = refine_board(picture.pixels, place.pose, near.pose, shape, settings, near.rim)
        return None if fix is None else dataclasses.replace(fix, cell_scale=fix.cell_scale * near.cell_scale)

    def _search(self, picture: Picture, place: Place, settings: BoardSettings) -> BoardFix | None:
        """Anywhere on the table: by its lines, where too few of them agree by the pattern of all, or by its edge."""
        self._by_pattern = False
        fix = find_board(picture.pixels, place.pose, self._shape, self._markers, settings)
        if fix is not None and fix.score >= settings.sure_score:
            return self._sized(picture, place, fix, settings)
        found = find_pattern(picture.pixels, place.pose, self._shape, self._markers, settings)
        if found is not None and found.cell_scale != 1:
            fix = self._of_size(found.cell_scale, fix, picture, place, settings)
        if found is None:
            rim = find_board(picture.pixels, place.pose, self._shape, self._markers, settings, rim=True)
            near = fix is not None and rim is not None and corners_off_mm(fix, rim, self._shape) <= settings.same_mm
            return fix if rim is None or near else rim
        if fix is not None and _same(fix, found, self._shape, settings):
            return fix
        if fix is not None:
            view = view_from_above(picture.pixels, place.pose, self._shape.thickness_mm, self._markers, settings)
            by_lines, by_pattern = (alike_beside(view, one.pose, self._shape, settings) for one in (fix, found))
            if by_pattern > by_lines + settings.more_alike:  # a checked cloth has the surest pattern
                return fix
        self._by_pattern = True
        return found

    def _of_size(
        self, scale: float, fix: BoardFix | None, picture: Picture, place: Place, settings: BoardSettings
    ) -> BoardFix | None:
        """The fit by its lines with cells of another size, where that is surer than the one of the size given."""
        other = find_board(picture.pixels, place.pose, resized(self._shape, scale), self._markers, settings)
        if other is None or (fix is not None and fix.score >= other.score):
            return fix
        return self._sized(picture, place, dataclasses.replace(other, cell_scale=other.cell_scale * scale), settings)

    def _sized(self, picture: Picture, place: Place, fix: BoardFix, settings: BoardSettings) -> BoardFix:
        """Fitted again with cells as large as they were measured, until they stay so: a fit holds on to a size."""
        for _ in range(settings.fine_passes):
            if abs(fix.cell_scale - 1) < settings.scale_warning:
                break
            again = self._refined(picture, place, fix, settings)
            if again is None:
                break
            before, fix = fix.cell_scale, again
            if abs(fix.cell_scale - before) < settings.scale_settled:
                break
        return fix

    @property
    def shape_seen(self) -> BoardShape:
        """The board with its cells as large as they were measured, where that differs from what was given."""
        scale = self.fix.cell_scale if self.fix else 1.0
        if abs(scale - 1) < self._settings.cell_scale_kept:
            return self._shape
        return resized(self._shape, scale)

    def _slipped(self, flat: Flat) -> bool:
        """True if the lines are seen, but not where they should be."""
        if self.fix is None or self.fix.given:
            return self._rough  # its lines were covered: they may be seen now
        if self.fix.rim:  # which the margin of the cells need not show: it is fitted anew
            return True
        if self._by_pattern:
            return pattern_slip(flat, self.shape_seen, self._settings.cells, self.fix.score)
        fit = measure_lines(flat, self.shape_seen, self._settings.cells, self._settings.board)
        if fit is None:
            return True
        across = max(self._shape.cols, self._shape.rows) * self._shape.cell_mm / 2
        slip = np.hypot(fit.dx_mm, fit.dy_mm) + abs(np.deg2rad(fit.turn_deg)) * across
        return bool(slip > self._settings.board_slip_mm)


def _alike(one: BoardFix, other: BoardFix) -> bool:
    """True if the same cells are cut out for both."""
    return one.pose == other.pose and one.cell_scale == other.cell_scale


def _same(one: BoardFix, other: BoardFix, shape: BoardShape, settings: BoardSettings) -> bool:
    """True if both put the board at one place, with cells of one size."""
    if abs(one.cell_scale - other.cell_scale) > settings.scale_warning:
        return False
    off_mm = float(np.hypot(one.pose.x_mm - other.pose.x_mm, one.pose.y_mm - other.pose.y_mm))
    return off_mm <= settings.same_mm and corners_off_mm(one, other, shape) <= settings.same_corners_mm


def _advice(shape: BoardShape) -> str:
    cells = "hexagonal cells" if shape.kind == "hex" else "cells"
    return (
        f"no board of {shape.cols}x{shape.rows} {cells} of {shape.cell_mm:g} mm is seen between the markers: "
        "lay it there, check its sizes, or drag its corners"
    )
