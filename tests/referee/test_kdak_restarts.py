"""The power fails or the host goes back while a tile lies beside the tower: what is asked for puts it where it lay."""

import copy
from dataclasses import replace

import pytest
from cases import long
from kdak_players import Evening
from towers import Lies, Tower

from companion.games import kdak
from companion.games.kdak.position import Move
from companion.games.kdak.tower import LEVELS, Place, Tile
from companion.journal.archive import MemoryArchive
from companion.referee.commands import Command
from companion.referee.consequences import played_out
from companion.referee.evidence.laid import Laid
from companion.referee.evidence.layout import cells_of
from companion.referee.happenings import Cleared, SetUp, TakenBack
from companion.referee.orders import started
from companion.referee.table import Table


def at_the_first_roll(seed: int) -> Evening:
    evening = Evening(Tower(seed=seed)).begin().until("roll")
    assert evening.agree()
    return evening


@pytest.mark.parametrize("level", [0, long(2), long(4), 5])
@pytest.mark.parametrize("corner", [0, 3])
def test_the_tower_is_found_again_though_a_tile_lies_beside_it(level, corner) -> None:
    evening = at_the_first_roll(1)
    evening.enter(f"r{level}")
    taken = Place(level, corner)
    evening.tower.take(taken)
    evening.rest(16, hand=False)
    asked = [(step.text, step.done) for step in evening.desk.snapshot().waiting.steps]
    evening.restart()
    evening.rest(24, hand=False)
    snapshot = evening.desk.snapshot()
    assert snapshot.ruling is None
    assert [(step.text, step.done) for step in snapshot.waiting.steps] == asked


def crumbled(tower, heights):
    """Take a tower down to columns of these heights, all tiles face-up; the layout that it is then."""
    for place in sorted(tower.tiles, reverse=True):
        if place.level >= heights[place.corner]:
            tower.take(place)
        else:
            tower.turn_up(place)
    a, b, c, d = (
        tuple(Tile(tower.tiles[Place(level, corner)], up=True) for level in range(height))
        for corner, height in enumerate(heights)
    )
    return kdak.layout(replace(kdak.start({}), tower=(a, b, c, d), gone=tuple(tower.beside), door_open=True))


@pytest.mark.parametrize(
    "heights",
    [(5, 1, 2, 2), (1, 3, 2, 2), (2, 0, 0, 1), (1, 0, 2, 0), (1, 1, 0, 0), (1, 0, 1, 0), (1, 0, 0, 1), (0, 0, 1, 0)],
    ids=str,
)
def test_what_is_left_of_the_tower_is_found_again_beside_the_rows_of_tiles_that_left_it(heights) -> None:
    tower = Tower(3)
    layout = crumbled(tower, heights)
    cells, laid = Laid().read(tower.view(), layout, settled=True).by_cell(), cells_of(layout)
    assert {str(place): cells[str(place)].piece for place in tower.tiles} == {
        cell: piece for cell, piece in laid.items() if piece.kind == "tile"
    }


def test_a_tower_that_is_built_up_again_lies_where_what_was_left_of_it_lay() -> None:
    whole = Tower(0)
    left = copy.deepcopy(whole)
    for corner, height in enumerate((0, 2, 2, 2)):
        for _ in range(LEVELS - height):
            left.take(Place(0, corner))
            left.drop(Place(0, corner))
    for place in (place for place in whole.tiles if place.level < 3):
        whole.turn_up(place)
    a, b, c, d = (tuple(Tile() for _ in range(height)) for height in (0, 2, 2, 2))
    layout = kdak.layout(replace(kdak.start({}), tower=(a, b, c, d), gone=tuple(left.beside), door_open=True))
    laid = Laid()
    for tower in (left, whole):
        cells = laid.read(tower.view(), layout, settled=True).by_cell()
        assert {str(place) for place in tower.tiles} == {
            spot.cell for spot in layout.plan.spots if cells[spot.cell].piece.kind == "tile"
        }


@pytest.mark.parametrize("turn_deg", [93.0, -91.0, long(178.0)])
@pytest.mark.parametrize("heights", [(5, 1, 2, 2), (2, 0, 0, 1), (1, 0, 2, 0), (1, 0, 1, 0), (0, 0, 1, 0)], ids=str)
def test_what_is_left_of_a_tower_that_lies_across_the_table_is_found_again(heights, turn_deg) -> None:
    tower = Tower(3, lies=Lies(turn_deg=turn_deg))
    layout = crumbled(tower, heights)
    tower.beside.clear()  # back in the box
    cells = Laid().read(tower.view(), layout, settled=True).by_cell()
    assert {str(place): cells[str(place)].piece for place in tower.tiles} == {
        lying.cell: lying.piece for lying in layout.pieces if lying.piece.kind == "tile"
    }


def test_the_tower_is_found_again_though_the_tile_in_its_midst_has_come_down_meanwhile() -> None:
    tower, holes = Tower(2, lies=Lies(10.0, 20.0, 3.0, 10.0)), (Place(2, 2), Place(5, 3), Place(5, 0), Place(5, 1))
    position = kdak.start({"variant": "cooperative"})
    for hole in holes[1:]:
        tower.take(hole)
    a, b, c, d = position.tower
    before = replace(position, tower=(a[:-1], b[:-1], c, d[:-1]), phase="take", level=2)
    tower.take(holes[0])
    tower.drop(holes[0])
    laid, layout = Laid(), kdak.during(before, Move("take", holes[0]))
    laid.read(tower.view(), layout, settled=True)
    off = [abs(laid.place(s) - tower.on_table(s.x_mm, s.y_mm, int(s.cell[0]))) for s in layout.plan.spots]
    assert max(off) < 12.0


def test_undoing_a_take_asks_for_the_tile_where_it_lay_and_after_a_restart_still_does() -> None:
    evening = at_the_first_roll(1)
    evening.enter("r3", "x3a")
    down = "move the tiles on 4a and 5a one level down, with the pawn on them"
    assert evening.still_to_do == [f"take the tile on 3a away and {down}"]
    evening.tower.take(Place(3, 0))
    evening.tower.drop(Place(3, 0))
    evening.look(lambda: not evening.table.state.awaiting)
    evening.desk.submit(Command("undo"))
    up = "move the tiles on 3a and 4a one level up, with the pawn on them, and put the tile that was taken away back"
    assert evening.still_to_do == [f"{up} on 3a"]
    evening.restart()
    assert evening.still_to_do == [f"{up} on 3a"]


def test_two_takes_from_a_column_are_undone_the_last_one_first() -> None:
    evening = at_the_first_roll(1)
    first = len(evening.table.state.plies)
    for hole in (Place(4, 0), Place(3, 0)):
        evening.until("roll")
        evening.enter(f"r{hole.level}")
        evening._note(kdak.read_move(evening.position, f"r{hole.level}"))
        evening._take(Move("take", hole))
        evening.look(evening.agree)
    evening.desk.submit(Command("undo", {"ply": first}))
    (column,) = [text for text in evening.still_to_do if "one level up" in text]
    assert column.index("back on 3a") < column.index("back on 4a")


def test_a_face_that_is_taken_back_on_the_page_is_read_once_more() -> None:
    evening = at_the_first_roll(1)
    evening.enter("r3")
    evening._note(kdak.read_move(evening.position, "r3"))
    evening.turn(Move("take", Place(3, 0)))
    assert evening.read[-1].startswith("=")
    assert evening.agree()
    evening.desk.submit(Command("undo"))
    assert not evening.agree()
    evening.look(evening.agree)
    assert evening.agree()


@pytest.mark.parametrize("hole", [Place(0, 1), Place(3, 0), Place(5, 2)])
def test_a_tile_that_is_put_back_before_its_face_was_shown_is_a_take_back(hole) -> None:
    evening = at_the_first_roll(1)
    evening.enter(f"r{hole.level}")
    before = copy.deepcopy(evening.tower)
    evening.tower.take(hole)
    evening.tower.drop(hole)
    evening.tower.beside.clear()  # it is held in the hand
    evening.look(lambda: evening.table.state.position.phase == "discard" and not evening.table.state.awaiting)
    evening.tower = before
    evening.rest(16)
    assert evening.table.state.ruling is None
    assert "Is all that followed taken back?" in evening.desk.snapshot().question.text


def undone(moves: str, ply: int) -> Table:
    """These moves were carried out, and are undone to a ply: hands have not begun to put anything back."""
    table = Table(MemoryArchive(), lambda: 0.0)
    table.open_game(started({"game": "kdak", "options": {"variant": "solitaire"}}, "2026-01-01T00:00:00"))
    table.record(SetUp())
    for move in moves.split():
        table.record(*played_out(table.state, kdak.read_move(table.state.position, move), "table"), Cleared())
    table.record(TakenBack(ply))
    return table


UP = "move the tiles on 1b, 2b, 3b and 4b one level up, and put"
UNSEEN = "the tile that was taken away back on 1b"


def test_the_top_of_a_column_comes_back_before_the_tile_below() -> None:
    first = undone("0b =Sa r1 x1a =S2 1b =S3 r4 x4a =S4", 2).steps[0].text
    up = "put the 4 of suns back on 4a, face-down, then move the tiles on 1a, 2a, 3a and 4a one level up"
    assert first == f"{up}, and put the 2 of suns back on 1a, face-down"


@pytest.mark.parametrize(
    ("moves", "asked"),
    [
        ("0b =Sa r5 x5d =S2", "put the 2 of suns back on 5d, face-down"),
        ("0b =Sa r5 x5d =?", "put the face-down tile on 5d"),  # nobody saw its face
        ("0b =Sa r5 x5d", "put the face-down tile on 5d"),  # ... or nobody yet
    ],
)
def test_a_tile_whose_face_was_shown_to_all_is_named_when_its_take_is_undone(moves: str, asked: str) -> None:
    assert [step.text for step in undone(moves, 2).steps] == [asked]


@pytest.mark.parametrize(
    ("moves", "ply", "tile", "pawn"),
    [
        (
            "0b =Sa r1 x1b =S2 1b =S3",
            2,
            "the 2 of suns back on 1b, face-down",
            "move the pawn of moons from 1b to 0b",  # it went there since
        ),
        ("0b =Sa r5 x5d =S2 1b =S3 r1 x1b", 8, UNSEEN, "move the pawn of moons from 0b to 1b"),  # it fell
    ],
)
def test_a_pawn_that_no_column_carries_is_asked_for_when_a_take_is_undone(moves, ply, tile, pawn) -> None:
    assert [step.text for step in undone(moves, ply).steps] == [f"{UP} {tile}", pawn]


def test_a_take_of_which_all_is_put_back_is_asked_for_no_more() -> None:
    table = undone("0b =Sa r1 x1b =S2", 2)
    (up,) = table.steps
    table.record(TakenBack(1, done=up.cells))
    assert [step.text for step in table.steps] == ["turn the tile on 0b face-down"]


def take_away(tower: Tower, *seats: int) -> None:
    """Their pawns are nowhere."""
    tower._pawns = lambda: (s for seat, s in enumerate(Tower._pawns(tower)) if seat not in seats)  # type: ignore[method-assign]


def test_a_pawn_that_was_taken_away_while_nobody_looked_is_told_after_the_start() -> None:
    evening = at_the_first_roll(1)

    def why() -> str:
        return evening.desk.snapshot().waiting.why

    take_away(evening.tower, 0)
    evening.restart()
    evening.rest(8, hand=False)
    assert why().startswith(f"The pawn of moons is not seen on {evening.tower.pawns[0]}: if it was taken away, put it")
    take_away(evening.tower)
    evening.rest(8, hand=False)
    assert why() == ""


def test_pawns_that_a_hand_has_taken_away_are_told() -> None:
    evening = at_the_first_roll(1)
    take_away(evening.tower, 0, 1)
    evening.rest(8)
    assert "if they were taken away, put them back; else move them" in evening.desk.snapshot().waiting.why


def test_what_was_taken_away_as_asked_is_not_to_be_put_back_because_a_pawn_stands_wrong() -> None:
    evening = at_the_first_roll(1)
    evening.enter("r2", "x2a")
    evening.tower.take(Place(2, 0))
    evening.look()
    evening.tower.put(1, Place(0, 1))
    evening.rest(24)
    ruling = evening.desk.snapshot().ruling
    assert ruling.text == "A pawn of arms stands on 0b."
    assert "put the" not in ruling.remedy
