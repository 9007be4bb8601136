"""K'Dak's Tower found anywhere on the table, set up, and begun with a first move."""

from dataclasses import replace

import pytest
from kdak_players import Evening
from towers import Eye, Tower, anywhere

from companion.errors import CommandRefused
from companion.games import kdak
from companion.games.kdak.table import BACK, place_mm
from companion.games.kdak.tower import Place
from companion.referee.commands import Command
from companion.referee.evidence.laid import Laid, shared_out

PAWN = {"kind": "pawn", "suit": "moons"}


@pytest.mark.parametrize("turned", [0.0, 180.0])
def test_the_tower_is_found_wherever_it_lies_and_whichever_way_round(turned):
    tower, laid, layout = anywhere(3, turned=turned), Laid(), kdak.layout(kdak.start({}))
    cells = laid.read(tower.view(), layout, settled=False).by_cell()
    assert all(cells[spot.cell].belief(BACK) > 0.9 for spot in layout.plan.spots)
    off = [abs(laid.place(s) - tower.on_table(s.x_mm, s.y_mm, int(s.cell[0]))) for s in layout.plan.spots]
    assert max(off) < 8.0


@pytest.mark.parametrize("levels", [(0, 1), (0, 1, 2, 3), (2, 3, 4, 5)])
def test_a_tower_of_which_some_squares_were_laid_later_is_found_anew(levels):
    tower, laid, layout = Tower(3), Laid(), kdak.layout(kdak.start({}))
    whole, pitch = tower.view(), abs(place_mm(Place(1, 0))[0] - place_mm(Place(0, 0))[0])
    first = [s for s in whole.sightings if s.piece.kind != "tile" or round(s.x_mm / pitch + 2.5) in levels]
    laid.read(replace(whole, sightings=tuple(first)), layout, settled=False)
    cells = laid.read(whole, layout, settled=False).by_cell()
    assert all(cells[spot.cell].belief(BACK) > 0.9 for spot in layout.plan.spots)


@pytest.mark.parametrize("corners", [(1, 2), (0, 1, 2, 3)])
def test_a_tower_with_gaps_at_its_end_is_found_whatever_lies_beside_it(corners):
    """As it has to be after a restart in the middle of a game."""
    tower, laid, layout = Tower(3), Laid(), kdak.layout(kdak.start({}))
    gaps = {Place(5, corner) for corner in corners}
    for place in gaps:
        tower.take(place)
    there = [p for p in layout.pieces if p.cell is None or p.cell[:2] not in {f"5{'abcd'[c]}" for c in corners}]
    laid.read(tower.view(), replace(layout, pieces=tuple(there)), settled=True)
    spots = [s for s in layout.plan.spots if s.cell in {p.cell for p in there}]
    off = [abs(laid.place(s) - tower.on_table(s.x_mm, s.y_mm, int(s.cell[0]))) for s in spots]
    assert max(off) < 12.0


def test_a_tower_that_is_nudged_as_a_whole_is_followed():
    evening = Evening(anywhere(4)).begin()
    evening.tower.lies.x_mm += 43.0
    evening.tower.lies.turn_deg += 2.0
    evening.look()
    assert evening.read == []
    evening.turn()
    assert evening.agree()


def test_the_set_up_says_what_is_missing_wrong_and_too_much():
    tower = Tower(7)
    evening = Evening(tower)
    tower.turn_up(Place(1, 2))
    del tower.tiles[Place(3, 1)]
    tower.pawns[1] = Place(0, 0)
    reading = evening.look()
    for words in ("turn the tile on 1c face-down", "put the face-down tile on 3b", "take the pawn of arms on 0a away"):
        assert words in reading.text.lower()
    assert evening.table.state.phase == "set-up"


def test_the_set_up_names_coins_by_the_tower_as_the_game_does():
    tower = Tower(7, "solitaire")
    evening = Evening(tower)
    name = tower.tiles.pop(Place(3, 1))
    told = evening.look().text
    assert (
        "Put the talisman (a coin, suit up) by level 5" in told
        or "put the talisman (a coin, suit up) by level 5" in told
    )
    tower.tiles[Place(3, 1)] = name
    evening.begin()


def test_of_two_that_look_like_one_pawn_the_surer_is_it_and_the_other_none():
    (shares,) = shared_out([[0.997, 0.787]], 0.01)
    assert shares[0] > 0.9
    (alike,) = shared_out([[0.997, 0.997]], 0.01)
    assert alike[0] == pytest.approx(alike[1])


def unseen_pawns(variant: str) -> Evening:
    """A set-up whose pawns lie on cloth of their own colour."""
    evening = Evening(Tower(2, variant, eye=Eye(blind_beside=True)))
    evening.look()
    assert evening.table.state.phase == "set-up"
    return evening


@pytest.mark.parametrize("variant", ["duel", "solitaire"])
def test_a_game_begins_with_the_first_move_of_a_pawn_that_was_not_seen_before(variant):
    evening = unseen_pawns(variant)
    told = evening.desk.snapshot()
    assert "if the pawn of moons" in told.waiting.why.lower()
    assert "only not seen, tap its place here, or begin" in told.waiting.why
    assert {p.state for p in told.pieces if p.kind == "pawn"} == {"missing"}
    evening.turn(kdak.read_move(evening.position, "0a"))
    assert evening.table.state.phase == "play"
    assert evening.agree()


def test_a_pawn_that_no_first_move_leads_to_begins_no_game():
    evening = unseen_pawns("duel")
    evening.tower.put(0, Place(3, 1))
    evening.rest(12, hand=False)
    assert evening.table.state.phase == "set-up"
    assert evening.table.hint == ""


def test_a_host_who_says_that_a_pawn_is_there_begins_the_game():
    evening = unseen_pawns("solitaire")
    evening.desk.submit(Command("correct", {"cell": "beside the tower/moons", "piece": PAWN}))
    evening.begin()


def test_a_piece_that_cannot_be_there_is_refused_in_words():
    evening = unseen_pawns("solitaire")
    with pytest.raises(CommandRefused, match=r"^A robot card cannot be on '1a'$"):
        evening.desk.submit(Command("correct", {"cell": "1a", "piece": {"kind": "robot_card"}}))
