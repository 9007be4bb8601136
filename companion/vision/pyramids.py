"""Icehouse pyramids anywhere on a table: places, sizes, poses, stacks and colours."""

import math
from collections.abc import Sequence, Set
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLOURS, Piece
from companion.view import Sighting
from companion.vision.finders import Found, shared
from companion.vision.foreground import Ground, Region
from companion.vision.pyramid_added import with_added
from companion.vision.pyramid_choice import Trees, alternatives, chosen_set, least_of_stacks
from companion.vision.pyramid_climb import climbed
from companion.vision.pyramid_colours import look_at
from companion.vision.pyramid_fit import fill_strength, fit, settled
from companion.vision.pyramid_follow import followed
from companion.vision.pyramid_hues import shipped_hues
from companion.vision.pyramid_hypotheses import Hypotheses, joined
from companion.vision.pyramid_look import STACKED_BESIDE, LookNetwork, Opinion, columns_of, look_of, moved_by
from companion.vision.pyramid_open import open_regions
from companion.vision.pyramid_pair_look import pair_odds
from companion.vision.pyramid_pairs import Pairs, pairs_of
from companion.vision.pyramid_patches import patches, patches_of
from companion.vision.pyramid_proposals import (
    given,
    in_reach,
    in_zone,
    propose,
    region_round,
    shipped_proposals,
    with_more,
)
from companion.vision.pyramid_score import features, log_odds
from companion.vision.pyramid_search import search
from companion.vision.pyramid_seen import Seen, feet_of, outlines_of
from companion.vision.pyramid_settings import PyramidSettings, odds_of
from companion.vision.pyramid_shadows import against_shadows
from companion.vision.pyramid_shapes import CLASSES, STANDING
from companion.vision.pyramid_since import Since, since_last_look
from companion.vision.pyramid_stacks import stack_features, uppers
from companion.vision.pyramid_taught import TaughtPyramids
from companion.vision.pyramid_turns import turned, unexplained
from companion.vision.pyramid_windows import Windows, windows_of

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


class PyramidFinder:
    """The family of pyramids: see `companion.vision.finders.FamilyFinder`."""

    def __init__(self, settings: PyramidSettings | None = None) -> None:
        self.settings = settings or PyramidSettings()
        self._taught = TaughtPyramids(self.settings)

    @property
    def too_close(self) -> tuple[tuple[str, str], ...]:
        """Pairs of taught colours that may be mixed up over the surface they were taught on."""
        return self._taught.too_close

    def find(self, ground: Ground) -> list[Found]:
        """Every pyramid."""
        seen = self.see(ground)
        if not len(seen.found):
            return []
        shares, away = self._shares(seen)
        for i, told in seen.told.items():
            shares[i] += self.settings.added.steady * (told - shares[i])
        for i, known in seen.before.items():
            shares[i], away[i] = known, 0.0
        return [self._told(ground, seen, i, shares[i], float(away[i])) for i in range(len(seen.found))]

    def see(self, ground: Ground) -> Seen:
        """Shapes and stacks, without their colours."""
        s = self.settings
        since = since_last_look(ground, s)
        came = joined([since.came.pieces, since.came.perhaps])
        windows, found, odds = self._hypotheses(ground, since.known.pieces, came, since.came.regions())
        odds = since.weighed(found, odds, outlines_of(ground, found))
        found, odds = self._climbed(windows, since, found, odds)
        outlines, feet = outlines_of(ground, found), feet_of(found)
        odds = odds - since.against(odds, outlines)
        trees = self._trees(ground, windows, found, odds)
        chosen = chosen_set(found, odds, trees, outlines, feet, s)[0]
        odds = self._among_others(windows, found, odds, outlines, chosen)
        odds = odds - against_shadows(ground, found, outlines, feet, chosen, s.shadows)
        chosen, own, rivals, on = chosen_set(found, odds, trees, outlines, feet, s)
        seen = Seen(
            windows, self._measured(windows, found.only(chosen)), own, rivals, on, tuple(outlines[i] for i in chosen)
        )
        seen = self._with_stacks(ground, seen, {k for k, i in enumerate(chosen.tolist()) if i in trees.bare})
        paired = self._with_pairs(self._with_middles(seen))
        lying = with_added(
            paired, since.change, self._stacked_odds, lambda now: self._shares(now)[0], s.search, s.proposals, s.added
        )
        return replace(lying, came=since.gains(lying.found, lying.outlines), told=since.colours(lying))

    def _hypotheses(
        self, ground: Ground, known: Hypotheses, came: Hypotheses, changed: Sequence[Region]
    ) -> tuple[Windows, Hypotheses, Floats]:
        """Judged hypotheses and their log-odds: what the network proposes, what the last look makes likely, and,
        wherever there is something that none of those surely explains, what fits the edges there.
        """
        s, network = self.settings, shipped_proposals()
        regions = [r for r in (*ground.regions, *changed) if r.area_mm2 < s.search.largest_mm2]
        middles = np.array([(r.x + r.size_px[0] / 2, r.y + r.size_px[1] / 2) for r in regions]).reshape(-1, 2)
        near = in_reach(ground, ground.to_mm(middles * ground.settings.coarse), s.proposals)
        regions = [region for region, kept in zip(regions, near, strict=True) if kept]
        came = came.only(np.flatnonzero(in_reach(ground, came.place[:, :2], s.proposals)))
        new, stays = (in_zone(ground, given(pieces)) for pieces in (came, known))
        proposed = with_more(in_zone(ground, propose(ground, network, s.proposals)), new) if network else None
        if proposed is None or not len(proposed.kind) + len(stays.kind):
            windows = windows_of(ground, regions, s.search)
            return windows, *self._judged(windows, search(windows, regions, s.search)[0], s.worth_a_look)
        whole = region_round(ground, with_more(proposed, stays).place[:, :2], s.proposals)
        windows = windows_of(ground, [*regions, whole], s.search)
        rough, there, here = (
            Hypotheses(p.kind, p.place, np.full(len(p.kind), len(regions))) for p in (proposed, stays, new)
        )
        first, odds = self._proposed(windows, rough, there, here)
        sure = outlines_of(ground, first.only(np.flatnonzero(odds > s.explaining)))
        by_edges = replace(
            s.search, kept=round(s.search.kept * s.by_edges), kept_per_mm2=s.search.kept_per_mm2 * s.by_edges
        )
        more, more_odds = self._judged(
            windows, search(windows, regions, by_edges, open_regions(ground, regions, sure, s))[0], s.worth_a_look
        )
        return windows, joined([first, more]), np.concatenate([odds, more_odds])

    def _proposed(
        self, windows: Windows, rough: Hypotheses, there: Hypotheses, came: Hypotheses
    ) -> tuple[Hypotheses, Floats]:
        """Judged hypotheses of what the network proposes; where none holds, followed, and turned every way, too.

        What lies `there` still is looked at where it was measured, as its neighbours' edges may pull it away, and where
        its own edges are, as it may have been measured badly. What `came` is followed from where the change has it: the
        edges of a bold cloth may pull it away, and give it no worth.
        """
        s, network = self.settings, look_of(windows)
        nearby = joined([settled(windows, rough, s.search), there, settled(windows, there, s.search)])
        first, odds = self._judged(windows, nearby, s.proposed_worth)
        if network is not None:
            pointed = joined([there, rough])
            open_ = unexplained(pointed, first.only(np.flatnonzero(odds > s.turns.found)), s.turns)

            def look(found: Hypotheses) -> Opinion:
                return self._look(network, windows, found, None, features(windows, found, s.search))

            nearer, nearer_odds = followed(look, joined([pointed.only(open_), came]), s.follow)
            first, odds = joined([first, nearer]), np.concatenate([odds, nearer_odds])
        doubtful = turned(rough, first.only(np.flatnonzero(odds > s.turns.found)), s.turns)
        if not len(doubtful):
            return first, odds
        second, more = self._judged(windows, settled(windows, doubtful, s.search), s.turns.worth_a_look)
        return joined([first, second]), np.concatenate([odds, more])

    def _judged(self, windows: Windows, found: Hypotheses, least: float) -> tuple[Hypotheses, Floats]:
        """What is worth to be followed, and its log-odds by the network; what that sees a little off is moved there.

        From `least` log-odds by the judge without pictures on, the network is asked.
        """
        s, network = self.settings, look_of(windows)
        if not len(found):
            return found, np.zeros(0)
        columns = features(windows, found, s.search)
        odds = log_odds(columns)
        if network is None:
            return found, odds
        best = np.argsort(-odds)[: s.most_looked]
        best = best[odds[best] > least]
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

    def _climbed(self, windows: Windows, since: Since, found: Hypotheses, odds: Floats) -> tuple[Hypotheses, Floats]:
        """The hypotheses, and better places of what may have come and is in doubt, with their log-odds."""
        network = look_of(windows)
        if network is None:
            return found, odds

        def told(tried: Hypotheses) -> Floats:
            columns = features(windows, tried, self.settings.search)
            opinion = self._look(network, windows, tried, None, columns)
            return since.weighed(tried, opinion.odds, outlines_of(since.ground, tried))

        better, more = climbed(told, found, odds, feet_of(found), self.settings.climb, lambda i: since.may_be(found, i))
        return joined([found, better]), np.concatenate([odds, more])

    def _measured(self, windows: Windows, found: Hypotheses) -> Hypotheses:
        """Chosen pieces where the network sees them: beside others of their colour they have hardly any edges."""
        s, network = self.settings.search, look_of(windows)
        if network is None or not len(found):
            return fit(windows, found, s.polishing, s.polish)[0]
        return moved_by(found, self._look(network, windows, found, None, features(windows, found, s)).off)

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
        seen = patches(windows, found, carriers, replace(self.settings.patches, since=network.since))
        return network.look(seen, columns_of(single, None if carriers is None else columns, found.kind), found.kind)

    def _stacked_odds(self, windows: Windows, lower: Hypotheses, upper: Hypotheses) -> Floats:
        """Log-odds of what may be stacked on each lower one."""
        s, network = self.settings, look_of(windows)
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
        upper, under, support = self._on_each(windows, found.only(open_))
        worth = np.minimum(odds[open_[under]], s.most_odds) + np.minimum(support, s.most_odds)
        good = np.flatnonzero(
            (support > least_of_stacks(found.kind[open_[under]], upper.kind, s)) & (worth > odds_of(s.perhaps))
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
        open_ = (odds > s.beside_from) & (odds < odds_of(s.piece)) & (fill > s.beside_fill)
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
        fresh = [i for i in range(len(seen.found)) if seen.odds[i] > odds_of(s.piece) and i not in done]
        for _ in range(s.storeys - 1):
            if not fresh:
                break
            lower = seen.found.only(fresh)
            upper, under, odds = self._on_each(seen.windows, lower)
            start = len(seen.found)
            good = odds > least_of_stacks(lower.kind[under], upper.kind, s)
            each = (np.flatnonzero(good & (under == k)) for k in range(len(fresh)))
            best = [int(own[odds[own].argmax()]) for own in each if len(own)]
            if not best:
                break
            seen = seen.with_more(
                upper.only(best),
                odds[best],
                [alternatives(upper, odds, np.flatnonzero(under == under[i])) for i in best],
                [fresh[int(under[i])] for i in best],
            )
            fresh = list(range(start, len(seen.found)))
        return seen

    def _with_middles(self, seen: Seen) -> Seen:
        """A small one on a large one may lie on a medium one on that: seen from above, they look nearly alike."""
        s, kind = self.settings.stacks, seen.found.kind
        on = [(i, below) for i, below in enumerate(seen.on) if below is not None and kind[below] - kind[i] == 2]
        if not on:
            return seen
        upper, _, odds = self._on_each(seen.windows, seen.found.only([below for _, below in on]))
        small, medium = (np.flatnonzero(upper.kind % STANDING == size) for size in (0, 1))
        middle = upper.only(medium)
        above, _, more = self._on_each(seen.windows, middle)
        tops = np.flatnonzero(above.kind % STANDING == 0)
        told = s.between(odds[medium], more[tops], odds[small])
        for n in np.flatnonzero(told > s.least_between).tolist():
            piece = on[n][0]
            own = seen.found.only([piece]) if seen.found.place[piece, 3] == 0 else above.only([tops[n]])
            seen = seen.with_between(piece, own, middle.only([n]), s.surer * float(told[n]))
        return seen

    def _on_each(self, windows: Windows, lower: Hypotheses) -> tuple[Hypotheses, Ints, Floats]:
        """What may be stacked on lower ones, on which of them each is, and its log-odds."""
        upper, under = uppers(windows, lower, self.settings.search, self.settings.stacks)
        return upper, under, self._stacked_odds(windows, lower.only(under), upper)

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
        return pairs_of(seen.windows, seen.found, ~carrying, ~carried, self.settings.search, self.settings.pairs)

    def _shares(self, seen: Seen) -> tuple[Floats, Floats]:
        """(n, 10) probabilities of the colours, and (n) how far each is from all of them."""
        plastic = self._as_taken(seen.windows.ground, seen)
        bodies, terms = look_at(plastic.windows, plastic.found, plastic.hidden())
        return self._taught.colours.told(bodies, terms, self._colours(plastic, bodies, terms))

    def _as_taken(self, ground: Ground, seen: Seen) -> Seen:
        """The same where the table's own pattern is seen, too: translucent plastic shows what it lies on."""
        if ground.taken is None:
            return seen
        whole = region_round(ground.taken, seen.found.place[:, :2], self.settings.proposals)
        windows = windows_of(ground.taken, [whole], self.settings.search)
        found = replace(seen.found, window=np.zeros(len(seen.found), np.intp))
        return replace(seen, windows=windows, found=found)

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
