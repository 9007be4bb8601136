"""Photographed games on free tables go on from what lies there, where more was done than anybody can tell."""

import pytest
from free_albums import Album
from referee_tables import Bench, comes_back
from towers import Tower

from companion.agreement import same_layout
from companion.errors import CommandRefused
from companion.games import chaos, kaxxt
from companion.games.chaos.colours import UNSEEN
from companion.games.kdak.tower import Place
from companion.photographs import photograph_settings
from companion.referee.commands import Command
from companion.referee.orders import carry_out
from companion.referee.photographs.played_on import TAKEN_UP
from companion.referee.picture import Painter
from companion.referee.words import sentence


def played(game, position, *moves: str):
    """The position after these, lawful as they are."""
    for text in moves:
        position = game.play(position, game.read_move(position, text)).position
    return position


def lies_as(album: Album, position) -> bool:
    return same_layout(album.bench.game.layout(album.bench.position), album.bench.game.layout(position))


FIRST = ("r1,2", "w3^0.0,0.0,0.0", "l3^100.0,0.0,0.0")
UNSEEN_PLACED = ("r3,4", "r3^0.0,100.0,0.0", "o3^100.0,100.0,0.0", "r5,6", "y3^0.0,-100.0,0.0", "g3^100.0,-100.0,0.0")


def of_chaos():
    """Two turns and one piece of a third are placed between two photographs, and one piece in each of the next two."""
    album = Album(chaos)
    first = played(chaos, album.bench.position, *FIRST)
    assert album.photograph(chaos.layout(first)).kind == "move"
    gap = played(chaos, first, *UNSEEN_PLACED, "r7,8", "c3^-100.0,0.0,0.0")
    return album, gap, played(chaos, gap, "b3^-100.0,100.0,0.0")


def test_chaos_goes_on_from_what_lay_there_and_counts_whose_turn_it_is() -> None:
    album, gap, then = of_chaos()
    assert album.photograph(chaos.layout(gap)).kind == "unlawful"
    on = album.photograph(chaos.layout(then))
    assert (on.kind, on.moves) == ("move", ("b3^-100.0,100.0,0.0",))
    assert on.text.startswith(sentence(TAKEN_UP))
    assert lies_as(album, then)
    assert (album.bench.position.seat, album.bench.position.phase) == (then.seat, "roll")
    assert comes_back(album.bench.archive)


def test_the_host_goes_on_from_a_free_table_with_the_seat_that_he_names() -> None:
    for seat, dice in ((1, (UNSEEN,)), (0, ())):
        album, gap, _ = of_chaos()
        album.photograph(chaos.layout(gap))
        assert Painter().snapshot(album.bench.table).ruling.allows == "table"
        carry_out(album.bench.table, Command("take_up", {"seat": seat}), "")
        assert lies_as(album, gap)
        assert (album.bench.position.seat, album.bench.position.dice) == (seat, dice)
        assert album.photograph(chaos.layout(gap)).kind == "nothing new"


def of_kaxxt():
    """Both players place a pyramid unseen, one of them on what lay there, and Kaxxt is turned."""
    album = Album(kaxxt, first="south", draws="late")
    start = album.bench.position
    first = played(kaxxt, start, "draw any", "=r3", "put r3@0.0,-70.0>90.0")
    assert album.photograph(kaxxt.layout(first)).kind == "move"
    gap = played(kaxxt, first, "roll", "=6", "draw any", "=b3", "put b3@0.0,70.0^", "roll", "=6")
    gap = played(kaxxt, gap, "draw any", "=g2", "put r3g2@0.0,-70.0>90.0", "roll", "=6", "draw any", "=k2")
    gap = played(kaxxt, gap, "put b3@0.0,70.0^ k2@0.0,116.0^")
    return album, gap, played(kaxxt, gap, "roll", "=6")


def test_kaxxt_goes_on_from_what_lay_there_with_whom_he_faces() -> None:
    album, gap, then = of_kaxxt()
    assert album.photograph(kaxxt.layout(gap)).kind == "unlawful"
    on = album.photograph(kaxxt.layout(then))
    assert on.kind == "move"
    assert on.text.startswith(sentence(TAKEN_UP))
    assert lies_as(album, then)
    assert album.bench.position.areas[0][0].pyramids == then.areas[0][0].pyramids
    assert album.bench.position.turn == then.turn
    assert comes_back(album.bench.archive)


def test_the_host_of_kaxxt_cannot_name_another_seat_than_that_he_faces() -> None:
    album, gap, _ = of_kaxxt()
    album.photograph(kaxxt.layout(gap))
    assert Painter().snapshot(album.bench.table).ruling.allows == "table"  # no one player did what is refused
    with pytest.raises(CommandRefused):
        carry_out(album.bench.table, Command("take_up", {"seat": 0}), "")


def test_a_tower_goes_on_from_what_lay_there() -> None:
    tower, bench = Tower(3), Bench("kdak", settings=photograph_settings(), dice="camera")
    assert bench.look(tower.view()).kind == "set-up"
    for seat, place in ((0, Place(0, 0)), (1, Place(0, 3))):
        tower.put(seat, place)
        tower.turn_up(place)
        assert bench.look(tower.view()).kind == "move"
    for seat, place in ((0, Place(1, 0)), (1, Place(0, 1))):
        tower.put(seat, place)
        tower.turn_up(place)
    tower.put(0, Place(1, 1))
    tower.turn_up(Place(1, 1))
    assert bench.look(tower.view()).kind == "unlawful"
    tower.put(1, Place(0, 0))
    on = bench.look(tower.view())
    assert (on.kind, on.moves) == ("move", ("0a",))
    assert on.text.startswith(sentence(TAKEN_UP))
    assert [str(pawn.place) for pawn in bench.position.pawns] == ["1b", "0a"]
    assert comes_back(bench.archive)
