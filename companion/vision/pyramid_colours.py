"""The colour of a pyramid's plastic, seen over a known surface: shipped looks, and those of the user's own set.

A look is (body, surface): logarithms of B, G, R after white balance, beside how uneven the body is. Of each colour the
body's mean is a linear function of the surface (translucent plastic shows it) and of the pose; the rest is Gaussian.
What all pieces of a picture are off together is its light, and is taken out. Teaching shifts the means of the taught
colours by what their pieces differ. Where the network of `pyramid_look` is present, it has the greater say; teaching
bends its last layer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLOURS
from companion.vision.foreground import Ground
from companion.vision.pyramid_look import BendSettings, bent, log_shares, shipped_look
from companion.vision.pyramid_search import Hypotheses, Windows

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

WEIGHTS = Path(__file__).parent / "weights" / "pyramid_colours.npz"
BODY = 6  # numbers of a body: B, G, R, its dark and its bright part, unevenness
TERMS = 6  # of the linear function: 1, surface B, G, R, lying, stacked
POINTS = 48
PAPER = 225.0
TAIL = 6.0
LEAST_SHARE = 1e-4  # of a colour: the body alone rules none out
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
    """How strongly teaching bends the shipped looks, and when two colours are too close."""

    own_weight: float = 2.0  # pieces of one colour whose mean counts as much as the shipped look
    taught_spread: float = 0.75  # of the shipped deviation, once a colour is taught by many pieces
    rounds: int = 3  # in which the light of a picture and the colours in it are estimated in turn
    close: float = 2.2  # deviations between two means
    look: float = 1.0  # weight of what the network says of the colour, before anything is taught ...
    look_taught: float = 1.0  # ... and once it is bent to the user's own set
    body: float = 0.15  # weight of the body's colour beside it
    body_taught: float = 0.15
    bend: BendSettings = field(default_factory=BendSettings)
    odd: float = 80.0  # squared deviations from every colour above which none is named


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Mean and spread of every colour."""

    terms: Floats  # (colours, BODY, TERMS)
    spread: Floats  # (colours, BODY, BODY) covariance
    drift: Floats  # (BODY, BODY) covariance of what all pieces of a picture have in common

    def means(self, surface: Floats) -> Floats:
        """(n, colours, BODY) for n rows of terms."""
        return np.asarray(np.einsum("cbt,nt->ncb", self.terms, surface))

    def distances(self, bodies: Floats, surface: Floats) -> tuple[Floats, Floats]:
        """Squared deviations (n, colours), and the logarithm of the spread's volume (colours)."""
        off = bodies[:, None] - self.means(surface)
        inverse = np.linalg.inv(self.spread)
        return np.einsum("nci,cij,ncj->nc", off, inverse, off), np.linalg.slogdet(self.spread)[1]


@cache
def shipped_looks() -> Looks:
    """The looks that come with the project; without their file the colours by name, widely spread."""
    if not WEIGHTS.exists():
        terms = np.zeros((len(PYRAMID_COLOURS), BODY, TERMS))
        terms[:, :3, 0] = [np.log(np.array(USUAL[colour][::-1]) + 10.0) - np.log(PAPER) for colour in PYRAMID_COLOURS]
        spread = np.diag([0.35, 0.35, 0.35, 1.0, 1.0, 1.0]) ** 2
        return Looks(terms, np.repeat(spread[None], len(PYRAMID_COLOURS), axis=0), spread / 8)
    with np.load(WEIGHTS) as arrays:
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
    log = windows.log[index] + balance
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
    terms[:, 1:4] = _surface_at(ground, middle[:, 0]) + balance
    terms[:, 4] = found.kind >= 3
    terms[:, 5] = found.place[:, 3] != 0
    return bodies, terms


def _surface_at(ground: Ground, places_mm: Floats) -> Floats:
    at = np.rint(ground.fine_px(places_mm) / ground.settings.coarse).astype(int)
    col = np.clip(at[:, 0], 0, ground.surface.shape[1] - 1)
    row = np.clip(at[:, 1], 0, ground.surface.shape[0] - 1)
    return np.asarray(ground.surface[row, col], np.float64)


def _inside(points: Floats, outline: Floats) -> NDArray[np.bool_]:
    """Which points lie in a convex outline, in either order of its corners."""
    edge = np.roll(outline, -1, axis=0) - outline
    off = points[:, None] - outline[None]
    side = edge[:, 0] * off[..., 1] - edge[:, 1] * off[..., 0]
    return np.asarray((side >= 0).all(axis=1) | (side <= 0).all(axis=1))


def _shares(bodies: Floats, terms: Floats, looks: Looks) -> tuple[Floats, Floats]:
    away, volume = looks.distances(bodies, terms)
    # tails wider than Gaussian: a strange light must not make a wrong colour certain
    logs = -0.5 * (BODY + TAIL) * np.log1p(away / TAIL) - 0.5 * volume
    logs -= logs.max(axis=1, keepdims=True)
    shares = np.exp(logs)
    return shares / shares.sum(axis=1, keepdims=True), away.min(axis=1)


def _common(bodies: Floats, terms: Floats, shares: Floats, looks: Looks) -> Floats:
    """(BODY) by how much the pieces of one picture are off together: the most probable light."""
    off = bodies[:, None] - looks.means(terms)
    inverse = np.linalg.inv(looks.spread)
    weight = np.linalg.inv(looks.drift) + np.einsum("nc,cij->ij", shares, inverse)
    return np.asarray(np.linalg.solve(weight, np.einsum("nc,cij,ncj->i", shares, inverse, off)))


class PyramidColours:
    """Tells colours; may be taught."""

    def __init__(self, settings: ColourSettings | None = None) -> None:
        self.settings = settings or ColourSettings()
        self._counts = np.zeros(len(PYRAMID_COLOURS))
        self._sums: Floats = np.zeros((len(PYRAMID_COLOURS), BODY))
        self._marks: Singles | None = None  # of taught pieces
        self._named: NDArray[np.intp] = np.zeros(0, np.intp)
        self._bent: Floats | None = None

    @property
    def looks(self) -> Looks:
        """The shipped looks, bent by what was taught."""
        base, s = shipped_looks(), self.settings
        if not self._counts.any():
            return base
        own = self._counts / (self._counts + s.own_weight)
        terms = base.terms.copy()
        terms[:, :, 0] += own[:, None] * self._sums / np.maximum(self._counts, 1)[:, None]
        narrow = 1 - (1 - s.taught_spread) * own
        return Looks(terms, base.spread * (narrow**2)[:, None, None], base.drift)

    def told(self, bodies: Floats, terms: Floats, marks: Singles | None = None) -> tuple[Floats, Floats]:
        """Probabilities (n, colours), and squared deviations (n) of the body from the nearest colour, where the body
        alone decides.

        All pieces of a picture share its light: how far they are off together is estimated with their colours.
        `marks` are what the network sees of each, where there is one.
        """
        looks = self.looks
        shares, away = _shares(bodies, terms, Looks(looks.terms, looks.spread + looks.drift, looks.drift))
        for _ in range(self.settings.rounds):
            light = _common(bodies, terms, shares, looks)
            shares, away = _shares(bodies - light, terms, looks)
        network, s = shipped_look(), self.settings
        if marks is None or network is None:
            return shares, away
        taught = self._bent is not None
        layer = network.last_colour_layer if self._bent is None else self._bent
        logs = log_shares(layer, marks) * (s.look_taught if taught else s.look)
        logs = logs + np.log(shares + LEAST_SHARE) * (s.body_taught if taught else s.body)
        logs -= logs.max(axis=1, keepdims=True)
        both = np.exp(logs)
        return both / both.sum(axis=1, keepdims=True), np.zeros(len(both))  # the network is unsure by itself

    def learn(self, bodies: Floats, terms: Floats, colours: Sequence[str], marks: Singles | None = None) -> None:
        """Take over what pieces of these colours look like, beside what the light of the picture does to all."""
        numbers = np.array([PYRAMID_COLOURS.index(c) for c in colours], dtype=np.intp)
        base = shipped_looks()
        light = _common(bodies, terms, np.eye(len(PYRAMID_COLOURS))[numbers], base)
        means = base.means(terms)[np.arange(len(numbers)), numbers]
        np.add.at(self._sums, numbers, bodies - light - means)
        np.add.at(self._counts, numbers, 1)
        if marks is not None:
            known = np.zeros((0, marks.shape[1]), np.float32) if self._marks is None else self._marks
            self._marks, self._named = np.concatenate([known, marks]), np.concatenate([self._named, numbers])
            self._bend()

    def _bend(self) -> None:
        network = shipped_look()
        if network is None or self._marks is None or self._marks.shape[1] != len(network.last_colour_layer) - 1:
            self._bent = None
            return
        self._bent = bent(network.last_colour_layer, self._marks, self._named, self.settings.bend)

    def too_close(self, surface: Floats) -> list[tuple[str, str]]:
        """Pairs of taught colours that look so alike over this surface (TERMS) that they may be mixed up."""
        looks = self.looks
        means = looks.means(surface[None])[0]
        pairs = []
        taught = [i for i in range(len(PYRAMID_COLOURS)) if self._counts[i] > 0]
        for a in taught:
            for b in (b for b in taught if b > a):
                off = means[a] - means[b]
                both = (looks.spread[a] + looks.spread[b]) / 2
                if float(np.sqrt(off @ np.linalg.solve(both, off))) < self.settings.close:
                    pairs.append((PYRAMID_COLOURS[a], PYRAMID_COLOURS[b]))
        return pairs

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """What was taught."""
        arrays: dict[str, NDArray[np.generic]] = {"counts": self._counts, "sums": self._sums}
        network = shipped_look()
        if self._marks is None or network is None:
            return arrays
        return arrays | {"marks": self._marks, "named": self._named, "layer": network.last_colour_layer}

    def take(self, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        """What `arrays` gave; ValueError when it has another form."""
        counts, sums = (np.asarray(arrays[name], np.float64) for name in ("counts", "sums"))
        if counts.shape != self._counts.shape or sums.shape != self._sums.shape or not np.isfinite(sums).all():
            raise ValueError("the taught colours of the pyramids have another form: teach the set anew")
        self._counts, self._sums = counts, sums
        network = shipped_look()
        if network is not None and "marks" in arrays and np.array_equal(arrays["layer"], network.last_colour_layer):
            self._marks, self._named = np.asarray(arrays["marks"], np.float32), np.asarray(arrays["named"], np.intp)
            if self._marks.ndim != 2 or len(self._marks) != len(self._named) or not np.isfinite(self._marks).all():
                raise ValueError("the taught colours of the pyramids have another form: teach the set anew")
            self._bend()
