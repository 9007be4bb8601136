"""Every rule of Khet by its number; those of its light are tested in `test_khet_light`, too."""

import re
from pathlib import Path

import pytest
from khet_boards import play, spelled, steps_from, table

from companion.errors import IllegalMove, OddPosition
from companion.events import GameOver, Hit, Told
from companion.games import khet
from companion.games.khet.layouts import LAYOUTS

# --- Khet 3a: the pieces ----------------------------------------------------------------------------------------


def test_pharaoh() -> None:
    """Khet 3a.pharaoh: one step in eight directions, no turn, no swap; light from any side hits it."""
    position = table({"e4": "K", "f4": "Sr"})
    assert spelled(position, "e4") == steps_from("e4", besides="f4")
    assert not spelled(position, "f4ue4")


def test_pyramid() -> None:
    """Khet 3a.pyramid: one step in eight directions or a quarter turn either way."""
    position = table({"e4": "Pne"})
    assert spelled(position, "e4") == steps_from("e4") | {"e4+", "e4-"}
    assert khet.draw(play(position, "e4+")).count("P2") == 1
    assert khet.draw(play(position, "e4-")).count("P4") == 1


@pytest.mark.parametrize("sign", ["Sr", "Er"])
def test_scarab_and_eye(sign: str) -> None:
    """Khet 3a.scarab, Khet 3a.eye, Khet Q10: steps, one turn, swaps with its neighbours of either colour."""
    around = {"d5": "Pne", "e5": "psw", "f5": "D", "f4": "o", "f3": "O", "e3": "sr", "d3": "ef"}
    position = table({"e4": sign} | around)
    swaps = {"e4ud5", "e4ue5", "e4uf5", "e4uf4", "e4uf3"}
    assert spelled(position, "e4") == {"e4d4", "e4+"} | swaps
    assert khet.read_move(position, "e4-") == khet.read_move(position, "e4+")
    swapped = play(position, "e4ue5")
    assert (swapped.at("e5"), swapped.at("e4")) == (position.at("e4"), position.at("e5"))  # neither turns


def test_obelisk() -> None:
    """Khet 3a.obelisk: steps, and onto an own single obelisk to make a stack; never onto the other side's."""
    position = table({"e4": "O", "e5": "O", "d4": "o", "f4": "D"})
    assert spelled(position, "e4") == steps_from("e4", besides="d4 f4")
    stacked = play(position, "e4e5")
    assert khet.draw(stacked).count("O2") == 2
    assert stacked.at("e4") == 0


def test_stack() -> None:
    """Khet 3a.stack, Khet Q13: a stack steps as one, or its top one steps off, also onto an own single obelisk."""
    position = table({"e4": "D", "e5": "O", "d4": "o", "f4": "d"})
    whole = steps_from("e4", besides="e5 d4 f4")
    assert spelled(position, "e4") == whole | {move.replace("e4", "e4t", 1) for move in whole} | {"e4te5"}
    moved = play(position, "e4te5")
    assert khet.layout(moved).pieces != khet.layout(position).pieces
    assert khet.write_position(moved).split("/")[3:5] == ["4D5", "3oOd4"]


def test_a_hit_takes_the_top_of_a_stack() -> None:
    """Khet 3a.stack: one hit, one obelisk; the next hit takes the other."""
    position = table({"j4": "D", "a5": "d"})
    turn = khet.play(position, khet.read_move(position, "e1e2"))
    assert [event for event in turn.events if isinstance(event, Hit)] == [
        Hit(0, "top silver obelisk", "j4", rule="Khet 3a.stack")
    ]
    assert len(turn.position.past) == 1  # Khet Q17: what stood before can never come back
    after = play(turn.position, "f8f7", "e2e1")
    assert after.at("j4") == 0
    assert khet.write_position(after).split("/")[3] == "o9"  # red hit its own stack once


def test_anubis() -> None:
    """Khet 3a.anubis: steps and quarter turns; its front swallows the light."""
    position = table({"e4": "Ae", "j3": "As"}, "2.0")
    assert spelled(position, "e4") == steps_from("e4") | {"e4+", "e4-"}
    assert play(position, "e1e2").at("j3") == position.at("j3")
    assert play(table({"j3": "Ae"}, "2.0"), "e1e2").at("j3") == 0


def test_sphinx_turns_between_two_facings() -> None:
    """Khet 3a.sphinx, Khet Q11, Khet Q12: no step, one turn, and it fires its new way at once."""
    position = table({"d1": "pne"}, "2.0")
    assert spelled(position, "j1") == {"j1-"}
    turn = khet.play(position, khet.read_move(position, "j1-"))
    assert [event.cell for event in turn.events if isinstance(event, Hit)] == ["e1"]
    red = table({"j1": "Xw", "f7": "k"}, "2.0", "r")
    assert spelled(red, "a8") == {"a8-"}
    assert spelled(play(red, "a8-"), "j1") == {"j1+"}


# --- Khet 3b: the turn and the end ------------------------------------------------------------------------------

REFUSED = [
    ("two-squares", "Khet 3a.pyramid", {"e4": "Pne"}, "e4e6"),
    ("too-far", "Khet 3a.pyramid", {"e4": "Pne"}, "e4e7"),
    ("moved-and-turned", "Khet 3b.1", {"e4": "Pne"}, "e4e5+"),
    ("half-turn", "Khet 3a.pyramid", {"e4": "Pne"}, "e4++"),
    ("not-your-piece", "Khet 3b.1", {"e4": "pne"}, "e4e5"),
    ("nothing-there", "Khet 3b.1", {}, "e4e5"),
    ("reserved-square", "Khet 3b.2", {"b4": "Pne"}, "b4a4"),
    ("reserved-square", "Khet 3b.2", {"h2": "Sr"}, "h2i1"),
    ("reserved-square", "Khet 3b.2", {"b4": "Sr", "a4": "pne"}, "b4ua4"),
    ("occupied", "Khet 3b.3", {"e4": "Pne", "e5": "pne"}, "e4e5"),
    ("occupied", "Khet 3b.3", {"e4": "D", "e5": "Pne"}, "e4te5"),
    ("no-stacking", "Khet 3a.obelisk", {"e4": "O", "e5": "o"}, "e4e5"),
    ("no-stacking", "Khet 3a.obelisk", {"e4": "O", "e5": "D"}, "e4e5"),
    ("no-stacking", "Khet 3a.obelisk", {"e4": "D", "e5": "O"}, "e4e5"),
    ("no-stack", "Khet 3a.stack", {"e4": "O"}, "e4te5"),
    ("no-swap", "Khet 3a.pyramid", {"e4": "Pne", "e5": "pne"}, "e4ue5"),
    ("no-swap", "Khet 3a.pharaoh", {"e2": "Sr"}, "e2ue1"),
    ("no-swap", "Khet Q15", {"e4": "Sr", "e5": "er"}, "e4ue5"),
    ("no-swap", "Khet Q15", {"e4": "Er", "e5": "er"}, "e4ue5"),
    ("nothing-to-swap", "Khet 3a.scarab", {"e4": "Sr"}, "e4ue5"),
    ("swap-into-reserved", "Khet Q1", {"j4": "Sr", "i4": "pne"}, "j4ui4"),
    ("turned-pharaoh", "Khet Q8", {}, "e1+"),
    ("turned-obelisk", "Khet Q8", {"e4": "O"}, "e4-"),
    ("pass", "Khet Q9", {}, "pass"),
    ("pass", "Khet Q9", {"e4": "Pne"}, "e4e4"),
    ("no-repetition", "Khet Q17", {}, "draw"),
]


@pytest.mark.parametrize(("name", "rule", "pieces", "text"), REFUSED)
def test_refused(name: str, rule: str, pieces: dict[str, str], text: str) -> None:
    position = table(pieces)
    with pytest.raises(IllegalMove) as refused:
        khet.play(position, khet.read_move(position, text))
    assert (refused.value.name, refused.value.rule) == (name, rule)
    assert refused.value.text
    assert refused.value.remedy.endswith(".")
    assert rule in {known.number for known in khet.RULES}


def test_a_refusal_begins_with_no_square_that_could_be_read_as_a_number() -> None:
    """Khet 3b.2: with a capital letter i1 would be I1."""
    position = table({"h2": "Sr"})
    with pytest.raises(IllegalMove) as refused:
        khet.play(position, khet.read_move(position, "h2i1"))
    assert refused.value.text == "the square i1 is reserved for Red"


@pytest.mark.parametrize(
    ("name", "rule", "text"),
    [
        ("sphinx-moves", "Khet 3a.sphinx", "j1i2"),
        ("sphinx-off-board", "Khet Q11", "j1+"),
        ("sphinx-off-board", "Khet Q11", "j1++"),
    ],
)
def test_refused_with_a_sphinx(name: str, rule: str, text: str) -> None:
    position = table({}, "2.0")
    with pytest.raises(IllegalMove) as refused:
        khet.play(position, khet.read_move(position, text))
    assert (refused.value.name, refused.value.rule) == (name, rule)


def test_reserved_squares() -> None:
    """Khet 2.reserved, Khet 3b.2: each side's own squares are open to it and closed to the other."""
    signs = khet.layout(table({})).marked
    assert sorted(s for s in signs if signs[s] == "eye") == [*(f"a{r}" for r in range(1, 9)), "i1", "i8"]
    assert sorted(s for s in signs if signs[s] == "ankh") == ["b1", "b8", *(f"j{r}" for r in range(1, 9))]
    position = table({"i4": "Pne", "b4": "Sr"})
    assert {"i4j3", "i4j4", "i4j5"} <= spelled(position)
    assert not any(move[2:4] in ("a3", "a4", "a5") for move in spelled(position, "b4"))


@pytest.mark.parametrize(("sign", "winner"), [("k", 0), ("K", 1)])
def test_whose_pharaoh_is_hit_has_lost(sign: str, winner: int) -> None:
    """Khet 3b.5: also the player who hits the own one; nothing can be done afterwards."""
    position = table({"j5": "Psw", "e5": sign, "e2": "Pne"})
    turn = khet.play(position, khet.read_move(position, "e2d2"))
    assert [event.winners for event in turn.events if isinstance(event, GameOver)] == [(winner,)]
    ended = khet.outcome(turn.position)
    assert (ended.reason, ended.winners) == ("pharaoh", (winner,))
    assert khet.to_move(turn.position) is None
    assert khet.moves(turn.position) == ()
    with pytest.raises(IllegalMove) as refused:
        khet.play(turn.position, khet.read_move(turn.position, "d2e2"))
    assert refused.value.name == "game-over"


@pytest.mark.parametrize(("rules", "winners"), [({}, (0,)), ({"both_pharaohs": "draw"}, ())])
def test_both_pharaohs_in_one_shot(rules: dict[str, str], winners: tuple[int, ...]) -> None:
    """Khet 3b.6, Khet Q2: the player who fired loses; a draw by house rule. Red fires here."""
    position = play(khet.start({"layout": "imhotep2-2.0", **rules}), "b4+")
    turn = khet.play(position, khet.read_move(position, "f5+"))
    assert {event.cell for event in turn.events if isinstance(event, Hit)} == {"e1", "f8", "i5"}
    ended = khet.outcome(turn.position)
    assert (ended.reason, ended.winners) == ("both-pharaohs", winners)


SHUFFLE = ("e1e2", "f8f7", "e2e1", "f7f8")


def test_a_repetition_is_announced_and_claimed_by_the_next_player() -> None:
    """Khet 3b.7, Khet Q17: the start counts as the first time, and the side to move has to be the same."""
    position = play(khet.start({}), *SHUFFLE, *SHUFFLE[:3])
    assert not khet.claims(position)
    turn = khet.play(position, khet.read_move(position, SHUFFLE[3]))
    assert [event.rule for event in turn.events if isinstance(event, Told)] == ["Khet Q17"]
    assert khet.outcome(turn.position) is None
    (claim,) = khet.claims(turn.position)
    drawn = khet.play(turn.position, claim)
    ended = khet.outcome(drawn.position)
    assert (ended.reason, ended.winners) == ("repetition", ())
    assert khet.play(turn.position, khet.read_move(turn.position, "e1e2"))  # or the game goes on


def test_a_repetition_may_be_a_draw_at_once_by_house_rule() -> None:
    """Khet Q17."""
    position = play(khet.start({"repetition": "automatic"}), *SHUFFLE, *SHUFFLE)
    ended = khet.outcome(position)
    assert ended.reason == "repetition"


def test_a_removal_begins_the_count_anew() -> None:
    """Khet Q17: what stood before a removal can never come back."""
    position = play(table({"j5": "Pne"}), "e1e2")
    assert len(position.past) == 1
    assert len(play(position, "f8f7").past) == 2


def test_no_other_way_to_end() -> None:
    """Khet 3b.8, Khet 3b.9, Khet Q18: a hundred shuffles are no draw as long as nobody claims."""
    position = khet.start({})
    for _ in range(25):
        position = play(position, *SHUFFLE)
    assert khet.outcome(position) is None
    assert all(move.kind != "draw" for move in khet.moves(position))


# --- Khet Q: what the rules leave open --------------------------------------------------------------------------


def test_swap_onto_a_reserved_square() -> None:
    """Khet Q1: refused; allowed by house rule, and then said aloud."""
    pieces = {"j4": "Sr", "i4": "pne"}
    assert "j4ui4" not in spelled(table(pieces))
    free = table(pieces, rules="swap_into_reserved=yes")
    turn = khet.play(free, khet.read_move(free, "j4ui4"))
    assert [event.rule for event in turn.events if isinstance(event, Told)] == ["Khet Q1"]


def test_a_swap_moves_a_whole_stack() -> None:
    """Khet Q14."""
    position = play(table({"e4": "Sr", "e5": "d"}), "e4ue5")
    assert khet.write_position(position).split("/")[3:5] == ["4Sr5", "4d5"]


def test_silver_begins() -> None:
    """Khet Q19: unless the table agrees otherwise."""
    assert khet.to_move(khet.start({})) == 0
    assert khet.to_move(khet.start({"first": "red"})) == 1


def test_any_number_of_eyes() -> None:
    """Khet Q20: the layout says how many."""
    assert table({f"{file}4": "Er" for file in "cdef"})


@pytest.mark.parametrize("text", ["pass", "draw", "e4f4", "e4+"])
def test_what_moves_no_piece_leaves_the_board_as_it_is(text: str) -> None:
    position = table({"c4": "K"})
    assert khet.during(position, khet.read_move(position, text)) == khet.layout(position)


def test_no_lawful_action_is_a_draw() -> None:
    """Khet Q23: a lone pharaoh boxed in by the other side's pieces, in 1.0."""
    boxed = table({"e1": "K", "d1": "pne", "d2": "pne", "e2": "psw", "f2": "psw", "f1": "psw"})
    ended = khet.outcome(boxed)
    assert (ended.reason, ended.winners) == ("no-action", ())


# --- the rules as such ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_are_the_same_from_both_sides(layout: str) -> None:
    """Khet 2.layouts: turned by half with the colours exchanged each is itself, and reads and writes."""
    position = khet.start({"layout": layout})
    ranks, *fields = khet.write_position(position).split()
    tokens = [re.findall(r"10|[1-9]|[KDOkdo]|[Pp][nesw]{2}|[SEse][rf]|[AXax][nesw]", rank) for rank in ranks.split("/")]
    turned_way = str.maketrans("nesw", "swne")
    other = "/".join(
        "".join(
            token
            if token.isdigit()
            else token[0].swapcase() + (token[1:].translate(turned_way) if token[0] in "PpAaXx" else token[1:])
            for token in reversed(rank)
        )
        for rank in reversed(tokens)
    )
    assert khet.read_position(" ".join([other, *fields])).cells == position.cells
    assert khet.read_position(khet.draw(position)) == position


def test_a_set_up_of_ones_own() -> None:
    """Khet 2.layouts: given as text; both pharaohs have to be there."""
    own = khet.start({"layout": "5k4/10/10/4Er5/10/10/10/4K5", "both_pharaohs": "draw"})
    assert own.house.edition == "1.0"
    assert own.house.both_pharaohs == "draw"
    with pytest.raises(OddPosition):
        khet.start({"layout": "10/10/10/4Er5/10/10/10/4K5"})


def test_every_rule_is_named_by_a_test() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_khet_*.py"))
    named = set(re.findall(r"Khet (?:[23][ab]?\.\w+|Q\d+)", tests))
    assert {rule.number for rule in khet.RULES} <= named
    wanted = {f"Khet Q{n}" for n in range(1, 24)} | {f"Khet 3b.{n}" for n in range(1, 10)}
    assert wanted <= {rule.number for rule in khet.RULES}
