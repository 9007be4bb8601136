"""What lies on a table of K'Dak's Tower: a piecepack."""

from companion.view import BoardShape
from companion.vision.finders import FamilyFinder, TableFinder
from companion.vision.piecepack.finder import PiecepackFinder

SHAPE: BoardShape | None = None


def new_reader() -> TableFinder:
    """What the project ships, before any teaching."""
    families: list[FamilyFinder] = [PiecepackFinder()]
    return TableFinder(families)
