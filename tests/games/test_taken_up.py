"""A table as it lies is a position to play on from."""

import random
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.errors import UnreadableText
from companion.games import ataxx, chaos, hexxagon, kaxxt, kdak, khet
from companion.games.kdak.tower import TILES, Tile
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.layout import cells_of
from companion.view import Sighting, TableView, square_at

STARTS = [
    (khet, {"layout": "classic-2.0"}),
    (khet, {"layout": "imhotep-2.0"}),
    (ataxx, {"board": "5"}),
    (ataxx, {"board": "7"}),
    (hexxagon, {}),
]


def played(game, position, plies: int, seed: int):
    rng = random.Random(seed)
    for _ in range(plies):
        if game.outcome(position) is not None:
            break
        position = game.play(position, rng.choice(list(game.moves(position)))).position
    return position


@given(st.sampled_from(STARTS), st.integers(0, 40), st.integers(0, 10_000), st.integers(0, 1))
def test_what_lies_there_is_the_position(start, plies, seed, seat) -> None:
    game, options = start
    begun = game.start(options)
    shown = cells_of(game.layout(played(game, begun, plies, seed)))
    position = game.taken_up(begun, shown, seat)
    assert cells_of(game.layout(position)) == shown
    assert game.to_move(position) in (seat, None)
    assert game.from_json(game.to_json(position)) == position


def test_what_khet_is_taken_up_from_counts_as_its_first_time() -> None:
    """Khet Q17: the third time, a draw may be claimed."""
    begun = khet.start({"layout": "classic-2.0"})
    position = khet.taken_up(begun, cells_of(khet.layout(begun)), 0)
    for _ in range(2):
        assert not khet.claims(position)
        for move in ("e1d2", "e8f7", "d2e1", "f7e8"):
            position = khet.play(position, khet.read_move(position, move)).position
    assert khet.claims(position)


def test_a_stack_stays_one_where_an_obelisk_is_seen() -> None:
    begun = khet.start({"layout": "classic-1.0"})
    assert any(lying.count == 2 for lying in khet.layout(begun).pieces)
    assert khet.taken_up(begun, cells_of(khet.layout(begun)), 0) == begun


@pytest.mark.parametrize(
    ("game", "cells"),
    [
        (ataxx, {"a1": Piece("pyramid", "red", facing="NE")}),
        (ataxx, {"a1": EMPTY}),
        (hexxagon, {"e4": Piece("disc", "black")}),  # one of the three holes
        (khet, {"a1": Piece("disc", "black")}),
        (khet, {"a1": Piece("pyramid", "red", facing="N")}),
    ],
)
def test_what_no_piece_of_the_game_is_is_refused(game, cells) -> None:
    holes = {"holes": True} if game is hexxagon else {}
    with pytest.raises(UnreadableText):
        game.taken_up(game.start(holes), cells, 0)


# --- free tables ----------------------------------------------------------------------------------------------------


def seen(layout) -> TableView:
    """What lies there, exactly as it is recorded, and bare table beside it."""
    sightings = tuple(
        Sighting(
            ((lying.piece, 1.0),),
            lying.x_mm,
            lying.y_mm,
            None if lying.piece.pose == "upright" else lying.heading_deg,
            nested_on=lying.nested_on,
            base_deg=(lying.heading_deg or 0.0) % 90 if lying.piece.pose == "upright" else None,
        )
        for lying in layout.pieces
    )
    return TableView(0.0, sightings, covered=frozenset(square_at(s.x_mm, s.y_mm) for s in sightings))


def on_the_table(game, position):
    """What lies where, in any order."""
    lying = game.layout(position).pieces
    return sorted((repr(p.piece), p.x_mm, p.y_mm) for p in lying if p.piece.kind == "pyramid")


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 8), st.integers(1, 12), st.integers(0, 10_000))
def test_what_lies_on_a_table_of_chaos_is_in_play_with_the_turn_that_its_count_tells(before, since, seed) -> None:
    begun = played(chaos, chaos.start({"seats": 3}), before, seed)
    up = played(chaos, begun, since, seed)
    view = seen(chaos.layout(up))
    position = chaos.taken_up(begun, view, chaos.turn_of(begun, view))
    assert on_the_table(chaos, position) == on_the_table(chaos, up)
    assert position.captured == begun.captured
    if up.captured == begun.captured and not up.skips:
        assert position.array == up.array
    assert chaos.from_json(chaos.to_json(position)) == position


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 12), st.integers(0, 10_000))
def test_a_table_of_chaos_to_which_nothing_came_is_the_position_as_it_was(plies, seed) -> None:
    begun = played(chaos, chaos.start({"seats": 3}), plies, seed)
    view = seen(chaos.layout(begun))
    seat = chaos.turn_of(begun, view)
    assert seat == chaos.to_move(begun)
    assert replace(chaos.taken_up(begun, view, seat), skips=begun.skips) == begun


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 30), st.integers(1, 30), st.integers(0, 10_000), st.sampled_from([2, 4]))
def test_what_stands_before_a_player_of_kaxxt_is_theirs(before, since, seed, seats) -> None:
    begun = played(kaxxt, kaxxt.start({"seats": seats, "draws": "late"}), before, seed)
    up = played(kaxxt, begun, since, seed)
    if not all(up.present) or kaxxt.outcome(up) is not None:
        return
    position = kaxxt.taken_up(begun, seen(kaxxt.layout(up)), up.target)
    assert position.areas == up.areas
    assert position.shields == begun.shields
    assert kaxxt.to_move(position) == up.target
    assert kaxxt.from_json(kaxxt.to_json(position)) == position


def test_a_player_of_kaxxt_of_whom_all_is_gone_is_out() -> None:
    position = kaxxt.start({"seats": 3, "first": "south"})
    for text in ("draw any", "=r3", "put r3@0.0,-70.0>90.0"):
        position = kaxxt.play(position, kaxxt.read_move(position, text)).position
    without = replace(position, areas=((), (), ()), target=1)
    up = kaxxt.taken_up(position, seen(kaxxt.layout(without)), 1)
    assert up.present == (False, True, True)
    assert kaxxt.from_json(kaxxt.to_json(up)) == up
    with pytest.raises(UnreadableText):
        kaxxt.taken_up(position, seen(kaxxt.layout(without)), 0)


@settings(deadline=None)
@given(st.integers(0, 60), st.integers(0, 40), st.integers(0, 10_000), st.sampled_from(["duel", "cooperative"]))
@example(42, 36, 841, "duel")  # the pawn of the seat on turn has just left
@example(0, 36, 657, "duel")  # the switch has turned down tiles of which nothing was known, under both pawns
def test_what_lies_in_the_tower_is_the_position(before, since, seed, variant) -> None:
    begun = played(kdak, kdak.start({"variant": variant}), before, seed)
    up = played(kdak, begun, since, seed + 1)
    seat = kdak.to_move(up)
    if seat is None:
        return
    shown = cells_of(kdak.layout(up))
    position = kdak.taken_up(begun, shown, seat)
    assert cells_of(kdak.layout(position)) == shown
    assert position.scores == begun.scores
    assert position.crumbling or not up.crumbling
    assert position.phase == "reveal" or up.phase != "reveal" or position.crumbling  # what is entered is turned up (K2)
    assert kdak.from_json(kdak.to_json(position)) == position


def test_a_tower_that_shows_only_faces_is_explored() -> None:
    gone = ".".join(name for name in TILES if name not in ("A4", "S3"))
    begun = kdak.read_position(f"duel (A4)/S3/-/- 0b,0b 0 move open 5,9 0,0 {gone} -")
    shown = cells_of(kdak.layout(replace(begun, tower=((Tile("A4", up=True),), *begun.tower[1:]))))
    up = kdak.taken_up(begun, shown, 0)
    assert (up.phase, kdak.outcome(up).winners) == ("over", (1,))


def test_of_a_column_one_face_may_have_been_misread_and_no_more() -> None:
    begun = kdak.read_position("duel Sa.S2.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.?/C2.?.?.?.?.? 0d,- 0 move shut 0,0 0,0 - -")
    other = [Tile("M4", up=True), Tile("Mn", up=True)]
    once, twice = (replace(begun, tower=((*other[:n], *begun.tower[0][n:]), *begun.tower[1:])) for n in (1, 2))
    assert kdak.taken_up(begun, cells_of(kdak.layout(once)), 0).tower[0][0] == other[0]
    with pytest.raises(UnreadableText, match="nor changed"):
        kdak.taken_up(begun, cells_of(kdak.layout(twice)), 0)


def test_of_a_tile_that_cannot_be_told_nothing_is_known_any_more() -> None:
    text = "duel (Sa).(S2).?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.?/C2.?.?.?.?.? 0d,- 0 move open 0,0 0,0 - -"
    begun = kdak.read_position(text)
    cells = cells_of(kdak.layout(begun))
    gone = {cell: piece for cell, piece in cells.items() if cell != "5a"}
    position = kdak.taken_up(begun, gone, 1)
    assert [tile.name for tile in position.tower[0]] == [None] * 5
    assert position.gone == ("?",)
    with pytest.raises(UnreadableText):
        kdak.taken_up(begun, {cell: piece for cell, piece in cells.items() if cell != "2a"}, 1)
