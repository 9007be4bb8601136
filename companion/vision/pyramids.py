"""Icehouse pyramids anywhere on a table: places, sizes, poses, stacks and colours."""

import datetime
import json
import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLOURS, Piece
from companion.view import Sighting
from companion.vision.finders import Found, shared
from companion.vision.foreground import Ground, Region
from companion.vision.pyramid_colours import ColourSettings, PyramidColours, look_at
from companion.vision.pyramid_look import STACKED_BESIDE, LookNetwork, Opinion, columns_of, moved_by, shipped_look
from companion.vision.pyramid_patches import CHANNELS, SIDE_PX, PatchSettings, patches
from companion.vision.pyramid_proposals import (
    ProposalSettings,
    in_reach,
    in_zone,
    propose,
    region_round,
    shipped_proposals,
)
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
    settled,
    windows_of,
)
from companion.vision.pyramid_shapes import CLASSES, outline, stacked_on
from companion.vision.pyramid_stacks import StackSettings, stack_features, uppers

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

FORMAT = 3  # of the taught looks
FILE = "pyramids"


@dataclass(frozen=True, slots=True)
class PyramidSettings:
    """When a hypothesis counts as a piece, and how taught pieces are looked up."""

    piece: float = 0.8  # probability from which something is called a pyramid
    perhaps: float = 0.75  # ... and from which it is told as unknown
    sure_colour: float = 0.5  # a less probable best colour is "between two colours"
    overlap: float = 0.3  # shared part of the smaller outline, from which a piece is not beside another
    within: float = 0.22  # shared part of the smaller one, seen from straight above: one would stand in the other
    hidden: float = 0.7  # shared part of the smaller outline as the camera sees it: one would hide the other
    most_odds: float = 9.0  # no piece is worth more to a set
    storeys: int = 3
    stacked: float = 0.5  # least log-odds of an upper one that is smaller ...
    same_size: float = 99.0  # ... and of one of the same size: never, it hides the lower one
    carrying_from: float = -5.0  # least log-odds of hypotheses that are tried as lower ones of stacks
    most_carrying: int = 80
    bare: float = -3.0  # log-odds of all that may be stacked, below which nothing is
    backed_to: float = 2.5  # log-odds of lower ones are raised to this at most
    beside_from: float = -4.5  # log-odds of hypotheses right beside chosen pieces ...
    beside_gain: float = 3.0  # ... that gain so much when they are filled
    beside_fill: float = 0.6
    beside_mm: float = 45.0
    beside_grow: float = 1.35  # their outline so much larger touches the other piece
    worth_a_look: float = -6.5  # least log-odds by the judge without pictures, to be shown to the network ...
    most_looked: int = 200  # ... which looks at so many at most
    look_again: float = -5.0  # log-odds by the network, from which what seems a little off is moved and looked at again
    sure_odds: float = 6.0  # ... up to which
    off_mm: float = 0.8  # what is off by less stays
    over_mm: float = 5.0  # how far off its place on a lying one a piece may be that lies over its tip
    over_deg: float = 12.0
    least_belief: float = 1e-3
    by_edges: float = 0.5  # of the hypotheses by edges alone that are kept where the network proposes some, too
    explaining: float = 4.0  # least log-odds of proposed hypotheses that explain what is seen ...
    explained: float = 0.75  # ... and the share of a region from which nothing is looked for there by its edges
    explaining_mm: float = 3.0  # so far round a piece its soft rim and its shadow are explained, too
    label_reach_mm: float = 12.0  # how far from a region's rim a labelled piece may lie
    picture_px: int = 72  # side of the pictures of taught classes
    search: SearchSettings = field(default_factory=SearchSettings)
    proposals: ProposalSettings = field(default_factory=ProposalSettings)
    patches: PatchSettings = field(default_factory=PatchSettings)
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

    def middle(self, i: int) -> tuple[float, float]:
        """Millimetres. Upright pieces of a stack have one axis: it is where the lowest one was seen to stand."""
        below = self.on[i]
        if below is not None and CLASSES[self.found.kind[i]][1] == "upright":
            return self.middle(below)
        x, y = self.found.place[i, :2]
        return float(x), float(y)


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Hypotheses together with what each carries."""

    lower: Ints  # (t) numbers of the hypotheses
    odds: Floats  # (t) log-odds of both together
    tops: tuple[Floats, ...]  # outlines of the upper ones
    bare: frozenset[int] = frozenset()  # numbers of hypotheses that surely carry nothing


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
        bodies, terms = look_at(seen.windows, seen.found, seen.hidden())
        logs = self._colours(seen.windows, seen.found, seen.on, bodies, terms)
        shares, away = self.colours.told(bodies, terms, logs)
        return [self._told(ground, seen, i, shares[i], float(away[i])) for i in range(len(seen.found))]

    def see(self, ground: Ground) -> Seen:
        """Shapes and stacks, without their colours."""
        s = self.settings
        windows, found, odds = self._hypotheses(ground)
        trees = self._trees(ground, windows, found, odds)
        outlines = outlines_of(ground, found)
        feet = [outline(points[:, :2]) for points in found.corners()]
        chosen = _chosen(found, odds, trees, outlines, feet, s)[0]
        odds = self._among_others(windows, found, odds, outlines, chosen)
        chosen, own, rivals, on = _chosen(found, odds, trees, outlines, feet, s)
        polished, _ = fit(windows, found.only(chosen), polishing(s.search), s.search.polish)
        seen = Seen(windows, polished, own, rivals, on, tuple(outlines[i] for i in chosen))
        return self._with_stacks(ground, seen, {k for k, i in enumerate(chosen.tolist()) if i in trees.bare})

    def _hypotheses(self, ground: Ground) -> tuple[Windows, Hypotheses, Floats]:
        """Judged hypotheses and their log-odds: what the network proposes, and, wherever there is something that none
        of those surely explains, what fits the edges there.
        """
        s, network = self.settings, shipped_proposals()
        regions = [r for r in ground.regions if r.area_mm2 < s.search.largest_mm2]
        middles = np.array([(r.x + r.size_px[0] / 2, r.y + r.size_px[1] / 2) for r in regions]).reshape(-1, 2)
        near = in_reach(ground, ground.to_mm(middles * ground.settings.coarse), s.proposals)
        regions = [region for region, kept in zip(regions, near, strict=True) if kept]
        proposed = in_zone(ground, propose(ground, network, s.proposals)) if network else None
        if proposed is None or not len(proposed.kind):
            windows = windows_of(ground, regions, s.search)
            return windows, *self._judged(windows, search(windows, regions, s.search)[0])
        whole = region_round(ground, proposed.place[:, :2], s.proposals)
        windows = windows_of(ground, [*regions, whole], s.search)
        rough = Hypotheses(proposed.kind, proposed.place, np.full(len(proposed.kind), len(regions)))
        first, odds = self._judged(windows, settled(windows, rough, s.search))
        sure = outlines_of(ground, first.only(np.flatnonzero(odds > s.explaining)))
        open_ = [number for number, region in enumerate(regions) if _explained(ground, region, sure, s) < s.explained]
        by_edges = replace(
            s.search, kept=round(s.search.kept * s.by_edges), kept_per_mm2=s.search.kept_per_mm2 * s.by_edges
        )
        more, more_odds = self._judged(windows, search(windows, regions, by_edges, open_)[0])
        return windows, joined([first, more]), np.concatenate([odds, more_odds])

    def _judged(self, windows: Windows, found: Hypotheses) -> tuple[Hypotheses, Floats]:
        """What is worth to be followed, and its log-odds; what the network sees a little off is moved there."""
        s, network = self.settings, shipped_look()
        if not len(found):
            return found, np.zeros(0)
        columns = features(windows, found, s.search)
        odds = log_odds(columns)
        if network is None:
            return found, odds
        best = np.argsort(-odds)[: s.most_looked]
        best = best[odds[best] > s.worth_a_look]
        found, columns = found.only(best), columns[best]
        opinion = self._look(network, windows, found, None, columns)
        moved = moved_by(found, opinion.off)
        far = np.hypot(*(moved.place - found.place)[:, :2].T)
        again = np.flatnonzero((opinion.odds > s.look_again) & (opinion.odds < s.sure_odds) & (far > s.off_mm))
        if not len(again):
            return found, opinion.odds
        added, _ = fit(windows, moved.only(again), s.search, s.search.steps[2:])
        second = self._look(network, windows, added, None, features(windows, added, s.search))
        return joined([found, added]), np.concatenate([opinion.odds, second.odds])

    def _look(
        self,
        network: LookNetwork,
        windows: Windows,
        found: Hypotheses,
        carriers: Hypotheses | None,
        columns: Floats,
    ) -> Opinion:
        """What the network says of hypotheses; of stacked ones, `columns` are those of `stack_features`."""
        single = columns if carriers is None else columns[:, :-STACKED_BESIDE]
        seen = patches(windows, found, carriers, self.settings.patches)
        return network.look(seen, columns_of(single, None if carriers is None else columns, found.kind))

    def _stacked_odds(self, windows: Windows, lower: Hypotheses, upper: Hypotheses) -> Floats:
        """Log-odds of what may be stacked on each lower one."""
        s, network = self.settings, shipped_look()
        columns = stack_features(windows, lower, upper, s.search)
        odds = log_odds(columns, "stacks")
        if network is None or not len(upper):
            return odds
        seen = np.flatnonzero(odds > s.worth_a_look)
        opinion = self._look(network, windows, upper.only(seen), lower.only(seen), columns[seen])
        odds = np.minimum(odds, s.worth_a_look)
        odds[seen] = opinion.odds
        return odds

    def _trees(self, ground: Ground, windows: Windows, found: Hypotheses, odds: Floats) -> Trees:
        """What may carry a smaller piece: a lower one whose tip is covered looks little like a piece by itself."""
        s = self.settings
        open_ = np.flatnonzero(odds > s.carrying_from)
        open_ = open_[np.argsort(-odds[open_])][: s.most_carrying]
        if not len(open_):
            return Trees(open_, np.zeros(0), ())
        upper, under = uppers(windows, found.only(open_), s.search, s.stacks)
        support = self._stacked_odds(windows, found.only(open_[under]), upper)
        worth = np.minimum(odds[open_[under]], s.most_odds) + np.minimum(support, s.most_odds)
        good = np.flatnonzero(
            (support > _least_of_stacks(found.kind[open_[under]], upper.kind, s)) & (worth > _log_odds(s.perhaps))
        )
        most = np.full(len(open_), -np.inf)
        np.maximum.at(most, under, support)
        bare = frozenset(open_[most < s.bare].tolist())
        return Trees(open_[under[good]], worth[good], tuple(outlines_of(ground, upper.only(good))), bare)

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

    def _with_stacks(self, ground: Ground, seen: Seen, bare: Set[int]) -> Seen:
        """What is stacked on the pieces found, storey by storey; `bare` ones surely carry nothing."""
        s = self.settings
        done = {below for below in seen.on if below is not None} | bare
        fresh = [i for i in range(len(seen.found)) if seen.odds[i] > _log_odds(s.piece) and i not in done]
        for _ in range(s.storeys - 1):
            if not fresh:
                break
            lower = seen.found.only(fresh)
            upper, under = uppers(seen.windows, lower, s.search, s.stacks)
            odds = self._stacked_odds(seen.windows, lower.only(under), upper)
            start = len(seen.found)
            best = []
            for k in range(len(fresh)):
                own = np.flatnonzero(under == k)
                own = own[odds[own] > _least_of_stacks(lower.kind[k : k + 1], upper.kind[own], s)]
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

    def _colours(
        self, windows: Windows, found: Hypotheses, on: Sequence[int | None], bodies: Floats, terms: Floats
    ) -> Floats | None:
        """What the network says of the colours."""
        network = shipped_look()
        if network is None:
            return None
        seen = np.zeros((len(found), CHANNELS, SIDE_PX, SIDE_PX), np.uint8)
        alone = [i for i, below in enumerate(on) if below is None]
        upper = [(i, below) for i, below in enumerate(on) if below is not None]
        if alone:
            seen[alone] = patches(windows, found.only(alone), None, self.settings.patches)
        if upper:
            i, below = (list(column) for column in zip(*upper, strict=True))
            seen[i] = patches(windows, found.only(i), found.only(below), self.settings.patches)
        return network.colours(seen, bodies, terms)

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
        x_mm, y_mm = seen.middle(i)
        sighting = Sighting(
            beliefs=tuple(beliefs),
            x_mm=x_mm,
            y_mm=y_mm,
            heading_deg=pose.heading_deg if pose.pose == "lying" else None,
            base_deg=pose.heading_deg % 90 if pose.pose == "upright" else None,
            x_px=float(at[0]),
            y_px=float(at[1]),
            why=why,
        )
        return Found(sighting, sure, seen.outlines[i], seen.on[i])

    # --- learning ---------------------------------------------------------------------------------------------

    def learn(self, ground: Ground, sightings: Sequence[Sighting]) -> None:
        """Take over the colours of this set from pieces whose places are known."""
        s = self.settings
        named = list(_labelled(sightings))
        middles = np.array([(p.x_mm, p.y_mm) for _, p in named], dtype=np.float64).reshape(-1, 2)
        if not len(middles):
            return
        windows = windows_of(ground, [region_round(ground, middles, s.proposals)], s.search)
        places = self._laid(windows, named)
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

    def _laid(self, windows: Windows, named: Sequence[tuple[int, Sighting]]) -> list[Hypotheses | None]:
        """Labelled pieces as they are seen; what is stacked lies where it must on the piece that carries it."""
        laid: dict[int, Hypotheses | None] = {}
        sightings = dict(named)
        for number, sighting in sorted(named, key=lambda one: _storey(one[1], sightings)):
            below = laid.get(sighting.nested_on) if sighting.nested_on is not None else None
            if below is None:
                laid[number] = self._looked_up(windows, sighting)
            else:
                laid[number] = _put_on(below, str(sighting.piece.size))
        return [laid[number] for number, _ in named]

    def _looked_up(self, windows: Windows, sighting: Sighting) -> Hypotheses | None:
        """A labelled piece as it is seen: its label's place, fitted."""
        s, piece = self.settings, sighting.piece
        if sighting.x_mm is None or sighting.y_mm is None or (str(piece.size), str(piece.pose)) not in CLASSES:
            return None
        kind = CLASSES.index((str(piece.size), str(piece.pose)))
        headings = np.arange(0, PERIODS[kind], 15.0) if sighting.heading_deg is None else [sighting.heading_deg]
        place = np.array([(sighting.x_mm, sighting.y_mm, heading, 0.0) for heading in headings])
        tried = Hypotheses(np.full(len(place), kind), place, np.zeros(len(place), np.intp))
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
    return replace(s, fine_points=s.polish_points, rounds=s.polish_rounds)


def outlines_of(ground: Ground, found: Hypotheses) -> list[Floats]:
    """The convex outline of each, in the plane of the table."""
    return [outline(points) for points in ground.seen_at(found.corners())]


def _log_odds(p: float) -> float:
    return math.log(p / (1 - p))


def _chosen(
    found: Hypotheses,
    odds: Floats,
    trees: Trees,
    outlines: Sequence[Floats],
    feet: Sequence[Floats],
    s: PyramidSettings,
) -> tuple[Ints, Floats, tuple[dict[int, float], ...], tuple[int | None, ...]]:
    """The most probable set of hypotheses that do not exclude each other, their log-odds, the probability of every
    class at each spot, and stacks. A lying piece over the tip of another lying one excludes it not: it is stacked on
    it. A tree counts as one hypothesis in the place of its lower piece, which excludes what lies where its top does.
    """
    least, n = _log_odds(s.perhaps), len(found)
    of = np.concatenate([np.arange(n), trees.lower])  # the hypothesis that each candidate is
    all_odds = np.concatenate([odds, trees.odds])
    order = [int(i) for i in np.argsort(-all_odds) if all_odds[i] > least - 3]
    over: dict[int, set[int]] = {}
    foes: dict[int, set[int]] = {i: set() for i in order}
    as_top: set[tuple[int, int]] = set()
    spans = [_span(outlines[of[i]], trees.tops[i - n] if i >= n else None) for i in order]
    touching = _touching(spans) | _touching([feet[of[i]] for i in order])
    for rank, i in enumerate(order):
        for j in (order[m] for m in np.flatnonzero(touching[rank, :rank])):
            a, b = int(of[i]), int(of[j])
            if _stands_for_top(trees, i - n, outlines[b], s) or _stands_for_top(trees, j - n, outlines[a], s):
                _exclude_each_other(foes, i, j)
                as_top |= {(i, j), (j, i)}
            elif a != b and not _exclude(outlines[a], outlines[b], feet[a], feet[b], s):
                continue
            elif _lies_over(found, a, b, s):
                over.setdefault(i, set()).add(j)
            elif _lies_over(found, b, a, s):
                over.setdefault(j, set()).add(i)
            else:
                _exclude_each_other(foes, i, j)
    worth = np.concatenate([np.minimum(odds, s.most_odds), trees.odds]) - least
    kept = _best_set([i for i in order if worth[i] > 0], foes, worth)
    spots: dict[int, list[int]] = {i: [int(of[i])] for i in kept}
    for i in order:
        rivals = [k for k in kept if k in foes[i] and (i, k) not in as_top]
        if i < n and i not in spots and rivals and i != of[rivals[0]]:
            spots[rivals[0]].append(i)
    carried = tuple(next((kept.index(j) for j in over.get(i, ()) if j in kept), None) for i in kept)
    own = np.array([max(odds[of[i]], min(all_odds[i], s.backed_to)) for i in kept], dtype=np.float64)
    raised = odds.copy()
    raised[of[kept]] = own
    beliefs = tuple(_alternatives(found, raised, np.array(spots[i], dtype=np.intp)) for i in kept)
    return of[np.array(kept, dtype=np.intp)], own, beliefs, carried


def _least_of_stacks(lower: Ints, upper: Ints, s: PyramidSettings) -> Floats:
    """(n) least log-odds of what is stacked, by the classes of both."""
    return np.where(lower == upper, s.same_size, s.stacked)


def _exclude_each_other(foes: Mapping[int, set[int]], i: int, j: int) -> None:
    foes[i].add(j)
    foes[j].add(i)


def _explained(ground: Ground, region: Region, outlines: Sequence[Floats], s: PyramidSettings) -> float:
    """The share of a region that outlines cover."""
    step = ground.settings.coarse
    mask = np.zeros(region.mask.shape, np.uint8)
    for points in outlines:
        at = ground.fine_px(points) / step - (region.x, region.y)
        if (at.max(axis=0) >= 0).all() and (at.min(axis=0) <= region.size_px).all():
            cv2.fillConvexPoly(mask, np.rint(at).astype(np.int32), 1)
    wide = 2 * round(s.explaining_mm / (ground.settings.fine_mm * step)) + 1
    near = np.asarray(cv2.dilate(mask, np.ones((wide, wide), np.uint8)), bool)
    return float((near & region.mask).sum() / max(1, region.mask.sum()))


def _span(outline_mm: Floats, top: Floats | None) -> Floats:
    return outline_mm if top is None else np.vstack([outline_mm, top])


def _stands_for_top(trees: Trees, tree: int, other: Floats, s: PyramidSettings) -> bool:
    """True if another outline lies where the upper piece of a tree does: it is that piece, taken for one on the
    table."""
    return tree >= 0 and shared(trees.tops[tree], other) > s.hidden


def _exclude(seen: Floats, other: Floats, foot: Floats, other_foot: Floats, s: PyramidSettings) -> bool:
    """True when two pieces cannot both be there: one would stand in the other, or quite hide it."""
    return shared(foot, other_foot) > s.within or shared(seen, other) > s.hidden


def _touching(outlines: Sequence[Floats]) -> NDArray[np.bool_]:
    """(n, n) whose upright boxes overlap."""
    low = np.array([points.min(axis=0) for points in outlines]).reshape(-1, 1, 2)
    high = np.array([points.max(axis=0) for points in outlines]).reshape(-1, 1, 2)
    return np.asarray(((low <= high.transpose(1, 0, 2)) & (low.transpose(1, 0, 2) <= high)).all(axis=2))


def _best_set(order: Sequence[int], foes: Mapping[int, set[int]], worth: Floats) -> list[int]:
    """Greedily the best ones; then one is given up where several that only it excludes are worth more together."""
    kept: list[int] = []
    for i in order:
        if not foes[i] & set(kept):
            kept.append(i)
    better = True
    while better:
        better = False
        for k in list(kept):
            others = set(kept) - {k}
            instead: list[int] = []
            for i in (i for i in order if k in foes[i] and not foes[i] & others):
                if not foes[i] & set(instead):
                    instead.append(i)
            if sum(worth[i] for i in instead) > worth[k] + 1e-9:
                kept, better = [*others, *instead], True
                break
    return sorted(kept, key=lambda i: -worth[i])


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


def _storey(sighting: Sighting, others: Mapping[int, Sighting]) -> int:
    """How many pieces carry this one."""
    storey, below = 0, sighting.nested_on
    while below is not None and below in others and storey < len(others):
        storey, below = storey + 1, others[below].nested_on
    return storey


def _put_on(below: Hypotheses, size: str) -> Hypotheses:
    """The piece of a size that is stacked on another."""
    due = stacked_on(below.pose(0), size)
    place = np.array([[due.x_mm, due.y_mm, due.heading_deg, due.z_mm]])
    return Hypotheses(np.array([CLASSES.index((due.size, due.pose))]), place, below.window)


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
