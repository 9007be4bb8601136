"""Whether two stacked lying pyramids are there of which one was found: a small network looks at both.

It is built as that of single hypotheses, on larger pictures, so that the whole of the lower one is seen; its weights
(`pyramid_pairs.onnx`, `.npz`) were trained on pairs as they are tried. Without them nothing is claimed.
"""

import numpy as np
from numpy.typing import NDArray

from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.look import STACKED_BESIDE, columns_of, shipped_look
from companion.vision.pyramids.pairs import Pairs
from companion.vision.pyramids.patches import PatchSettings, patches
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.stacks import stack_features
from companion.vision.pyramids.windows import Windows

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]

NAME = "pyramid_pairs"
PATCHES = PatchSettings(bases=2.4, side_px=64, of_both=True)


def pair_odds(windows: Windows, pairs: Pairs, s: PyramidSettings) -> Floats:
    """(n) log-odds that both are there, by their own network; without its weights nothing is claimed."""
    network = shipped_look(NAME)
    if network is None or not len(pairs):
        return np.full(len(pairs), -np.inf)
    seen, columns = looks_of_pairs(windows, pairs.lower, pairs.upper, s)
    return network.look(seen, columns, pairs.kind).odds


def looks_of_pairs(windows: Windows, lower: Hypotheses, upper: Hypotheses, s: PyramidSettings) -> tuple[Pixels, Floats]:
    """(n, CHANNELS, side, side) what is seen of pairs, and (n, k) columns beside that."""
    stacked = stack_features(windows, lower, upper, s.search)
    columns = columns_of(stacked[:, :-STACKED_BESIDE], stacked, upper.kind)
    return patches(windows, upper, lower, PATCHES), columns
