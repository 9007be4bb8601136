"""Every text and JSON that is read: what is right is read, what is wrong gets a clear answer and nothing else."""

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from khet_boards import table

from companion.commands.rules_command import command as rules_command
from companion.errors import OddPosition, UnreadableText
from companion.games import game, khet
from companion.games.base import Game
from companion.games.khet import Move
from companion.games.khet.layouts import LAYOUTS

FIRST = khet.start({})
LINE = LAYOUTS["classic-1.0"].position
DIAGRAM = khet.draw(khet.start({"layout": "osiris-1.0"}))


def test_khet_offers_every_name_of_a_game() -> None:
    names = [name for name in (*Game.__annotations__, *vars(Game)) if not name.startswith("_")]
    assert len(names) > 20
    assert [name for name in names if not hasattr(game("khet"), name)] == []


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("e4d5", Move("step", "e4", "d5")),
        ("  E4-D5 ", Move("step", "e4", "d5")),
        ("e4 d5", Move("step", "e4", "d5")),
        ("Se4>d5", Move("step", "e4", "d5")),
        ("h8+", Move("turn", "h8", turn=1)),
        ("c4-", Move("turn", "c4", turn=-1)),
        ("Pc4 NW>NE", Move("turn", "c4", turn=1)),
        ("c4 > sw", Move("turn", "c4", turn=-1)),
        ("c4=SE", Move("turn", "c4", turn=2)),
        ("Se4=\\", Move("turn", "e4", turn=1)),
        ("e4-", Move("turn", "e4", turn=1)),
        ("c1ud1", Move("swap", "c1", "d1")),
        ("D1Tc2", Move("top", "d1", "c2")),
        ("e4d5+", Move("step", "e4", "d5", 1)),
        ("Draw", Move("draw")),
        ("pass", Move("pass")),
    ],
)
def test_moves_are_read_tolerantly(text: str, move: Move) -> None:
    assert khet.read_move(FIRST, text) == move
    assert khet.read_move(FIRST, khet.write_move(FIRST, move)) == move


@pytest.mark.parametrize(
    "text", ["", "e4", "e9d5", "k4d5", "e4d5d6", "castle", "c4 NE>SE", "e1>N", "c4>NW", "c4>/", "e4d5*", "--"]
)
def test_unreadable_moves(text: str) -> None:
    with pytest.raises(UnreadableText) as refused:
        khet.read_move(FIRST, text)
    assert "move" in str(refused.value)


def test_our_notation_holds_stacks_and_eyes() -> None:
    text = "5k4/10/10/3SrDErOef2/10/10/10/4K5 r 1.0"
    assert khet.write_position(khet.read_position(text)) == text
    drawn = khet.draw(khet.read_position(text))
    assert "5  ::  .   .   S/  O2  E/  O   e\\  .   ++" in drawn.splitlines()
    assert khet.read_position(drawn).cells == khet.read_position(text).cells


@pytest.mark.parametrize("layout", LAYOUTS)
def test_diagrams_and_lines_say_the_same(layout: str) -> None:
    position = khet.start({"layout": layout})
    assert khet.write_position(position) == LAYOUTS[layout].position
    assert khet.read_position(khet.draw(position)) == position


def test_a_diagram_is_read_without_its_rim() -> None:
    bare = "\n".join(line[3:] for line in DIAGRAM.splitlines()[:8])
    assert khet.read_position(bare) == khet.start({"layout": "osiris-1.0"})
    red = khet.read_position(f"{bare}\n\nred to move")
    assert khet.to_move(red) == 1


ODD = [
    ("two pharaohs", {"e1": "K", "c3": "K"}, "1.0", "silver has 2 pharaohs, a set has 1"),
    ("eight pyramids", dict.fromkeys(("b2", "b3", "c2", "c3", "d2", "d3", "e2", "e3"), "Pne"), "1.0", "8 pyramids"),
    ("five obelisks", {"b2": "D", "b3": "D", "b4": "O"}, "1.0", "5 obelisks"),
    ("two sphinxes", {"j1": "Xn", "e4": "Xn"}, "2.0", "silver has 2 sphinxes, a set has 1"),
    ("reserved", {"a4": "Pne"}, "1.0", "the silver pyramid on a4 stands on a square reserved"),
    ("reserved for silver", {"b8": "pne"}, "1.0", "the red pyramid on b8 stands on a square reserved"),
    ("sphinx in 1.0", {"j1": "Xn"}, "1.0", "does not belong to Khet 1.0"),
    ("obelisk in 2.0", {"e4": "D"}, "2.0", "does not belong to Khet 2.0"),
    ("sphinx away", {"j1": "Pne", "j2": "Xn"}, "2.0", "the silver sphinx is not on j1"),
    ("sphinx off the board", {"j1": "Xe"}, "2.0", "fires off the board"),
]


@pytest.mark.parametrize(("_", "pieces", "edition", "reason"), ODD, ids=[row[0] for row in ODD])
def test_odd_positions_say_why(_: str, pieces: dict[str, str], edition: str, reason: str) -> None:
    with pytest.raises(OddPosition) as odd:
        table(pieces, edition)
    assert any(reason in found for found in odd.value.reasons)


def test_a_swapped_piece_may_stand_on_a_reserved_square_by_house_rule() -> None:
    """Khet Q1."""
    assert table({"a4": "Pne"}, rules="swap_into_reserved=yes")
    with pytest.raises(OddPosition):
        table({"a4": "Sr"}, rules="swap_into_reserved=yes")  # only what is pushed gets there


UNREADABLE = [
    "",
    "\n",
    "¹/²/³/4/5/6/7/8",
    "8/8/8",
    LINE.replace("/", "/10/", 1),
    LINE.replace("2psw7", "2psw6"),
    LINE.replace("2psw7", "2psw8"),
    LINE.replace("pne", "pxx", 1),
    LINE + " 3.0",
    LINE + " both_pharaohs=perhaps",
    LINE + " castling=yes",
    "\n".join(DIAGRAM.splitlines()[1:]),
    DIAGRAM.replace("p1", "q1", 1),
]


@pytest.mark.parametrize("text", UNREADABLE)
def test_unreadable_positions(text: str) -> None:
    with pytest.raises(UnreadableText) as refused:
        khet.read_position(text)
    assert str(refused.value)


@pytest.mark.parametrize(
    "options", [{"layout": "classic-3.0"}, {"both_pharaohs": "maybe"}, {"layot": "x"}, {"swap_into_reserved": 3}]
)
def test_unfit_options(options: dict[str, str]) -> None:
    with pytest.raises(UnreadableText):
        khet.start(options)


def mangled(*texts: str) -> st.SearchStrategy[str]:
    """Texts near the right ones: a piece cut out, some signs put in."""

    def mangle(text: str, start: int, length: int, put: str) -> str:
        at = start % (len(text) + 1)
        return text[:at] + put + text[at + length :]

    signs = st.text("ksperxoadnw0123456789/\\ .+-u=>^v<\n", max_size=6)
    return st.builds(
        mangle, st.sampled_from(texts), st.integers(0, 400), st.integers(0, 6), signs | st.text(max_size=4)
    )


PLAIN = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda s: st.lists(s, max_size=3))
VALUES = PLAIN | st.sampled_from(("step", "turn", "e4", "e5", LINE, 1, 2))


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(("layout", "first", "colours", "swap_into_reserved")), VALUES | mangled(LINE)))
def test_any_options_start_a_game_or_are_refused(options: dict[str, str]) -> None:
    try:
        position = khet.start(options)
    except (UnreadableText, OddPosition):
        return
    assert khet.outcome(position) is None or khet.outcome(position).reason == "no-action"


def test_words() -> None:
    position = khet.start({"layout": "classic-1.0", "colours": "orange-blue"})
    said = {text: khet.describe(position, khet.read_move(position, text)) for text in ("c4d4", "c4+", "e4+", "d1tc2")}
    assert said == {
        "c4d4": "Orange moves the pyramid from c4 to d4.",
        "c4+": "Orange turns the pyramid on c4 to face NE.",
        "e4+": "Orange turns the scarab on e4 a quarter turn.",
        "d1tc2": "Orange moves the top obelisk from d1 to c2.",
    }
    assert khet.describe(position, khet.read_move(position, "e4ud4")).startswith("Orange swaps the scarab on e4")


def test_the_rules_command_prints_each_rule_with_its_pointer() -> None:
    output = CliRunner().invoke(rules_command, ["khet"]).output
    for rule in khet.RULES:
        assert f"{rule.number}  {rule.text}\n    enforced in {rule.enforced_in}\n" in output
    only = CliRunner().invoke(rules_command, ["khet", "--rule", "khet q7"]).output
    assert only.startswith("Khet Q7")
    assert len(only.splitlines()) == 2
    assert CliRunner().invoke(rules_command, ["khet", "--rule", "Khet Q99"]).exit_code == 2


def test_a_drawn_position_of_khet_keeps_its_house_rules() -> None:
    chosen = {"swap_into_reserved": "yes", "both_pharaohs": "draw", "repetition": "automatic"}
    position = khet.start({"layout": "osiris-1.0", **chosen})
    again = khet.read_position(khet.draw(position))
    assert again.house == position.house
    assert khet.write_position(again) == khet.write_position(position)
