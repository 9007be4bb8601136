"""The table seen straight from above, what its bare surface looks like, and the regions that differ from it.

All finders of free pieces share one `Ground` of a picture. It is the picture drawn in the plane of the table, so
that a point at height z over (x, y) is seen at C + ((x, y) - C) * H / (H - z), with the camera at height H over C.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeVar, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import CameraPose
from companion.vision.connected import connected
from companion.vision.found import Found
from companion.vision.reader import TablePicture

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Kind = TypeVar("Kind", bound=np.generic)
Level = TypeVar("Level", Singles, Pixels)
FLAGS = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


@dataclass(frozen=True, slots=True)
class GroundSettings:
    """How finely the table is drawn, and how much a part must differ from the bare surface to be a thing."""

    fine_mm: float = 0.6  # of a pixel of the picture drawn from above
    coarse: int = 2  # fine pixels of a pixel in which things are looked for
    reach_mm: float = 520.0  # the table is drawn up to this far from its middle
    surface_mm: float = 130.0  # side of the window whose median is the bare surface
    surface_grid: int = 4  # coarse pixels of a pixel of the surface model
    dark_level: float = 10.0  # grey levels added before logarithms: darker differences are noise
    hue_sigmas: float = 5.0
    least_hue: float = 0.07  # of the logarithm
    light_sigmas: float = 4.5
    least_light: float = 0.16
    edge_sigmas: float = 4.5
    least_edge: float = 0.10
    least_texture: float = 1e-5  # pictures drawn by computers may have none
    faint_mm: float = 2.2  # over which faint differences are averaged
    faint_sigmas: float = 6.0
    faint_share: float = 1.35
    close_mm: float = 3.0  # gaps in a thing that are bridged
    least_area_mm2: float = 45.0
    glare_level: int = 250


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A connected part of the table that is not bare."""

    x: int  # coarse pixels
    y: int
    mask: Mask  # (h, w)
    area_mm2: float

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height in coarse pixels."""
        return self.mask.shape[1], self.mask.shape[0]


@dataclass(frozen=True, eq=False)
class Drawn:
    """A picture drawn from above, before anything is made out in it."""

    settings: GroundSettings
    pose: CameraPose
    colours: Pixels  # (H, W, 3) fine, BGR as taken
    log: Singles  # (h, w, 3) coarse: logarithm of the levels
    seen: Mask  # (h, w) coarse: what the picture shows; beyond its rim nothing is told
    left_mm: float  # of the middle of the first pixel
    top_mm: float

    @property
    def as_taken(self) -> "Drawn":
        """Itself: see `Ground.as_taken`."""
        return self

    @cached_property
    def small(self) -> Pixels:
        """(h, w, 3) coarse, BGR as taken."""
        return _small(self.colours, self.settings)

    def fine_px(self, points_mm: Floats) -> Floats:
        """(..., 2) millimetres in the plane of the table to fine pixels (column, row)."""
        s = self.settings.fine_mm
        return np.stack([(points_mm[..., 0] - self.left_mm) / s, (self.top_mm - points_mm[..., 1]) / s], axis=-1)

    def to_mm(self, fine_px: Floats) -> Floats:
        """(..., 2) fine pixels (column, row) to millimetres in the plane of the table."""
        s = self.settings.fine_mm
        return np.stack([self.left_mm + fine_px[..., 0] * s, self.top_mm - fine_px[..., 1] * s], axis=-1)

    @property
    def coarse_mm(self) -> float:
        """Side of a coarse pixel."""
        return self.settings.fine_mm * self.settings.coarse

    def coarse_px(self, points_mm: Floats) -> Floats:
        """(..., 2) millimetres in the plane of the table to coarse pixels (column, row)."""
        return self.fine_px(points_mm) / self.settings.coarse

    def nearest(self, layer: NDArray[Kind], points_mm: Floats) -> NDArray[Kind]:
        """(n, ...) of a layer (h, w, ...) of coarse pixels that at (n, 2) places, or nearest to them."""
        high, wide = layer.shape[:2]
        col, row = np.rint(self.coarse_px(points_mm)).astype(int).T
        return np.asarray(layer[np.clip(row, 0, high - 1), np.clip(col, 0, wide - 1)])

    def filled(self, outlines_mm: Iterable[Floats]) -> Pixels:
        """(h, w) coarse: 1 in convex outlines."""
        mask = np.zeros(self.log.shape[:2], np.uint8)
        for outline in outlines_mm:
            cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(self.coarse_px(outline)).astype(np.int32)), 1)
        return mask

    def grown(self, mask: Mask | Pixels, by_mm: float) -> Mask:
        """A mask of coarse pixels, and all that is so near."""
        side = 1 + 2 * round(by_mm / self.coarse_mm)
        return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((side, side), np.uint8)) > 0)


@dataclass(frozen=True, eq=False)
class Ground(Drawn):
    """One picture of a table, drawn from above, and what is not bare in it."""

    gains: Floats  # of B, G, R
    picture: Pixels  # as taken
    surface: Singles  # (h, w, 3) coarse: that of the bare table, as `log`
    regions: tuple[Region, ...]
    texture: float  # usual gradient of the bare table, logarithm per fine pixel
    free: Mask  # (h, w) coarse: what is seen and not covered by papers
    claimed_mm: tuple[Floats, ...] = ()  # (N, 2) convex outlines of what families asked before have surely found
    covered_mm: tuple[Floats, ...] = ()  # (N, 2) outlines of what is no piece: the markers' papers
    zone: Mask | None = None  # (h, w) coarse: where pieces are looked for, None for everywhere
    taken: "Ground | None" = None  # as the picture was taken, where the table's own pattern was taken out here
    past: "Past | None" = None  # the table when it was last looked at

    @property
    def as_taken(self) -> "Ground":
        """The ground with everything that the picture shows."""
        return self.taken or self

    @property
    def unsettled(self) -> Mask | None:
        """(h, w) coarse: where a look at a part of a watched table may see what the last look did not; None for all."""
        return self.past.unsettled if self.past is not None and self.zone is not None else None

    @cached_property
    def things(self) -> Mask:
        """(h, w) coarse: where the table is not bare."""
        mask = np.zeros(self.log.shape[:2], bool)
        for region in self.regions:
            wide, high = region.size_px
            mask[region.y : region.y + high, region.x : region.x + wide] |= region.mask
        return mask

    @cached_property
    def camera(self) -> Floats:
        """(3,) where the camera is, in table millimetres."""
        return self.pose.position_mm

    def seen_at(self, points_mm: Floats) -> Floats:
        """(..., 3) points over the table to the (..., 2) millimetres in its plane at which they are seen."""
        high = self.camera[2]
        grow = high / (high - points_mm[..., 2:])
        return np.asarray(self.camera[:2] + (points_mm[..., :2] - self.camera[:2]) * grow)

    def between_papers(self, beyond_mm: float) -> tuple[int, int, int, int]:
        """Left, top, right and low coarse pixel of the table between the markers and a little beyond."""
        high, wide = self.log.shape[:2]
        if not self.covered_mm:
            return 0, 0, wide, high
        papers = self.coarse_px(np.vstack(self.covered_mm))
        beyond = beyond_mm / (self.coarse_mm)
        first = np.clip(np.floor(papers.min(axis=0) - beyond), 0, (wide - 1, high - 1)).astype(int)
        last = np.clip(np.ceil(papers.max(axis=0) + beyond), first + 1, (wide, high)).astype(int)
        return int(first[0]), int(first[1]), int(last[0]), int(last[1])


@dataclass(frozen=True, eq=False)
class Past:
    """A look that was taken before."""

    ground: Ground
    found: Sequence[Found]
    once: bool = False  # photographs: no second look at the same table will tell what this one missed
    rested: "Past | None" = None  # the newest look that another one has borne out
    untouched: "Untouched | None" = None  # of the one before the table was last touched
    calm: "Past | None" = None  # that look, in the first looks after that
    unsettled: Mask | None = None  # (h, w) coarse: where this look differs from it, or it alone has seen what is there


@dataclass(frozen=True, eq=False)
class Untouched:
    """What a look has found, and where nothing at all has changed since."""

    found: Sequence[Found]
    mask: Mask  # (h, w) coarse pixels


def draw_table(picture: TablePicture, settings: GroundSettings | None = None) -> Drawn:
    """Draw the table from above. The picture needs a pose."""
    s = settings or GroundSettings()
    assert picture.pose is not None
    left, top, width, height = _extent(picture.pose, picture.pixels.shape, s)
    first, second, inside = _map_from_above(picture.pose, picture.pixels.shape[:2], left, top, width, height, s)
    colours = cv2.remap(picture.pixels, first, second, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    fine = np.asarray(colours, np.uint8)
    return Drawn(s, picture.pose, fine, log_of(_small(fine, s), s), inside, left, top)


def see_ground(picture: TablePicture, settings: GroundSettings | None = None, drawn: Drawn | None = None) -> Ground:
    """Find the regions of a table that are not bare; `drawn` where it was drawn before."""
    s, d = settings or GroundSettings(), drawn or draw_table(picture, settings)
    surface = surface_of(d.small, s)
    papers = tuple(d.pose.to_table(polygon) for polygon in picture.covered_px)
    free = d.seen & ~_covered(d, papers)
    regions, texture = regions_of(d.log, surface, free, s)
    drawn_so = s, d.pose, d.colours, d.log, d.seen, d.left_mm, d.top_mm
    return Ground(*drawn_so, picture.gains, picture.pixels, surface, regions, texture, free, covered_mm=papers)


def redrawn(
    other: Drawn,
    layer: Level,
    now: Drawn,
    pixel: int,
    window: tuple[int, int, int, int] | None = None,
    outside: float | None = None,
) -> Level:
    """A layer of another picture, of so many fine pixels to a pixel, as the pixels of this one.

    `window` is (left, top, width, height) of them, None for all. Where the other shows nothing: `outside`, None for
    what is nearest.
    """
    whole = 0, 0, now.colours.shape[1] // pixel, now.colours.shape[0] // pixel
    left, top, *size = window or whole
    at = other.fine_px(now.to_mm((np.array([left, top]) + 0.5) * pixel - 0.5))
    shift = (at + 0.5) / pixel - 0.5
    if not shift.any() and layer.shape[1::-1] == tuple(size):
        return layer
    matrix = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, shift[1]]])
    mode = cv2.BORDER_REPLICATE if outside is None else cv2.BORDER_CONSTANT
    rim = (0.0 if outside is None else outside,) * 3
    return cast(Level, cv2.warpAffine(layer, matrix, size, flags=FLAGS, borderMode=mode, borderValue=rim))


def _extent(pose: CameraPose, shape: Sequence[int], s: GroundSettings) -> tuple[float, float, int, int]:
    """Left and top in millimetres, width and height in fine pixels, of what the picture shows of the table."""
    h, w = shape[:2]
    rim = np.array([(0, 0), (w / 2, 0), (w, 0), (w, h / 2), (w, h), (w / 2, h), (0, h), (0, h / 2)], dtype=np.float64)
    seen = pose.to_table(rim)
    low = np.maximum(np.nan_to_num(seen, nan=0.0).min(axis=0), -s.reach_mm)
    high = np.minimum(np.nan_to_num(seen, nan=0.0).max(axis=0), s.reach_mm)
    step = 4 * s.coarse
    size = np.maximum((high - low) / s.fine_mm, 8 * step).astype(int) // step * step
    return float(low[0]), float(high[1]), int(size[0]), int(size[1])


@lru_cache(maxsize=2)  # for what is looked for, and for arms
def _map_from_above(
    pose: CameraPose, shape: tuple[int, int], left: float, top: float, width: int, height: int, s: GroundSettings
) -> tuple[NDArray[np.int16], NDArray[np.uint16], Mask]:
    """Where in the picture every fine pixel is, as `cv2.remap` wants it, and the coarse pixels that are all in it."""
    step = 16  # the map is smooth: exact on a grid, linear between
    cols, rows = np.arange(0, width + step, step), np.arange(0, height + step, step)
    x, y = np.meshgrid(left + cols * s.fine_mm, top - rows * s.fine_mm)
    grid = pose.project(np.stack([x, y], axis=-1).reshape(-1, 2)).reshape(*x.shape, 2).astype(np.float32)
    finer = np.array([[1 / step, 0.0, 0.0], [0.0, 1 / step, 0.0]])
    where = np.asarray(cv2.warpAffine(grid, finer, (width, height), flags=FLAGS))
    first, second = cv2.convertMaps(where, np.empty(0, np.float32), cv2.CV_16SC2)
    h, w = shape
    inside = cv2.inRange(where, (1.0, 1.0, 0.0, 0.0), (w - 2.0, h - 2.0, 0.0, 0.0))
    seen = cv2.resize(inside, (width // s.coarse, height // s.coarse), interpolation=cv2.INTER_AREA) > 254
    return np.asarray(first, np.int16), np.asarray(second, np.uint16), np.asarray(seen)


def _small(colours: Pixels, s: GroundSettings) -> Pixels:
    """Coarse pixels of fine ones."""
    size = (colours.shape[1] // s.coarse, colours.shape[0] // s.coarse)
    return np.asarray(cv2.resize(colours, size, interpolation=cv2.INTER_AREA), np.uint8)


def log_of(image: Pixels, s: GroundSettings) -> Singles:
    """(h, w, 3) logarithm of the levels."""
    return np.asarray(cv2.LUT(image, np.log(np.arange(256, dtype=np.float32) + s.dark_level)), np.float32)


def surface_of(small: Pixels, s: GroundSettings) -> Singles:
    """The bare table: a wide median, so that things smaller than half its window vanish."""
    size = (small.shape[1] // s.surface_grid, small.shape[0] // s.surface_grid)
    tiny = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), np.uint8)
    window = round(s.surface_mm / (s.fine_mm * s.coarse * s.surface_grid)) | 1
    smooth = log_of(np.asarray(cv2.medianBlur(tiny, window), np.uint8), s)
    wide = cv2.resize(smooth, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide, np.float32)


def _covered(drawn: Drawn, papers_mm: Sequence[Floats]) -> Mask:
    """What is known to be no piece: the table markers."""
    mask = np.zeros(drawn.log.shape[:2], np.uint8)
    for paper in papers_mm:
        cv2.fillConvexPoly(mask, np.rint(drawn.coarse_px(paper)).astype(np.int32), 255)
    return np.asarray(mask > 0)


def _stands_out(layer: Singles, seen: Mask, s: GroundSettings) -> Mask:
    """Where the mean over a few millimetres is far above the usual one."""
    mean = np.asarray(cv2.GaussianBlur(layer, (0, 0), s.faint_mm / (s.fine_mm * s.coarse)), np.float32)
    some = mean[::4, ::4][seen[::4, ::4]]
    if not some.size:
        return np.zeros_like(seen)
    usual = float(np.median(some))
    spread = 1.48 * float(np.median(np.abs(some - usual)))
    return np.asarray(mean > max(usual + s.faint_sigmas * spread, usual * s.faint_share))


def light_and_hue(log: Singles, surface: Singles) -> tuple[Singles, Singles]:
    """(h, w) each: how much lighter than the bare surface, and how much its colour differs, as logarithms."""
    off = cv2.subtract(log, surface)
    light = cv2.transform(off, np.full((1, 3), 1 / 3, np.float32))
    first, second, third = (cv2.absdiff(channel, light) for channel in cv2.split(off))
    return np.asarray(light, np.float32), np.asarray(cv2.max(cv2.max(first, second), third), np.float32)


def regions_of(log: Singles, surface: Singles, seen: Mask, s: GroundSettings) -> tuple[tuple[Region, ...], float]:
    """What is not bare, and how much the bare table's brightness usually changes from fine pixel to fine pixel."""
    light, hue = light_and_hue(log, surface)
    grey = cv2.GaussianBlur(cv2.transform(log, np.full((1, 3), 1 / 3, np.float32)), (0, 0), 0.7)
    gx, gy = (cv2.Sobel(grey, cv2.CV_32F, dx, 1 - dx, scale=0.125) for dx in (1, 0))
    edge = np.asarray(cv2.magnitude(gx, gy), np.float32)
    some = (slice(None, None, 4), slice(None, None, 4))
    usual = [float(np.median(np.abs(m[some][seen[some]]))) if seen[some].any() else 1.0 for m in (hue, light, edge)]
    differs = (
        (hue > max(s.hue_sigmas * usual[0], s.least_hue))
        | (np.abs(light) > max(s.light_sigmas * usual[1] * 1.48, s.least_light))
        | (edge > max(s.edge_sigmas * usual[2], s.least_edge))
    ) & seen
    step = s.fine_mm * s.coarse
    across = round(s.close_mm / step) | 1
    kernel = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across)), np.uint8)
    beside = cv2.dilate(differs.astype(np.uint8), kernel, iterations=2) == 0
    faint = np.zeros_like(differs)
    for layer in (edge, hue):  # faint things, apart from the others: little at each pixel, but everywhere
        faint |= _stands_out(layer, seen, s)
    parts = [_parts(mask, kernel, step, s) for mask in (differs, faint & seen & beside)]
    return (*parts[0], *parts[1]), max(usual[2] / s.coarse, s.least_texture)


def _parts(differs: Mask, kernel: Pixels, step: float, s: GroundSettings) -> list[Region]:
    """The connected parts of a mask, small gaps bridged, specks left out."""
    mask = np.asarray(cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_CLOSE, kernel), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
    labels, stats, _ = connected(mask)
    regions = []
    for number, (x, y, w, h, area) in enumerate(stats):
        if number and area * step**2 >= s.least_area_mm2:
            part = labels[y : y + h, x : x + w] == number
            regions.append(Region(int(x), int(y), np.asarray(part), float(area * step**2)))
    return regions
