"""Counts of lines of play that independent programs agree on, and the commands that print them."""

import pytest
from click.testing import CliRunner
from khet_boards import table

from companion.commands.perft_command import command as perft_command
from companion.commands.perft_command import walk
from companion.games import game, khet

KNOWN = [
    ("classic-2.0", (77, 5920, 451859)),
    ("imhotep-2.0", (73, 5343, 387073)),
    ("dynasty-2.0", (70, 4854, 334850)),
    ("classic-1.0", (79, 6228)),
    ("classic2-2.0", (77, 5920)),
]


@pytest.mark.parametrize(("layout", "counts"), KNOWN)
def test_counts(layout: str, counts: tuple[int, ...]) -> None:
    first = khet.start({"layout": layout})
    assert tuple(khet.perft(first, depth) for depth in range(1, len(counts) + 1)) == counts


def test_the_position_itself_counts_once_and_a_finished_game_has_no_children() -> None:
    assert khet.perft(khet.start({}), 0) == 1
    position = table({"j5": "Psw", "e5": "k", "e2": "Pne"})
    ended = khet.play(position, khet.read_move(position, "e2d2")).position
    assert [khet.perft(ended, depth) for depth in range(4)] == [1, 0, 0, 0]


def test_swaps_onto_reserved_squares_show_in_imhotep_at_depth_four() -> None:
    """Khet Q1: the published counts with and without it differ by three; here at the squares themselves."""
    strict, free = (khet.start({"layout": "osiris-2.0", "swap_into_reserved": allowed}) for allowed in (False, True))
    assert {khet.write_move(free, m) for m in khet.moves(free)} - {
        khet.write_move(strict, m) for m in khet.moves(strict)
    } == {"b8uc7"}


@pytest.mark.long
def test_imhotep_to_depth_four_with_and_without_swaps_onto_reserved_squares() -> None:
    counts = [
        khet.perft(khet.start({"layout": "imhotep-2.0", "swap_into_reserved": allowed}), 4) for allowed in (False, True)
    ]
    assert counts == [27828428, 27828431]


def test_the_plain_walk_by_moves_and_play_counts_the_same() -> None:
    assert walk(game("khet"), khet.start({"layout": "imhotep2-2.0"}), 2) == khet.perft(
        khet.start({"layout": "imhotep2-2.0"}), 2
    )


def test_the_command_prints_the_count_last() -> None:
    result = CliRunner().invoke(perft_command, ["khet", "--layout", "dynasty-2.0", "--depth", "3"])
    assert result.output.splitlines() == ["depth 1: 70", "depth 2: 4854", "depth 3: 334850", "334850"]


def test_the_command_takes_a_position() -> None:
    text = khet.write_position(khet.start({"layout": "classic-1.0"}))
    result = CliRunner().invoke(perft_command, ["khet", "--position", text, "--depth", "1"])
    assert result.output.splitlines()[-1] == "79"
