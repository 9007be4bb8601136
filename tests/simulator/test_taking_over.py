"""Whoever reaches for a piece while hands play a script takes the table over."""

import pytest

from companion.demo.players import Players
from companion.referee.snapshot import Snapshot
from companion.simulator.carry import Tempo
from companion.simulator.designs import design_for
from companion.simulator.errands import Errands
from companion.simulator.playbook import load
from companion.simulator.script import Script, Timing
from companion.simulator.setting import Setting
from companion.simulator.world import VirtualTable

BRIEF = Timing(Tempo(3, 2, 4, 3), still_s=0.05, ruling_s=0.05, set_up_s=0.05)


class Deaf:
    """A referee that has read everything that is looked for."""

    def snapshot(self):
        return Snapshot(0, phase="play", record=("",) * 99)

    def submit(self, command):
        return None


BOOK = load("ataxx")


@pytest.fixture
def table():
    layout = BOOK.game.layout(BOOK.start())
    return VirtualTable(design_for("ataxx", layout, width=400, height=300, fps=200.0))


@pytest.fixture
def players(table):
    script = Script(BOOK.game, BOOK.start(), BOOK.steps[:3], Setting(table.furniture), BRIEF)
    table.show(script.state)
    playing = Players(script, table, Deaf(), table.design.fps)
    yield playing
    playing.stop()


def test_the_hands_of_a_script_end_their_movement_and_leave_the_table_to_whoever_moves_a_piece(table, players):
    errands = Errands(table, tempo=Tempo(1, 1, 1, 1))
    errands.others = players
    assert not errands.others_at_work
    players.start()
    version, state = table.wait(table.version, 10.0)
    while not state.hands:
        version, state = table.wait(version, 10.0)
    assert errands.others_at_work
    piece = state.on_cell("a1")
    errands.move_to_cell(piece.name, "f4")
    assert not players.is_alive()
    assert not players.done.is_set()
    assert not errands.others_at_work
    errands.wait()
    assert table.state.on_cell("f4").name == piece.name
    assert not table.state.hands
    assert all(standing.cell for standing in table.state.standing)


def test_a_script_that_nobody_disturbs_is_played_to_its_end(table, players):
    players.start()
    assert players.done.wait(20)
    players.join(10)
    assert table.state.on_cell("d6") is not None
    assert not players.at_work
