"""Which file reads which game's pieces. A reader is added by one module and one line here."""

import importlib
from typing import Protocol, cast

from companion.errors import UnreadableText
from companion.view import BoardShape
from companion.vision.reader import CellReader, PieceFinder

READERS = {
    "khet": "companion.vision.khet.reader",
    "ataxx": "companion.vision.discs.reader",
    "hexxagon": "companion.vision.discs.hexagon_reader",
    "dice": "companion.vision.dice_finder",
    "kaxxt": "companion.vision.kaxxt_finder",
    "chaos": "companion.vision.chaos_finder",
    "kdak": "companion.vision.kdak_finder",
}


class ReaderModule(Protocol):
    """The names that such a module offers."""

    SHAPE: BoardShape | None  # the board as usually made; None: pieces on a free table

    def new_reader(self) -> CellReader | PieceFinder:
        """What the project ships, before any teaching: a CellReader with a board, else a PieceFinder."""


def reader_module(game: str) -> ReaderModule:
    """The module that reads this game's pieces; UnreadableText lists the games there are."""
    if game not in READERS:
        raise UnreadableText(f"no reader for {game!r}; there are {', '.join(READERS)}")
    return cast(ReaderModule, importlib.import_module(READERS[game]))
