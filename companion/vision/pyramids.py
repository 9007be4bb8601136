"""Icehouse pyramids anywhere on a table: places, sizes, poses, stacks and colours."""

import datetime
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLOURS, Piece
from companion.view import Sighting
from companion.vision.finders import Found, shared
from companion.vision.foreground import Ground
from companion.vision.pyramid_colours import ColourSettings, PyramidColours, look_at
from companion.vision.pyramid_score import features, log_odds
from companion.vision.pyramid_search import (
    PERIODS,
    Hypotheses,
    SearchSettings,
    Windows,
    fill_strength,
    fit,
    joined,
    search,
    windows_of,
)
from companion.vision.pyramid_shapes import CLASSES, outline, stacked_on
from companion.vision.pyramid_stacks import StackSettings, stack_features, uppers

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

FORMAT = 1  # of the taught looks
FILE = "pyramids"


@dataclass(frozen=True, slots=True)
class PyramidSettings:
    """When a hypothesis counts as a piece, and how taught pieces are looked up."""

    piece: float = 0.5  # probability from which something is called a pyramid
    perhaps: float = 0.45  # ... and from which it is told as unknown
    sure_colour: float = 0.5  # a less probable best colour is "between two colours"
    overlap: float = 0.3  # shared part of the smaller outline, above which two hypotheses exclude each other
    storeys: int = 3
    stack_odds: tuple[float, ...] = (
        99.0,
        0.5,
        0.5,
    )  # least log-odds of an upper one of the same size (never), or smaller
    backed_from: float = -5.0  # log-odds of hypotheses that what seems stacked on them may raise ...
    backed_to: float = 2.5  # ... to this at most
    backing: float = 1.0  # least log-odds of what seems stacked
    most_backed: int = 60
    beside_from: float = -4.5  # log-odds of hypotheses right beside chosen pieces ...
    beside_gain: float = 3.0  # ... that gain so much when they are filled
    beside_fill: float = 0.6
    beside_mm: float = 45.0
    beside_grow: float = 1.35  # their outline so much larger touches the other piece
    over_mm: float = 3.5  # how far off its place on a lying one a piece may be that lies over its tip
    over_deg: float = 9.0
    least_belief: float = 1e-3
    label_reach_mm: float = 12.0  # how far from a region's rim a labelled piece may lie
    picture_px: int = 72  # side of the pictures of taught classes
    search: SearchSettings = field(default_factory=SearchSettings)
    stacks: StackSettings = field(default_factory=StackSettings)
    colours: ColourSettings = field(default_factory=ColourSettings)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Pieces of one ground: hypotheses, log-odds of each, the alternatives at its spot, and what carries it."""

    windows: Windows
    found: Hypotheses
    odds: Floats  # (n) log-odds
    rivals: tuple[dict[int, float], ...]  # class number -> probability, at the same spot
    on: tuple[int | None, ...]
    outlines: tuple[Floats, ...]

    def hidden(self) -> dict[int, list[Floats]]:
        """What covers each piece of a stack."""
        covers: dict[int, list[Floats]] = {}
        for i, below in enumerate(self.on):
            while below is not None:
                covers.setdefault(below, []).append(self.outlines[i])
                below = self.on[below]
        return covers


class PyramidFinder:
    """The family of pyramids: see `companion.vision.finders.FamilyFinder`."""

    def __init__(self, settings: PyramidSettings | None = None) -> None:
        self.settings = settings or PyramidSettings()
        self.colours = PyramidColours(self.settings.colours)
        self._close: list[tuple[str, str]] = []
        self._taught_at: str | None = None
        self._pictures: dict[str, NDArray[np.uint8]] = {}

    @property
    def too_close(self) -> tuple[tuple[str, str], ...]:
        """Pairs of taught colours that may be mixed up over the surface they were taught on."""
        return tuple(self._close)

    def find(self, ground: Ground) -> list[Found]:
        """Every pyramid."""
        seen = self.see(ground)
        if not len(seen.found):
            return []
        shares, away = self.colours.told(*look_at(seen.windows, seen.found, seen.hidden()))
        return [self._told(ground, seen, i, shares[i], float(away[i])) for i in range(len(seen.found))]

    def see(self, ground: Ground) -> Seen:
        """Shapes and stacks, without their colours."""
        s = self.settings
        regions = [r for r in ground.regions if r.area_mm2 < s.search.largest_mm2]
        windows = windows_of(ground, regions, s.search)
        found, _ = search(windows, regions, s.search)
        odds = log_odds(features(windows, found, s.search)) if len(found) else np.zeros(0)
        odds = self._backed(windows, found, odds)
        outlines = outlines_of(ground, found)
        chosen, _, _ = _chosen(found, odds, outlines, s)
        odds = self._among_others(windows, found, odds, outlines, chosen)
        chosen, rivals, on = _chosen(found, odds, outlines, s)
        polished, _ = fit(windows, found.only(chosen), polishing(s.search), s.search.polish)
        seen = Seen(windows, polished, odds[chosen], rivals, on, tuple(outlines[i] for i in chosen))
        return self._with_stacks(ground, seen)

    def _backed(self, windows: Windows, found: Hypotheses, odds: Floats) -> Floats:
        """Odds in which a piece whose tip another one covers is backed by that one."""
        s = self.settings
        open_ = np.flatnonzero((odds > s.backed_from) & (odds < s.backed_to))
        open_ = open_[np.argsort(-odds[open_])][: s.most_backed]
        if not len(open_):
            return odds
        upper, under = uppers(windows, found.only(open_), s.search, s.stacks)
        columns = stack_features(windows, found.only(open_[under]), upper, s.search)
        support = log_odds(columns, "stacks")
        smaller = found.kind[open_[under]] != upper.kind
        backed = odds.copy()
        for k in np.flatnonzero((support > s.backing) & smaller):
            i = open_[under[k]]
            backed[i] = max(backed[i], min(support[k], s.backed_to))
        return backed

    def _among_others(
        self, windows: Windows, found: Hypotheses, odds: Floats, outlines: Sequence[Floats], chosen: Ints
    ) -> Floats:
        """Odds in which what nobody has explained, right beside chosen pieces, is more likely one, too."""
        s = self.settings
        if not len(chosen):
            return odds
        fill = fill_strength(windows, found, s.search)
        middles = np.array([outlines[i].mean(axis=0) for i in chosen])
        better = odds.copy()
        open_ = (odds > s.beside_from) & (odds < _log_odds(s.piece)) & (fill > s.beside_fill)
        for i in np.flatnonzero(open_).tolist():
            near = chosen[np.hypot(*(middles - outlines[i].mean(axis=0)).T) < s.beside_mm].tolist()
            own = [shared(outlines[i], outlines[j]) for j in near if j != i]
            grown = outlines[i].mean(axis=0) + (outlines[i] - outlines[i].mean(axis=0)) * s.beside_grow
            if own and max(own) < s.overlap / 2 and max(shared(grown, outlines[j]) for j in near if j != i) > 0:
                better[i] += s.beside_gain
        return better

    def _with_stacks(self, ground: Ground, seen: Seen) -> Seen:
        """What is stacked on the pieces found, storey by storey."""
        s = self.settings
        carrying = {below for below in seen.on if below is not None}
        fresh = [i for i in range(len(seen.found)) if seen.odds[i] > _log_odds(s.piece) and i not in carrying]
        for _ in range(s.storeys - 1):
            if not fresh:
                break
            lower = seen.found.only(fresh)
            upper, under = uppers(seen.windows, lower, s.search, s.stacks)
            columns = stack_features(seen.windows, lower.only(under), upper, s.search)
            odds = log_odds(columns, "stacks")
            start = len(seen.found)
            best = []
            for k in range(len(fresh)):
                own = np.flatnonzero(under == k)
                least = np.array(s.stack_odds)[lower.kind[k] % 3 - upper.kind[own] % 3]
                own = own[odds[own] > least]
                if len(own):
                    best.append(int(own[odds[own].argmax()]))
            if not best:
                break
            added = upper.only(best)
            seen = Seen(
                seen.windows,
                joined([seen.found, added]),
                np.concatenate([seen.odds, odds[best]]),
                (*seen.rivals, *(_alternatives(upper, odds, np.flatnonzero(under == under[i])) for i in best)),
                (*seen.on, *(fresh[int(under[i])] for i in best)),
                (*seen.outlines, *outlines_of(ground, added)),
            )
            fresh = list(range(start, len(seen.found)))
        return seen

    def _told(self, ground: Ground, seen: Seen, i: int, shares: Floats, away: float) -> Found:
        s = self.settings
        pose = seen.found.pose(i)
        beliefs = []
        for kind, p in seen.rivals[i].items():
            size, stands = CLASSES[kind]
            for colour in np.argsort(-shares)[:4]:
                beliefs.append((Piece("pyramid", PYRAMID_COLOURS[colour], size, stands), p * float(shares[colour])))
        beliefs = sorted((b for b in beliefs if b[1] >= s.least_belief), key=lambda b: -b[1])
        sure = float(1 / (1 + math.exp(-float(seen.odds[i]))))
        why = None
        if sure < s.piece:
            why = "like a pyramid, but not surely one"
        elif away > s.colours.odd or shares.max() < s.sure_colour:
            first, second = (PYRAMID_COLOURS[c] for c in np.argsort(-shares)[:2])
            why = f"between {first} and {second}"
        at = ground.pose.project(pose.corners().mean(axis=0)[None])[0]
        sighting = Sighting(
            beliefs=tuple(beliefs),
            x_mm=pose.x_mm,
            y_mm=pose.y_mm,
            heading_deg=pose.heading_deg if pose.pose == "lying" else None,
            x_px=float(at[0]),
            y_px=float(at[1]),
            why=why,
        )
        return Found(sighting, sure, seen.outlines[i], seen.on[i])

    # --- learning ---------------------------------------------------------------------------------------------

    def learn(self, ground: Ground, sightings: Sequence[Sighting]) -> None:
        """Take over the colours of this set from pieces whose places are known."""
        s = self.settings
        regions = [r for r in ground.regions if r.area_mm2 < s.search.largest_mm2]
        windows = windows_of(ground, regions, s.search)
        named = list(_labelled(sightings))
        places = [self._looked_up(windows, sighting) for _, sighting in named]
        kept = [k for k, place in enumerate(places) if place is not None]
        if not kept:
            return
        found = joined([place for place in places if place is not None])
        outlines = outlines_of(ground, found)
        covers = _covers(named, kept, outlines)
        bodies, terms = look_at(windows, found, covers)
        names = [str(named[k][1].piece.colour) for k in kept]
        self.colours.learn(bodies, terms, names)
        self._close = self.colours.too_close(terms.mean(axis=0))
        self._taught_at = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        for i, name in enumerate(names):
            size, pose = CLASSES[found.kind[i]]
            self._pictures.setdefault(f"{name}-{size}-{pose}", _picture(ground, outlines[i], s.picture_px))

    def _looked_up(self, windows: Windows, sighting: Sighting) -> Hypotheses | None:
        """A labelled piece as it is seen: its label's place, fitted."""
        s, piece = self.settings, sighting.piece
        if sighting.x_mm is None or sighting.y_mm is None or (str(piece.size), str(piece.pose)) not in CLASSES:
            return None
        kind = CLASSES.index((str(piece.size), str(piece.pose)))
        at = windows.ground.fine_px(np.array([sighting.x_mm, sighting.y_mm]))
        inside = (at >= windows.corner) & (at < windows.corner + windows.size)
        own = np.flatnonzero(inside.all(axis=1))
        if not len(own):
            return None
        middle = windows.corner[own] + windows.size[own] / 2
        window = own[np.abs(middle - at).max(axis=1).argmin()]
        headings = np.arange(0, PERIODS[kind], 15.0) if sighting.heading_deg is None else [sighting.heading_deg]
        place = np.array([(sighting.x_mm, sighting.y_mm, heading, 0.0) for heading in headings])
        tried = Hypotheses(np.full(len(place), kind), place, np.full(len(place), window))
        fitted, scores = fit(windows, tried, s.search)
        best = fitted.only([int(scores.argmax())])
        off = math.hypot(best.place[0, 0] - sighting.x_mm, best.place[0, 1] - sighting.y_mm)
        return best if off < s.label_reach_mm else None

    # --- taught looks on disk ---------------------------------------------------------------------------------

    def save(self, folder: Path) -> None:
        """Write pyramids.json, pyramids.npz and a picture of each taught class."""
        if self._taught_at is None:
            return
        about = {
            "format": FORMAT,
            "taught": self._taught_at,
            "too_close": self._close,
            "pictures": sorted(f"pyramid-{name}.png" for name in self._pictures),
        }
        (folder / f"{FILE}.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        with (folder / f"{FILE}.npz").open("wb") as file:
            np.savez(file, **self.colours.arrays())  # type: ignore[arg-type]
        for name, picture in self._pictures.items():
            cv2.imwrite(str(folder / f"pyramid-{name}.png"), picture)

    def load(self, folder: Path) -> None:
        """Take back what `save` wrote; nothing there is no error."""
        if not (folder / f"{FILE}.json").exists():
            return
        try:
            about = json.loads((folder / f"{FILE}.json").read_text(encoding="utf-8"))
            if about["format"] != FORMAT:
                raise ValueError(f"its format is {about['format']}, this program writes {FORMAT}")
            with np.load(folder / f"{FILE}.npz") as arrays:
                self.colours.take(dict(arrays))
            self._close = [(str(a), str(b)) for a, b in about.get("too_close", ())]
            self._taught_at = about.get("taught")
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{folder} holds no taught looks of pyramids ({error}): teach the set anew") from error


def polishing(s: SearchSettings) -> SearchSettings:
    """Settings for the few hypotheses that are chosen."""
    return replace(s, fine_points=s.polish_points)


def outlines_of(ground: Ground, found: Hypotheses) -> list[Floats]:
    """The convex outline of each, in the plane of the table."""
    return [outline(points) for points in ground.seen_at(found.corners())]


def _log_odds(p: float) -> float:
    return math.log(p / (1 - p))


def _chosen(
    found: Hypotheses, odds: Floats, outlines: Sequence[Floats], s: PyramidSettings
) -> tuple[Ints, tuple[dict[int, float], ...], tuple[int | None, ...]]:
    """The best hypotheses that do not exclude each other, at each spot the probability of every class, and stacks.

    A lying piece over the tip of another lying one excludes it not: it is stacked on it.
    """
    order = [int(i) for i in np.argsort(-odds) if odds[i] > _log_odds(s.perhaps) - 3]
    kept: list[int] = []
    losers: list[list[int]] = []
    on: dict[int, int] = {}
    for i in order:
        clash = [k for k, j in enumerate(kept) if shared(outlines[i], outlines[j]) > s.overlap]
        over = [k for k in clash if _lies_over(found, i, kept[k], s) or _lies_over(found, kept[k], i, s)]
        if clash and clash != over:
            losers[next(k for k in clash if k not in over)].append(i)
        elif odds[i] > _log_odds(s.perhaps):
            for k in over:
                upper, lower = (i, kept[k]) if _lies_over(found, i, kept[k], s) else (kept[k], i)
                on.setdefault(upper, lower)
            kept.append(i)
            losers.append([])
    spots = [np.array([i, *others], dtype=np.intp) for i, others in zip(kept, losers, strict=True)]
    carried = tuple(kept.index(on[i]) if i in on else None for i in kept)
    return np.array(kept, dtype=np.intp), tuple(_alternatives(found, odds, spot) for spot in spots), carried


def _lies_over(found: Hypotheses, upper: int, lower: int, s: PyramidSettings) -> bool:
    """True if a lying piece lies where one stacked on that other lying piece would."""
    (size, pose), (_, below_pose) = CLASSES[found.kind[upper]], CLASSES[found.kind[lower]]
    if pose != "lying" or below_pose != "lying" or found.kind[upper] >= found.kind[lower]:
        return False
    x, y, heading, _ = found.place[upper]
    turned = abs((heading - found.place[lower, 2] + 180) % 360 - 180)
    due = stacked_on(found.pose(lower), size)
    return turned < s.over_deg and math.hypot(x - due.x_mm, y - due.y_mm) < s.over_mm


def _alternatives(found: Hypotheses, odds: Floats, spot: Ints) -> dict[int, float]:
    """Probability of each class at one spot, by the odds of its best hypothesis there."""
    best: dict[int, float] = {}
    for i in spot:
        kind = int(found.kind[i])
        best[kind] = max(best.get(kind, -math.inf), float(np.clip(odds[i], -30, 12)))
    whole = 1 + sum(math.exp(v) for v in best.values())
    return {kind: math.exp(v) / whole for kind, v in best.items()}


def _labelled(sightings: Sequence[Sighting]) -> Iterator[tuple[int, Sighting]]:
    for number, sighting in enumerate(sightings):
        piece = sighting.piece
        if piece.kind == "pyramid" and piece.colour in PYRAMID_COLOURS:
            yield number, sighting


def _covers(
    named: Sequence[tuple[int, Sighting]], kept: Sequence[int], outlines: Sequence[Floats]
) -> dict[int, list[Floats]]:
    """Outlines of labelled pieces over those that carry them."""
    row = {named[k][0]: i for i, k in enumerate(kept)}
    covers: dict[int, list[Floats]] = {}
    for i, k in enumerate(kept):
        below = named[k][1].nested_on
        if below is not None and below in row:
            covers.setdefault(row[below], []).append(outlines[i])
    return covers


def _picture(ground: Ground, outline_mm: Floats, side: int) -> NDArray[np.uint8]:
    """What a piece looks like from above."""
    at = np.rint(ground.fine_px(outline_mm).mean(axis=0)).astype(int)
    half = side // 2
    x, y = (int(np.clip(v, half, limit - half)) for v, limit in zip(at, ground.colours.shape[1::-1], strict=True))
    return np.ascontiguousarray(ground.colours[y - half : y + half, x - half : x + half])
