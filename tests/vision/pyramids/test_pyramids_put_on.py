"""Pyramids that hands put on one another and take off, while the table is watched or between photographs."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from cases import long
from pyramid_tables import on_table, table_picture

from companion.vision.kaxxt_finder import new_reader

LOWEST = ("blue", "medium", "lying", 20.0, -40.0, 200.0)
SECOND = ("yellow", "medium", "on", 0.0, 0.0, 0.0)
THIRD = ("black", "medium", "on", 0.0, 0.0, 0.0)
BESIDE = ("red", "small", "upright", -90.0, 40.0, 10.0)
MOVED = ("red", "small", "upright", 95.0, 70.0, 40.0)
MEDIUM = [(colour, "medium") for colour in ("blue", "yellow", "black")]


class Table:
    """A reader before a table on which hands lay pieces; each look tells those of one pose, lowest first."""

    def __init__(self, watched=True, pose="lying"):
        self.reader, self.watched, self.now_s, self.pose = new_reader(), watched, 0.0, pose

    def look(self, *stack, beside=(BESIDE,), bright=1.0):
        picture = table_picture(on_table((*stack, *beside)), 2)
        pixels = np.clip(picture.pixels * bright, 0, 255).astype(np.uint8)
        self.now_s += 1.0
        taken_s = self.now_s if self.watched else None
        found = self.reader.find(replace(picture, pixels=pixels, taken_s=taken_s, one_table=True))
        own = [i for i, s in enumerate(found) if s.piece.pose == self.pose and not s.faint]
        lowest = [i for i in own if found[i].nested_on is None]
        assert len(lowest) <= 1
        chain = lowest
        while more := [i for i in own if found[i].nested_on == chain[-1:][0]] if chain else []:
            chain = [*chain, more[0]]
        assert len(chain) == len(own)
        return [(found[i].piece.colour, found[i].piece.size) for i in chain]


@pytest.mark.parametrize("watched", [True, long(False)])
def test_pieces_put_on_known_ones_are_seen_one_by_one(watched):
    table = Table(watched)
    table.look(beside=())
    for count in (1, 2, 3):
        stack = (LOWEST, SECOND, THIRD)[:count]
        for _ in range(3):
            assert table.look(*stack) == MEDIUM[:count]


TALL = [
    ("green", "large", "lying", 0.0, 116.0, 180.0),
    ("blue", "medium", "on", 0.0, 0.0, 0.0),
    ("red", "medium", "on", 0.0, 0.0, 0.0),
    ("green", "small", "on", 0.0, 0.0, 0.0),
]


@pytest.mark.parametrize("x", [-160.0, long(-80.0), long(0.0), long(80.0)])
def test_the_uppermost_is_told_though_alone_it_looks_as_if_it_lay_on_the_table(x):
    table = Table()
    stack = [(*TALL[0][:3], x, *TALL[0][4:]), *TALL[1:]]
    table.look(beside=())
    for count in (1, 2, 3, 4, 4):
        assert table.look(*stack[:count]) == [piece[:2] for piece in stack[:count]]


def test_they_stay_while_other_pieces_move_and_time_passes():
    table = Table()
    table.look(beside=())
    for count in (1, 2, 3):
        assert table.look(*(LOWEST, SECOND, THIRD)[:count]) == MEDIUM[:count]
    assert table.look(LOWEST, SECOND, THIRD, beside=(MOVED,)) == MEDIUM
    table.now_s += 30.0  # everything is read anew
    assert table.look(LOWEST, SECOND, THIRD, beside=(MOVED,)) == MEDIUM


def test_what_was_taken_off_is_no_piece_that_came():
    table = Table()
    table.look(beside=())
    for stack in ((LOWEST,), (LOWEST, SECOND), (LOWEST,), (LOWEST,)):
        assert table.look(*stack) == MEDIUM[: len(stack)]


@pytest.mark.parametrize("pushed", [(-4.1, -1.0), long((3.0, -4.0))])
@pytest.mark.parametrize(
    "piece",
    [("yellow", "medium", 60.0, 120.0), long(("blue", "small", -60, -110)), long(("green", "small", 110, -60))],
)
def test_a_piece_that_is_pushed_a_little_carries_no_other(piece, pushed):
    colour, size, x, y = piece
    table = Table(pose="upright")
    table.look(beside=())
    for dx, dy in ((0.0, 0.0), (0.0, 0.0), pushed, pushed):
        assert table.look((colour, size, "upright", x + dx, y + dy, 0.0), beside=()) == [(colour, size)]


def test_a_brighter_lamp_puts_nothing_anywhere_and_takes_nothing():
    table = Table()
    table.look(beside=())
    assert table.look(LOWEST) == MEDIUM[:1]
    for bright in (1.0, 1.25, 0.85):
        assert table.look(LOWEST, SECOND, bright=bright) == MEDIUM[:2]


@pytest.mark.parametrize("colour", ["blue", long("purple"), long("green")])
def test_one_of_the_same_size_is_seen_on_another_although_it_hides_it(colour):
    table = Table(watched=False)
    table.look(beside=())
    stack = [(colour, "large", "lying", 0.0, -116.0, 90.0), ("black", "large", "on", 0.0, 0.0, 0.0)]
    for count in (1, 1, 2, 2):
        assert table.look(*stack[:count]) == [piece[:2] for piece in stack[:count]]


UPRIGHT = [
    [("yellow", "large"), ("blue", "large"), ("red", "medium")],
    [("red", "small"), ("yellow", "small"), ("green", "small")],
    [("black", "large"), ("green", "medium"), ("yellow", "medium")],
]


@pytest.mark.parametrize(
    ("pieces", "watched"),
    [
        (UPRIGHT[1], True),  # of one size: what is told of one is not told of the one above it
        *(long(*case) for case in itertools.product(UPRIGHT, (True, False)) if case != (UPRIGHT[1], True)),
    ],
)
def test_upright_ones_are_put_on_one_another_and_taken_off(pieces, watched):
    table = Table(watched, "upright")
    (colour, size), *others = pieces
    stack = [(colour, size, "upright", 42.0, 29.0, 0.0), *((*piece, "on", 0.0, 0.0, 0.0) for piece in others)]
    table.look(beside=())
    for count in (1, 1, 2, 2, 3, 3, 2, 2, 1, 1):
        assert table.look(*stack[:count], beside=()) == pieces[:count]


TWO = (("yellow", "blue", 42.0), ("green", "yellow", -90.0))


def test_two_stacks_that_change_at_once_are_each_told():
    reader = new_reader()
    stacks = [[(a, "large", "upright", x, 29.0, 0.0), (b, "large", "on", 0.0, 0.0, 0.0)] for a, b, x in TWO]
    for count in (0, 1, 1, 2):
        pieces = [piece for stack in stacks for piece in stack[:count]]
        found = reader.find(replace(table_picture(on_table(tuple(pieces)), 2), one_table=True))
    carried = {found[s.nested_on].piece.colour: s.piece.colour for s in found if s.nested_on is not None}
    assert carried == {a: b for a, b, _ in TWO}
