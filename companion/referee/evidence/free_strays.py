"""What lies on a free table and belongs to no game: whether a sighting is of something that lay there before."""

from companion.referee.evidence.free_layouts import FreeMemory, apart
from companion.referee.settings import Settings
from companion.view import Sighting, square_at


def was_stray(sighting: Sighting, memory: FreeMemory, settings: Settings) -> bool:
    """True for what lay there already when the table was last known, and is none of the game's."""
    if _is_old_clutter(sighting, memory, settings):
        return True
    near = (s for s in memory.strays if apart(s, sighting) <= settings.nudge_mm)
    return any(_may_be(stray, sighting, settings) for stray in near)


def is_known(sighting: Sighting, memory: FreeMemory, settings: Settings) -> bool:
    """True if something was seen there when the table was last known."""
    looks = (s for s in memory.looks.values() if s is not None)
    return any(apart(s, sighting) <= settings.nudge_mm for s in (*looks, *memory.strays))


def lies_still(die: Sighting, memory: FreeMemory, settings: Settings) -> bool:
    """True for a die that lies where it lay, and shows what it showed: it was not thrown since."""
    return any(apart(s, die) <= settings.nudge_mm and s.piece == die.piece for s in memory.dice)


def _may_be(stray: Sighting, now: Sighting, settings: Settings) -> bool:
    """True if this may be the stray of before: now told, now not, but never surely another piece."""
    kinds = (stray.piece.kind, now.piece.kind)
    if "unknown" in kinds:
        return now.piece.kind == "unknown" or now.told < settings.surely_told
    sure = now.told >= settings.news_seen
    return kinds[0] == kinds[1] and (not sure or now.belief(stray.piece) > 0.0)


def _is_old_clutter(sighting: Sighting, memory: FreeMemory, settings: Settings) -> bool:
    """True where something lay that was not taken for a piece, unless a piece is now surely seen."""
    if not memory.covered or sighting.x_mm is None or sighting.y_mm is None:
        return False
    told = 0.0 if sighting.why is not None else sighting.told
    return told < settings.news_seen and square_at(sighting.x_mm, sighting.y_mm) in memory.covered
