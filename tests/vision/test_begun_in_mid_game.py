"""A table of pyramids that is watched from the middle of a game on: what is taken off leaves nothing behind."""

import dataclasses

import pytest

from companion.demo.table import table_of
from companion.games import game
from companion.pieces import Piece
from companion.sets.stored_eyes import StoredEyes
from companion.simulator.designs import look_options
from companion.simulator.playbook import load
from companion.simulator.setting import Setting
from companion.simulator.source import ScriptedTable
from companion.simulator.world import VirtualTable

RESTS = 4  # pictures of a table at rest
PLIES = 9  # after which six pieces lie there


def pieces_after(design, states, folder) -> list[Piece]:
    """What an eye that is opened with the first of these states sees at the end."""
    eye = StoredEyes(look_options(design, folder), folder).open("chaos", None)
    film = ScriptedTable(design, (state for state in states for _ in range(RESTS)), start_s=100.0)
    film.open()
    views = [eye.read(film.read(1.0)) for _ in range(RESTS * len(states))]
    return [seen.piece for seen in views[-1].pieces() if not seen.faint]


@pytest.mark.parametrize("seed", [None, 7_002_008])
def test_what_lay_there_from_the_start_and_is_taken_off_leaves_no_piece_behind(tmp_path, seed) -> None:
    book, chaos = load("chaos", "chaos_classic"), game("chaos")
    position = book.start()
    for move in [step.move for step in book.steps if step.what in ("roll", "move")][:PLIES]:
        position = chaos.play(position, chaos.read_move(position, move)).position
    design = dataclasses.replace(table_of(book), fps=4.0)
    design = design if seed is None else dataclasses.replace(design, seed=seed)
    full = Setting(VirtualTable(design).furniture, 0).state(chaos.layout(position))
    last = full.standing[-1]
    left = pieces_after(design, [full, full.without(last.name)], tmp_path)
    assert sorted(map(str, left)) == sorted(str(s.piece) for s in full.standing if s is not last)
