"""A free table on which somebody goes on before hands have done what was asked for."""

import random
from dataclasses import replace

import pytest
from free_benches import arranged, kaxxt_bench, seen
from free_views import SHARP, free_view
from referee_tables import Bench

from companion.games import kaxxt
from companion.games.kaxxt.position import Move
from companion.games.kaxxt.pyramids import read_codes
from companion.games.kaxxt.stands import Stand, stand

TURN = "urn Kaxxt's card to the north"


def rolled() -> Bench:
    """South has drawn, placed and rolled a six: Kaxxt is to be turned."""
    bench = kaxxt_bench()
    arranged(bench, "put r3@0.0,-110.0^")
    bench.table.enter(Move("roll"))
    bench.table.enter(Move("die", value=6))
    assert bench.table.state.awaiting
    return bench


def shown(bench: Bench, *placed: Stand, turned: bool):
    """The table with these as well, and Kaxxt turned or not."""
    layout = kaxxt.layout(bench.position)
    areas = tuple((*area, *placed) if seat == 1 else area for seat, area in enumerate(bench.position.areas))
    view = free_view(kaxxt.layout(replace(bench.position, areas=areas)), random.Random(1), SHARP)
    card = next(p for p in (layout if turned else bench.table.state.standing).pieces if p.piece.kind == "robot_card")
    return replace(
        view,
        sightings=tuple(
            replace(s, heading_deg=card.heading_deg) if s.piece.kind == "robot_card" else s for s in view.sightings
        ),
    )


def test_the_next_players_action_counts_once_what_was_asked_for_is_done() -> None:
    bench, new = rolled(), stand(read_codes("k1"), -60.0, 110.0)
    reading = bench.look(shown(bench, new, turned=False))
    assert (reading.kind, bench.table.state.ruling.fault) == ("unlawful", "not-asked-for")
    assert reading.text.startswith("What was asked for is not done yet, and already: North feels for any pyramid")
    assert "North draws the small black pyramid" in reading.text
    assert bench.table.state.ruling.remedy == f"T{TURN}: then it counts."
    assert bench.look(shown(bench, new, turned=True)).kind == "move"
    assert bench.table.state.plies[-1].move == "put k1@-60.0,110.0^"


@pytest.mark.parametrize("heading_deg", [0.0, 180.0])
def test_what_was_turned_to_somebody_else_is_to_be_turned_on_and_not_back_first(heading_deg: float) -> None:
    bench = rolled()
    view = shown(bench, turned=False)
    cards = (replace(s, heading_deg=heading_deg) if s.piece.kind == "robot_card" else s for s in view.sightings)
    assert bench.look(replace(view, sightings=tuple(cards))).kind == "unlawful"
    assert bench.table.state.ruling.remedy == f"T{TURN}."
    assert seen(bench, kaxxt.layout(bench.position)).kind == "step"


def test_what_the_last_player_does_then_is_put_back_first() -> None:
    bench = rolled()
    view = shown(bench, turned=False)
    moved = (replace(s, x_mm=s.x_mm - 40.0) if s.piece.colour == "red" else s for s in view.sightings)
    bench.look(replace(view, sightings=tuple(moved)))
    assert bench.table.state.ruling.remedy.endswith(f" back 110 mm below the middle; then t{TURN}.")


def test_all_that_another_player_has_and_that_was_moved_is_named() -> None:
    bench = kaxxt_bench()
    north = stand(read_codes("g3"), 0.0, 110.0), stand(read_codes("y2"), 60.0, 110.0)
    at = replace(bench.position, areas=((), north), bag=tuple(p for p in bench.position.bag if p.code not in "g3y2"))
    bench.table.state = replace(bench.table.state, position=at, standing=kaxxt.layout(at))
    other = kaxxt.layout(replace(at, areas=((), tuple(replace(s, x_mm=s.x_mm - 40.0) for s in north))))
    reading = seen(bench, other)
    assert reading.text.startswith("The large green and the medium yellow pyramid are North's, and it is South's turn.")
    green = "Put the large green pyramid back 110 mm above the middle, upright"
    back = f"{green}; put the medium yellow pyramid back 60 mm to the right and 110 mm above the middle, upright."
    assert bench.table.state.ruling.remedy == back
