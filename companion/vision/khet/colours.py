"""Which side a piece belongs to, by its colour: sets that are known, or the set that was taught.

Silver is no colour but a mirror: it takes the tint of the room, so it is told from a coloured plastic by how far
its light is from neutral, never by being grey exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.pieces import KHET_COLOURS
from companion.vision.reader import CellPatches

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ColourSettings:
    """How colours are measured and weighed."""

    radius_cells: float = 0.36  # of the disc in the middle of a cell that is looked at
    body_mm: float = 8.0  # half the height of a body: the disc follows its lean
    every_px: int = 2  # of the patch
    most_glare: float = 0.8  # a share of blown-out pixels that is left out
    clipped: int = 240  # grey level from which on a channel says too little: bright plastic turns pale there
    most_clipped: float = 0.85  # ... and a share of such pixels that is left out
    rim_cells: float = 0.44  # half the side of a piece with its rim, which may show the colour that gloss hides
    rim_least: float = 0.02  # share of that square that must be neither blown out nor board
    board_near: float = 0.5  # a colour no further off the board's is the board's
    floor: float = 0.012  # linear light added before the ratio: dark pixels have no colour
    spread: float = 0.25  # standard deviation of a side's colour within one picture
    drift: float = 0.45  # ... of a side's mean from its known place, under another light
    taught_spread: float = 0.18
    taught_drift: float = 0.22
    tail: float = 0.02  # share of pieces that may look like anything
    tail_slope: float = 0.8  # how fast such a piece becomes unlikely with its distance
    slid: float = 0.03  # share of pieces that gloss or too much light has turned paler ...
    slid_most: float = 0.75  # ... by so much at most: a share of the way to neutral
    steady_drift: float = 0.05  # of the means between a whole board and a part of it read later
    rounds: int = 4


@dataclass(frozen=True, slots=True)
class SetColours:
    """The mean colours of a set's two sides, in `chroma` units, and how common such sets are."""

    name: str
    means: tuple[tuple[float, float], tuple[float, float]]
    share: float


KNOWN_SETS = (
    SetColours("silver-red", ((0.0, 0.0), (2.2, -0.1)), 0.85),
    SetColours("silver-gold", ((0.0, 0.05), (0.6, -1.2)), 0.05),
    SetColours("orange-blue", ((1.3, -1.5), (-0.6, 1.4)), 0.05),
    SetColours("green-purple", ((-1.4, -1.1), (0.9, 1.4)), 0.05),
)


def chroma(patches: CellPatches, settings: ColourSettings) -> Floats:
    """(n, 2) log(red / green), log(blue / green) of linear light: the median over each cell's middle."""
    n, size, step = len(patches), patches.size, settings.every_px
    reach = settings.radius_cells * patches.cell_mm / patches.mm_per_px
    axis = np.arange(-int(reach), int(reach) + 1, step)
    dx, dy = (grid.ravel() for grid in np.meshgrid(axis, axis))
    disc = np.hypot(dx, dy) <= reach
    shift = np.rint(patches.lean * settings.body_mm / patches.mm_per_px).astype(int)
    x = np.clip((size - 1) // 2 + dx[disc] + shift[:, :1], 0, size - 1)
    y = np.clip((size - 1) // 2 + dy[disc] - shift[:, 1:], 0, size - 1)
    cell = np.arange(n)[:, None]
    pixels = patches.pixels[cell, y, x]
    ratios = _ratios(pixels, settings)
    glare = patches.glare[cell, y, x]
    glare[glare.mean(axis=1) > settings.most_glare] = False  # too little would be left: better a pale colour than none
    clipped = glare | (pixels.max(axis=2) >= settings.clipped)
    plain = clipped.mean(axis=1) <= settings.most_clipped
    glare[plain] = clipped[plain]
    found, blown = np.median(ratios, axis=1), glare.any(axis=1)
    if blown.any():  # leaving pixels out takes its time
        found[blown] = np.nanmedian(np.where(glare[blown][..., None], np.nan, ratios[blown]), axis=1)
    if not plain.all():
        hidden = np.flatnonzero(~plain)
        found[hidden] = _rims(patches, hidden, found, settings)
    return np.asarray(found)


def _rims(patches: CellPatches, hidden: Numbers, found: Floats, settings: ColourSettings) -> Floats:
    """(k, 2) of the cells whose middle is blown out: what is no board and not blown out at their rims tells more."""
    middle, half = (patches.size - 1) / 2, settings.rim_cells * patches.cell_mm / patches.mm_per_px
    inner = slice(max(0, round(middle - half)), round(middle + half) + 1)
    edges = np.concatenate([patches.pixels[:, : inner.start], patches.pixels[:, inner.stop :]], axis=1)
    board = np.median(_ratios(edges[:, ::2, :: 2 * settings.every_px], settings).reshape(-1, 2), axis=0)
    colours = found[hidden].copy()
    for number, cell in enumerate(hidden):
        pixels = patches.pixels[cell, inner, inner].reshape(-1, 3)
        own = _ratios(pixels[pixels.max(axis=1) < settings.clipped], settings)
        own = own[np.hypot(*(own - board).T) > settings.board_near]
        if len(own) >= settings.rim_least * len(pixels):
            colours[number] = np.median(own, axis=0)
    return colours


def _ratios(pixels: NDArray[np.uint8], settings: ColourSettings) -> Floats:
    """(..., 2) log(red / green), log(blue / green) of linear light, of (..., 3) BGR."""
    logs = np.log((np.arange(256) / 255) ** 2.2 + settings.floor)[pixels]
    return np.asarray(logs[..., (2, 0)] - logs[..., 1:2])


@dataclass
class SideColours:
    """Tells sides in one picture; taught colours replace the known sets. Keeps the light of the last whole board."""

    settings: ColourSettings = field(default_factory=ColourSettings)
    taught: SetColours | None = None
    _seen: tuple[SetColours, ...] = ()

    def learn(self, colours: Floats, sides: Sequence[str]) -> None:
        """Take over the mean colours of both sides; a side that is not there keeps its known colour."""
        names = np.array(sides)
        known = (self.taught or KNOWN_SETS[0]).means
        silver, red = (
            _pair(np.median(colours[names == side], axis=0)) if (names == side).any() else known[i]
            for i, side in enumerate(KHET_COLOURS)
        )
        self.taught, self._seen = SetColours("taught", (silver, red), 1.0), ()

    def separation(self) -> float:
        """How many spreads lie between the two colours of the set."""
        a, b = (self.taught or KNOWN_SETS[0]).means
        return float(np.hypot(a[0] - b[0], a[1] - b[1]) / self.settings.taught_spread)

    def sides(self, colours: Floats, weight: Floats, hint: Floats, whole: bool = True) -> Floats:
        """(n, 2) probabilities of silver and red.

        `weight` (n) is how surely a piece stands on each cell; `hint` (n, 2) are log-probabilities from another
        witness, which only counts for a silver and red set that was not taught. A part of a board is read in the
        light of the last whole one.
        """
        s = self.settings
        spread = s.taught_spread if self.taught else s.spread
        drift = s.taught_drift if self.taught else s.drift
        sets: tuple[SetColours, ...] = (self.taught,) if self.taught else KNOWN_SETS
        if not whole and self._seen:
            sets, drift = self._seen, s.steady_drift
        results = [
            self._explained(colours, weight, known, spread, drift, hint if known.name == "silver-red" else None)
            for known in sets
        ]
        fits = np.array([np.log(known.share) + fit for known, (_, fit, _) in zip(sets, results, strict=True)])
        chances = np.exp(fits - fits.max())
        chances /= chances.sum()
        if whole:
            self._seen = tuple(
                SetColours(known.name, (_pair(means[0]), _pair(means[1])), max(float(p), 1e-9))
                for known, p, (_, _, means) in zip(sets, chances, results, strict=True)
            )
        return np.asarray(sum(p * shares for p, (shares, _, _) in zip(chances, results, strict=True)))

    def _explained(
        self, colours: Floats, weight: Floats, known: SetColours, spread: float, drift: float, hint: Floats | None
    ) -> tuple[Floats, float, Floats]:
        """Shares of the two sides when their means may drift with the picture's light, the log fit, the means."""
        prior, settings = np.array(known.means), self.settings
        means, extra = prior.copy(), np.zeros((len(colours), 2)) if hint is None else hint
        shares, fit = np.full((len(colours), 2), 0.5), np.zeros(len(colours))
        for _ in range(settings.rounds):
            distance = ((colours[:, None, :] - means[None]) ** 2).sum(axis=2) / (2 * spread**2)
            near = np.log((1 - settings.tail) / 2) - distance
            far = np.log(settings.tail / 2) - settings.tail_slope * np.sqrt(distance)
            pale = np.log(settings.slid / 2) - _aside(colours, means, settings.slid_most) / (2 * spread**2)
            total = np.logaddexp(np.logaddexp(near, far), pale) + extra
            fit = np.logaddexp(total[:, 0], total[:, 1])
            shares = np.exp(total - fit[:, None])
            mass, pull = shares * weight[:, None], (spread / drift) ** 2
            means = (mass.T @ colours + pull * prior) / (mass.sum(axis=0)[:, None] + pull)
        penalty = ((means - prior) ** 2).sum() / (2 * drift**2)
        return shares, float((fit * weight).sum() - penalty), means


def _aside(colours: Floats, means: Floats, most: float) -> Floats:
    """(n, 2) squared distances of colours from the way on which each mean fades to neutral."""
    lengths = np.maximum((means**2).sum(axis=1), 1e-9)
    faded = np.clip(1 - colours @ means.T / lengths, 0.0, most)
    return np.asarray(((colours[:, None, :] - (1 - faded)[..., None] * means[None]) ** 2).sum(axis=2))


def _pair(values: Floats) -> tuple[float, float]:
    return float(values[0]), float(values[1])
