"""Icehouse pyramids anywhere on a table: places, sizes, poses, stacks and colours."""

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLOURS, Piece
from companion.view import Sighting
from companion.vision.chances import chance_of, odds_of
from companion.vision.convex import shared
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground
from companion.vision.pyramids.added import with_added
from companion.vision.pyramids.alone import came_alone, unseen
from companion.vision.pyramids.candidates import Candidates
from companion.vision.pyramids.choice import Choice, Trees, chosen_set
from companion.vision.pyramids.colours import look_at
from companion.vision.pyramids.faint import Faint, faint_beside, still_faint
from companion.vision.pyramids.fit import fill_strength
from companion.vision.pyramids.hues import shipped_hues
from companion.vision.pyramids.hypotheses import Hypotheses, joined
from companion.vision.pyramids.judge import Judge
from companion.vision.pyramids.known import elsewhere
from companion.vision.pyramids.pair_look import pair_odds
from companion.vision.pyramids.pairs import Pairs, pairs_of
from companion.vision.pyramids.patches import patches_of
from companion.vision.pyramids.placed import Placed, outlines_of
from companion.vision.pyramids.proposals import region_round
from companion.vision.pyramids.seen import Seen
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shadows import against_shadows
from companion.vision.pyramids.shapes import CLASSES, STANDING
from companion.vision.pyramids.since import Since, since_last_look
from companion.vision.pyramids.stacks import uppers
from companion.vision.pyramids.taught import TaughtPyramids
from companion.vision.pyramids.trees import SMALL, grown
from companion.vision.pyramids.windows import Windows, windows_of

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


class PyramidFinder:
    """The family of pyramids: see `companion.vision.finders.FamilyFinder`."""

    def __init__(self, settings: PyramidSettings | None = None, judge: Judge | None = None) -> None:
        self.settings = settings or PyramidSettings()
        self.judge = judge or Judge(self.settings)
        self.candidates = Candidates(self.judge)
        self._taught = TaughtPyramids(self.settings)

    @property
    def too_close(self) -> tuple[tuple[str, str], ...]:
        """Pairs of taught colours that may be mixed up over the surface they were taught on."""
        return self._taught.too_close

    def find(self, ground: Ground) -> list[Found]:
        """Every pyramid."""
        seen, faint, since = self._seen(ground)
        pieces = [*self._pieces(ground, seen), *self._faint(ground, seen, faint)]
        return [*pieces, *still_faint(since, [f.outline_mm for f in pieces], self.settings)]

    def _pieces(self, ground: Ground, seen: Seen) -> list[Found]:
        if not len(seen.found):
            return []
        shares, away = self._shares(seen)
        for i, told in seen.told.items():
            shares[i] += self.settings.added.steady * (told - shares[i])
        for i, known in seen.before.items():
            shares[i], away[i] = known, 0.0
        return [self._told(ground, seen, i, shares[i], float(away[i])) for i in range(len(seen.found))]

    def _faint(self, ground: Ground, seen: Seen, faint: Faint) -> list[Found]:
        """What may be a piece all the same; of the colours of the others it tells nothing."""
        if not len(faint.found):
            return []
        both = faint.beside(seen, self.settings)
        shares, away = self._shares(both)
        new = range(len(seen.found), len(both.found))
        told = (self._told(ground, both, i, shares[i], float(away[i])) for i in new)
        return [replace(f, sighting=replace(f.sighting, faint=True), nearly=True) for f in told]

    def see(self, ground: Ground) -> Seen:
        """Shapes and stacks, without their colours."""
        return self._seen(ground)[0]

    def _seen(self, ground: Ground) -> tuple[Seen, Faint, Since]:
        s, since = self.settings, since_last_look(ground, self.settings)
        windows, found, odds = self.candidates.of(ground, since)
        if unseen(ground, found, odds, odds_of(s.piece), s):
            since = replace(since, alone=came_alone(ground, self.candidates.on_bare, s))
            if len(since.alone.pieces):
                windows, found, odds = self.candidates.of(ground, since)
        tried = Placed.over(ground, found)
        odds = odds - since.against(found, odds, tried.outlines)
        trees = self._trees(ground, windows, found, odds)

        def choice(now: Floats) -> Choice:
            return chosen_set(tried, now, trees, s)

        chosen = choice(odds)[0]
        gains = self._among_others(windows, tried, odds, chosen)
        chosen = choice(odds + gains)[0]
        gains = gains - against_shadows(tried, chosen, s.shadows)
        odds = self._from_all_sides(windows, since, found, odds, gains, choice)
        chosen, own, rivals, on = choice(odds)
        seen = Seen(
            windows,
            self.judge.measured(windows, found.only(chosen)),
            own,
            rivals,
            on,
            tuple(tried.outlines[i] for i in chosen),
        )
        seen = self._with_trees(seen, {k for k, i in enumerate(chosen.tolist()) if i in trees.bare})
        paired = self._with_pairs(seen)
        lying = with_added(paired, since.change, self.judge.stacked, lambda now: self._shares(now)[0], s)
        lying = replace(lying, came=since.gains(lying.found, lying.outlines), told=since.colours(lying))
        lying = replace(lying, rivals=since.classes(lying))
        watched = np.full(len(odds), -np.inf) if since.watched is None else odds  # of photographs nobody is asked
        return lying, faint_beside(lying, windows, tried, watched, s), since

    def _trees(self, ground: Ground, windows: Windows, found: Hypotheses, odds: Floats) -> Trees:
        """What may carry a smaller piece: a lower one whose tip is covered looks little like a piece by itself."""
        s = self.settings
        open_ = np.flatnonzero(odds > s.carrying_from)
        open_ = open_[np.argsort(-odds[open_])][: s.most_carrying]
        if not len(open_):
            return Trees(open_, np.zeros(0), ())
        upper, under, support = self.on_each(windows, found.only(open_))
        worth = np.minimum(odds[open_[under]], s.most_odds) + np.minimum(support, s.most_odds)
        smaller = upper.kind != found.kind[open_[under]]
        good = np.flatnonzero(smaller & (support > s.stacked) & (worth > odds_of(s.perhaps)))
        most = np.full(len(open_), -np.inf)
        np.maximum.at(most, under, support)
        bare = frozenset(open_[most < s.bare].tolist())
        return Trees(open_[under[good]], worth[good], tuple(outlines_of(ground, upper.only(good))), bare)

    def _among_others(self, windows: Windows, tried: Placed, odds: Floats, chosen: Ints) -> Floats:
        """(n) log-odds by which what nobody has explained, right beside chosen pieces, is likelier to be one, too."""
        s, outlines, gains = self.settings, tried.outlines, np.zeros(len(odds))
        if not len(chosen):
            return gains
        fill = fill_strength(windows, tried.found, s.search)
        middles = np.array([outlines[i].mean(axis=0) for i in chosen])
        open_ = (odds > s.beside_from) & (odds < odds_of(s.piece)) & (fill > s.beside_fill)
        for i in np.flatnonzero(open_).tolist():
            near = chosen[np.hypot(*(middles - outlines[i].mean(axis=0)).T) < s.beside_mm].tolist()
            own = [shared(outlines[i], outlines[j]) for j in near if j != i]
            grown = outlines[i].mean(axis=0) + (outlines[i] - outlines[i].mean(axis=0)) * s.beside_grow
            if own and max(own) < s.overlap / 2 and max(shared(grown, outlines[j]) for j in near if j != i) > 0:
                gains[i] = s.beside_gain
        return gains

    def _from_all_sides(
        self,
        windows: Windows,
        since: Since,
        found: Hypotheses,
        odds: Floats,
        gains: Floats,
        choice: Callable[[Floats], Choice],
    ) -> Floats:
        """Odds with their gains; of what would be chosen and was not known before, the mean of them and of how it looks
        from all sides where it is measured: of many hypotheses, the likeliest seems likelier than it is where it was
        tried, and from one side. What the second network refuses is not chosen.
        """
        s, looked, odds = self.settings, set[int](), odds + gains
        for _ in range(s.most_chosen):
            chosen = (i for i in choice(odds)[0].tolist() if i not in looked)
            new = [i for i in chosen if not since.known.holds(found, i, s.added)]
            if not new:
                break
            looked |= set(new)
            tried = found.only(new)
            self.judge.keep_likelier(windows, tried.only(since.alone.gains(tried, s) > 0))
            there = self.judge.measured(windows, tried)
            told = since.weighed(there, self.judge.from_all_sides(windows, there))
            for i, likely in zip(new, told.tolist(), strict=True):
                if likely < s.sure_odds:
                    odds[i] = min(odds[i], (odds[i] + likely + gains[i]) / 2)
            refused = np.array(new)[self.judge.refused(windows, there)]
            self._refuse(windows, found, odds, refused)
        return odds

    def _refuse(self, windows: Windows, found: Hypotheses, odds: Floats, refused: Ints) -> None:
        """Lower the odds of what was refused; so is what else may be told as a piece there, if it is refused, too."""
        if not len(refused):
            return
        s = self.settings
        odds[refused] = np.minimum(odds[refused], s.refused)
        apart = np.linalg.norm(found.place[:, None, :2] - found.place[None, refused, :2], axis=2).min(axis=1)
        rivals = np.flatnonzero((apart < s.added.round_mm) & (odds > s.refused))
        rivals = rivals[self.judge.refused(windows, found.only(rivals))]
        odds[rivals] = np.minimum(odds[rivals], s.refused)

    def _with_trees(self, seen: Seen, bare: Set[int]) -> Seen:
        """What is on each lowest piece, by all trees that hold what was found on it. `bare` ones carry nothing."""
        on = {below: i for i, below in enumerate(seen.on) if below is not None}
        sure = seen.odds > odds_of(self.settings.piece)
        lowest = [i for i, below in enumerate(seen.on) if below is None and ((sure[i] and i not in bare) or i in on)]
        if not lowest:
            return seen
        trees, least = grown(seen.windows, seen.found.only(lowest), self.on_each), self.settings.grown
        for n, top in enumerate(lowest):
            upper = on.get(top)
            if upper is None:
                for piece in trees.on(n, least):
                    seen, top = seen.with_upper(piece.piece, piece.odds, top), len(seen.found)
            elif upper not in on and seen.found.kind[upper] % STANDING == SMALL:
                flat = seen.found.place[upper, 3] == 0  # measured as if it stood on the table
                own = seen.found.only([upper]) if flat else trees.top.only([n])
                for piece in trees.under_small(n, least):
                    seen = seen.with_between(upper, own, piece.piece, piece.odds)
            elif upper not in on:
                for piece in trees.over_medium(n, least):
                    seen = seen.with_upper(piece.piece, piece.odds, upper)
        return seen

    def on_each(self, windows: Windows, lower: Hypotheses) -> tuple[Hypotheses, Ints, Floats]:
        """What may be stacked on lower ones, on which of them each is, and its log-odds."""
        upper, under = uppers(windows, lower, self.settings.search)
        return upper, under, self.judge.stacked(windows, lower.only(under), upper, alike=False)

    def _with_pairs(self, seen: Seen) -> Seen:
        """What surely lies on or under single pieces beside that: above all pieces of the same size."""
        s = self.settings
        pairs = self.pairs_beside(seen)
        odds = pair_odds(seen.windows, pairs, s)
        done: set[int] = set()
        for i in np.argsort(-odds).tolist():
            piece = int(pairs.piece[i])
            if odds[i] < s.paired:
                break
            lower, upper = pairs.lower.only([i]), pairs.upper.only([i])
            own, added = (lower, upper) if pairs.below[i] else (upper, lower)
            if piece not in done and not seen.in_the_way(added, piece, s):
                seen = seen.with_pair(piece, own, added, float(odds[i]), bool(pairs.below[i]))
            done.add(piece)
        return seen

    def pairs_beside(self, seen: Seen) -> Pairs:
        """Pairs that may be there beside what was seen."""
        carried = np.array([below is not None for below in seen.on], dtype=bool)
        carrying = np.isin(np.arange(len(carried)), [below for below in seen.on if below is not None])
        return pairs_of(seen.windows, seen.found, ~carrying, ~carried, self.settings.search)

    def _shares(self, seen: Seen) -> tuple[Floats, Floats]:
        """(n, 10) probabilities of the colours, and (n) how far each is from all of them."""
        plastic = self._beside_known(seen)
        bodies, terms = look_at(plastic.windows, plastic.found, plastic.hidden())
        shares, away = self._taught.colours.told(bodies, terms, self._colours(plastic, bodies, terms))
        return shares[: len(seen.found)], away[: len(seen.found)]

    def _beside_known(self, seen: Seen) -> Seen:
        """These, and after them what lies elsewhere as it lay: what colour one is, the others tell.

        All where the table's own pattern is seen, too: translucent plastic shows what it lies on.
        """
        ground, known = seen.windows.ground, elsewhere(seen.windows.ground)
        if not len(known) and ground.taken is None:
            return seen
        found, taken = joined([seen.found, known]), ground.as_taken
        whole = region_round(taken, found.place[:, :2], self.settings.proposals)
        return replace(
            seen,
            windows=windows_of(taken, [whole], self.settings.search),
            found=replace(found, window=np.zeros(len(found), np.intp)),
            on=(*seen.on, *(None,) * len(known)),
            outlines=(*seen.outlines, *outlines_of(ground, known)),
        )

    def _colours(self, seen: Seen, bodies: Floats, terms: Floats) -> Floats | None:
        """What the network says of the colours."""
        network = shipped_hues()
        if network is None:
            return None
        looks = patches_of(seen.windows, seen.found, seen.on, seen.hidden(), self.settings.patches)
        return network.colours(looks, bodies, terms, seen.found.kind)

    def _told(self, ground: Ground, seen: Seen, i: int, shares: Floats, away: float) -> Found:
        s = self.settings
        pose = seen.found.pose(i)
        beliefs = []
        for kind, p in seen.rivals[i].items():
            size, stands = CLASSES[kind]
            for colour in np.argsort(-shares):
                beliefs.append((Piece("pyramid", PYRAMID_COLOURS[colour], size, stands), p * float(shares[colour])))
        beliefs = sorted((b for b in beliefs if b[1] >= s.least_belief), key=lambda b: -b[1])
        sure = chance_of(float(seen.odds[i]))
        why = None
        if sure < s.piece:
            why = "like a pyramid, but not surely one"
        elif away > s.colours.odd or shares.max() < s.sure_colour:
            first, second = (PYRAMID_COLOURS[c] for c in np.argsort(-shares)[:2])
            why = f"between {first} and {second}"
        at = ground.pose.project(seen.found.only([i]).corners().mean(axis=1))[0]
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
        where = seen.outlines[i], seen.on[i]
        return Found(sighting, sure, *where, z_mm=pose.z_mm, by_change=i in seen.by_change, came=float(seen.came[i]))

    def learn(self, ground: Ground, sightings: Sequence[Sighting]) -> None:
        """Take over the colours of this set from pieces whose places are known."""
        self._taught.learn(ground, sightings)

    def save(self, folder: Path) -> None:
        """Write what was taught."""
        self._taught.save(folder)

    def load(self, folder: Path) -> None:
        """Take back what `save` wrote; nothing there is no error."""
        self._taught.load(folder)
