"""Hands in photographs of board games: told and ruled on by nobody, and the game goes on as if they were not there."""

import dataclasses

import pytest

from companion.bench.random_game import random_game
from companion.eye_options import read_eye_options
from companion.photographs import ONE_TABLE, photographed_run
from companion.simulator.album import write_album
from companion.simulator.design import furnish
from companion.simulator.designs import look_options
from companion.simulator.script import Script, Timing
from companion.simulator.setting import Setting
from hardware.pictures import pictures_in

FIRST_SEED = 2_990_300  # of the tables
HAND = "hand over the board"
READ = {"set-up": "set-up", "moved": "move", "cleared": "step", "unlawful": "unlawful", "put": "take-back"}


def album(variant, seed, plies, folder):
    """A random game in photographs, one of them with a hand before each that shows what it did; what each shows."""
    book, design = random_game(variant, plies, seed)
    furniture = furnish(design)
    script = Script(book.game, book.start(), book.steps, Setting(furniture, seed), Timing(), seed)
    taken, moving = [], []
    for beat in script.beats():
        if beat.still:
            taken += [*over(furniture.board, moving), beat]
            moving = []
        else:
            moving.append(beat)
    shown = write_album(taken, design, folder, book.game.NAME)
    return shown, book, look_options(design, folder)


def over(board, beats):
    """The beat in which a hand reaches farthest over the board, as if the table rested; none where it never does."""

    def apart_mm(beat):
        return min((max(abs(h.x_mm - board.x_mm), abs(h.y_mm - board.y_mm)) for h in beat.state.hands), default=1e9)

    nearest = min(beats, key=apart_mm, default=None)
    if nearest is None or apart_mm(nearest) > min(board.size_mm) / 2:
        return []
    return [dataclasses.replace(nearest, hold_s=1.0, what=HAND)]


def refereed(book, look, paths):
    """What is read in each of the pictures."""

    def eye():
        markers = look.get("markers", "600,380,40")
        return read_eye_options(book.game.NAME, look["lens"], markers, look.get("board"), None, None).eye(ONE_TABLE)

    return [line.reading for line in photographed_run(eye, book.game.NAME, book.options).run(paths)]


@pytest.mark.parametrize(
    ("variant", "seed"),
    [(("khet", {"layout": "classic-2.0"}), 0), (("ataxx", {"board": 7}), 1), (("hexxagon", {}), 2)],
    ids=["khet", "ataxx", "hexxagon"],
)
def test_a_photograph_with_a_hand_is_unclear_and_the_others_are_read_as_without_it(variant, seed, tmp_path):
    shown, book, look = album(variant, FIRST_SEED + seed, 3, tmp_path)
    paths = [path for path in pictures_in(tmp_path) if path.stem.isdigit()]
    hands = [path for path, what in zip(paths, shown, strict=True) if what == HAND]
    assert len(hands) >= 3
    readings = refereed(book, look, paths)
    told = {path: (reading.kind, reading.text) for path, reading in zip(paths, readings, strict=True)}
    assert {told[path] for path in hands} == {("unclear", "a hand is in view")}
    without = [path for path in paths if path not in hands]
    alone = refereed(book, look, without)
    assert [told[path] for path in without] == [(reading.kind, reading.text) for reading in alone]
    kinds = [reading.kind for reading in alone]
    still = [what.split()[0] for what in shown if what != HAND]
    assert kinds == [READ.get(word, "nothing new") for word in still]
