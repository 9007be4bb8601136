"""Six-sided dice with pips, anywhere in a picture: round spots that lie on the lattice of a face.

A face is a square of even tone; its pips sit on a lattice of three by three, in one of six ways. Two pips that may
be opposite corners of that lattice give place, size and turn of a face; all nine places are then looked at, those
that should be bare too. A single pip needs a square face round it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from companion.pieces import Piece
from companion.view import Sighting
from companion.vision.dice.pip_likeness import alike, contrast_of, without_patterns
from companion.vision.dice.pips import PipSettings, Spots, find_spots
from companion.vision.reader import TablePicture

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]

# the lattice's places: four corners in turn, the middles of the sides between them, the middle
PLACES = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (1, 0), (0, 1), (-1, 0), (0, 0)], dtype=np.float64)
PATTERNS = {
    frozenset({0, 2}): 2,
    frozenset({1, 3}): 2,
    frozenset({0, 2, 8}): 3,
    frozenset({1, 3, 8}): 3,
    frozenset({0, 1, 2, 3}): 4,
    frozenset({0, 1, 2, 3, 8}): 5,
    frozenset({0, 1, 2, 3, 4, 6}): 6,
    frozenset({0, 1, 2, 3, 5, 7}): 6,
}


@dataclass(frozen=True, slots=True)
class DiceSettings:
    """What counts as a face; lengths in sides of the face."""

    pips: PipSettings = field(default_factory=PipSettings)
    step: float = 0.25  # from the middle to a corner of the lattice, along a side
    pip: tuple[float, float] = (0.05, 0.135)  # radius of a pip
    lone_pip: tuple[float, float] = (0.07, 0.19)  # ... of a single one
    blown: float = 250.0  # the light of a face that is blown out spreads over its pips ...
    blown_share: float = 0.5  # ... and leaves so small a part of their radius, at the least
    blown_bare: float = 10.0  # grey levels: a place on such a face that is darker by more is not bare ...
    blown_contrast: float = 40.0  # ... if all its pips are so much darker, none is lost altogether
    blown_reach: float = 0.08  # so far round a place the darkest point is looked for
    near: float = 0.085  # a pip so near to its place lies on it
    size: float = 1.5  # pips of one face differ in radius by less
    shape: float = 0.4  # ... and in shape, in radii
    shape_px: float = 0.8  # ... and this much more in pixels
    most_alike: int = 500  # spots of one look: more of them are the pattern of a cloth, or a print
    tone: float = 42.0  # ... and in tone, and in that of their ground, in grey levels
    bare: float = 0.42  # of the contrast of the pips: a bare place differs less from the ground
    even: float = 0.8  # share of the points between the pips that look like the ground
    many_even: float = 0.7  # ... between many pips, that may be large
    reach: float = 1.1  # how far from the middle the rim of the face is looked for
    rim: tuple[float, float] = (0.36, 0.92)  # where it may lie, in directions of the sides
    rims: float = 0.7  # share of directions in which a rim is seen
    many: int = 4  # so many pips in order are hardly there by chance ...
    many_rims: float = 0.4  # ... and the rim may be hard to tell from what lies round the die
    rounder: float = 0.15  # a pip so much rounder than those of a slanted face, on the same die, lies further up
    neighbour: float = 1.7  # sides from the middle of a face within which another face of its die has pips
    few_rims: float = 0.87  # ... below which two or three pips may be of two faces
    least_px: float = 2.2  # smaller pips are told from each other by chance
    lone_rims: float = 0.9  # ... for a single pip
    lone_contrast: float = 45.0  # of a single pip
    lone_even: float = 0.9  # share of its face that looks like its ground
    square: float = 0.09  # a single pip's face: spread of its rim about a square
    offset: float = 0.16  # ... and how far the pip lies from its middle
    flat: float = 0.66  # shorter by longer axis of the pips of a face that lies up
    doubtful_flat: float = 0.74  # below it the face may be a side
    upright: float = 0.85  # below it the rest of the die is looked at for a face that is seen better
    inner: float = 0.42  # half the side within which every pip has to lie on its place
    beside: float = 1.25  # as far from the middle no such spots may lie on the same ground
    slant: float = 0.15  # ... of nearly the same aspect
    double: float = 0.12  # two spots so near are one pip seen twice
    alone: float = 0.52  # as far round a single pip no other may lie
    apart: float = 0.8  # middles of two dice lie so far apart


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A face that was found, in pixels."""

    middle: Floats  # (2,)
    side: float
    axes: Floats  # (2, 2) rows: what a side of the face is in pixels, along and across
    value: int
    pips: tuple[int, ...]
    misfit: float  # mean distance of the pips from their places, in sides
    even: float
    rims: float
    aspect: float
    doubt: str | None = None

    @property
    def score(self) -> float:
        """How much speaks for it, to be compared with other faces at the same spot."""
        return len(self.pips) + 1.5 * self.aspect + self.even + self.rims - 8 * self.misfit - (0.6 if self.doubt else 0)

    def corners(self) -> Floats:
        """(4, 2) of the square, in pixels."""
        return np.asarray(self.middle + PLACES[:4] / 2 @ self.axes)


def sighting(face: Face, picture: TablePicture) -> Sighting:
    """A face as a sighting; millimetres where the table is known, the die as high as it is wide."""
    mm = place_mm(picture, face.middle, face.corners()[0])
    sure = 0.995 - 2.0 * max(face.misfit - 0.03, 0.0) - 0.2 * max(0.9 - face.even, 0.0) - 0.05 * (1 - face.rims)
    return Sighting(
        beliefs=((Piece("die", value=str(face.value)), float(np.clip(sure, 0.3, 1.0)) if not face.doubt else 0.5),),
        x_mm=None if mm is None else float(mm[0]),
        y_mm=None if mm is None else float(mm[1]),
        x_px=float(face.middle[0]),
        y_px=float(face.middle[1]),
        why=face.doubt,
    )


def place_mm(picture: TablePicture, middle: Floats, corner: Floats) -> Floats | None:
    """Where the upper face's middle is over the table; None where no table is known. Both in pixels."""
    if picture.pose is None:
        return None
    ends = picture.pose.to_table(np.array([middle, corner]), 0.0)
    high = float(np.hypot(*(ends[1] - ends[0]))) * 2**0.5
    return np.asarray(picture.pose.to_table(middle[None], high)[0], np.float64)


def find_faces(picture: Pixels, settings: DiceSettings, spots: Spots | None = None) -> list[Face]:
    """The upper faces of all dice of a picture, whose round spots may be known already."""
    if spots is None:
        spots = without_patterns(find_spots(picture, settings.pips), settings)
    faces = _Search(picture, spots, settings).faces()
    kept: list[Face] = []
    for face in sorted(faces, key=lambda f: -f.score):
        if all(np.hypot(*(face.middle - k.middle)) > settings.apart * max(face.side, k.side) for k in kept):
            kept.append(face)
    return sorted(kept, key=lambda f: (float(f.middle[1]), float(f.middle[0])))


class _Search:
    """Faces on the spots of one picture."""

    def __init__(self, picture: Pixels, spots: Spots, settings: DiceSettings) -> None:
        self._picture, self._spots, self._settings = picture, spots, settings
        self._contrast = contrast_of(spots)

    def faces(self) -> list[Face]:
        """Every face that may be one; those of one die are still several."""
        found: list[Face] = []
        spots, s = self._spots, self._settings
        for i in range(len(spots)):
            like = alike(spots, i, s)
            for j in self._partners(i, like):
                face = self._across(i, int(j), np.flatnonzero(like))
                if face is not None:
                    found.append(face)
        used = {pip for face in found for pip in face.pips}
        found += [face for i in range(len(spots)) if i not in used and (face := self._lone(i)) is not None]
        return [face for face in found if face.aspect >= s.flat]

    def _partners(self, i: int, like: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Later spots that may lie across the face from this one, of those that are like it."""
        spots, s = self._spots, self._settings
        flat = np.linalg.inv(spots.shapes[i].astype(np.float64))  # to radii of this pip, its slant taken out
        far = np.hypot(*((spots.centres - spots.centres[i]) @ flat.T).T) / (s.step * 8**0.5)  # the side in radii
        across = like & (s.pip[0] * self._left(i) * far <= 1) & (s.pip[1] * far >= 1)
        across[: i + 1] = False
        return np.flatnonzero(across)

    def _left(self, i: int) -> float:
        """The least part of a pip's radius that the light round it leaves to be seen."""
        s = self._settings
        return s.blown_share if float(self._spots.grounds[i].min()) >= s.blown else 1.0

    def _spanned(self, i: int, j: int) -> tuple[Floats, Floats]:
        """Middle and axes (sides as rows) of the face that has these two spots in opposite corners of its lattice."""
        spots = self._spots
        a, b = spots.centres[i].astype(np.float64), spots.centres[j].astype(np.float64)
        shape = (spots.shapes[i] + spots.shapes[j]).astype(np.float64) / 2
        across = np.linalg.solve(shape, b - a)
        size = float(np.hypot(*across)) / (self._settings.step * 8**0.5)  # in radii of a pip
        turn = float(np.arctan2(across[1], across[0])) - np.pi / 4
        return (a + b) / 2, size * np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))]) @ shape.T

    def _across(self, i: int, j: int, like: NDArray[np.intp]) -> Face | None:
        """The face with these two spots in opposite corners of its lattice; None where there is none.

        `like` are the numbers of the spots that may be of one face with them.
        """
        spots, s = self._spots, self._settings
        middle, axes = self._spanned(i, j)
        side = float(np.sqrt(abs(np.linalg.det(axes))))
        places = middle + s.step * PLACES @ axes
        back = np.linalg.inv(axes)
        lies = (spots.centres[like] - middle) @ back  # in sides
        away = np.hypot(*np.moveaxis(s.step * PLACES[:, None] - lies[None], 2, 0))
        on = {int(p): int(like[away[p].argmin()]) for p in range(9) if away[p].min() <= s.near}
        value = PATTERNS.get(frozenset(on))
        if value is None:
            return None
        inside = np.abs(lies).max(axis=1) <= s.inner
        if any(away[sorted(on)][:, number].min() > s.double for number in np.flatnonzero(inside)):
            return None
        pips = tuple(sorted(on.values()))
        ground = np.median(spots.grounds[list(pips)], axis=0)
        contrast = float(np.median(self._contrast[list(pips)]))
        even = self._even(middle, axes, ground, contrast)
        seen = self._rims(middle, axes, ground, contrast)
        aspect = float(np.median(spots.aspects[list(pips)]))
        least_even, least_rims = (s.many_even, s.many_rims) if value >= s.many else (s.even, s.rims)
        if even < least_even or seen < least_rims:
            return None
        if self._goes_on(middle, axes, like, set(pips), ground, contrast):
            return None
        misfit = float(np.mean([away[p].min() for p in on]))
        face = Face(middle, side, axes, value, pips, misfit, even, seen, aspect, None)
        bare = places[[p for p in range(9) if p not in on]]
        off = max((self._off(place[None], side * 0.05, ground) for place in bare), default=0.0)
        return replace(face, doubt=self._doubt(i, face, bare, off > s.bare * contrast))

    def _doubt(self, i: int, face: Face, bare: Floats, marked: bool) -> str | None:
        """Why the value of a face with the spot `i` is not to be told; `marked`: a bare place may be a pip."""
        spots, s, pips = self._spots, self._settings, list(face.pips)
        if marked or self._swallowed(i, bare, face.side, face.pips):
            return "a place for a pip is neither bare nor clearly a pip"
        if face.aspect < s.doubtful_flat:
            return "seen too much from the side"
        if face.value in (2, 3) and face.rims < s.few_rims:
            return "the rim of the face is hardly seen"
        if face.value in (2, 3) and float(np.ptp(spots.aspects[pips])) > s.rounder:
            return "its pips may be of two faces"
        if float(np.median(spots.radii[pips])) < s.least_px * self._left(i):
            return "too small in the picture"
        if face.aspect < s.upright and self._rounder_beside(face.middle, face.side, face.aspect, face.pips):
            return "another face of the die is seen more from above"
        return None

    def _swallowed(self, i: int, bare: Floats, side: float, pips: Sequence[int]) -> bool:
        """True if the light of a blown-out face, that left little of its pips, may have swallowed one at a place."""
        spots, s = self._spots, self._settings
        if self._left(i) >= 1 or float(np.median(spots.radii[list(pips)])) >= s.pip[0] * side:
            return False
        reach = int(np.ceil(s.blown_reach * side))
        steps = np.arange(-reach, reach + 1)  # every pixel: one alone may be what is left of a pip
        around = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        darkest = self._seen(bare[:, None] + around[None]).min(axis=(1, 2))
        faint = float(self._contrast[list(pips)].min()) < s.blown_contrast
        return faint or bool((darkest < spots.grounds[i].min() - s.blown_bare).any())

    def _rounder_beside(self, middle: Floats, side: float, aspect: float, pips: tuple[int, ...]) -> bool:
        """True if beside a slanted face lie pips of the same ink and size that are seen more from above."""
        spots, s = self._spots, self._settings
        tone = np.median(spots.tones[list(pips)], axis=0)
        high = float(np.median(spots.radii[list(pips)] * spots.aspects[list(pips)] ** -0.5))  # seen from above
        near = np.hypot(*(spots.centres - middle).T) < s.neighbour * side
        near &= np.abs(spots.tones - tone).max(axis=1) <= 2 * s.tone
        near &= (spots.radii < s.size * high) & (spots.radii > high / s.size)
        near[list(pips)] = False
        return bool((spots.aspects[near] > aspect + s.rounder).any())

    def _lone(self, i: int) -> Face | None:
        """A one: a single pip in the middle of a bare square."""
        spots, s = self._spots, self._settings
        middle, radius = spots.centres[i].astype(np.float64), float(spots.radii[i])
        ground, contrast = spots.grounds[i], float(self._contrast[i])
        least = s.lone_pip[0] * self._left(i)
        most = radius / least  # the longest side that such a pip may have
        angle = np.arange(36) * np.pi / 18
        way = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        rims = self._first_off(middle, way, 1.9 * radius, most * 0.75, ground, 0.35 * contrast)
        seen = np.isfinite(rims)
        if contrast < s.lone_contrast or seen.mean() < s.lone_rims or spots.aspects[i] < s.flat:
            return None
        points = middle + np.where(seen, rims, np.median(rims[seen]))[:, None] * way
        best = self._square(points)
        if best is None:
            return None
        centre, side, turn, spread = best
        offset = float(np.hypot(*(centre - middle))) / side
        if spread > s.square or offset > s.offset or not least <= radius / side <= s.lone_pip[1]:
            return None
        others = alike(spots, i, s)
        others[i] = False
        if (np.hypot(*(spots.centres[others] - centre).T) < s.alone * side).any():
            return None
        axes = side * np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        even = self._even(centre, axes, ground, contrast)
        if even < s.lone_even or self._swallowed(i, centre + s.step * PLACES[:8] @ axes, side, (i,)):
            return None
        return Face(centre, side, axes, 1, (i,), offset / 4, even, float(seen.mean()), float(spots.aspects[i]))

    def _square(self, points: Floats) -> tuple[Floats, float, float, float] | None:
        """The square that fits a rim best: middle, side, turn, spread in sides; None when a circle fits as well."""
        centre = (points.max(axis=0) + points.min(axis=0)) / 2
        turns = np.arange(0, np.pi / 2, np.pi / 36)
        c, sn = np.cos(turns), np.sin(turns)
        local = np.abs(np.einsum("nd,tkd->tnk", points - centre, np.array([(c, sn), (-sn, c)]).transpose(2, 0, 1)))
        far = (local**8).sum(axis=2) ** (1 / 8)  # a square with somewhat round corners
        half = np.median(far, axis=1)
        spread = np.abs(far - half[:, None]).mean(axis=1) / (2 * half)
        best = int(spread.argmin())
        round_ = np.hypot(*(points - centre).T)
        circle = float(np.abs(round_ - np.median(round_)).mean()) / (2 * float(np.median(round_)))
        if circle < spread[best]:
            return None
        return centre, 2 * float(half[best]), float(turns[best]), float(spread[best])

    def _off(self, at: Floats, radius: float, ground: NDArray[np.float32]) -> float:
        """How much the median of a small round part differs from the ground."""
        angle = np.arange(8) * np.pi / 4
        around = np.concatenate([at, at + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)])
        return float(np.abs(np.median(self._seen(around), axis=0) - ground).max())

    def _even(self, middle: Floats, axes: Floats, ground: NDArray[np.float32], contrast: float) -> float:
        """Share of the points between the lattice's places that look like the ground."""
        half = self._settings.step / 2
        steps = np.array([-half, half])
        spots = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        outer = np.array([(0.37, half), (0.37, -half), (-0.37, half), (-0.37, -half)])
        points = np.concatenate([spots, outer, outer[:, ::-1]])
        seen = self._seen(middle + points @ axes)
        return float((np.abs(seen - ground).max(axis=1) <= max(0.35 * contrast, 14)).mean())

    def _rims(self, middle: Floats, axes: Floats, ground: NDArray[np.float32], contrast: float) -> float:
        """Share of directions in which the face ends where a square would."""
        s = self._settings
        angle = (np.arange(16) + 0.5) * np.pi / 8
        way = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        way /= np.abs(way).max(axis=1, keepdims=True)  # to the rim of a square of side 2
        rims = self._first_off(middle, way @ axes / 2, 2 * s.rim[0], 2 * s.reach, ground, max(0.2 * contrast, 16)) / 2
        return float(np.mean((rims > s.rim[0]) & (rims <= s.rim[1])))

    def _goes_on(
        self,
        middle: Floats,
        axes: Floats,
        like: NDArray[np.intp],
        pips: set[int],
        ground: NDArray[np.float32],
        contrast: float,
    ) -> bool:
        """True if more such spots lie beside the face on the same ground: a card, a row of dots."""
        s = self._settings
        lies = (self._spots.centres[like] - middle) @ np.linalg.inv(axes)
        beside = (np.abs(lies).max(axis=1) > s.inner) & (np.abs(lies).max(axis=1) < s.beside)
        aspect = float(np.median(self._spots.aspects[list(pips)]))
        beside &= np.abs(self._spots.aspects[like] - aspect) < s.slant
        for number in like[beside]:
            nearest = min(pips, key=lambda p: float(np.hypot(*(self._spots.centres[p] - self._spots.centres[number]))))
            a, b = self._spots.centres[nearest].astype(np.float64), self._spots.centres[number].astype(np.float64)
            clear = 1.5 * float(self._spots.radii[nearest]) / max(float(np.hypot(*(b - a))), 1e-6)
            if clear >= 0.5:
                continue
            between = a + np.linspace(clear, 1 - clear, 9)[:, None] * (b - a)
            if (np.abs(self._seen(between) - ground).max(axis=1) <= max(0.3 * contrast, 16)).all():
                return True
        return False

    def _first_off(
        self, middle: Floats, way: Floats, start: float, end: float, ground: NDArray[np.float32], most: float
    ) -> Floats:
        """Along each way (n, 2): how many of it lie before the first point unlike the ground, twice in a row."""
        steps = np.linspace(start, end, 28)
        points = middle + steps[None, :, None] * way[:, None]
        off = np.abs(self._seen(points.reshape(-1, 2)).reshape(*points.shape[:2], 3) - ground).max(axis=2) > most
        both = off[:, :-1] & off[:, 1:]
        first = both.argmax(axis=1)
        return np.where(both.any(axis=1), steps[first], np.inf)

    def _seen(self, points: Floats) -> NDArray[np.float32]:
        high, wide = self._picture.shape[:2]
        x = np.clip(np.rint(points[..., 0]), 0, wide - 1).astype(int)
        y = np.clip(np.rint(points[..., 1]), 0, high - 1).astype(int)
        return np.asarray(self._picture[y, x], dtype=np.float32)
