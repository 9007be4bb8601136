"""What a set of pyramids taught: its colours, and a picture of each piece that was shown."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.view import Sighting
from companion.vision.ground.foreground import Ground
from companion.vision.pyramids.colours import PyramidColours, look_at
from companion.vision.pyramids.hypotheses import joined
from companion.vision.pyramids.labels import covers_of, labelled, laid_out, picture_of
from companion.vision.pyramids.placed import outlines_of
from companion.vision.pyramids.proposals import region_round
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shapes import CLASSES
from companion.vision.pyramids.windows import windows_of
from companion.vision.taught_looks import TaughtLooks, taught_now

LOOKS = TaughtLooks("pyramids", "pyramids", format=3)


class TaughtPyramids:
    """The colours of a set: as shipped, until a picture teaches them."""

    def __init__(self, settings: PyramidSettings) -> None:
        self.settings = settings
        self.colours = PyramidColours(settings.colours)
        self.too_close: tuple[tuple[str, str], ...] = ()
        self._taught_at: str | None = None
        self._pictures: dict[str, NDArray[np.uint8]] = {}

    def learn(self, ground: Ground, sightings: Sequence[Sighting]) -> None:
        """Take over the colours of this set from pieces whose places are known."""
        s = self.settings
        named = list(labelled(sightings))
        middles = np.array([(p.x_mm, p.y_mm) for _, p in named], dtype=np.float64).reshape(-1, 2)
        if not len(middles):
            return
        windows = windows_of(ground, [region_round(ground, middles, s.proposals)], s.search)
        places = laid_out(windows, named, s)
        kept = [k for k, place in enumerate(places) if place is not None]
        if not kept:
            return
        found = joined([place for place in places if place is not None])
        outlines = outlines_of(ground, found)
        covers = covers_of(named, kept, outlines)
        bodies, terms = look_at(windows, found, covers)
        names = [str(named[k][1].piece.colour) for k in kept]
        self.colours.learn(bodies, terms, names)
        self.too_close = tuple(self.colours.too_close(terms.mean(axis=0)))
        self._taught_at = taught_now()
        for i, name in enumerate(names):
            size, pose = CLASSES[found.kind[i]]
            self._pictures[f"pyramid-{name}-{size}-{pose}"] = picture_of(ground, outlines[i], s.picture_px)

    def save(self, folder: Path) -> None:
        """Write pyramids.json, its arrays and a picture of each taught class."""
        if self._taught_at is None:
            return
        about = {"taught": self._taught_at, "too_close": self.too_close}
        LOOKS.write(folder, about, self.colours.arrays(), self._pictures)

    def load(self, folder: Path) -> None:
        """Take back what `save` wrote; nothing there is no error."""
        if not LOOKS.there(folder):
            return
        with LOOKS.opened(folder) as (about, arrays):
            self.too_close = tuple((str(a), str(b)) for a, b in about.get("too_close", ()))
            self.colours.take(dict(arrays))
            self._pictures = LOOKS.pictures(folder, about)
        self._taught_at = about.get("taught")
