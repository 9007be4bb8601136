"""The lens, measured from pictures of a ChArUco board held in many ways."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import BadLens, CalibrationError
from calibration.lens import Lens, lens_from_json
from calibration.markers import BoardCorners

OTHERS = "take new ones, near and far, at the edges, and tilted"


@dataclass(frozen=True, slots=True)
class MeasureSettings:
    """What a good set of pictures is."""

    least_corners: int = 8  # of a picture that counts
    least_pictures: int = 4
    good_pictures: int = 8
    good_error_px: float = 0.6
    stray_factor: float = 3.0  # a picture so many times worse than the median is left out
    least_tilt_deg: float = 12.0  # of the board against the picture, in some pictures at least
    coverage_cells: int = 4  # the picture is divided into so many parts each way
    least_coverage: float = 0.5  # of these, with a corner in some picture


@dataclass(frozen=True, slots=True, eq=False)
class LensMeasurement:
    """A measured lens, and how well it is known."""

    lens: Lens
    error_px: float  # root mean square over all corners
    used: tuple[int, ...]  # pictures, by number
    coverage: float  # share of the picture in which corners were seen
    warnings: tuple[str, ...] = ()


def measure_lens(
    views: Sequence[BoardCorners | None], width: int, height: int, settings: MeasureSettings | None = None
) -> LensMeasurement:
    """The lens that explains all views best. CalibrationError says which pictures are needed.

    k3 stays 0: on a board it cannot be told from k1 and k2, and beyond the board it runs wild.
    """
    settings = settings or MeasureSettings()
    good = [i for i, view in enumerate(views) if view is not None and len(view.ids) >= settings.least_corners]
    if len(good) < settings.least_pictures:
        raise CalibrationError(
            f"the lens board is seen well in {len(good)} of the pictures; at least {settings.least_pictures} are "
            f"needed, better {settings.good_pictures}: near and far, at the edges, and tilted"
        )
    lens, errors, tilts = _calibrate([views[i] for i in good], width, height)
    keep = errors <= settings.stray_factor * np.median(errors)
    if not keep.all() and keep.sum() >= settings.least_pictures:
        good = [number for number, kept in zip(good, keep, strict=True) if kept]
        lens, errors, tilts = _calibrate([views[i] for i in good], width, height)
    weights = np.array([len(_seen(views[i]).ids) for i in good])
    error = float(np.sqrt((errors**2 * weights).sum() / weights.sum()))
    coverage = _coverage([_seen(views[i]) for i in good], width, height, settings.coverage_cells)
    return LensMeasurement(lens, error, tuple(good), coverage, _warnings(len(good), error, coverage, tilts, settings))


def _calibrate(
    views: Sequence[BoardCorners | None], width: int, height: int
) -> tuple[Lens, NDArray[np.float64], NDArray[np.float64]]:
    """The lens, the error of each view in pixels, and the tilt of the board in each view in degrees."""
    seen = [_seen(view) for view in views]
    objects = [v.board_mm.astype(np.float32).reshape(-1, 1, 3) for v in seen]
    images = [v.pixels.astype(np.float32).reshape(-1, 1, 2) for v in seen]
    focal = float(max(width, height))
    start = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_K3
    try:
        _, matrix, distortion, turns, shifts = cv2.calibrateCamera(
            objects, images, (width, height), start, np.zeros(5), flags=flags
        )
    except cv2.error as error:
        raise CalibrationError(f"these pictures fit no lens: {error.err}") from error
    k = np.asarray(distortion, dtype=np.float64).reshape(-1)
    if not np.isfinite(matrix).all() or not np.isfinite(k).all():
        raise CalibrationError(f"these pictures fit no lens: {OTHERS}")
    fx, fy, cx, cy = (float(v) for v in (matrix[0, 0], matrix[1, 1], matrix[0, 2], matrix[1, 2]))
    lens = Lens(width, height, fx, fy, cx, cy, *(float(v) for v in k[:5]))
    try:
        lens_from_json(lens.to_json())  # or it could be stored in a good one's place and not be read again
    except BadLens as error:
        raise CalibrationError(f"these pictures fit no lens that there can be ({error}): {OTHERS}") from error
    errors, tilts = [], []
    for view, turn, shift in zip(seen, turns, shifts, strict=True):
        again, _ = cv2.projectPoints(view.board_mm, turn, shift, lens.matrix, lens.distortion)
        off = np.asarray(again, dtype=np.float64).reshape(-1, 2) - view.pixels
        errors.append(float(np.sqrt((off**2).sum(axis=1).mean())))
        normal = np.asarray(cv2.Rodrigues(turn)[0])[:, 2]
        tilts.append(float(np.rad2deg(np.arccos(np.clip(abs(normal[2]), 0, 1)))))
    return lens, np.array(errors), np.array(tilts)


def _seen(view: BoardCorners | None) -> BoardCorners:
    assert view is not None
    return view


def _coverage(views: Sequence[BoardCorners], width: int, height: int, cells: int) -> float:
    points = np.concatenate([view.pixels for view in views])
    x = np.clip(points[:, 0] * cells / width, 0, cells - 1).astype(int)
    y = np.clip(points[:, 1] * cells / height, 0, cells - 1).astype(int)
    return len(set(zip(x.tolist(), y.tolist(), strict=True))) / cells**2


def _warnings(
    pictures: int, error: float, coverage: float, tilts: NDArray[np.float64], settings: MeasureSettings
) -> tuple[str, ...]:
    warnings = []
    if pictures < settings.good_pictures:
        warnings.append(f"only {pictures} pictures: {settings.good_pictures} or more are better")
    if error > settings.good_error_px:
        warnings.append(f"the corners fit only within {error:.2f} pixels: is the board flat, the picture sharp?")
    if coverage < settings.least_coverage:
        warnings.append(f"the board was seen in {coverage:.0%} of the picture only: hold it at the edges too")
    if (tilts >= settings.least_tilt_deg).sum() < 2:
        warnings.append("the board was hardly tilted: the focal length is uncertain; tilt it by 20 to 40 degrees")
    return tuple(warnings)
