"""The sixth game from frames alone: a printed board, discs, and the eye that reads any board of discs."""

import dataclasses

import numpy as np
import pytest

from companion.games import GAMES
from companion.prints import disc_boards
from companion.simulator.disc_tables import disc_body, disc_finishes, disc_picture, disc_table, random_disc_style
from companion.simulator.scene import Thing
from companion.simulator.tables import TESTING
from companion.vision.boards.cells import cell_centres
from companion.vision.readers import READERS
from tests.printed_tables import paper, seen, turned
from tests.referee.referee_tables import Bench
from tests.sixth import noughts

AT, TURN = (3.0, -4.0), 1.5
SHAPE = dataclasses.replace(noughts.SHAPE, border_mm=10.0, thickness_mm=0.3)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(GAMES, "noughts", "tests.sixth.noughts")  # behind all others: their order stays
    monkeypatch.setitem(READERS, "noughts", "companion.vision.discs.reader")
    bare = disc_table(TESTING[2])
    board = paper(disc_boards.board(SHAPE, frozenset(), checkered=True), *AT, TURN)
    return dataclasses.replace(bare, scene=dataclasses.replace(bare.scene, board=None, prints=(board,), things=()))


@pytest.mark.long
def test_noughts_and_crosses_is_refereed_from_frames(table) -> None:
    style = random_disc_style(np.random.default_rng(2), SHAPE.cell_mm)
    mesh, finishes = disc_body(style), disc_finishes(style)
    places = dict(zip(SHAPE.cells(), cell_centres(SHAPE), strict=True))

    def view(layout):
        """The eye's reading of a picture of this table."""
        discs = []
        for lying in layout.pieces:
            here = turned(*places[lying.cell], TURN, AT)
            finish = finishes[lying.piece.colour]
            discs.append(Thing(lying.cell, mesh, finish, *here, 0.3, 0.0, lying.piece, lying.cell))
        scene = dataclasses.replace(table.scene, things=tuple(discs))
        return seen(scene, disc_picture(dataclasses.replace(table, scene=scene)), "noughts", SHAPE)

    def after(text: str):
        return bench.game.during(bench.position, bench.game.read_move(bench.position, text))

    bench = Bench("noughts")
    assert bench.look(view(bench.game.layout(bench.position))).kind == "set-up"
    for text in ("b2", "a1", "a2"):
        assert bench.look(view(after(text))).moves == (text,)
    two = bench.game.layout(bench.game.play(bench.position, bench.game.read_move(bench.position, "c1")).position)
    other = dataclasses.replace(two, pieces=(*two.pieces, dataclasses.replace(two.pieces[0], cell="c3")))
    assert bench.look(view(other)).kind == "unlawful"
    for text in ("c1", "c2"):
        assert bench.look(view(after(text))).moves == (text,)
    assert (bench.table.state.over.winners, bench.table.state.over.rule) == ((0,), "N3")
