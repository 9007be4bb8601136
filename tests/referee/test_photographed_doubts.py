"""What photographs leave in doubt is told with what it was taken for: which throw it was, which colour a piece has."""

from dataclasses import replace

import pytest
from free_albums import BLUE, GREEN, LARGE_ORANGE, LARGE_RED, RED, Album, placed
from free_benches import kaxxt_bench, seen
from referee_tables import Bench
from towers import Tower

from companion.games import chaos, kaxxt
from companion.games.kdak.tower import Place
from companion.photographs import photograph_settings
from companion.pieces import Piece
from companion.view import Sighting

ROUND_THE_TABLE = "put k3@0.0,-70.0>270.0 r1@0.0,-116.0^"


def die(face: str, x_mm: float = -200.0) -> Sighting:
    return Sighting(((Piece("die", value=face), 0.98),), x_mm, 90.0)


def begun() -> Album:
    """South has drawn and placed what turns a red laser otherwise than others, and is to roll."""
    album = Album(kaxxt, **kaxxt.PHOTOGRAPHED)
    position = album.bench.position
    for text in ("draw any", "=k3", ROUND_THE_TABLE.removesuffix(" r1@0.0,-116.0^")):
        position = kaxxt.play(position, kaxxt.read_move(position, text)).position
    assert album.photograph(kaxxt.layout(position)).kind == "move"
    return album


def facing(album: Album, seat: int):
    return kaxxt.layout(replace(album.bench.position, target=seat))


def test_a_turned_card_is_told_with_a_word_on_the_throws_that_turn_it_as_well() -> None:
    album = begun()
    reading = album.photograph(facing(album, 1))
    assert reading.kind == "move"
    assert reading.text.endswith(
        "Just as well it may have been: South rolls. The die shows 5: Kaxxt is turned. South turns Kaxxt to North."
    )


def test_every_throw_that_does_otherwise_is_told() -> None:
    album = begun()
    for seat in (1, 0):
        album.photograph(facing(album, seat))
    position = album.bench.position
    for text in ("draw any", "=r1", ROUND_THE_TABLE):
        position = kaxxt.play(position, kaxxt.read_move(position, text)).position
    assert album.photograph(kaxxt.layout(position)).kind == "move"
    reading = album.photograph(facing(album, 1))
    told, _, others = reading.text.partition(" Just as well it may have been: ")
    assert "The die shows 2: the blue laser." in told
    assert others == (
        "South rolls. The die shows 1: the red laser. "
        "Or: South rolls. The die shows 5: Kaxxt is turned. South turns Kaxxt to North."
    )


@pytest.mark.parametrize("face", ["1", "2", "3", "4", "6"])
def test_a_die_in_view_settles_which_throw_it_was(face: str) -> None:
    album = begun()
    reading = album.photograph(facing(album, 1), also=(die(face),))
    assert reading.moves == ("roll", f"={face}")
    assert "Just as well" not in reading.text


def test_a_die_in_view_settles_that_a_player_turned_kaxxt() -> None:
    album = begun()
    reading = album.photograph(facing(album, 1), also=(die("5"),))
    assert reading.moves == ("roll", "=5", "face north")
    assert "Just as well" not in reading.text
    reading = album.photograph(facing(album, 0), also=(die("6", 150.0),))
    assert reading.moves == ("=6",)
    assert "Just as well" not in reading.text
    assert (album.bench.position.shields, album.bench.position.turn) == ((30, 27), 0)


def test_at_a_watched_table_hands_that_rest_have_finished_the_turn() -> None:
    bench = kaxxt_bench(dice="camera")
    reading = seen(bench, kaxxt.layout(replace(bench.position, target=1)))
    assert (reading.kind, reading.moves) == ("move", ("roll", "=1"))
    assert "Just as well" not in reading.text


@pytest.mark.parametrize(("sure", "told"), [(0.7, True), (0.98, False)])
def test_a_colour_that_is_hardly_likelier_than_another_is_told_with_it(sure: float, told: bool) -> None:
    album = Album(chaos)
    doubt = ((LARGE_RED, sure), (LARGE_ORANGE, 1.0 - sure))
    reading = album.photograph(placed(RED), beliefs={LARGE_RED: doubt})
    assert reading.moves[-1] == RED
    assert ("Just as well it may have been: Player 1 rolls 4" in reading.text) == told


@pytest.mark.parametrize(("texts", "told"), [((RED, BLUE), False), ((RED, BLUE, GREEN), True)])
def test_pieces_of_more_than_one_turn_are_told_with_a_word_on_their_order(texts: tuple[str, ...], told: bool) -> None:
    reading = Album(chaos).photograph(placed(*texts))
    assert (reading.kind, sum("^" in move for move in reading.moves)) == ("move", len(texts))
    assert reading.text.endswith("Which of these pieces came in which turn was not seen.") == told


FRONT_RIGHT, BACK_LEFT, BACK_RIGHT = Place(0, 1), Place(0, 2), Place(0, 3)
BABA, KAKA = 0, 1


def back_and_forth() -> tuple[Bench, Tower]:
    """Baba has a coin, has gone from the tile that gave it to another one, and may use it."""
    tower = Tower(3, "talisman")
    null = next(place for place, tile in tower.tiles.items() if tile == "Mn")
    tower.tiles[null], tower.tiles[BACK_LEFT] = tower.tiles[BACK_LEFT], "Mn"
    bench = Bench("kdak", settings=photograph_settings(), variant="talisman", dice="camera", undo="take")
    assert bench.look(tower.view()).kind == "set-up"
    for seat, place, new in (
        (BABA, BACK_RIGHT, True),
        (KAKA, FRONT_RIGHT, True),
        (BABA, BACK_LEFT, True),
        (KAKA, BACK_RIGHT, False),
        (BABA, BACK_RIGHT, False),
    ):
        tower.put(seat, place)
        assert bench.look(tower.view()).kind == "move"
        if new:
            tower.turn_up(place)
            assert bench.look(tower.view()).kind == "move"
    assert bench.position.phase == "coin"
    return bench, tower


def test_who_steps_back_with_a_coin_in_hand_has_used_it_or_taken_the_step_back() -> None:
    bench, tower = back_and_forth()
    tower.put(BABA, BACK_LEFT)
    reading = bench.look(tower.view())
    assert (reading.kind, reading.moves) == ("move", ("coin", "0c"))
    assert reading.text.endswith("Just as well it may have been: The table was put back to action 9.")


def test_the_other_player_who_goes_back_after_an_unseen_end_of_the_turn_takes_nothing_back() -> None:
    bench, tower = back_and_forth()
    for seat, place in ((KAKA, BACK_LEFT), (BABA, BACK_LEFT), (KAKA, BACK_RIGHT)):  # the last as after action 8
        tower.put(seat, place)
        reading = bench.look(tower.view())
        assert (reading.kind, reading.moves) == ("move", ("end", str(place)))
