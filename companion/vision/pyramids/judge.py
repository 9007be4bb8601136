"""What speaks for hypotheses of pyramids: the judge that goes by edges and colours, and then the network.

Without the network's weights that judge decides alone, and nothing is moved to where the network sees it.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.pyramids.fit import fit
from companion.vision.pyramids.hypotheses import Hypotheses, joined
from companion.vision.pyramids.look import (
    DOUBT,
    SECOND,
    STACKED_BESIDE,
    LookNetwork,
    Opinion,
    columns_of,
    look_of,
    moved_by,
    shipped_look,
)
from companion.vision.pyramids.patches import patches
from companion.vision.pyramids.score import features, log_odds
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.stacks import stack_features
from companion.vision.pyramids.windows import Windows

Floats = NDArray[np.float64]


class Judge:
    """Log-odds of hypotheses, single or stacked, and where what they are of rather lies."""

    def __init__(self, settings: PyramidSettings) -> None:
        self.settings = settings

    def judged(self, windows: Windows, found: Hypotheses, least: float) -> tuple[Hypotheses, Floats]:
        """What is worth to be followed, and its log-odds by the network; what that sees a little off is moved there.

        From `least` log-odds by the judge without pictures on, the network is asked.
        """
        s = self.settings
        if not len(found):
            return found, np.zeros(0)
        columns = features(windows, found, s.search)
        odds = log_odds(columns)
        if look_of(windows) is None:
            return found, odds
        best = np.argsort(-odds)[: s.most_looked]
        best = best[odds[best] > least]
        found, columns = found.only(best), columns[best]
        opinion = self.look(windows, found, columns=columns)
        moved = moved_by(found, opinion.off)
        far = np.hypot(*(moved.place - found.place)[:, :2].T)
        again = np.flatnonzero((opinion.odds > s.look_again) & (opinion.odds < s.sure_odds) & (far > s.off_mm))
        if not len(again):
            return found, opinion.odds
        added, _ = fit(windows, moved.only(again), s.search, s.search.steps[2:])
        return joined([found, added]), np.concatenate([opinion.odds, self.look(windows, added).odds])

    def from_all_sides(self, windows: Windows, found: Hypotheses) -> Floats:
        """Log-odds of hypotheses that the network looks at from all sides, unless the first tells surely; without it,
        nothing speaks against any.
        """
        if look_of(windows) is None or not len(found):
            return np.full(len(found), np.inf)
        return self.look(windows, found, doubt=self.settings.sure_odds).odds

    def look(
        self,
        windows: Windows,
        found: Hypotheses,
        carriers: Hypotheses | None = None,
        doubt: float = DOUBT,
        columns: Floats | None = None,
    ) -> Opinion:
        """What the network for these windows, which is there, says of hypotheses; of stacked ones, `columns` are those
        of `stack_features`, of others those of `features`. Those within `doubt` log-odds are looked at from several
        sides.
        """
        network = look_of(windows)
        assert network is not None
        columns = features(windows, found, self.settings.search) if columns is None else columns
        opinion = self._opinion(network, windows, found, columns, carriers, doubt)
        if carriers is None:
            windows.offs.update(zip(found.keys(), opinion.off, strict=True))
        return opinion

    def _opinion(
        self,
        network: LookNetwork,
        windows: Windows,
        found: Hypotheses,
        columns: Floats,
        carriers: Hypotheses | None = None,
        doubt: float = DOUBT,
    ) -> Opinion:
        single = columns if carriers is None else columns[:, :-STACKED_BESIDE]
        seen = patches(windows, found, carriers, replace(self.settings.patches, since=network.since))
        beside = columns_of(single, None if carriers is None else columns, found.kind)
        return network.look(seen, beside, found.kind, doubt)

    def refused(self, windows: Windows, found: Hypotheses) -> NDArray[np.bool_]:
        """(n) True for what is no pyramid to a second network, which has learned small things of no game, too.

        Of a watched table only where the picture alone shows one to the first: what a change tells may hardly be seen.
        """
        second, first, none = shipped_look(SECOND), shipped_look(), np.zeros(len(found), bool)
        if second is None or first is None or not len(found):
            return none
        columns = features(windows, found, self.settings.search)
        none = self._opinion(second, windows, found, columns).odds < self.settings.refused
        if windows.since is not None and none.any():
            doubted = np.flatnonzero(none)
            seen = self._opinion(first, windows, found.only(doubted), columns[doubted])
            none[doubted] = seen.odds > 0
        return none

    def stacked(self, windows: Windows, lower: Hypotheses, upper: Hypotheses, alike: bool = True) -> Floats:
        """Log-odds of what may be stacked on each lower one. The network is shown pieces on others of their own class
        only if `alike`: a single picture hardly tells them.
        """
        s = self.settings
        columns = stack_features(windows, lower, upper, s.search)
        odds = log_odds(columns, "stacks")
        if look_of(windows) is None or not len(upper):
            return odds
        seen = np.flatnonzero((odds > s.worth_a_look) & (alike | (lower.kind != upper.kind)))
        opinion = self.look(windows, upper.only(seen), lower.only(seen), columns=columns[seen])
        odds = np.minimum(odds, s.worth_a_look)
        odds[seen] = opinion.odds
        return odds

    def measured(self, windows: Windows, found: Hypotheses) -> Hypotheses:
        """Chosen pieces where the network sees them: beside others of their colour they have hardly any edges."""
        s = self.settings.search
        if look_of(windows) is None or not len(found):
            return fit(windows, found, s.polishing, s.polish)[0]
        keys = found.keys()
        if unseen := [i for i, key in enumerate(keys) if key not in windows.offs]:
            self.look(windows, found.only(unseen), doubt=0.0)
        return moved_by(found, np.array([windows.offs[key] for key in keys]))

    def keep_likelier(self, windows: Windows, found: Hypotheses) -> None:
        """Of these, what is likelier where it was tried than where the network measures it is measured where it was
        tried: its neighbours hide where it lies.
        """
        if look_of(windows) is None or not len(found):
            return
        here, there = (self.from_all_sides(windows, at) for at in (found, self.measured(windows, found)))
        better = [key for key, stay in zip(found.keys(), here > there, strict=True) if stay]
        windows.offs.update((key, np.zeros(3)) for key in better)
