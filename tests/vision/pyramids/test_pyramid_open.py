"""By edges it is looked only where no piece explains what is seen, and on a watched table where that may be new."""

from dataclasses import replace

import numpy as np
import pytest
from table_seen_before import OLD, S, before, ground

from companion.vision.ground.foreground import Past
from companion.vision.pyramids.open import open_regions

NOW = ground(*OLD)
REGIONS = [region for region in NOW.regions if region.area_mm2 >= S.room_mm2]
EVERYWHERE = np.ones(NOW.log.shape[:2], bool)


def seen_at(changed: np.ndarray, zone: np.ndarray | None = EVERYWHERE):
    """The table in a look after another, from which it differs there."""
    return replace(NOW, past=Past(NOW, before(), unsettled=changed), zone=zone)


def at(number: int) -> np.ndarray:
    """Where a region is."""
    mask, region = np.zeros_like(EVERYWHERE), REGIONS[number]
    wide, high = region.size_px
    mask[region.y : region.y + high, region.x : region.x + wide] = region.mask
    return mask


def outline_mm(number: int) -> np.ndarray:
    """A rectangle round a region."""
    region = REGIONS[number]
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * region.size_px + (region.x, region.y)
    return NOW.to_mm(corners * NOW.settings.coarse)


def test_what_pieces_explain_is_not_open() -> None:
    assert REGIONS
    assert open_regions(NOW, REGIONS, [], S) == list(range(len(REGIONS)))
    assert open_regions(NOW, REGIONS, [outline_mm(number) for number in range(len(REGIONS))], S) == []


def test_what_has_no_room_for_a_piece_is_not_open() -> None:
    assert len(NOW.regions) > len(REGIONS)
    assert open_regions(NOW, NOW.regions, [], S) == [NOW.regions.index(region) for region in REGIONS]


@pytest.mark.parametrize("number", range(len(REGIONS)))
def test_only_where_something_is_not_settled_it_is_looked_again(number: int) -> None:
    assert open_regions(seen_at(at(number)), REGIONS, [], S) == [number]
    assert open_regions(seen_at(np.zeros_like(EVERYWHERE)), REGIONS, [], S) == []


def test_a_look_at_all_of_the_table_looks_everywhere() -> None:
    assert open_regions(seen_at(np.zeros_like(EVERYWHERE), None), REGIONS, [], S) == list(range(len(REGIONS)))
