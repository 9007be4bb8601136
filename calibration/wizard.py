"""The guided calibration: the same steps for the command line and the page.

It is fed with pictures, says what it waits for, and takes a picture when it shows something new.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import measure_white
from calibration.errors import CalibrationError
from calibration.lens import Lens
from calibration.light import is_blurred, light_warnings, unusable
from calibration.markers import BoardCorners, CharucoFinder, CharucoShape, MarkerFinder
from calibration.measure_lens import LensMeasurement, MeasureSettings, measure_lens
from calibration.store import StoredLens, now, save_lens, usable_lens
from calibration.table import TableFix, TableMarkers, fix_table, guess_lens

Picture = NDArray[np.uint8]
Outlines = tuple[tuple[tuple[float, float], ...], ...]  # closed lines, in shares of the picture's width and height
STEPS = ("lens", "markers", "done")
LAY_MARKERS = "lay the four markers round the playing area, so that the camera sees all of them"
NEW_VIEW_PX = 40.0  # the board's middle or a corner has to move by so much for a picture to tell something new
MOST_VIEWS = 40


@dataclass(frozen=True, slots=True)
class WizardState:
    """What the wizard waits for."""

    step: str  # one of STEPS
    text: str  # what to do now
    taken: int = 0  # pictures of the board
    wanted: int = 0
    warnings: tuple[str, ...] = ()
    error_px: float | None = None  # of the lens, once measured
    error_mm: float | None = None  # of the markers on the table
    outlines: Outlines = ()  # what was found in the last picture, for drawing over it


class Wizard:
    """One calibration. `see` is given pictures, `next` goes on, `save` keeps the lens."""

    def __init__(
        self,
        folder: Path,
        markers: TableMarkers | None = None,
        shape: CharucoShape | None = None,
        settings: MeasureSettings | None = None,
    ) -> None:
        self._folder, self._markers = folder, markers or TableMarkers()
        self._settings = settings or MeasureSettings()
        self._finder, self._marker_finder = CharucoFinder(shape), MarkerFinder()
        self._views: list[BoardCorners] = []
        self._size: tuple[int, int] | None = None
        self._step = "lens"
        self._last = "show the printed lens board to the camera"
        self._warnings: tuple[str, ...] = ()
        self._fix: TableFix | None = None
        self._outlines: Outlines = ()
        self.measurement: LensMeasurement | None = None

    def state(self) -> WizardState:
        """Where the wizard is."""
        return WizardState(
            step=self._step,
            text=self._last,
            taken=len(self._views),
            wanted=self._settings.good_pictures,
            warnings=(*(self.measurement.warnings if self.measurement else ()), *self._warnings),
            error_px=self.measurement.error_px if self.measurement else None,
            error_mm=self._fix.error_mm if self._fix else None,
            outlines=self._outlines,
        )

    def see(self, image: Picture) -> WizardState:
        """One picture, (h, w, 3) BGR of 8 bits. A picture that is of no use is said to be so; nothing is raised."""
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        why, self._outlines = unusable(grey), ()
        if why is not None:
            self._last = f"the picture is {why}: check lamp, lens cap and exposure"
        elif self._step == "lens":
            self._see_board(grey)
        elif self._step == "markers":
            self._see_markers(image, grey)
        return self.state()

    def next(self) -> WizardState:
        """Go on to the next step: measure the lens from what was taken. CalibrationError: not enough yet."""
        if self._step == "lens":
            width, height = self._size or (0, 0)
            self.measurement = measure_lens(self._views, width, height, self._settings)
            self._enter("markers", LAY_MARKERS)
        elif self._step == "markers":
            if self._fix is None:
                raise CalibrationError(self._last)
            self._enter("done", "calibrated")
        return self.state()

    def skip(self) -> WizardState:
        """Go on without measuring the lens: a stored lens is used, or a guess."""
        if self._step == "lens":
            self._enter("markers", LAY_MARKERS)
        return self.state()

    def save(self, camera: str = "") -> Path:
        """Store the measured lens. CalibrationError when none was measured or the file cannot be written."""
        if self.measurement is None:
            raise CalibrationError("no lens was measured: show the lens board first")
        measured = self.measurement
        stored = StoredLens(measured.lens, now(), measured.error_px, len(measured.used), camera)
        return save_lens(self._folder, stored)

    def _enter(self, step: str, text: str) -> None:
        self._step, self._last, self._outlines = step, text, ()

    def _see_board(self, grey: Picture) -> None:
        size = (int(grey.shape[1]), int(grey.shape[0]))
        if self._size not in (None, size):
            (w, h), (was_w, was_h) = size, self._size or size
            mend = "all need one size, so begin anew, or go on with that of the first"
            self._last = f"this picture has {w}x{h} pixels, and the first one {was_w}x{was_h}: {mend}"
            return
        view = self._finder.find(grey)
        self._outlines = () if view is None else (_outline(cv2.convexHull(view.pixels.astype(np.float32)), grey),)
        if view is None or len(view.ids) < self._settings.least_corners:
            self._last = "the lens board is not seen, or too little of it"
        elif len(self._views) >= MOST_VIEWS or not self._is_new(view):
            self._last = "move the board: nearer, farther, to the edges, tilted"
        else:
            self._size = size
            self._views.append(view)
            left = self._settings.good_pictures - len(self._views)
            more = f"{left} more {'is' if left == 1 else 'are'} good to have" if left > 0 else "that is enough"
            self._last = f"taken; {more}"

    def _is_new(self, view: BoardCorners) -> bool:
        """True unless an earlier view shows the same corners at nearly the same places."""
        return all(_shift_px(view, before) >= NEW_VIEW_PX for before in self._views)

    def _see_markers(self, image: Picture, grey: Picture) -> None:
        corners = self._marker_finder.find(grey, self._markers.corners_mm())
        self._outlines = tuple(_outline(square, grey) for square in corners.values())
        try:
            self._fix = fix_table(corners, self._lens(grey, corners), self._markers)
        except CalibrationError as error:
            self._fix, self._last, self._warnings = None, str(error), ()
            return
        blurred = ("the picture is blurred: focus the camera",) if is_blurred(grey, corners) else ()
        self._warnings = (*self._fix.warnings, *light_warnings(measure_white(image, corners)), *blurred)
        self._last = f"the markers fit within {self._fix.error_mm:.2f} mm"

    def _lens(self, grey: Picture, corners: Mapping[int, NDArray[np.float64]]) -> Lens:
        height, width = grey.shape
        if self.measurement is not None:
            return self.measurement.lens.scaled(width, height)
        stored, _ = usable_lens(self._folder)
        if stored is not None:
            return stored.lens.scaled(width, height)
        return guess_lens(width, height, corners, self._markers.corners_mm())


def _outline(points: NDArray[Any], grey: Picture) -> tuple[tuple[float, float], ...]:
    """Points in pixels as shares of the picture."""
    height, width = grey.shape
    return tuple((round(float(x) / width, 4), round(float(y) / height, 4)) for x, y in np.reshape(points, (-1, 2)))


def _shift_px(view: BoardCorners, before: BoardCorners) -> float:
    """Mean distance of the corners seen in both; infinite when there are none."""
    both, here, there = np.intersect1d(view.ids, before.ids, return_indices=True)
    if not len(both):
        return float("inf")
    return float(np.hypot(*(view.pixels[here] - before.pixels[there]).T).mean())
