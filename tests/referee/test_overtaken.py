"""Play that goes on at a watched table before the referee has read the last ply, or before hands have done its work."""

from dataclasses import replace

import pytest
from referee_tables import Bench, shown

from companion.errors import IllegalMove
from companion.games.base import Layout
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.layout import cells_of
from companion.referee.happenings import Asked, Ruled

STRUCK_C5 = "xe9/2psw2k4/3Pnw6/2Psw1sfsr1pse2/3SrPnw1Sf3/10/2An3psw3/2Pnw1K4Xn r"
STRUCK_J5 = "xs3askaspse2/2psw7/3Pnw6/pne1Psw1sfsr1pse1Pnw/pse1Pnw1SrSf1pne1Psw/6pse3/7Pne2/2PnwAnKAn3Xn s"
OWN_A4 = "xs3askaspse2/2psw7/3Pnw6/pne1Psw1sf2pse1Pnw/pse1Pnw1SrSfsrpne2/6pse3/7Pne2/2PnwAnKAe3Xn r"
OWN_SECOND = "xs1psw1askas3/8pse1/3Pnw6/pne1Psw1sfsr1pse1Psw/pse1Pnw1SrSfpne3/6pse3/5K4/2Pnw6Xw s"
THREE = "xe9/6k3/3Pnw6/1pne1sf1sr3Psw/3Pne1Sf4/3Sr6/3K3pse2/2PnwAn1AnPnw2Xn s"
TWO_OBELISKS = "4pnwd4/2sf1okpsw3/4pswoPse3/7srSf1/10/3SrPnw5/4pse5/3KDPne4 r 1.0"
STRUCK_H5 = "xs3askaspse2/2psw7/3Pnw6/pne1Psw1sfsr1psepnePnw/psePnw2SrSf3Psw/6pse3/7Pne2/2PnwAnKAn3Xn s"
STRUCK_A5 = "xs3askaspse2/2psw7/3Pnw6/pne1Psw1sfsr1pse1Pnw/pse1Pnw1Sr1Sfpne1Psw/6pse3/7Pne2/2PnwAnKAn3Xn r"


def at(position: str) -> Bench:
    return Bench(layout=position).begin()


def after(bench: Bench, *texts: str, standing: tuple[str, ...] = ()) -> Layout:
    """The table after these plies; of what was struck, only these cells still show it."""
    position, struck = bench.position, {}
    for text in texts:
        move = bench.game.read_move(position, text)
        made = bench.game.during(position, move)
        struck |= {lying.cell: lying for lying in made.pieces if lying.cell in standing and lying.cell not in struck}
        position = bench.game.play(position, move).position
    layout = bench.game.layout(position)
    return replace(layout, pieces=(*layout.pieces, *struck.values()))


def rulings(bench: Bench) -> list[Ruled]:
    return [event for event in bench.events if isinstance(event, Ruled)]


def questions(bench: Bench) -> list[Asked]:
    return [event for event in bench.events if isinstance(event, Asked)]


def test_a_piece_turned_while_a_struck_one_still_stands_is_not_learned_as_unturned() -> None:
    bench = at(STRUCK_C5)
    assert bench.act("c7c8").hits == ("c5",)
    new, old = (Piece("pyramid", "silver", facing=facing) for facing in ("SW", "NW"))
    bench.rest(shown(bench.table.state.standing, doubts={"e4": ((new, 0.92), (old, 0.08))}), 3.0)
    bench.rest(shown(bench.game.layout(bench.position), doubts={"e4": ((new, 0.97), (old, 0.03))}), 3.0)
    assert bench.moves == ["c7c8", "e4-"]


def test_an_answer_given_once_the_struck_piece_is_off_leaves_nothing_to_be_done() -> None:
    bench = at(STRUCK_A5)
    made = bench.during("a4-")
    gone = after(bench, "a4-")
    doubt = {"a4": ((Piece("pyramid", "red", facing="NE"), 0.5), (Piece("pyramid", "red", facing="SW"), 0.49))}
    assert bench.show(made, doubts=doubt).kind == "unclear"
    doubt |= {"a5": ((EMPTY, 0.93), (cells_of(made)["a5"], 0.07))}
    bench.hand()
    bench.once(shown(gone, doubts=doubt))
    bench.answer_in_words("NE")
    bench.rest(shown(gone, doubts=doubt), 3.0)
    assert bench.moves == ["a4-"]
    assert not bench.table.state.awaiting


@pytest.mark.parametrize(("gone", "awaiting"), [(0.4, True), (0.7, False)])
def test_whether_a_struck_piece_is_off_already_is_taken_as_it_is_likelier(gone, awaiting) -> None:
    bench = at(STRUCK_C5)
    struck = cells_of(bench.table.layout)["c5"]
    reading = bench.show(after(bench, "c7c8"), doubts={"c5": ((EMPTY, gone), (struck, 1.0 - gone))})
    assert (reading.moves, reading.hits) == (("c7c8",), ("c5",))
    assert bench.table.state.awaiting is awaiting


def test_an_own_piece_struck_where_it_was_turned_and_taken_off_unseen_is_asked_about() -> None:
    bench = at(OWN_A4)
    gone = after(bench, "a4+")
    assert "waiting until it is put down" in bench.show(gone).text
    assert not questions(bench)
    bench.rest(shown(gone), 7.0)
    assert len(questions(bench)) == 1
    bench.answer_in_words("turns the pyramid on a4")
    assert bench.moves == ["a4+"]
    assert bench.show(gone).kind == "nothing new"
    assert not bench.table.state.awaiting


def test_a_piece_that_is_held_for_long_and_put_down_leaves_no_question() -> None:
    bench = at(OWN_A4)
    bench.rest(shown(after(bench, "a4+")), 7.0)
    assert bench.table.question is not None
    assert bench.act("a4a3").moves == ("a4a3",)
    assert bench.table.question is None


def test_the_second_of_two_plies_may_have_lost_its_piece_unseen() -> None:
    bench = at(OWN_SECOND)
    gone = after(bench, "e4e3", "a4b5")
    bench.rest(shown(gone), 8.0)
    assert len(questions(bench)) == 1
    bench.answer_in_words("Red moves the pyramid from a4 to b5")
    assert bench.moves == ["e4e3", "a4b5"]
    assert bench.show(gone).kind == "nothing new"


def test_a_ply_is_read_though_the_next_is_made_upon_what_it_struck() -> None:
    bench = at(STRUCK_J5)
    reading = bench.show(after(bench, "j4i4", "c7d7", standing=("j5",)))
    assert (reading.moves, reading.hits) == (("j4i4",), ("j5",))
    assert "take the silver pyramid on j5 off the board" in reading.text
    assert not rulings(bench)
    assert bench.show(after(bench, "c7d7")).moves == ("c7d7",)
    assert bench.moves == ["j4i4", "c7d7"]


def test_of_an_action_made_before_the_removal_only_the_removal_is_asked() -> None:
    bench = at(STRUCK_C5)
    bench.act("c7c8")
    early = bench.show(after(bench, "e4-"), {"c5": cells_of(bench.table.state.standing)["c5"]})
    assert (early.kind, early.rule) == ("unlawful", "Khet Q22")
    assert "Silver turns the pyramid on e4" in early.text
    assert early.text.endswith("Take the silver pyramid on c5 off the board: then it counts.")
    assert bench.show(after(bench, "e4-")).moves == ("e4-",)
    assert bench.table.state.ruling is None


def test_of_three_plies_that_nobody_saw_no_two_are_read() -> None:
    bench = at(THREE)
    lies = after(bench, "j5+", "f5e5", "d3ud4", standing=("j5",))
    turned = cells_of(lies)["j5"]
    doubt = {"j5": ((turned, 0.9), (replace(turned, facing="SW"), 0.1))}
    bench.rest(shown(lies, doubts=doubt), 1.0)
    assert bench.moves in ([], ["j5+"])


def test_an_unlawful_action_made_too_early_is_not_promised_to_count() -> None:
    bench = at(STRUCK_C5)
    bench.act("c7c8")
    with pytest.raises(IllegalMove):
        bench.game.play(bench.position, bench.game.read_move(bench.position, "c8c7"))
    standing = bench.table.state.standing
    reading = bench.show(standing, {"c8": EMPTY, "d7": cells_of(standing)["c8"]})
    assert reading.kind != "move"
    assert "then it counts" not in reading.text


def test_an_obelisk_lifted_beside_another_is_not_at_once_stacked_on_it() -> None:
    bench = at(TWO_OBELISKS)
    stacked = after(bench, "f6e7")
    bench.rest(shown(stacked), 1.0)
    assert not bench.moves
    assert bench.act("f6e5").moves == ("f6e5",)
    other = at(TWO_OBELISKS)
    other.rest(shown(stacked), 3.0)
    assert other.moves == ["f6e7"]


def test_a_stack_moved_one_obelisk_after_the_other_is_asked_about_once_no_hand_holds_the_second() -> None:
    bench = at("classic-1.0")
    whole = after(bench, "d1d2")
    bench.act("d1td2")
    bench.rest(shown(whole), 4.0)
    assert bench.table.hint == "The silver obelisk is not on d1: waiting until it is put down."
    assert not questions(bench)
    bench.rest(shown(whole), 9.0)
    (asked,) = questions(bench)
    assert asked.text.endswith("and another made? Silver moves the stack of obelisks from d1 to d2.")
    bench.answer_in_words("Take it back")
    assert bench.moves == ["d1d2"]


def test_a_piece_taken_off_while_the_struck_one_surely_stands_is_no_ply_that_lost_its_own() -> None:
    bench = at(STRUCK_H5)
    assert bench.act("d6d5").hits == ("h5",)
    doubt = {"h5": ((cells_of(bench.table.state.standing)["h5"], 0.99), (EMPTY, 0.008))}
    assert bench.show(bench.table.state.standing, {"a4": EMPTY}, doubts=doubt).kind == "unlawful"
    assert not questions(bench)
