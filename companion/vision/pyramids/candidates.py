"""Where pyramids may be: what proposes hypotheses, and what is made of them until each is judged."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from companion.vision.ground.foreground import Ground
from companion.vision.pyramids.climb import climbed
from companion.vision.pyramids.fit import settled
from companion.vision.pyramids.follow import followed, unexplained
from companion.vision.pyramids.hypotheses import Hypotheses, joined
from companion.vision.pyramids.judge import Judge
from companion.vision.pyramids.look import ALL, look_of
from companion.vision.pyramids.open import open_regions
from companion.vision.pyramids.placed import feet_of, outlines_of
from companion.vision.pyramids.proposals import (
    given,
    in_reach,
    in_zone,
    propose,
    region_round,
    shipped_proposals,
    with_more,
)
from companion.vision.pyramids.search import search
from companion.vision.pyramids.since import Since, since_last_look
from companion.vision.pyramids.windows import Windows, windows_of

Floats = NDArray[np.float64]


class Candidates:
    """Judged hypotheses of a table."""

    def __init__(self, judge: Judge) -> None:
        self.settings, self.judge = judge.settings, judge

    def of(self, ground: Ground, since: Since) -> tuple[Windows, Hypotheses, Floats]:
        """Judged hypotheses and their log-odds in the light of the last look."""
        windows, found, odds = self._found(ground, since)
        return windows, *self.climbed(windows, since, found, since.weighed(found, odds))

    def on_bare(self, ground: Ground) -> tuple[Hypotheses, Floats]:
        """Judged hypotheses of a table of which nothing is known, and their log-odds."""
        return self.of(ground, since_last_look(ground, self.settings))[1:]

    def _found(self, ground: Ground, since: Since) -> tuple[Windows, Hypotheses, Floats]:
        """Judged hypotheses and their log-odds: what the network proposes, what the last look makes likely, and,
        wherever there is something that none of those surely explains, what fits the edges there. Of each lot of what
        lies anywhere the first one is in its middle; it is followed where nothing is found there.
        """
        s, network, known = self.settings, shipped_proposals(), since.known.pieces
        came = joined([since.came.pieces, since.came.perhaps, since.alone.pieces])
        regions = [r for r in (*ground.regions, *since.came.regions()) if r.area_mm2 < s.search.largest_mm2]
        middles = np.array([(r.x + r.size_px[0] / 2, r.y + r.size_px[1] / 2) for r in regions]).reshape(-1, 2)
        near = in_reach(ground, ground.to_mm(middles * ground.settings.coarse), s.proposals)
        regions = [region for region, kept in zip(regions, near, strict=True) if kept]
        came = came.only(np.flatnonzero(in_reach(ground, came.place[:, :2], s.proposals)))
        new, stays = (in_zone(ground, given(pieces)) for pieces in (came, known))
        proposed = with_more(in_zone(ground, propose(ground, network, s.proposals)), new) if network else None
        if proposed is None or not len(proposed.kind) + len(stays.kind):
            windows = windows_of(ground, regions, s.search)
            return windows, *self.judge.judged(windows, search(windows, regions, s.search)[0], s.worth_a_look)
        whole = region_round(ground, with_more(proposed, stays).place[:, :2], s.proposals)
        windows = windows_of(ground, [*regions, whole], s.search)
        places = [(p.kind, p.place) for p in (proposed, stays, new)] + [(p.kind, p.place) for p in since.anywhere]
        rough, there, here, *perhaps = (Hypotheses(*p, np.full(len(p[0]), len(regions))) for p in places)
        first, odds = self._proposed(windows, rough, there, here, perhaps)
        sure = outlines_of(ground, first.only(np.flatnonzero(odds > s.explaining)))
        by_edges = replace(
            s.search, kept=round(s.search.kept * s.by_edges), kept_per_mm2=s.search.kept_per_mm2 * s.by_edges
        )
        more, more_odds = self.judge.judged(
            windows, search(windows, regions, by_edges, open_regions(ground, regions, sure, s))[0], s.worth_a_look
        )
        return windows, joined([first, more]), np.concatenate([odds, more_odds])

    def climbed(self, windows: Windows, since: Since, found: Hypotheses, odds: Floats) -> tuple[Hypotheses, Floats]:
        """The hypotheses, and better places of what may have come and is in doubt, with their log-odds."""
        if look_of(windows) is None:
            return found, odds

        def weighed(tried: Hypotheses, doubt: float = ALL) -> Floats:
            told = self.judge.look(windows, tried, doubt=doubt).odds
            return since.weighed(tried, told)

        s = self.settings.climb
        if len(since.alone.pieces):  # what is likelier for that is not yet where it is likeliest
            s = replace(s, enough=s.enough + self.settings.alone.most)
        better, more = climbed(
            weighed, partial(weighed, doubt=0.0), found, odds, feet_of(found), s, partial(since.may_be, found)
        )
        return joined([found, better]), np.concatenate([odds, more])

    def _proposed(
        self,
        windows: Windows,
        rough: Hypotheses,
        there: Hypotheses,
        came: Hypotheses,
        anywhere: Sequence[Hypotheses],
    ) -> tuple[Hypotheses, Floats]:
        """Judged hypotheses of what the network proposes; where none holds, followed, too.

        What lies `there` still is looked at where it was measured, as its neighbours' edges may pull it away, and where
        its own edges are, as it may have been measured badly. What `came` is followed from where the change has it: the
        edges of a bold cloth may pull it away, and give it no worth.
        """
        s = self.settings
        nearby = joined([settled(windows, rough, s.search), there, settled(windows, there, s.search)])
        first, odds = self.judge.judged(windows, nearby, s.proposed_worth)
        if look_of(windows) is None:
            return first, odds
        pointed = joined([there, rough])
        held = first.only(np.flatnonzero(odds > s.follow.found))
        open_ = unexplained(pointed, held, s.follow)
        perhaps = [lot for lot in anywhere if len(unexplained(lot.only([0]), held, s.follow))]
        looked_at = joined([pointed.only(open_), came, *perhaps])
        nearer, nearer_odds = followed(partial(self.judge.look, windows), looked_at, s.follow)
        return joined([first, nearer]), np.concatenate([odds, nearer_odds])
