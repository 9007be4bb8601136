"""`companion play` as a person or a pipe uses it."""

import re

import pytest
from command_line import run

from companion.commands.playing import Playing
from companion.games import GAMES, game


def play(*lines: str, arguments: tuple[str, ...] = ()) -> str:
    """What the terminal shows for these typed lines."""
    result = run("play", *arguments, said="".join(f"{line}\n" for line in lines))
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_begun_drawn_and_left(name: str) -> None:
    shown = play("help", "moves", "show", "position", "quit", arguments=(name, "--seed", "1"))
    assert "take the last move back" in shown
    assert shown.count("> ") >= 5  # a prompt for each line
    assert "Traceback" not in shown


def sitting(name: str, seed: int = 7) -> tuple[Playing, list[str]]:
    """A game at a terminal, and the lines that it has said."""
    said: list[str] = []
    rules = game(name)
    playing = Playing(rules, rules.start({}), said.append, seed)
    playing.begin()
    return playing, said


@pytest.mark.parametrize("name", GAMES)
def test_every_game_plays_random_moves_and_takes_them_back(name: str) -> None:
    playing, said = sitting(name)
    begun = playing.position
    playing.answer("random 3")
    assert playing.position != begun
    playing.answer("undo 3")
    assert playing.position == begun
    playing.answer("undo")
    assert said[-1] == "unreadable: there is no move to take back"
    assert playing.position == begun


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("line", ["blub blub", "undo x", "random 1.5", "position blub", "\x00", "=", "9" * 400])
def test_a_line_that_cannot_be_followed_says_what_would_be_right_and_changes_nothing(name: str, line: str) -> None:
    playing, said = sitting(name)
    begun, lines = playing.position, len(said)
    playing.answer(line)
    assert said[lines].startswith(("unreadable: ", "unlawful ("))
    assert playing.position == begun


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_plays_the_same_game(name: str) -> None:
    games = [play("random 12", "position", "record", arguments=(name, "--seed", seed)) for seed in ("5", "5")]
    assert games[0] == games[1]
    assert "no move yet" not in games[0]


def test_three_kinds_of_refusal_are_told_apart() -> None:
    shown = play("b9", "d4", "position - x", "position x3o/5/5/5/o3x x 0 1 offer=x", arguments=("ataxx",))
    assert "unreadable: there is no cell 'b9'; cells run from a1 to h8" in shown
    assert "unlawful (A5, no-own-neighbour): No piece of Black stands next to d4" in shown
    assert "  Take the piece off d4 again. Drop on an empty cell next to your own (" in shown
    assert "unreadable: '-' x" not in shown
    assert "odd position: a draw cannot be offered before 100 half-moves" in shown


def test_a_game_ends_with_its_result_and_refuses_more() -> None:
    shown = play("random all", "a1", "undo", "quit", arguments=("ataxx", "--option", "board=3", "--seed", "3"))
    assert re.search(r"(wins, \d+\xa0:\xa0\d+|a tie, \d+\xa0:\xa0\d+)\. \(A1[345]\)", shown)
    assert "over> unreadable: the game is over, 'a1' was not played" in shown


def test_a_pass_happens_by_itself() -> None:
    shown = play("record", arguments=("ataxx", "--position", "7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 1"))
    assert "0000: Black cannot act and is skipped." in shown
    assert shown.splitlines()[-2].endswith("white> 0000")


def test_dice_and_bag_are_rolled_from_the_seed_or_typed() -> None:
    rolled = play("draw large", "put r3 up", "roll", arguments=("kaxxt", "--seed", "4"))
    assert re.search(r"^=[rgbyk]3: |^=[rgbyk]3$", rolled, re.M)
    typed = play("draw large", "=b2", "=b3", "put b3 left", "roll", "=2", arguments=("kaxxt", "--type-chance"))
    assert "unlawful (X6, not-in-the-bag): the medium blue pyramid cannot have come out of the bag." in typed
    assert "chance decides" in typed
    assert "beam: blue 3 (0,0) (0,-70) turned; blue 3 (0,-70)" in typed


def test_undo_takes_the_roll_back_with_its_die() -> None:
    playing, said = sitting("kaxxt", seed=1)
    begun = playing.position
    playing.answer("roll")
    assert playing.position != begun
    assert any(line.startswith("roll: South rolls.") for line in said)
    playing.answer("undo")
    assert playing.position == begun


def test_blank_lines_and_comments_are_passed_over() -> None:
    playing, said = sitting("ataxx")
    lines = len(said)
    playing.answer("")
    playing.answer("# a remark in a piped file")
    assert len(said) == lines


def test_choices_reach_the_game() -> None:
    assert "north 30" in play(arguments=("kaxxt", "--seats", "3"))
    assert "west 30" in play(arguments=("kaxxt", "--seats", "4"))
    assert " 7 x . . . . . o" in play(arguments=("ataxx", "--board", "7"))
    assert "e1 o . . . . . . . x e9" in play(arguments=("ataxx", "--option", "board=hex"))
    result = run("play", "kaxxt", "--seats", "9")
    assert result.exit_code != 0
    result = run("play", "ataxx", "--option", "board")
    assert "write NAME=VALUE" in str(result.exception)
    result = run("play", "ataxx", "--option", "board=7", "--position", "x")
    assert "--position says it all" in result.output


def test_numbers_that_are_none_are_refused() -> None:
    shown = play("random x", "undo -1", "random 0", arguments=("hexxagon",))
    assert "unreadable: 'x' is no number" in shown
    assert "unreadable: '-1' is no number" in shown or "no move to take back" in shown


def test_bytes_that_are_no_text_are_unreadable_too() -> None:
    result = run("play", "ataxx", said=b"\xff\xfe\x00\nb7\n")
    assert result.exit_code == 0
    assert "unreadable: " in result.output
    assert "b7: Black drops a piece on b7." in result.output


def test_the_position_names_no_face_that_lies_down() -> None:
    switch = "S5.?.?.?.S4.?/?.?.?.?.S3.?/?.?.?.?.?.?/?.?.?.?.?.? 4a,4b 0 move shut 0,0 0,0 - -"
    shown = play("5a", "=M5", "position", "quit", arguments=("kdak", "--position", f"duel {switch}"))
    line = next(line for line in shown.splitlines() if "duel ?" in line)
    assert "M5" not in line
    assert "S4" not in line
