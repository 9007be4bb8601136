"""Hands play every game on its own table: what lies there is what the rules say, and nothing floats."""

import dataclasses
import json
import math
from types import SimpleNamespace

import numpy as np
import pytest

from calibration.lens import read_lens
from companion.errors import IllegalMove, UnreadableText
from companion.games import GAMES, game
from companion.pieces import COIN_THICKNESS_MM, PYRAMID_HEIGHT_MM, TILE_SIDE_MM
from companion.simulator.album import write_album
from companion.simulator.design import furnish
from companion.simulator.designs import design_for, look_options
from companion.simulator.playbook import load, names, read
from companion.simulator.random_games import CLEAR_MM, _elsewhere, alike, disturbed, random_steps, unlawful_step
from companion.simulator.script import Script, Step, Timing, seats_deg
from companion.simulator.setting import Setting
from companion.simulator.source import ScriptedTable

NEAR_MM = 4.0
OTHERS = [name for name in GAMES if name != "khet"]
SMALL = {"width": 400, "height": 300}


def middle(layout):
    """Everything well between the markers."""
    return layout.celled or all(abs(p.x_mm) < 235 and abs(p.y_mm) < 150 for p in layout.pieces)


def script_of(name, steps, seed=0, start=None, **options):
    rules = game(name)
    start = start or rules.start(options)
    furniture = furnish(design_for(name, rules.layout(start), **SMALL))
    return Script(rules, start, steps, Setting(furniture, seed), Timing(still_s=1.0), seed)


def missing(script, state, layout):
    """What the layout asks for and the table does not show, and what lies there beside it, in words."""
    left = [s for s in state.standing if layout.board is None or s.cell is not None]
    found = []
    for piece in layout.pieces:
        at = None if layout.board is not None and piece.cell else script.setting.spot_mm(piece)
        here = next((s for s in left if fits(s, piece, at, state)), None)
        found.append(piece.words if here is None else "")
        if here is not None:
            left.remove(here)
    return [words for words in found if words] + [s.name for s in left]


def fits(standing, piece, at, state):
    if not piece.piece.fits(standing.piece) or standing.count != piece.count:
        return False
    if at is None:
        return standing.cell == piece.cell
    if piece.nested_on is not None:
        return standing.nested_on is not None
    near = math.dist(at, (standing.x_mm, standing.y_mm)) < (
        NEAR_MM if piece.piece.kind != "pawn" else TILE_SIDE_MM * 0.7
    )
    turned = abs(((piece.heading_deg or 0) - standing.heading_deg + 180) % 360 - 180)
    return near and (piece.heading_deg is None or turned < 8)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("seed", range(2))
def test_after_every_move_the_table_shows_what_the_rules_say(name, seed):
    rules = game(name)
    steps, end = random_steps(rules, rules.start({}), 24, seed, room=middle)
    script = script_of(name, steps, seed)
    position = rules.start({})
    for beat in script.beats():
        if not beat.still or beat.what == "set-up":
            continue
        words, _, text = beat.what.partition(" ")
        if words == "cleared":
            expected = rules.layout(position)
        else:
            move = rules.read_move(position, text)
            expected = rules.during(position, move)
            position = rules.play(position, move).position
            while len(certain := rules.chance(position)) == 1:
                position = rules.play(position, certain[0][0]).position
        assert missing(script, beat.state, expected) == [], beat.what
        assert not beat.state.hands
    assert script.position == end
    assert rules.write_position(position) == rules.write_position(end)


@pytest.mark.parametrize("name", list(GAMES))
def test_every_shipped_script_can_be_played_and_does_something(name):
    assert names(name)
    for full in names(name):
        book = load(name, full)
        script = script_of(name, book.steps, start=book.start())
        stills = [beat.what for beat in script.beats() if beat.still]
        assert len(script.record) >= 2, full
        assert len(stills) > len(book.steps)
        assert book.title


def test_what_lies_on_something_lies_at_its_height():
    script = script_of("kdak", [Step("move", "0b"), Step("move", "=Ca"), Step("move", "0c")])
    for beat in script.beats():
        state = beat.state
        if not beat.still:
            continue
        tiles = [s for s in state.standing if s.piece.kind == "tile"]
        for piece in state.standing:
            if piece.piece.kind in ("pawn", "coin"):
                inside = [
                    t for t in tiles if max(abs(piece.x_mm - t.x_mm), abs(piece.y_mm - t.y_mm)) < TILE_SIDE_MM / 2
                ]
                under = script.setting.furniture.looks.tile_mm if inside else 0.0
                assert piece.z_mm in (under, COIN_THICKNESS_MM), piece
    assert sum(t.piece.face == "front" for t in tiles) == 1


def test_pyramids_are_stacked_tip_over_tip_and_carried_together():
    kaxxt = game("kaxxt")
    position = kaxxt.read_position(
        "shields=30,30 kaxxt=30 turn=south target=south phase=act bag=r1r2r3b1b2b3g1y1y2y3k1k2k3 "
        "area.south=g3g2@-40.0,-100.0^"
    )
    furniture = furnish(design_for("kaxxt", kaxxt.layout(position), **SMALL))
    setting = Setting(furniture, 1)
    state = setting.state(kaxxt.layout(position))
    lower, upper = (next(s for s in state.standing if s.piece.size == size) for size in ("large", "medium"))
    assert upper.nested_on == lower.name
    assert 0 < upper.z_mm - lower.z_mm < PYRAMID_HEIGHT_MM["large"]
    assert math.dist((upper.x_mm, upper.y_mm), (lower.x_mm, lower.y_mm)) < 1
    elsewhere = kaxxt.read_position(kaxxt.write_position(position).replace("-40.0,-100.0^", "30.0,-120.0^"))
    work = setting.work(state, kaxxt.layout(elsewhere))
    assert [(carry.name, carry.riders) for carry in work] == [(lower.name, (upper.name,))]


def test_discs_are_turned_over_one_after_the_other_half_now_and_half_later():
    start = game("ataxx").read_position("5oo/4o2/7/7/7/7/xx5 x 0 1")
    assert start
    drop = game("ataxx").read_position("7/7/2ooo2/2x4/7/7/7 x 0 1")
    script = script_of("ataxx", [Step("half", "d4")], start=drop)
    beats = [beat for beat in script.beats() if beat.still]
    blacks = [sum(s.piece.colour == "black" for s in beat.state.standing) for beat in beats]
    assert [beat.what.split()[0] for beat in beats] == ["set-up", "moved", "half", "cleared"]
    assert blacks == [1, 2, 3, 5]


def test_a_forgotten_disc_is_turned_over_later():
    drop = game("ataxx").read_position("7/7/2ooo2/2x4/7/7/7 x 0 1")
    script = script_of("ataxx", [Step("forget", "d4", "e5")], start=drop)
    beats = [beat for beat in script.beats() if beat.still]
    assert [beat.state.on_cell("e5").piece.colour for beat in beats] == ["white", "white", "white", "black"]
    assert [beat.state.on_cell("c5").piece.colour for beat in beats] == ["white", "white", "black", "black"]
    with pytest.raises(UnreadableText, match="a7"):
        list(script_of("ataxx", [Step("forget", "d4", "a7")], start=drop).beats())


def test_a_wrong_disc_leaves_the_picture_and_comes_back():
    drop = game("ataxx").read_position("7/7/2ooo2/2x4/7/7/7 x 0 1")
    script = script_of("ataxx", [Step("wrong removal", "d4", "c5")], start=drop)
    beats = [beat for beat in script.beats() if beat.still]
    assert [beat.state.on_cell("c5") is None for beat in beats] == [False, False, True, False, False]
    assert len(beats[2].state.standing) == len(beats[1].state.standing) - 1


def test_a_move_is_taken_back_with_what_followed_from_it():
    drop = game("ataxx").read_position("7/7/2ooo2/2x4/7/7/7 x 0 1")
    script = script_of("ataxx", [Step("move", "d4"), Step("take back"), Step("move", "b4")], start=drop)
    beats = [beat for beat in script.beats() if beat.still]
    back = next(beat for beat in beats if beat.what == "taken back")
    assert missing(script, back.state, game("ataxx").layout(drop)) == []
    assert script.record == ["b4"]


def test_moves_that_show_only_together_are_made_as_one():
    script = script_of("kaxxt", [Step("move", "draw large; =g3; put g3@0.0,-70.0>270.0")])
    assert [beat.what.split()[0] for beat in script.beats() if beat.still] == ["set-up", "moved"]
    assert script.record == ["draw large", "=g3", "put g3@0.0,-70.0>270.0"]


def test_a_flipped_disc_shows_its_other_side_on_the_way():
    drop = game("ataxx").read_position("7/7/2ooo2/2x4/7/7/7 x 0 1")
    script = script_of("ataxx", [Step("move", "d4")], start=drop)
    turning = {(s.piece.colour, s.pitch_deg) for beat in script.beats() for s in beat.state.standing if s.pitch_deg}
    assert {colour for colour, pitch in turning if pitch > 20} == {"white"}
    assert {colour for colour, pitch in turning if pitch < -20} == {"black"}
    assert all(-90 <= pitch <= 90 for _, pitch in turning)
    assert all(s.pitch_deg == 0 for s in script.state.standing)


@pytest.mark.parametrize("name", ["ataxx", "chaos", "kdak"])
def test_something_unlawful_is_found_that_the_game_names(name):
    rules = game(name)
    steps, _ = random_steps(rules, rules.start({}), 7, 3, room=middle)
    position = rules.start({})
    for step in steps:
        position = rules.play(position, rules.read_move(position, step.move)).position
    if rules.chance(position):
        position = rules.play(position, rules.chance(position)[0][0]).position
    step = next(
        found for seed in range(9) if (found := unlawful_step(rules, position, np.random.default_rng(seed))) is not None
    )
    with pytest.raises(IllegalMove):
        rules.play(position, rules.read_move(position, step.move))


def test_nothing_unlawful_is_the_last_move_made_otherwise():
    rules, tried = game("hexxagon"), 0
    for seed in range(60):
        start = rules.start({})
        steps, _ = random_steps(rules, start, 8, seed)
        before, position = None, start
        for step in disturbed(rules, start, steps, 0.5, seed):
            if step.what == "unlawful":
                if before is None:
                    continue
                wrong = rules.during(position, rules.read_move(position, step.move))
                assert all(not alike(rules.during(before, move), wrong) for move in rules.moves(before))
                tried += 1
            elif step.move:
                before, position = position, rules.play(position, rules.read_move(position, step.move)).position
    assert tried > 20


def test_nothing_unlawful_is_the_last_move_taken_back():
    rules = game("khet")
    before = rules.read_position("xs9/10/2k7/10/10/10/3PnwK5/9Xn s 2.0")
    after = rules.play(before, rules.read_move(before, "e2e3")).position
    found = {unlawful_step(rules, after, np.random.default_rng(seed), before=before) for seed in range(1090, 1320)}
    assert len(found) > 10
    assert all(step is None or step.move != "e3e2" for step in found)


def test_hands_put_no_piece_into_another_one():
    rules = game("chaos")
    start = rules.start({"seats": 2})
    steps, _ = random_steps(rules, start, 24, 4, room=middle)
    position, tried = start, 0
    for step in steps:
        position = rules.play(position, rules.read_move(position, step.move)).position
        while len(certain := rules.chance(position)) == 1:
            position = rules.play(position, certain[0][0]).position
        for seed in range(4):
            wrong = unlawful_step(rules, position, np.random.default_rng(seed))
            if wrong is None:
                continue
            before = {(p.x_mm, p.y_mm) for p in rules.layout(position).pieces}
            lying = rules.during(position, rules.read_move(position, wrong.move)).pieces
            new = next(p for p in lying if (p.x_mm, p.y_mm) not in before)
            others = [p for p in lying if p is not new]
            assert all(np.hypot(p.x_mm - new.x_mm, p.y_mm - new.y_mm) >= CLEAR_MM - 0.1 for p in others)
            tried += 1
    assert tried > 10


@pytest.mark.parametrize(("push_mm", "wrong"), [(2.0, False), (60.0, True)])
def test_a_piece_that_is_pushed_by_a_little_lies_where_it_lay(push_mm, wrong):
    rules = game("chaos")
    _, end = random_steps(rules, rules.start({"seats": 2}), 2, 4, room=middle)
    layout = rules.layout(end)
    pushed = _elsewhere(layout, layout.pieces[0], SimpleNamespace(normal=lambda *_: push_mm))
    assert (pushed is not None) is wrong


@pytest.mark.parametrize("name", ["khet", "ataxx", "hexxagon", "chaos"])
def test_a_disturbed_game_ends_as_the_lawful_one_does(name):
    rules = game(name)
    steps, end = random_steps(rules, rules.start({}), 16, 5, room=middle)
    wild = disturbed(rules, rules.start({}), steps, 0.7, 5)
    script = script_of(name, wild)
    whats = {beat.what.split()[0] for beat in script.beats() if beat.still}
    assert len(wild) > len(steps) or any(step.what in ("half", "forget", "wrong removal") for step in wild)
    assert "unlawful" in whats
    assert script.record == [step.move for step in steps]
    assert rules.write_position(script.position) == rules.write_position(end)


def test_what_is_unlawful_lies_on_the_table_too():
    rules = game("chaos")
    start = rules.start({})
    steps, _ = random_steps(rules, start, 16, 5, room=middle)
    position, unlawful, beside = start, 0, 0
    for room in (middle, lambda layout: True):
        for step in disturbed(rules, start, steps, 0.9, 7, room):
            while len(certain := rules.chance(position)) == 1:
                position = rules.play(position, certain[0][0]).position
            if step.what == "unlawful":
                unlawful += 1
                beside += not middle(rules.during(position, rules.read_move(position, step.move)))
            else:
                position = rules.play(position, rules.read_move(position, step.move)).position
        assert (beside > 0) is (room is not middle)
        assert unlawful > 3
        position = start


def test_players_sit_round_the_table():
    assert seats_deg(("south", "west", "north")) == [-90.0, 180.0, 90.0]
    assert seats_deg(("black", "white")) == [-90.0, 90.0]
    assert len(set(seats_deg(("a", "b", "c", "d", "e")))) == 5


def test_a_line_that_no_script_knows_is_refused_with_those_it_knows():
    with pytest.raises(UnreadableText, match=r"line 2.*forget M CELL"):
        read("ataxx", "mine", "move a7c7\njuggle b2\n")
    with pytest.raises(UnreadableText, match="forget takes 1 move"):
        read("ataxx", "mine", "forget e5\n")
    assert read("kaxxt", "mine", "offer draw large").steps == (Step("offer", "draw large"),)


@pytest.mark.parametrize(("name", "markers", "board"), [("kdak", "740,440", False), ("ataxx", None, True)])
def test_the_eye_is_told_what_its_host_would_tell_it(name, markers, board, tmp_path):
    design = design_for(name, game(name).layout(game(name).start({})))
    look = look_options(design, tmp_path)
    assert look.get("markers") == markers
    assert ("board" in look) is board
    assert read_lens(look["lens"]) == furnish(design).scene.camera.lens


@pytest.mark.parametrize("cells", [3, 12, 26])
def test_boards_of_every_size_lie_between_the_markers(cells):
    ataxx = game("ataxx")
    design = design_for("ataxx", ataxx.layout(ataxx.start({"board": cells, "blocked": "none"})))
    board = furnish(design).board
    assert board.size_mm[0] < design.markers_mm[1] - 10
    assert len(set(board.cells())) == cells**2
    assert board.cell_under(*board.middle_of(board.cells()[-1])) == board.cells()[-1]


@pytest.mark.parametrize("name", OTHERS)
def test_a_picture_shows_the_pieces_where_they_lie(name):
    book = load(name)
    script = script_of(name, book.steps, start=book.start())
    last = [beat.state for beat in script.beats() if beat.still][-1]
    furniture = script.setting.furniture
    camera = ScriptedTable(furniture.design, [dataclasses.replace(last, standing=()), last])
    camera.open()
    bare, full = (camera.read(1.0).pixels.astype(int) for _ in range(2))
    camera.close()
    for piece in last.standing:
        x, y = np.round(furniture.scene.camera.project([[piece.x_mm, piece.y_mm, piece.z_mm]])[0]).astype(int)
        window = (slice(y - 2, y + 3), slice(x - 2, x + 3))
        assert np.abs(full[window] - bare[window]).mean() > 4, piece


@pytest.mark.parametrize("name", ["hexxagon", "kdak"])
def test_an_album_tells_what_lies_in_its_pictures(name, tmp_path):
    book = load(name)
    script = script_of(name, book.steps[:1], start=book.start())
    words = write_album(script.beats(), script.setting.furniture.design, tmp_path, name)
    truth = json.loads((tmp_path / f"{len(words) - 1:03d}.json").read_text())
    told = sorted((p["kind"], p.get("cell_name"), round(p["x_mm"])) for p in truth["pieces"])
    assert told == sorted((s.piece.kind, s.cell, round(s.x_mm)) for s in script.state.standing)
    assert [p["index"] for p in truth["pieces"]] == list(range(len(truth["pieces"])))
