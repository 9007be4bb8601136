"""Camera pose over the table: millimetres <-> pixels. The table's plane is z = 0, z points to the camera."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.errors import CalibrationError, MarkersMissing
from calibration.lens import Lens

MARKER_PLACES = ("top left", "top right", "bottom right", "bottom left")  # of ids 0 to 3
MOST_MM = 3000.0  # between markers: no camera above a table tells pieces on a larger one
OUTWARD = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])  # of a marker's corners, in the picture


@dataclass(frozen=True, slots=True, eq=False)
class CameraPose:
    """A lens at a place: x_camera = R x_table + t, in millimetres."""

    lens: Lens
    rotation: NDArray[np.float64]  # 3x3
    translation: NDArray[np.float64]  # (3,)

    @property
    def position_mm(self) -> NDArray[np.float64]:
        """Where the camera is, in table millimetres."""
        return np.asarray(-self.rotation.T @ self.translation)

    def project(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """(N, 3) or (N, 2) table millimetres (z = 0 when left out) to (N, 2) pixels."""
        if not np.size(points_mm):
            return np.zeros((0, 2))
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, np.shape(points_mm)[-1])
        if points.shape[1] == 2:
            points = np.hstack([points, np.zeros((len(points), 1))])
        rvec, _ = cv2.Rodrigues(self.rotation)
        pixels, _ = cv2.projectPoints(points, rvec, self.translation, self.lens.matrix, self.lens.distortion)
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def to_table(self, points_px: ArrayLike, z_mm: float = 0.0) -> NDArray[np.float64]:
        """(N, 2) pixels to (N, 2) millimetres in the plane z = `z_mm`."""
        if not np.size(points_px):
            return np.zeros((0, 2))
        pixels = np.asarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(pixels, self.lens.matrix, self.lens.distortion).reshape(-1, 2)
        directions = np.hstack([rays, np.ones((len(rays), 1))]) @ self.rotation
        origin = self.position_mm
        scale = (z_mm - origin[2]) / directions[:, 2]
        return np.asarray(origin[:2] + directions[:, :2] * scale[:, None])


@dataclass(frozen=True, slots=True)
class TableMarkers:
    """Where the four table markers lie: millimetres between their centres, and the side of each."""

    width_mm: float = 600.0
    height_mm: float = 380.0
    side_mm: float = 40.0

    def __post_init__(self) -> None:
        sizes = (self.width_mm, self.height_mm, self.side_mm)
        if not all(np.isfinite(s) and s > 0 for s in sizes) or self.side_mm >= min(sizes[:2]):
            told = ",".join(f"{size:g}" for size in sizes)
            raise CalibrationError(f"markers need W,H,SIDE in millimetres, the side the smallest; not {told}")
        if max(sizes) > MOST_MM:
            raise CalibrationError(f"no table has markers {max(sizes):g} mm apart: W,H,SIDE are in millimetres")

    def corners_mm(self) -> dict[int, NDArray[np.float64]]:
        """id -> (4, 2) table millimetres, in the order in which corners are found."""
        half = np.array([self.width_mm, self.height_mm]) / 2
        centres = (half * (-1, 1), half, half * (1, -1), -half)
        ring = self.side_mm / 2 * OUTWARD * (1, -1)
        return {number: centre + ring for number, centre in enumerate(centres)}


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What still counts as a good fit of the markers."""

    good_error_mm: float = 1.5  # above it, a marker is suspected to lie elsewhere than it should
    worst_error_mm: float = 20.0  # above it, nothing on the table can be told apart
    lens_focal: float = 0.82  # of an unknown lens, in widths of the picture
    lens_focal_spread: float = 0.2  # of the logarithm: how far usual lenses lie from that
    lens_corner_px: float = 1.0  # how far corners may lie off with an unknown lens
    bleed_passes: int = 2
    size_passes: int = 6  # steps towards the distances that the markers' sides tell
    usual_bleeds_px: tuple[float, ...] = (0.4, 0.0, 0.8, 1.2)  # while those are looked for, the most usual first
    size_step_mm: float = 20.0  # to which distances that nobody gave are rounded: people choose round ones
    most_bleed_px: float = 2.5  # a marker that seems smaller than this explains has another size
    turned_mm: float = 3.0  # a marker that does not fit, though its middle is so near its place, is turned


@dataclass(frozen=True, slots=True, eq=False)
class TableFix:
    """The camera's place, from the markers of one picture."""

    pose: CameraPose
    corners: Mapping[int, NDArray[np.float64]]  # as found, pixels
    error_mm: float  # root mean square of the corners used, on the table
    used: tuple[int, ...]
    bleed_px: float = 0.0  # how far white has grown over the markers' black edges
    warnings: tuple[str, ...] = ()


def parse_markers(text: str) -> TableMarkers:
    """ "600,380,40" (the side may be left out) as a TableMarkers; CalibrationError says what is right."""
    try:
        values = [float(part) for part in text.split(",")]
        if len(values) not in (2, 3):
            raise ValueError("two or three numbers are needed")
    except ValueError as error:
        raise CalibrationError(f"markers: {text!r} is not W,H[,SIDE] in millimetres, such as 600,380,40") from error
    return TableMarkers(*values)


def fix_table(
    corners: Mapping[int, NDArray[np.float64]],
    lens: Lens,
    markers: TableMarkers,
    settings: TableSettings | None = None,
) -> TableFix:
    """The pose of the camera from found markers. MarkersMissing with fewer than three of the four."""
    settings = settings or TableSettings()
    places = markers.corners_mm()
    found = {number: corners[number] for number in sorted(corners) if number in places}
    missing = tuple(number for number in places if number not in found)
    if len(missing) > 1:
        raise MarkersMissing(missing, missing_text(missing))
    fix = _fit(found, lens, places, settings)
    warnings = [f"{missing_text(missing)}; going on with three"] if missing else []
    if fix.error_mm > settings.good_error_mm:
        better = _with_another_size(fix, lens, markers, settings) or _without_stray(fix, lens, places, settings)
        told = (
            f"the markers fit only within {fix.error_mm:.1f} mm: "
            "check their places and which way up they lie, the sizes given and the lens"
        )
        fix, warning = better or (fix, told)
        if fix.error_mm > settings.worst_error_mm:
            raise CalibrationError(told)
        warnings.append(warning)
    return dataclasses.replace(fix, warnings=tuple(warnings))


def missing_text(missing: Sequence[int]) -> str:
    """Which markers are not seen, in words."""
    names = ", ".join(f"{number} ({MARKER_PLACES[number]})" for number in missing)
    return f"table marker{'s' if len(missing) > 1 else ''} {names} not seen"


def guess_lens(
    width: int,
    height: int,
    corners: Mapping[int, NDArray[np.float64]],
    places_mm: Mapping[int, NDArray[np.float64]],
    settings: TableSettings | None = None,
) -> Lens:
    """A lens for an unknown camera: the usual focal length, moved as far as perspective asks for.

    `corners` are pixels, `places_mm` where those are on the table. Straight from above, perspective tells
    nothing of the focal length, and the usual one stays.
    """
    settings = settings or TableSettings()
    found = {number: corners[number] for number in sorted(corners) if number in places_mm}

    def lens(stretch: float) -> Lens:
        focal = settings.lens_focal * width * float(np.exp(stretch))
        return Lens(width, height, focal, focal, (width - 1) / 2, (height - 1) / 2)

    if not found:
        return lens(0.0)

    def cost(stretch: float) -> float:
        pose, _ = _solve(found, lens(stretch), places_mm, settings)
        off = np.concatenate([pose.project(places_mm[n]) - found[n] for n in found])
        return float((off**2).sum() / settings.lens_corner_px**2 + (stretch / settings.lens_focal_spread) ** 2)

    steps = np.linspace(-2, 2, 9) * settings.lens_focal_spread
    best = int(np.argmin([cost(float(s)) for s in steps]))
    fine = steps[best] + np.linspace(-0.75, 0.75, 7) * (steps[1] - steps[0])
    return lens(float(fine[int(np.argmin([cost(float(s)) for s in fine]))]))


def pose_of_square(corners_px: NDArray[np.float64], places_mm: NDArray[np.float64], lens: Lens) -> CameraPose:
    """The camera's pose from four or more known points in the table's plane; CalibrationError if they fit none."""
    pose, _ = _solve({0: corners_px}, lens, {0: places_mm}, TableSettings(bleed_passes=1))
    return pose


def _fit(
    found: Mapping[int, NDArray[np.float64]],
    lens: Lens,
    places: Mapping[int, NDArray[np.float64]],
    settings: TableSettings,
) -> TableFix:
    pose, bleed = _solve(found, lens, places, settings)
    straightened = {n: _unbled(found[n], bleed) for n in found}
    off = np.concatenate([pose.to_table(straightened[n]) - places[n] for n in found])
    error = float(np.sqrt((off**2).sum(axis=1).mean()))
    return TableFix(pose, dict(found), error, tuple(found), bleed)


def _solve(
    found: Mapping[int, NDArray[np.float64]],
    lens: Lens,
    places: Mapping[int, NDArray[np.float64]],
    settings: TableSettings,
) -> tuple[CameraPose, float]:
    """Pose, and how far white bleeds over black: it shrinks every marker alike and moves no centre."""
    object_points = np.concatenate([np.hstack([places[n], np.zeros((4, 1))]) for n in found])
    bleed = 0.0
    pose = None
    for _ in range(settings.bleed_passes):
        image_points = np.concatenate([_unbled(found[n], bleed) for n in found])
        done, rvec, tvec = cv2.solvePnP(object_points, image_points, lens.matrix, lens.distortion)
        if not done or not np.isfinite(rvec).all() or not np.isfinite(tvec).all():
            raise CalibrationError("the markers' places in the picture fit no camera; is the layout W,H,SIDE right?")
        rotation = np.asarray(cv2.Rodrigues(rvec)[0], dtype=np.float64)
        pose = CameraPose(lens, rotation, np.asarray(tvec, dtype=np.float64).reshape(3))
        bleed = float(np.mean([_shrunk(found[n], pose.project(places[n])) for n in found]))
        bleed = float(np.clip(bleed, -settings.most_bleed_px, settings.most_bleed_px))
    assert pose is not None
    return pose, bleed


def _shrunk(corners: NDArray[np.float64], expected: NDArray[np.float64]) -> float:
    """By how many pixels the sides of a marker lie further inward than expected."""
    outward = expected - expected.mean(axis=0)
    outward /= np.hypot(*outward.T)[:, None]
    return float(-((corners - expected) * outward).sum(axis=1).mean() / np.sqrt(2))


def _unbled(corners: NDArray[np.float64], bleed: float) -> NDArray[np.float64]:
    outward = corners - corners.mean(axis=0)
    outward /= np.hypot(*outward.T)[:, None]
    return np.asarray(corners + outward * bleed * np.sqrt(2))


def _without_stray(
    fix: TableFix, lens: Lens, places: Mapping[int, NDArray[np.float64]], settings: TableSettings
) -> tuple[TableFix, str] | None:
    """The fit without the one marker that does not lie where the others say, if there is such a one."""
    if len(fix.used) <= 3:
        return None
    fits = {n: _fit({k: c for k, c in fix.corners.items() if k != n}, lens, places, settings) for n in fix.used}
    stray = min(fits, key=lambda n: fits[n].error_mm)
    plausible = abs(fits[stray].bleed_px) < settings.most_bleed_px
    if not plausible or fits[stray].error_mm >= settings.good_error_mm:
        return None
    away = fits[stray].pose.to_table(fix.corners[stray]).mean(axis=0) - places[stray].mean(axis=0)
    better = dataclasses.replace(fits[stray], corners=fix.corners)
    where = f"lies {np.hypot(*away):.0f} mm from its place"
    if np.hypot(*away) < settings.turned_mm:
        where = "is turned, or of another size: lay it the same way up as the others"
    return better, f"marker {stray} {where}; going on with the other three"


def _with_another_size(
    fix: TableFix, lens: Lens, markers: TableMarkers, settings: TableSettings
) -> tuple[TableFix, str] | None:
    """The fit with the distances that the markers' sides tell, if it is good: who lays them may not have measured.

    What bleeds cannot be told from a size; but people choose round distances, and a wrong bleed leads to none that fit.
    """
    if len(fix.used) <= 3:
        return None
    for bleed in settings.usual_bleeds_px:
        try:
            told = _told_by_sides(fix, bleed, lens, markers, settings)
            better = _fit(fix.corners, lens, told.corners_mm(), settings)
        except CalibrationError:
            continue
        if better.error_mm < settings.good_error_mm and abs(better.bleed_px) < settings.most_bleed_px:
            given, seen = (f"{m.width_mm:.0f} x {m.height_mm:.0f} mm" for m in (markers, told))
            return better, (
                f"the markers lie about {seen} apart, not {given}, if their sides are {markers.side_mm:g} mm: "
                "going on with that; measure between their middles and set the sizes"
            )
    return None


def _told_by_sides(
    fix: TableFix, bleed_px: float, lens: Lens, markers: TableMarkers, settings: TableSettings
) -> TableMarkers:
    """The round distances at which markers seem to lie if white has grown by `bleed_px` over their edges."""
    once = dataclasses.replace(settings, bleed_passes=1)
    corners = {n: _unbled(fix.corners[n], bleed_px) for n in fix.used}

    def laid(size: NDArray[np.float64]) -> TableMarkers:
        return dataclasses.replace(markers, width_mm=float(size[0]), height_mm=float(size[1]))

    def off(size: NDArray[np.float64]) -> NDArray[np.float64]:
        places = laid(size).corners_mm()
        pose, _ = _solve(corners, lens, places, once)
        return np.concatenate([(pose.to_table(corners[n]) - places[n]).ravel() for n in fix.used])

    size = np.array([markers.width_mm, markers.height_mm])
    for _ in range(settings.size_passes):  # Gauss and Newton's steps, by differences of a millimetre
        here = off(size)
        slopes = np.column_stack([off(size + step) - here for step in np.eye(2)])
        size = size - np.linalg.lstsq(slopes, here, rcond=None)[0]
    return laid(np.round(size / settings.size_step_mm) * settings.size_step_mm)
