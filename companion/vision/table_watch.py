"""Keeps the camera's place over the table, and notices when the camera was moved."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.colours import White, measure_white
from calibration.errors import CalibrationError, MarkersMissing
from calibration.lens import Lens
from calibration.light import blur_warnings, camera_shift_px, is_blurred, light_warnings
from calibration.markers import Corners, MarkerFinder
from calibration.table import CameraPose, TableFix, TableMarkers, fix_table, guess_lens, missing_text, pose_of_square
from companion.view import BoardShape
from companion.vision.boards.cells import field_mm
from companion.vision.errors import ObstructedView
from companion.vision.picture import Picture
from companion.vision.settings import EyeSettings

Floats = NDArray[np.float64]
SMALL_PX = 240  # shorter side of a picture: in smaller ones a marker is hardly seen


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where the camera is, and how the light is."""

    pose: CameraPose
    white: White | None = None
    markers_found: int = 0
    moved: bool = False  # the camera is not where it was in the picture before
    lens_guessed: bool = False
    error_mm: float = 0.0
    warnings: tuple[str, ...] = ()  # what a person can mend at the table
    lens_notes: tuple[str, ...] = ()  # what is not known of the lens
    sharp: bool = True
    papers_px: tuple[Floats, ...] = ()  # outlines of the markers' papers


GUESSED = "lens not calibrated: guessed from the markers and the picture's size"
BLURRED = "the picture is blurred: focus the camera, or keep it still"


class MarkerWatch:
    """By the table's markers, in every picture anew."""

    def __init__(self, settings: EyeSettings, lens: Lens | None, markers: TableMarkers) -> None:
        self._settings, self._given, self._markers = settings, lens, markers
        self._finder = MarkerFinder(settings=settings.markers)
        self._lens: Lens | None = None  # as it is guessed ...
        self._guessed_from = 0  # ... from so many markers
        self._fix: TableFix | None = None
        self._corners: Mapping[int, Corners] = {}  # of the last picture
        self._fixed_at: Mapping[int, Corners] = {}  # of the picture that the pose is from

    def see(self, picture: Picture) -> Place:
        """The camera's place. ObstructedView: markers missing, or the picture is blurred."""
        wanted = self._markers.corners_mm()
        corners = self._finder.find(picture.grey, wanted, self._corners or None)
        lens, notes = self._lens_for(picture, corners)
        moved = self._has_moved(corners)
        try:
            fix = self._fixed(corners, lens)
        except CalibrationError as error:
            self._corners = {}
            advice = self._advice(picture, corners, str(error))
            if self._given is not None and not isinstance(error, MarkersMissing):  # no marker lies wrong, it may be
                advice = "; ".join((*notes, advice))
            raise ObstructedView("markers", advice, len(corners)) from error
        if is_blurred(picture.grey, corners, self._settings.light):
            raise ObstructedView("blurred", BLURRED, len(corners))
        self._corners = corners
        white = measure_white(picture.pixels, corners, settings=self._settings.colours)
        blur = blur_warnings(picture.grey, corners, self._settings.light)
        warnings = (*fix.warnings, *blur, *light_warnings(white, self._settings.light))
        guessed = self._given is None
        grow = self._settings.paper_share
        papers = tuple(c.mean(axis=0) + (c - c.mean(axis=0)) * grow for c in corners.values())
        return Place(
            fix.pose,
            white,
            len(corners),
            moved,
            guessed,
            fix.error_mm,
            warnings,
            notes,
            sharp=not blur,
            papers_px=papers,
        )

    def _lens_for(self, picture: Picture, corners: Mapping[int, Corners]) -> tuple[Lens, tuple[str, ...]]:
        width, height = picture.size
        if self._given is not None:
            lens = self._given.scaled(width, height)
            stretched = abs(lens.fx / lens.fy / (self._given.fx / self._given.fy) - 1) > 0.01
            if self._given.is_turned(width, height):
                return lens, ("the camera was turned since its lens was measured: calibrate it as it hangs now",)
            note = "the lens was measured for pictures of another shape: calibrate this camera"
            return lens, (note,) if stretched else ()
        return self._guessed(width, height, corners), (GUESSED,)

    def _guessed(self, width: int, height: int, corners: Mapping[int, Corners]) -> Lens:
        """A lens for pictures of this size: guessed anew with every marker more, for a hand may have covered some."""
        kept, many = self._lens, len(corners)
        if kept is not None and (kept.width, kept.height) == (width, height) and many <= self._guessed_from:
            return kept
        try:
            guess = guess_lens(width, height, corners, self._markers.corners_mm(), self._settings.table)
        except CalibrationError:
            guess = guess_lens(width, height, {}, {}, self._settings.table)
        self._lens, self._guessed_from = guess, many
        return guess

    def _has_moved(self, corners: Mapping[int, Corners]) -> bool:
        return camera_shift_px(self._fixed_at, corners) > self._settings.light.moved_px

    def _fixed(self, corners: Mapping[int, Corners], lens: Lens) -> TableFix:
        """The pose of before while the markers stand where they stood: noise must not shake the cells."""
        kept = self._fix
        same_markers = set(corners) == set(self._fixed_at)
        if kept is not None and same_markers and kept.pose.lens == lens:
            shift = max(float(np.hypot(*(corners[n] - self._fixed_at[n]).T).max()) for n in corners)
            if shift < self._settings.keep_pose_px:
                return kept
        fix = fix_table(corners, lens, self._markers, self._settings.table)
        self._fix, self._fixed_at = fix, corners
        return fix

    def _advice(self, picture: Picture, corners: Mapping[int, Corners], text: str) -> str:
        if not corners and self._finder.mirrored(picture.grey, self._markers.corners_mm()):
            return "the picture is mirrored: switch that off where the camera is set, or take it without a mirror"
        width, height = (round(side * picture.shrunk) for side in picture.size)
        if min(width, height) < SMALL_PX:
            return f"the picture has {width}x{height} pixels only: take a larger one"
        if not corners:
            return (
                f"{missing_text(tuple(range(4)))}: lay all four flat in view of the camera, in focus and in the light"
            )
        white = measure_white(picture.pixels, corners, settings=self._settings.colours)
        light = () if white is None else light_warnings(white, self._settings.light)
        return "; ".join((*light, f"{text}: nothing may cover them, and the camera has to see all four"))


class CornerWatch:
    """By the four corners of the playing field, as a person dragged them; there are no millimetres of the table."""

    def __init__(self, settings: EyeSettings, lens: Lens | None, corners_px: Floats, shape: BoardShape) -> None:
        self._settings, self._lens = settings, lens
        self._corners = checked_corners(corners_px)
        half = np.array(field_mm(shape)) / 2
        self._field = half * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)])
        self._place: Place | None = None

    def see(self, picture: Picture) -> Place:
        """The same place for every picture of one size."""
        width, height = picture.size
        if self._place is None or (self._place.pose.lens.width, self._place.pose.lens.height) != (width, height):
            corners = picture.from_original(self._corners)
            try:
                if self._lens is not None:
                    lens = self._lens.scaled(width, height)
                else:
                    lens = guess_lens(width, height, {0: corners}, {0: self._field}, self._settings.corner_table)
                pose = pose_of_square(corners, self._field, lens)
            except CalibrationError as error:
                raise ObstructedView("board", f"the corners fit no board: {error}; drag them again") from error
            notes = () if self._lens else ("lens not calibrated: guessed from the board's corners",)
            self._place = Place(pose, lens_guessed=self._lens is None, lens_notes=notes)
        return self._place


def checked_corners(corners_px: Floats) -> Floats:
    """(4, 2) pixels, top-left, top-right, bottom-right, bottom-left; CalibrationError when they span no field."""
    corners = np.asarray(corners_px, dtype=np.float64)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise CalibrationError("corners_px needs four points [x, y]: top-left, top-right, bottom-right, bottom-left")
    sides = np.roll(corners, -1, axis=0) - corners
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    if np.hypot(*sides.T).min() < 8 or (turns <= 0).any():
        raise CalibrationError("corners_px must run top-left, top-right, bottom-right, bottom-left round a field")
    return corners
