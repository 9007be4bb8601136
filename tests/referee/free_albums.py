"""Photographs of free games, and what lies on them."""

import random
from dataclasses import replace

from free_views import SHARP, free_view
from referee_tables import Bench

from companion.games import chaos
from companion.photographs import photograph_settings
from companion.pieces import Piece
from companion.view import TableView


class Album:
    """Photographs of a free game: what lies there, and what the eye makes of it."""

    def __init__(self, game, **options) -> None:
        self.bench = Bench(game.NAME, settings=photograph_settings(), dice="camera", undo="take", **options)
        assert self.photograph(game.layout(self.bench.position)).kind == "set-up"

    def photograph(self, layout, misread=None, also=(), missed=(), beliefs=None, covered=None):
        """`misread` tells what a piece is taken for; `also` is seen besides; pieces of `missed` are not seen.

        `beliefs` tells what a piece may look like, `covered` where the table is not seen to be bare.
        """
        view = free_view(layout, random.Random(1), SHARP)
        taken = {piece: ((looks, 0.99),) for piece, looks in (misread or {}).items()} | (beliefs or {})
        found = [
            replace(s, beliefs=taken[s.piece]) if s.piece in taken else s
            for s in view.sightings
            if s.piece not in missed
        ]
        return self.bench.look(TableView(0.0, (*found, *also), covered=covered))

    def moves(self) -> list[str]:
        return [past.move for past in self.bench.table.state.plies]


def placed(*texts: str):
    """The table of Chaos with these pieces, whatever the rules say."""
    position = replace(chaos.start({}), phase="place", dice=("?", "?"))
    for text in texts:
        move = chaos.read_move(position, text)
        position = replace(position, pieces=(*position.pieces, move.piece))
    return chaos.layout(position)


RED, BLUE = "r3^0.0,0.0,0.0", "b3^100.0,0.0,0.0"
NEAR_RED, GREEN = "r3^40.0,40.0,0.0", "g3^-100.0,0.0,0.0"
LARGE_RED, LARGE_ORANGE = (Piece("pyramid", colour, "large", "upright") for colour in ("red", "orange"))
