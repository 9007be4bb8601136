"""Hands put on the table what the rules say, by single carries, whatever the game brings."""

import dataclasses
import itertools
import json

import cv2
import numpy as np
import pytest

from companion.games import game
from companion.simulator.album import write_album
from companion.simulator.design import TableDesign, furnish
from companion.simulator.designs import design_for
from companion.simulator.random_games import random_steps
from companion.simulator.script import Script, Step, Timing, frames
from companion.simulator.setting import FREE_DEG, FREE_MOST, Setting

DESIGN = TableDesign(seed=2_000_102, width=400, height=300, clutter=False)


@pytest.fixture(scope="module")
def furniture():
    return furnish(DESIGN)


def shown(state):
    return {s.cell: (s.piece.kind, s.piece.colour, s.piece.facing, s.count) for s in state.standing if s.cell}


def wanted(layout):
    return {p.cell: (p.piece.kind, p.piece.colour, p.piece.facing, p.count) for p in layout.pieces}


@pytest.mark.parametrize("layout", ["classic-2.0", "imhotep-2.0", "dynasty-2.0", "classic-1.0", "imhotep-1.0"])
@pytest.mark.parametrize("seed", range(3))
def test_after_every_move_the_table_shows_the_layout(furniture, layout, seed):
    khet = game("khet")
    start = khet.start({"layout": layout})
    steps, end = random_steps(khet, start, 40, seed)
    script = Script(khet, start, steps, Setting(furniture, seed), Timing(still_s=1.0))
    stills = [beat for beat in script.beats() if beat.still]
    assert script.position == end
    assert script.record == [step.move for step in steps]
    position = start
    for beat in stills[1:]:
        if beat.what.startswith("moved"):
            move = khet.read_move(position, beat.what.removeprefix("moved "))
            expected = wanted(khet.during(position, move))
            position = khet.play(position, move).position
        else:
            expected = wanted(khet.layout(position))
        assert shown(beat.state) == expected
        assert not beat.state.hands


def test_a_defender_of_chaos_stands_turned_as_it_was_played():
    chaos = game("chaos")
    start = chaos.start({"seats": 2})
    roll, turned = "r4,10", "o3^93.0,20.1,74.6"
    setting = Setting(furnish(design_for("chaos", chaos.layout(start))), 1)
    script = Script(chaos, start, [Step("roll", roll), Step("move", turned)], setting)
    *_, last = script.beats()
    assert script.record == [roll, turned]
    (piece,) = (s for s in last.state.standing if s.piece.colour == "orange" and abs(s.x_mm - 93.0) < 2.0)
    assert piece.heading_deg == pytest.approx(74.6, abs=FREE_DEG * FREE_MOST)


def test_no_piece_is_lost_or_made_by_the_hands(furniture):
    khet = game("khet")
    start = khet.start({"layout": "classic-1.0"})
    steps, _ = random_steps(khet, start, 30, 5)
    script = Script(khet, start, steps, Setting(furniture, 5))
    count = sum(s.count for s in script.state.standing)
    for beat in script.beats():
        assert sum(s.count for s in beat.state.standing) == count


def test_an_unlawful_move_is_shown_and_put_back(furniture):
    khet = game("khet")
    start = khet.start({"layout": "classic-2.0"})
    script = Script(khet, start, [Step("unlawful", "c2c4")], Setting(furniture, 1))
    beats = [beat for beat in script.beats() if beat.still]
    assert [beat.what for beat in beats] == ["set-up", "unlawful c2c4", "put back"]
    assert "c4" in shown(beats[1].state)
    assert shown(beats[2].state) == wanted(khet.layout(start))
    assert script.record == []


def test_a_wrong_piece_taken_off_comes_back_and_the_hit_one_goes(furniture):
    khet = game("khet")
    start = khet.start({"layout": "classic-2.0"})
    steps, _ = random_steps(khet, start, 60, 11)
    script = Script(khet, start, steps, Setting(furniture, 1))
    stills = [beat.what for beat in script.beats() if beat.still]
    hit = next(what for what in stills if what.startswith("cleared")).removeprefix("cleared after ")
    number = next(i for i, s in enumerate(steps) if s.move == hit and f"cleared after {hit}" in stills)
    changed = [*steps[:number], Step("wrong removal", hit, "a8")]
    script = Script(khet, start, changed, Setting(furniture, 1))
    beats = [beat for beat in script.beats() if beat.still][-3:]
    assert [beat.what.split()[0] for beat in beats] == ["took", "put", "cleared"]
    assert "a8" not in shown(beats[0].state)
    assert shown(beats[2].state) == wanted(khet.layout(script.position))


def test_hands_are_in_the_picture_while_a_piece_moves(furniture):
    khet = game("khet")
    start = khet.start({"layout": "classic-2.0"})
    steps, _ = random_steps(khet, start, 1, 0)
    script = Script(khet, start, steps, Setting(furniture, 1))
    beats = list(script.beats())
    for before, after in itertools.pairwise(beats):
        if before.state.standing != after.state.standing:
            assert before.state.hands or after.state.hands


def test_frames_hold_a_still_table_for_its_time(furniture):
    khet = game("khet")
    start = khet.start({"layout": "classic-2.0"})
    script = Script(khet, start, [Step("wait")], Setting(furniture, 1), Timing(still_s=2.0, set_up_s=1.0))
    assert len(list(frames(script.beats(), 5.0))) == 15


def test_the_same_seed_moves_the_same_hands(furniture):
    khet = game("khet")
    start = khet.start({"layout": "classic-2.0"})
    steps, _ = random_steps(khet, start, 4, 3, mischief=0.5)
    runs = [list(Script(khet, start, steps, Setting(furniture, 1), seed=9).beats()) for _ in range(2)]
    assert runs[0] == runs[1]
    other = list(Script(khet, start, steps, Setting(furniture, 2), seed=9).beats())
    assert dataclasses.asdict(other[0].state) != dataclasses.asdict(runs[0][0].state)


def test_an_album_holds_a_picture_and_its_truth_for_every_still_table(furniture, tmp_path):
    khet = game("khet")
    start = khet.start({"layout": "classic-2.0"})
    steps, _ = random_steps(khet, start, 2, 4)
    script = Script(khet, start, steps, Setting(furniture, 1))
    words = write_album(script.beats(), DESIGN, tmp_path / "game")
    assert words[0] == "set-up"
    pictures = sorted((tmp_path / "game").glob("*.jpg"))
    assert len(pictures) == len(words)
    assert cv2.imread(str(pictures[0])).shape == (300, 400, 3)
    truth = json.loads((tmp_path / "game" / "000.json").read_text())
    cells = {p["cell_name"]: p["kind"] for p in truth["pieces"] if "cell_name" in p}
    assert cells == {p.cell: p.piece.kind for p in khet.layout(start).pieces}


def test_an_album_may_be_photographed_otherwise(furniture, tmp_path):
    khet = game("khet")
    start = khet.start({"layout": "classic-2.0"})
    steps, _ = random_steps(khet, start, 2, 4)
    stills = [beat for beat in Script(khet, start, steps, Setting(furniture, 1)).beats() if beat.still]
    asked = []

    def photograph(number, state):
        asked.append((number, state))
        return np.full((30, 40, 3), 5 * number, np.uint8)

    words = write_album(stills, DESIGN, tmp_path, photograph=photograph)
    assert asked == [(number, beat.state) for number, beat in enumerate(stills)]
    levels = [cv2.imread(str(path)).mean() for path in sorted(tmp_path.glob("*.jpg"))]
    assert levels == pytest.approx([5 * number for number in range(len(words))], abs=2)
