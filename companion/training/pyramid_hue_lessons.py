"""What tables teach the network that tells the colours of pyramids: every piece as it looks at its true place.

`python -m companion.training.pyramid_hue_lessons --seeds 0 600 --folder FOLDER` draws the tables of these seeds (those
of `tables.TRAINING`) and keeps their lessons; with `--kept`, those of all tables of which the folder keeps pictures,
drawn or path traced. It takes about a second of one core for each.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.training.lesson_folder import LessonFolder
from companion.training.pyramid_lessons import laid_pieces, picture_of, table_of
from companion.training.seen_ground import ground_of
from companion.vision.pyramids.colours import look_at
from companion.vision.pyramids.patches import PatchSettings, patches_of
from companion.vision.pyramids.proposals import ProposalSettings, region_round
from companion.vision.pyramids.search_settings import SearchSettings
from companion.vision.pyramids.windows import windows_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class HueLesson:
    """Of one table, one row for each piece."""

    patches: NDArray[np.uint8]  # (n, CHANNELS, SIDE_PX, SIDE_PX)
    bodies: Floats
    terms: Floats
    kind: NDArray[np.intp]
    colour: NDArray[np.intp]


def hue_lesson(seed: int, folder: Path) -> HueLesson | None:
    """The lesson of a table; None when its markers are not found or it is empty. Its picture is kept in the folder."""
    table = table_of(seed)
    ground = ground_of(table.scene, picture_of(table, folder))
    truth = [p for p in table.truth()["pieces"] if p["kind"] == "pyramid"]
    if ground is None or not truth:
        return None
    places = np.array([(p["x_mm"], p["y_mm"]) for p in truth])
    windows = windows_of(ground, [region_round(ground, places, ProposalSettings())], SearchSettings())
    laid = laid_pieces(ground, windows, truth, np.random.default_rng([seed, 47]))
    if not len(laid.found):
        return None
    bodies, terms = look_at(windows, laid.found, laid.covers)
    seen = patches_of(windows, laid.found, laid.on, laid.covers, PatchSettings())
    return HueLesson(seen, bodies, terms, laid.found.kind, laid.colours)


HUE_LESSONS = LessonFolder("-hues.npz", HueLesson, hue_lesson)

if __name__ == "__main__":
    HUE_LESSONS.main(__doc__)
