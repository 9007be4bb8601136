"""Reads discs on the hexagon of Hexxagon: 61 cells, five on a side."""

from companion.view import BoardShape
from companion.vision.boards.cells import HEXAGONS
from companion.vision.discs.reader import DiscReader

SHAPE: BoardShape | None = BoardShape(9, 9, 38.0, 10.0, 3.0, "hex")


def new_reader() -> DiscReader:
    """A reader with what the project ships."""
    return DiscReader(tones=HEXAGONS)
