"""A set-up that is not complete is not taken for one, however little the eye knows of the set."""

import dataclasses

import pytest
from cases import long
from random_games import LAYOUTS, design

from companion.eye_options import read_eye_options
from companion.games import game
from companion.photographs import photographed_run
from companion.simulator.album import write_album
from companion.simulator.design import furnish
from companion.simulator.script import Beat
from companion.simulator.setting import Setting
from hardware.pictures import pictures_in

QUARTER = {"N": "E", "E": "S", "S": "W", "W": "N"}


def faulty(setting, full, fault):
    """The set-up with one fault: a piece missing, a piece turned."""
    anubis = next(s for s in full.standing if s.piece.kind == "anubis")
    if fault == "missing":
        return full.without(anubis.name), anubis.cell
    turned = dataclasses.replace(anubis.piece, facing=QUARTER[anubis.piece.facing])
    return full.with_piece(setting.put(anubis.name, turned, anubis.cell)), anubis.cell


@pytest.mark.parametrize("fault", ["missing", long("turned")])
def test_a_faulty_set_up_is_helped_and_the_right_one_begins_the_game(tmp_path, fault):
    seed, khet = 0, game("khet")
    options, table = {"layout": LAYOUTS[seed]}, design(seed)
    setting = Setting(furnish(table), seed)
    full = setting.state(khet.layout(khet.start(options)))
    wrong, cell = faulty(setting, full, fault)
    write_album([Beat(wrong, 1.0, "wrong"), Beat(full, 1.0, "right")], table, tmp_path)

    def eye():
        return read_eye_options("khet", None, "600,380,40", None, None, None).eye()

    run = photographed_run(eye, "khet", options)
    first, second = run.run(pictures_in(tmp_path))
    assert first.reading.kind == "set-up"
    assert f"on {cell}" in first.reading.text
    assert "complete" in second.reading.text
    assert run.desk.table.state.phase == "play"
