"""What is refused is marked where it lies, and what it left where it should be."""

from free_benches import chaos_bench, chaos_view
from referee_tables import Bench

from companion.pieces import EMPTY, Piece
from companion.referee.picture import Painter


def states(bench: Bench) -> dict:
    """The state of each place that is not as it should be."""
    pieces = Painter().snapshot(bench.table).pieces
    return {p.cell or (p.x_mm, p.y_mm): p.state for p in pieces if p.state}


def test_a_refused_action_on_a_board_is_marked_until_it_is_put_back() -> None:
    bench = Bench().begin()
    bench.act("d6d8")
    assert states(bench) == {"d6": "missing", "d8": "extra"}
    bench.clear()
    assert states(bench) == {}


def test_what_nothing_explains_is_marked_as_it_is_seen() -> None:
    bench = Bench().begin()
    layout = bench.game.layout(bench.position)
    bench.show(layout, {"c1": Piece("scarab", "silver", facing="/"), "d1": EMPTY, "a8": EMPTY})
    assert states(bench) == {"c1": "wrong", "d1": "missing", "a8": "missing"}


def test_a_refused_piece_of_a_free_table_is_drawn_the_way_it_lies() -> None:
    bench = chaos_bench("b3^0,0,0", "b3^160,0,0", dice="camera")
    assert bench.look(chaos_view(bench, "b3>50.8,0,0")).kind == "unlawful"
    (refused,) = [p for p in Painter().snapshot(bench.table).pieces if p.state]
    assert (refused.state, refused.colour, refused.pose) == ("extra", "blue", "lying")
    assert abs(refused.x_mm - 50.8) < 2
    assert abs((refused.heading_deg + 180) % 360 - 180) < 5
