"""What lies on a table of Chaos: pyramids."""

from companion.view import BoardShape
from companion.vision.finders import FamilyFinder, FinderSettings, TableFinder
from companion.vision.pyramids.finder import PyramidFinder

SHAPE: BoardShape | None = None


def new_reader() -> TableFinder:
    """What the project ships, before any teaching."""
    families: list[FamilyFinder] = [PyramidFinder()]
    return TableFinder(families, FinderSettings(starts_bare=True))
