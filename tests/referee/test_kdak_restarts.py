"""The power fails while a tile that was taken lies beside the tower: afterwards nothing is asked for that was not."""

import pytest
from kdak_players import Evening
from towers import Tower

from companion.games.kdak.tower import Place
from companion.referee.commands import Command
from companion.referee.readmodel import Desk


def at_the_first_roll(seed: int) -> Evening:
    evening = Evening(Tower(seed=seed)).begin()
    while evening.position.phase != "roll":
        evening.turn()
    assert evening.agree()
    return evening


@pytest.mark.parametrize("level", [0, 2, 4, 5])
@pytest.mark.parametrize("corner", [0, 3])
def test_the_tower_is_found_again_though_a_tile_lies_beside_it(level, corner) -> None:
    evening = at_the_first_roll(1)
    evening.desk.submit(Command("enter_move", {"move": f"r{level}"}))
    taken = Place(level, corner)
    evening.tower.take(taken)
    for _ in range(16):
        evening.once()
    asked = [(step.text, step.done) for step in evening.desk.snapshot().waiting.steps]
    evening.desk = Desk(evening.archive, clock=lambda: evening.now)
    assert evening.desk.resume() is not None
    for _ in range(24):
        evening.once()
    snapshot = evening.desk.snapshot()
    assert snapshot.ruling is None
    assert [(step.text, step.done) for step in snapshot.waiting.steps] == asked
