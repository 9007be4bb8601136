"""What does not belong on or beside K'Dak's Tower, and more tiles taken away than one action takes."""

from dataclasses import replace

import pytest
from kdak_players import STEP_S, Evening
from towers import Eye, Lies, Tower

from companion.games import kdak
from companion.games.kdak.table import BACK, front, place_mm
from companion.games.kdak.tower import Place
from companion.pieces import Piece
from companion.referee.commands import Command
from companion.view import Sighting, TableView

ASIDE = (100.0, 120.0)
STRANGE = ": it does not belong there"


def lying(at: tuple[float, float], piece: Piece, sure: float = 0.99) -> Sighting:
    return Sighting(((piece, sure),), *at, 0.0)


@pytest.mark.parametrize(
    ("at", "piece", "told"),
    [
        (
            ASIDE,
            Piece("pyramid", "red", "large", "upright"),
            "take the large upright red pyramid beside the tower away",
        ),
        (place_mm(Place(2, 1)), Piece("disc", "white"), "take the white disc on 2b away"),
        (ASIDE, BACK, "take the face-down tile beside the tower away"),
        (ASIDE, front("S3"), "take the 3 of suns beside the tower away"),
        (ASIDE, Piece("pawn", suit="suns"), "take the pawn of suns beside the tower away"),
        (place_mm(Place(2, 1)), Piece("pawn", suit="suns"), "take the pawn of suns on 2b away"),
    ],
)
def test_what_came_and_belongs_to_nothing_there_is_told_while_play_goes_on(at, piece, told) -> None:
    evening = Evening(Tower(2)).begin()
    evening.tower.prints.append(lying(at, piece))
    evening.rest()
    assert evening.still_to_do == [told + STRANGE]
    assert evening.desk.snapshot().waiting.why == ""
    evening.turn()
    assert evening.agree()
    evening.tower.prints.clear()
    evening.rest()
    assert evening.still_to_do == []


def test_a_shown_tile_that_is_put_away_is_seen_to_have_gone() -> None:
    evening = Evening(Tower(2)).begin()
    while not evening.tower.beside or evening.position.phase != "move":
        evening.turn()
    evening.rest()
    evening.tower.beside.clear()
    evening.rest()
    assert evening.desk.snapshot().waiting.why == ""
    evening.rest()
    assert "nothing is seen to have changed" in evening.desk.snapshot().waiting.why


@pytest.mark.parametrize(
    ("pieces", "told"),
    [
        ([Piece("die", suit="suns", value="3")], []),
        ([Piece("die", suit="suns", value="3")] * 2, ["take one die away: there is one too many"]),
        ([Piece("pawn", suit="moons")], ["take one pawn of moons away: there is one too many"]),
        ([Piece("coin", face="suit", suit="suns")], []),
    ],
    ids=["the die", "two dice", "a second pawn", "a coin"],
)
def test_of_what_may_lie_there_once_a_second_one_is_too_many(pieces, told) -> None:
    evening = Evening(Tower(2)).begin()
    evening.tower.prints += [lying((100.0 + 60.0 * i, 120.0), piece) for i, piece in enumerate(pieces)]
    evening.rest()
    assert evening.still_to_do == told


@pytest.mark.parametrize(
    ("before", "sight"),
    [(True, {}), (False, {"sure": 0.9}), (False, {"why": "between two classes"})],
    ids=["since before the game", "hardly", "untold"],
)
def test_what_lay_there_before_and_what_is_not_surely_seen_is_not_told(before, sight) -> None:
    evening = Evening(Tower(2))
    pawn = lying(ASIDE, Piece("pawn", suit="suns"), sight.get("sure", 0.99))
    pawn = replace(pawn, why=sight.get("why"))
    if before:
        evening.tower.prints.append(pawn)
    evening.begin()
    if not before:
        evening.tower.prints.append(pawn)
    evening.rest()
    assert evening.still_to_do == []


def test_what_is_laid_there_while_the_tower_is_set_up_is_not_told() -> None:
    evening = Evening(Tower(2))
    evening.once()
    evening.tower.prints.append(lying(ASIDE, Piece("pawn", suit="suns")))
    evening.begin()
    evening.rest()
    assert evening.still_to_do == []


def test_after_a_start_only_what_comes_is_told() -> None:
    evening = Evening(Tower(2)).begin()
    evening.restart()
    evening.tower.prints.append(lying(ASIDE, Piece("pawn", suit="suns")))
    evening.rest()
    assert evening.still_to_do == []
    evening.tower.prints.append(lying((160.0, 120.0), Piece("disc", "white")))
    evening.rest()
    assert evening.still_to_do == [f"take the white disc beside the tower away{STRANGE}"]


def test_what_comes_to_a_table_on_which_the_tower_is_not_found_is_not_told() -> None:
    evening = Evening(Tower(2)).begin()
    evening.restart()
    evening.desk.observe(TableView(0.0))
    for _ in range(12):
        evening.now += STEP_S
        evening.desk.observe(TableView(0.0, (lying(ASIDE, Piece("disc", "white")),)))
    assert evening.still_to_do == []


def test_beside_a_tile_that_was_taken_from_the_tower_the_other_one_is_told() -> None:
    evening = Evening(Tower(2)).begin()
    while not evening.tower.beside or evening.position.phase != "move":
        evening.turn()
    evening.tower.prints.append(lying(ASIDE, BACK))
    evening.rest()
    assert evening.still_to_do == [f"take the face-down tile beside the tower away{STRANGE}"]


def test_in_a_whole_noisy_game_nothing_is_said_to_be_strange() -> None:
    tower = Tower(3, "duel", Lies(10.0, 20.0, 3.0, 10.0, 2.0, (0.0, -150.0, 2.0)), Eye(1.5, doubts=0.03))
    evening, told = Evening(tower).begin(), []
    for _ in range(40):
        evening.turn()
        told += [text for text in evening.still_to_do if text.endswith(STRANGE) or "too many" in text]
    assert evening.agree()
    assert "x" in "".join(evening.read)
    assert told == []


def taking(seed: int = 5) -> Evening:
    return Evening(Tower(seed)).begin().until("take")


def test_of_two_tiles_taken_at_once_both_are_named_and_one_goes_back() -> None:
    evening = taking()
    level = evening.position.level
    one, other = (Place(level, corner) for corner in (0, 1))
    before = len(evening.read)
    evening.tower.take(one)
    evening.tower.take(other)
    evening.look(lambda: evening.table.state.ruling is not None)
    ruling = evening.table.state.ruling
    assert f"The face-down tile is not on {one} and the face-down tile is not on {other}" in ruling.text
    assert ruling.remedy == f"Put the face-down tile back on {other}: then the rest counts."
    assert not [text for text in evening.still_to_do if text.endswith(STRANGE)]
    evening.tower.tiles[other] = evening.tower.beside.pop()
    evening.look(lambda: len(evening.read) > before)
    assert evening.read[-1] == f"x{one}"


def test_a_tile_taken_from_another_level_besides_goes_back() -> None:
    evening = taking()
    level = evening.position.level
    evening.tower.take(Place(level, 0))
    evening.tower.take(Place(level + 1, 0))
    evening.look(lambda: evening.table.state.ruling is not None)
    back = f"Put the face-down tile back on {Place(level + 1, 0)}: then the rest counts."
    assert evening.table.state.ruling.remedy == back


def test_beside_a_step_only_what_is_not_of_it_is_to_be_put_right() -> None:
    evening = Evening(Tower(5)).begin()
    while not all(pawn.place for pawn in evening.position.pawns):
        evening.turn()
    here, before = evening.position.pawn.place, len(evening.read)
    there = Place(here.level, here.corner ^ 1)
    evening.tower.put(evening.position.seat, there)
    evening.tower.turn_up(Place(4, 2))
    evening.look(lambda: evening.table.state.ruling is not None)
    assert evening.table.state.ruling.remedy == "Turn the tile on 4c face-down again: then the rest counts."
    evening.tower.up.discard(evening.tower.tiles[Place(4, 2)])
    evening.look(lambda: len(evening.read) > before)
    assert evening.read[before] == str(there)


def test_what_is_lifted_for_long_is_to_be_put_back_or_where_it_is_to_go() -> None:
    evening = Evening(Tower(5)).begin()
    evening.turn()
    assert kdak.to_move(evening.position) is not None
    evening.tower.take(Place(3, 0))
    evening.look()
    assert evening.desk.snapshot().waiting.why == "The face-down tile is not on 3a: waiting until it is put down."
    evening.rest(30, hand=False)
    why = "The face-down tile is not on 3a: put it back, or where it is to go."
    assert evening.desk.snapshot().waiting.why == why


def test_a_tile_taken_from_under_a_pawn_that_was_left_there_is_waited_for_in_words() -> None:
    evening = taking()
    while not any(pawn.place and pawn.place.level == evening.position.level for pawn in evening.position.pawns):
        evening.turn()
        evening.until("take")
    hole = next(
        pawn.place for pawn in evening.position.pawns if pawn.place and pawn.place.level == evening.position.level
    )
    del evening.tower.tiles[hole]
    evening.rest()
    why = evening.desk.snapshot().waiting.why
    assert why == (
        f"What lies under the pawn on {hole} is not seen: "
        "if it was taken away, put the pawn where it comes to stand now."
    )
    below = Place(hole.level - 1, hole.corner) if hole.level else None
    evening.tower.pawns = [below if pawn == hole else pawn for pawn in evening.tower.pawns]
    evening.look(lambda: evening.read[-1] == f"x{hole}")


def lowered(evening: Evening, place: Place) -> None:
    """A tile and who stands on it come one level down."""
    tower, below = evening.tower, Place(place.level - 1, place.corner)
    tower.tiles[below] = tower.tiles.pop(place)
    tower.pawns = [below if pawn == place else pawn for pawn in tower.pawns]


def test_a_tile_that_seems_taken_from_another_level_may_be_a_column_on_its_way_down() -> None:
    evening = taking()
    hole = Place(evening.position.level, 1)
    evening.tower.take(hole)
    above = [place for place in sorted(evening.tower.tiles) if place.corner == 1 and place.level > hole.level]
    lowered(evening, above[0])
    evening.look(lambda: evening.table.state.ruling is not None)
    back = (
        f"Put the tile back and take one of level {hole.level}. If it is this that was done, go on with it: Baba takes"
    )
    assert evening.table.state.ruling.remedy.startswith(back)
    assert evening.table.state.ruling.remedy.endswith(f"({hole}) away.")
    for place in above[1:]:
        lowered(evening, place)
    evening.look(lambda: evening.table.state.ruling is None)
    assert evening.read[-1] == f"x{hole}"


def test_a_pawn_that_lies_beside_instead_of_beneath_is_to_be_put_there() -> None:
    evening = Evening(Tower(5)).begin()
    while evening.position.phase != "take" or evening.position.level != 5:
        evening.turn()
    seat = next(seat for seat, pawn in enumerate(evening.position.pawns) if pawn.place and pawn.place.level == 5)
    hole = evening.position.pawns[seat].place
    evening.tower.take(hole)
    evening.tower.pawns[seat] = None
    evening.rest(24)
    why = evening.desk.snapshot().waiting.why
    assert why.startswith(
        f"Not sure: the pawn of moons is not on {Place(4, hole.corner)}. Put it there; if it is there,"
    )


@pytest.mark.parametrize("up", [False, True])
def test_what_is_undone_while_the_tiles_come_down_is_not_read_once_more_but_put_back(up) -> None:
    tower = Tower(5, variant="cooperative")
    evening = Evening(tower).begin().until("take")
    stands = evening.position.pawns[0].place
    assert stands is not None
    hole = stands if up else Place(3, 0)
    evening.desk.submit(Command("undo"))
    evening.enter(f"r{hole.level}")
    tower.take(hole)
    evening.rest()
    lowered(evening, above := Place(hole.level + 1, hole.corner))
    evening.rest()
    evening.desk.submit(Command("undo"))
    evening.rest(24)
    assert evening.read[-1] == f"r{hole.level}"
    up_again = f"move the tile on {hole} one level up"
    told = [f"{up_again}, and put the tile that was taken away back on {hole}"]
    fell = [f"move the pawn of moons from beside the tower to {hole}"]
    assert evening.still_to_do == told + fell * up
    tower.tiles[above] = tower.tiles.pop(hole)
    evening.rest()
    put = [f"put the {'2 of moons' if up else 'face-down tile'} on {hole}"]
    assert evening.still_to_do == put + fell * up
    tower.tiles[hole] = tower.beside.pop()
    tower.pawns[0] = stands
    evening.rest()
    assert evening.still_to_do == []
    assert evening.read[-1] == f"r{hole.level}"
