"""Where a resting piece of a free table is taken to lie, of which every look measures something else."""

from free_benches import chaos_bench, chaos_view, roll
from hypothesis import given
from hypothesis import strategies as st

from companion.pieces import Piece
from companion.referee.settings import Settings
from companion.referee.views.held import Held
from companion.view import Sighting, TableView

USUAL_MM = 2.0  # hardly any look is further off


def seen(x_mm: float, y_mm: float, heading_deg: float | None, base_deg: float | None = None) -> TableView:
    """A pyramid, lying where it has a heading."""
    pose = "upright" if heading_deg is None else "lying"
    piece = Piece("pyramid", "cyan", "large", pose)
    return TableView(0.0, (Sighting(((piece, 0.99),), x_mm, y_mm, heading_deg, base_deg=base_deg),))


def held(*views: TableView) -> list[Sighting]:
    """Where the piece is taken to lie in each of these looks."""
    hold = Held(Settings())
    return [hold.hold(view).sightings[0] for view in views]


def places(found: list[Sighting]) -> list[tuple[float | None, float | None]]:
    return [(s.x_mm, s.y_mm) for s in found]


def test_a_piece_at_rest_lies_where_its_first_looks_measure_it_on_average() -> None:
    looks = [seen(x, 0.0, None) for x in (3.0, 0.0, 0.0, 2.0, 2.0)]
    assert places(held(*looks)) == [(3.0, 0.0), (3.0, 0.0), (1.0, 0.0), (1.0, 0.0), (1.0, 0.0)]


def test_two_looks_that_are_off_to_either_side_move_no_piece() -> None:
    looks = [seen(x, 0.0, None) for x in (2.5, 0.0, 0.5, -2.0)]
    assert held(*looks)[-1].x_mm == 1.0


def test_a_piece_that_is_moved_is_measured_anew() -> None:
    looks = [seen(x, 0.0, None) for x in (0.0, 0.0, 0.0, 9.0, 9.0)]
    assert [s.x_mm for s in held(*looks)] == [0.0, 0.0, 0.0, 9.0, 9.0]


def test_headings_and_bases_meet_across_north() -> None:
    lying = held(*(seen(0.0, 0.0, turned) for turned in (359.0, 2.0, 2.0)))
    assert lying[-1].heading_deg == 1.0
    upright = held(*(seen(0.0, 0.0, None, turned) for turned in (89.0, 2.0, 2.0)))
    assert upright[-1].base_deg == 1.0


@given(
    st.lists(st.tuples(*[st.floats(-USUAL_MM / 2, USUAL_MM / 2)] * 2, st.floats(-3.0, 3.0)), min_size=4, max_size=12),
    st.floats(0.0, 359.0),
)
def test_a_piece_at_rest_stays_where_it_is_once_it_is_measured(errors, heading) -> None:
    needed = Settings().hold_looks
    found = held(*(seen(100.0 + x, -50.0 + y, (heading + turned) % 360) for x, y, turned in errors))
    first, at = found[0], found[needed - 1]
    assert {(s.x_mm, s.y_mm, s.heading_deg) for s in found[: needed - 1]} == {
        (first.x_mm, first.y_mm, first.heading_deg)
    }
    assert {(s.x_mm, s.y_mm, s.heading_deg) for s in found[needed - 1 :]} == {(at.x_mm, at.y_mm, at.heading_deg)}


def test_no_piece_is_refused_for_what_its_first_look_measures_too_far_off() -> None:
    bench = chaos_bench("b3^0,0,0", "b3^160,0,0")
    bench.table.enter(roll(8, 8))
    bench.hand()
    off, right = (chaos_view(bench, text) for text in ("b3>42.2,0,0", "b3>39.8,0,0"))
    found = [bench.once(view) for view in (off, *[right] * 12)]
    assert [reading.kind for reading in found if reading.decided and reading.kind != "nothing new"] == ["move"]
