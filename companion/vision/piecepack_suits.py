"""A piecepack has one pawn and one die of each suit: what one of them surely is, another one hardly is."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.pieces import SUITS
from companion.vision.piecepack_networks import KINDS
from companion.vision.piecepack_places import Place

Singles = NDArray[np.float32]

SINGLE = ("pawn", "die")  # of these there is one of each suit


def tell_apart(places: Sequence[Place], twins: float) -> None:
    """Weigh the suits of pawns, and of dice, against those of the others; `twins` is how often two have one suit, being
    of two sets. More than there are suits are of two sets for certain, and stay as they were told.
    """
    for kind in SINGLE:
        own = [place for place in places if KINDS[place.spot.kind] == kind]
        if 1 < len(own) <= len(SUITS):
            for place, share in zip(own, apart(np.array([p.told["suit"] for p in own]), twins), strict=True):
                place.told["suit"] = share


def apart(shares: Singles, twins: float) -> Singles:
    """(n, suits) probabilities of n pieces, given that the others are what they seem to be, and hardly ever alike."""
    free = 1 - (1 - twins) * shares
    others = np.stack([np.delete(free, i, axis=0).prod(axis=0) for i in range(len(shares))])
    weighed = shares * others
    return np.asarray(weighed / weighed.sum(axis=1, keepdims=True), np.float32)
