"""What is unlawful is explained with its rule, and may be put back or let stand."""

import pytest
from referee_tables import Bench, comes_back, order, shown

from companion.errors import CommandRefused
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.layout import cells_of
from companion.referee.picture import ruling, waiting

UNLAWFUL = [
    ("h2h4", "two-squares", "Khet 3a.pyramid"),
    ("h2g3+", None, None),  # occupied and turned: refused, whatever the words
    ("h2h3+", "moved-and-turned", "Khet 3b.1"),
    ("h2++", "half-turn", "Khet 3a.pyramid"),
    ("e8e7", "not-your-piece", "Khet 3b.1"),
    ("c1d1", None, "Khet 3b.3"),
    ("j1+", "sphinx-off-board", "Khet Q11"),
    ("j1++", "sphinx-off-board", "Khet Q11"),
]


@pytest.mark.parametrize(("move", "name", "rule"), UNLAWFUL)
def test_an_unlawful_action_is_explained_and_put_back(move, name, rule):
    bench = Bench().begin()
    reading = bench.act(move)
    assert reading.kind == "unlawful"
    assert name is None or bench.table.state.ruling.fault == name
    assert rule is None or reading.rule == rule
    assert bench.table.state.ruling.remedy
    assert not bench.table.state.plies
    assert bench.clear().kind == "take-back"
    assert bench.table.state.ruling is None
    assert bench.act("h2h3").kind == "move"


def test_a_reserved_square_is_refused():
    bench = Bench().begin()
    reading = bench.act("h2i1")
    assert (reading.kind, reading.rule) == ("unlawful", "Khet 3b.2")


def test_a_turned_pharaoh_is_no_action_and_is_said_once():
    bench = Bench().begin()
    layout = bench.game.layout(bench.position)
    reading = bench.show(layout, facings={"e1": "E"})
    assert (reading.kind, reading.rule) == ("unlawful", "Khet Q8")
    assert "pharaoh" in reading.text
    count = len(bench.archive.events(1))
    assert bench.show(layout, facings={"e1": "E"}).kind == "unlawful"
    assert len(bench.archive.events(1)) == count
    assert bench.show(layout).kind == "take-back"
    assert bench.show(layout, facings={"e1": "E"}).kind == "unlawful"
    assert bench.act("h2h3", facings={"e1": "E"}).kind == "move"
    assert bench.show(bench.game.layout(bench.position), facings={"e1": "E"}).kind == "nothing new"


def test_a_pharaoh_that_is_turned_after_a_start_of_the_companion_is_named_once_it_was_seen_as_it_lay():
    bench = Bench().begin()
    told, layout = bench.archive.events(1), bench.game.layout(bench.position)
    again = Bench(None)
    again.table.restore(1, told, len(told))
    assert again.show(layout, facings={"e1": "E"}).kind == "nothing new"  # so it may have lain all the time
    assert again.show(layout, facings={"e1": "S"}).rule == "Khet Q8"
    assert again.show(layout, facings={"e1": "E"}).kind == "take-back"


def test_the_undo_button_takes_no_lawful_action_back_while_another_one_is_refused():
    bench = Bench().begin()
    bench.act("h2h3")
    assert bench.act("c7c5").kind == "unlawful"
    with pytest.raises(CommandRefused, match="put the pieces back"):
        order(bench, "undo", by="button")
    assert len(bench.table.state.plies) == 1
    assert bench.clear().kind == "take-back"
    order(bench, "undo", by="button")
    assert not bench.table.state.plies
    bench.clear()
    bench.act("h2h3")
    assert bench.act("c7c5").kind == "unlawful"
    order(bench, "undo")  # the host sees on the page what goes
    assert not bench.table.state.plies


def test_the_same_ruling_is_recorded_once():
    bench = Bench().begin()
    bench.act("h2h4")
    count = len(bench.archive.events(1))
    bench.act("h2h4")
    assert len(bench.archive.events(1)) == count


def test_an_unlawful_action_is_not_ruled_on_at_once():
    bench = Bench().begin()
    view = shown(bench.during("h2h4"))
    for _ in range(int(bench.table.settings.patience_s / 0.25) - 1):
        assert not bench.once(view).decided
    assert bench.table.state.ruling is None


def test_the_host_may_let_it_stand():
    bench = Bench().begin()
    with pytest.raises(CommandRefused):
        order(bench, "allow")
    bench.act("h2h4")
    order(bench, "offer_draw", seat=1)
    assert bench.act("h2h4").kind == "unlawful"  # it lies there still
    order(bench, "allow")
    assert bench.table.state.ruling is None
    assert bench.table.state.draw.by is None  # an offer lapses with such an action, too
    assert bench.table.state.plies[0].move == "h2h4"
    assert bench.game.to_move(bench.position) == 1
    layout = bench.game.layout(bench.position)
    assert "h4" in {p.cell for p in layout.pieces}
    assert bench.show(layout).kind == "nothing new"
    assert bench.act("e8e7").kind == "move"
    assert comes_back(bench.archive)


def test_the_host_may_let_a_piece_stand_on_a_reserved_square():
    bench = Bench().begin()
    assert bench.act("h2i1").kind == "unlawful"
    order(bench, "allow")
    assert "i1" in {p.cell for p in bench.game.layout(bench.position).pieces}
    assert bench.act("e8e7").kind == "move"
    assert comes_back(bench.archive)


def test_two_own_pieces_moved_fit_no_action():
    bench = Bench().begin()
    layout = bench.game.layout(bench.position)
    pieces = {p.cell: p.piece for p in layout.pieces}
    reading = bench.show(layout, {"h2": EMPTY, "h3": pieces["h2"], "d1": EMPTY, "d2": pieces["d1"]})
    assert reading.kind == "unlawful"
    assert reading.rule == "Khet 3b.1"
    assert bench.clear().kind == "take-back"


def test_from_a_ruling_straight_to_a_lawful_action():
    bench = Bench().begin()
    bench.act("h2h4")
    assert bench.act("h2h3").kind == "move"
    assert bench.table.state.ruling is None


def test_half_a_swap_tells_how_to_finish_it_and_how_to_undo_it():
    bench = Bench(layout="imhotep-2.0").begin()
    start = bench.game.layout(bench.position)
    reading = bench.show(start, {"c1": EMPTY, "d1": Piece("scarab", "silver", facing="/")})
    assert (reading.kind, reading.rule) == ("unlawful", "Khet 3b.3")
    finish, back = bench.table.state.ruling.remedy.split(". ")
    assert finish == "For a swap put the silver anubis on c1"
    assert back == "Else put the silver scarab back on c1 and the silver anubis back on d1."


def test_a_swap_with_a_turn_names_both_pieces_to_be_put_back():
    bench = Bench(layout="imhotep-2.0").begin()
    bench.act("c1ud1+")
    assert bench.table.state.ruling.remedy.endswith("or put it back on c1 and the silver anubis back on d1.")


def test_a_lawful_action_instead_of_what_was_refused_waits_for_the_button_and_nothing_else() -> None:
    bench = Bench(end_turn=True).begin()
    start = bench.game.layout(bench.position)
    refused = {"c1": EMPTY, "c3": cells_of(start)["c1"]}
    assert bench.show(start, refused).kind == "unlawful"
    bench.act("c1c2")
    assert "press the end-of-turn button" in waiting(bench.table).text
    assert ruling(bench.table) is None
    with pytest.raises(CommandRefused):  # a tap that comes late: what it would let stand lies there no more
        order(bench, "allow")
    assert bench.show(start, refused).kind == "unlawful"  # once more
    assert waiting(bench.table).text == "Put it right"
    assert ruling(bench.table) is not None
    bench.act("c1c2")
    order(bench, "end_turn", by="button")
    assert bench.moves == ["c1c2"]


def test_what_waits_for_the_button_waits_no_more_once_the_table_lies_otherwise() -> None:
    bench = Bench(end_turn=True).begin()
    start = bench.game.layout(bench.position)
    bench.act("c1c2")
    for _ in range(2):  # the second look waits until what is in a hand is put down
        bench.show(start, {"h2": EMPTY})
    assert bench.table.pending is None
    assert "h2" in waiting(bench.table).why
