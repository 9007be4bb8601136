"""What lies on a table of Kaxxt on Ice: pyramids."""

from companion.view import BoardShape
from companion.vision.finders import FamilyFinder, TableFinder
from companion.vision.pyramids import PyramidFinder

SHAPE: BoardShape | None = None


def new_reader() -> TableFinder:
    """What the project ships, before any teaching."""
    families: list[FamilyFinder] = [PyramidFinder()]
    return TableFinder(families)
