"""The colour of a pyramid's plastic, seen over a known surface: shipped looks, and those of the user's own set.

A look is (body, surface): logarithms of B, G, R after white balance, beside how uneven the body is. Of each colour the
body's mean is a linear function of the surface (translucent plastic shows it) and of the pose; the rest is Gaussian.
All pieces of a picture are told together (`sets`); taught pictures are kept piece by piece. What the network of
`hues` says of each piece, where it is present, is weighed with that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLOURS
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.sets import KnownSet, SetSettings, unknown_set
from companion.vision.pyramids.windows import Windows
from companion.vision.weights import WEIGHTS, arrays_of

Floats = NDArray[np.float64]

NAME = "pyramid_colours"
BODY = 6  # numbers of a body: B, G, R, its dark and its bright part, unevenness
TERMS = 6  # of the linear function: 1, surface B, G, R, lying, stacked
POINTS = 48
PAPER = 225.0
USUAL = {  # red, green, blue on a screen
    "white": (215, 213, 208),
    "clear": (150, 150, 150),
    "red": (170, 40, 40),
    "orange": (200, 95, 30),
    "yellow": (195, 165, 40),
    "green": (35, 110, 55),
    "cyan": (60, 145, 155),
    "blue": (35, 55, 140),
    "purple": (90, 40, 110),
    "black": (35, 35, 37),
}


@dataclass(frozen=True, slots=True)
class ColourSettings:
    """What bodies have to say beside the network, and when two colours are too close."""

    body: float = 0.12  # weight of the bodies' colours beside what the network says
    close: float = 2.2  # deviations between two means
    odd: float = 80.0  # squared deviations from every colour above which none is named
    sets: SetSettings = field(default_factory=SetSettings)


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Mean and spread of every colour."""

    terms: Floats  # (colours, BODY, TERMS)
    spread: Floats  # (colours, BODY, BODY) covariance
    drift: Floats  # (BODY, BODY) covariance of what all pieces of a picture have in common

    def means(self, surface: Floats) -> Floats:
        """(n, colours, BODY) for n rows of terms."""
        return np.asarray(np.einsum("cbt,nt->ncb", self.terms, surface))

    def distances(self, bodies: Floats, surface: Floats) -> Floats:
        """Squared deviations (n, colours)."""
        off = bodies[:, None] - self.means(surface)
        inverse = np.linalg.inv(self.spread + self.drift)
        return np.asarray(np.einsum("nci,cij,ncj->nc", off, inverse, off))


@cache
def shipped_looks() -> Looks:
    """The looks that come with the project; without their file the colours by name, widely spread."""
    path = WEIGHTS / f"{NAME}.npz"
    if not path.exists():
        terms = np.zeros((len(PYRAMID_COLOURS), BODY, TERMS))
        terms[:, :3, 0] = [np.log(np.array(USUAL[colour][::-1]) + 10.0) - np.log(PAPER) for colour in PYRAMID_COLOURS]
        spread = np.diag([0.35, 0.35, 0.35, 1.0, 1.0, 1.0]) ** 2
        return Looks(terms, np.repeat(spread[None], len(PYRAMID_COLOURS), axis=0), spread / 8)
    arrays = arrays_of(path)
    return Looks(arrays["terms"], arrays["spread"], arrays["drift"])


def look_at(windows: Windows, found: Hypotheses, hidden: Mapping[int, Sequence[Floats]]) -> tuple[Floats, Floats]:
    """Bodies (n, BODY) and terms (n, TERMS). `hidden` holds outlines of what covers a hypothesis, by its number."""
    ground = windows.ground
    corners = ground.seen_at(found.corners())
    middle = corners.mean(axis=1, keepdims=True)
    shares = np.random.default_rng(3).dirichlet(np.ones(5) * 0.6, POINTS)
    points = middle + (np.einsum("pk,nkd->npd", shares, corners) - middle) * 0.9
    index = windows.index(points, found.window)
    balance = np.log(ground.gains) - np.log(PAPER)
    log = windows.log.take(index, axis=0) + balance
    bodies = np.zeros((len(found), BODY))
    for i in range(len(found)):
        seen = log[i]
        covers = hidden.get(i, ())
        if covers:
            free = ~np.any([_inside(points[i], cover) for cover in covers], axis=0)
            seen = seen[free] if free.sum() >= 4 else seen
        light = seen.mean(axis=1)
        low, high = np.percentile(light, (20, 80))
        bodies[i, :3] = np.median(seen, axis=0)
        bodies[i, 3:] = (
            low - np.median(light),
            high - np.median(light),
            np.log(np.abs(seen - bodies[i, :3]).mean() + 0.01),
        )
    terms = np.ones((len(found), TERMS))
    terms[:, 1:4] = ground.nearest(ground.surface, middle[:, 0]) + balance
    terms[:, 4] = found.kind >= 3
    terms[:, 5] = found.place[:, 3] != 0
    return bodies, terms


def _inside(points: Floats, outline: Floats) -> NDArray[np.bool_]:
    """Which points lie in a convex outline, in either order of its corners."""
    edge = np.roll(outline, -1, axis=0) - outline
    off = points[:, None] - outline[None]
    side = edge[:, 0] * off[..., 1] - edge[:, 1] * off[..., 0]
    return np.asarray((side >= 0).all(axis=1) | (side <= 0).all(axis=1))


class PyramidColours:
    """Tells colours; may be taught."""

    def __init__(self, settings: ColourSettings | None = None) -> None:
        self.settings = settings or ColourSettings()
        self._lessons: list[tuple[Floats, Floats, NDArray[np.intp]]] = []  # bodies, terms, colours of each picture
        self._set: KnownSet | None = None

    @property
    def set(self) -> KnownSet:
        """What is believed of the user's set."""
        if self._set is None:
            self._set = unknown_set(shipped_looks(), self.settings.sets)
            for bodies, terms, numbers in self._lessons:
                self._set = self._set.taught(bodies, terms, numbers)
        return self._set

    def told(self, bodies: Floats, terms: Floats, logs: Floats | None = None) -> tuple[Floats, Floats]:
        """Probabilities (n, colours), and squared deviations (n) of the body from the nearest colour, where the body
        alone decides. `logs` are the logarithms of what the network says of each, where there is one.
        """
        s = self.settings
        if logs is None:
            nothing = np.zeros((len(bodies), len(PYRAMID_COLOURS)))
            alone = shipped_looks()
            return np.exp(self.set.told(bodies, terms, nothing, 1.0)), alone.distances(bodies, terms).min(axis=1)
        told = self.set.told(bodies, terms, logs, s.body)
        return np.exp(told), np.zeros(len(told))  # the network is unsure by itself

    def learn(self, bodies: Floats, terms: Floats, colours: Sequence[str]) -> None:
        """Take over what pieces of these colours look like, beside what the light of the picture does to all."""
        numbers = np.array([PYRAMID_COLOURS.index(c) for c in colours], dtype=np.intp)
        self._lessons.append((bodies, terms, numbers))
        self._set = None

    def too_close(self, surface: Floats) -> list[tuple[str, str]]:
        """Pairs of taught colours that look so alike over this surface (TERMS) that they may be mixed up."""
        known = self.set
        means = known.usual.means(surface[None])[0] + known.off
        taught = sorted({int(c) for _, _, numbers in self._lessons for c in numbers})
        pairs = []
        for a in taught:
            for b in (b for b in taught if b > a):
                off = means[a] - means[b]
                both = known.own + (known.unsure[a] + known.unsure[b]) / 2
                if float(np.sqrt(off @ np.linalg.solve(both, off))) < self.settings.close:
                    pairs.append((PYRAMID_COLOURS[a], PYRAMID_COLOURS[b]))
        return pairs

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """What was taught: a row for each piece."""
        empty = (np.zeros((0, BODY)), np.zeros((0, TERMS)), np.zeros(0, np.intp))
        bodies, terms, colours = (np.concatenate(part) for part in zip(empty, *self._lessons, strict=True))
        pictures = np.repeat(np.arange(len(self._lessons)), [len(numbers) for _, _, numbers in self._lessons])
        return {"bodies": bodies, "terms": terms, "colours": colours, "pictures": pictures}

    def take(self, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        """What `arrays` gave; ValueError when it has another form."""
        bodies, terms = (np.asarray(arrays[name], np.float64) for name in ("bodies", "terms"))
        colours, pictures = (np.asarray(arrays[name], np.intp) for name in ("colours", "pictures"))
        n = len(bodies)
        whole = bodies.shape == (n, BODY) and terms.shape == (n, TERMS) and colours.shape == pictures.shape == (n,)
        known = ((colours >= 0) & (colours < len(PYRAMID_COLOURS))).all()
        if not (whole and known and np.isfinite(bodies).all() and np.isfinite(terms).all()):
            raise ValueError("the taught colours of the pyramids have another form: teach the set anew")
        self._lessons = [
            (bodies[own], terms[own], colours[own]) for own in (pictures == p for p in np.unique(pictures))
        ]
        self._set = None
