"""A piece of Khet that stands too far off any facing is to be straightened, not guessed at (Khet Q21)."""

import dataclasses

import pytest
from random_games import design

from companion.eye_options import read_eye_options
from companion.games import game
from companion.photographs import photographed_run
from companion.simulator.album import write_album
from companion.simulator.design import furnish
from companion.simulator.script import Beat
from companion.simulator.setting import Setting
from hardware.pictures import pictures_in

OPTIONS = {"layout": "classic-1.0"}


def run_of(folder):
    def eye():
        return read_eye_options("khet", None, "600,380,40", None, None, None).eye()

    run = photographed_run(eye, "khet", OPTIONS)
    return run, [done.reading for done in run.run(pictures_in(folder))]


@pytest.mark.parametrize("off_deg", [36.0, -45.0])
def test_a_piece_that_is_put_down_askew_is_to_be_straightened_before_it_counts(tmp_path, off_deg):
    khet, table = game("khet"), design(0)
    start = khet.start(OPTIONS)
    move = next(m for m in khet.moves(start) if len(khet.write_move(start, m)) == 4)
    setting = Setting(furnish(table), 0)
    before, after = (setting.state(khet.layout(p)) for p in (start, khet.play(start, move).position))
    to = khet.write_move(start, move)[2:]
    piece = after.on_cell(to)
    crooked = after.with_piece(dataclasses.replace(piece, heading_deg=piece.heading_deg + off_deg))
    write_album([Beat(before, 1.0, "set-up"), Beat(crooked, 1.0, "askew"), Beat(after, 1.0, "moved")], table, tmp_path)
    run, (_, askew, moved) = run_of(tmp_path)
    assert askew.text == f"Please straighten the piece on {to}."
    assert askew.rule == "Khet Q21"
    assert moved.moves == (khet.write_move(start, move),)
    assert len(run.desk.table.state.plies) == 1
