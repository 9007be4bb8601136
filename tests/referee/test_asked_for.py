"""What the referee asks the seat on turn for: more than "to move" where a game's phase wants something of its own."""

from dataclasses import replace

import pytest

from companion.games import GAMES
from companion.games import game as game_named
from companion.games.kaxxt.attack import TURN_KAXXT
from companion.journal.archive import MemoryArchive
from companion.referee.commands import Command
from companion.referee.happenings import Cleared, SetUp
from companion.referee.readmodel import Desk

UP = "0a =S4 0a 0c =S2 1a =S3 1c =C2 2a =Cn 2c =Aa 3a =Ma 3c =Mn 4a =M4 4c =Ca 5a =C5"
GONE = ".".join("?" * 21)
TOWER = "/".join(["?.?.?.?.?.?"] * 4)


def begun(name, moves="", **options):
    desk = Desk(MemoryArchive())
    desk.submit(Command("new_game", {"game": name, "options": options}))
    desk.table.record(SetUp())
    for move in moves.split():
        asked(desk, move)
    desk.tick()
    return desk


def asked(desk, move=None):
    """What is asked for now, or after a move and all that it asks of hands."""
    if move is not None:
        desk.submit(Command("enter_move", {"move": move}))
        if desk.table.state.awaiting:
            desk.table.record(Cleared())
            desk.tick()
    return desk.snapshot().waiting.text


def test_the_tower_asks_for_a_tile_and_for_its_face():
    desk = begun("kdak")
    assert asked(desk) == "Baba: go to 0a, 0b, 0c or 0d"
    assert asked(desk, "0a") == "Baba: turn the tile under the pawn face-up"
    desk = begun("kdak", UP)
    assert asked(desk) == "Kaka: roll the die"
    assert asked(desk, "r0") == "Kaka: take a tile of level 0 away"
    assert asked(desk, "x0b") == "Kaka: show the face of the tile that was taken away"


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (f"duel {TOWER} 0a,0b 0 move shut 0,0 0,0 - -", "go to 0b or 0c"),  # too dark to climb
        (f"solitaire {TOWER} 0a 0 move shut 0 0 - -", "go to 0b, 0c or 1a"),
        (
            f"duel {TOWER} 0a!,3b 0 move open 0,0 0,0 - -",
            "go to 0b or 0c, or stay and turn the tile up, or leave the tower",
        ),
        (
            f"solitaire {TOWER} 4a 0 move open 0 1 - -",
            "go to 4b, 4c, 3a or 5a, or use the talisman: this turn takes no tile",
        ),
        (f"solitaire ?.?/-/-/- 0a 0 move shut 0 0 {GONE}.? -", "go to 1a"),
        (f"solitaire ?/-/-/- 0a 0 move shut 0 0 {GONE}.?.? -", "stay, walled in"),
    ],
)
def test_the_tower_says_where_a_pawn_may_go_and_what_else_it_may_do(position, words):
    kdak = game_named("kdak")
    assert kdak.asks(kdak.read_position(position)) == words


def test_what_is_asked_for_is_said_with_what_was_done():
    desk = begun("kdak", UP)
    said = desk.table.enter(desk.table.state.module.read_move(desk.table.state.position, "r0"))
    assert said.text == "The die shows 0. Kaka: take a tile of level 0 away."


def test_kaxxt_asks_to_draw_arrange_or_roll():
    desk = begun("kaxxt", seats=2)
    assert asked(desk) == "South: draw a pyramid, arrange, or roll"
    assert asked(desk, "draw any") == "South: take any pyramid out of the bag"
    assert asked(desk, "=r3") == "South: arrange, or roll"
    assert asked(desk, "roll") == "South: roll the die"
    assert asked(desk, f"={TURN_KAXXT}") == "South: turn Kaxxt to another player"


@pytest.mark.parametrize(
    ("dice", "words"),
    [
        (("red", "black"), "place a red piece and a black piece"),
        (("orange", "orange"), "place two orange pieces"),
        (("orange",), "place an orange piece"),
        (("red", "any"), "place a red piece and what the other die shows"),
        (("any", "any"), "place what the dice show"),
    ],
)
def test_chaos_asks_for_what_the_dice_show(dice, words):
    chaos = game_named("chaos")
    position = chaos.start({})
    position = replace(position, dice=dice, phase="place")
    assert chaos.asks(position) == words


@pytest.mark.parametrize(
    ("dice", "words"),
    [
        (("red", "yellow"), "place a red piece, and skip yellow: none is left"),
        (("red", "red"), "place a red piece, and then skip red: none is left"),
        (("yellow", "green"), "skip yellow and green: none is left"),
        (("yellow", "yellow"), "skip yellow: none is left"),
    ],
)
def test_chaos_asks_for_no_piece_of_a_colour_that_is_used_up(dice, words):
    chaos = game_named("chaos")
    position = chaos.start({"colours": 4})
    position = replace(position, array=((0, 0, 1), (0, 0, 0), (0, 0, 0), (5, 5, 5)), dice=dice, phase="place")
    assert chaos.asks(position) == words


@pytest.mark.parametrize("name", GAMES)
def test_every_game_asks_for_something_in_a_few_words(name):
    text = asked(begun(name))
    assert text
    assert len(text) < 60
