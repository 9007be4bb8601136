"""Edges of standing and lying pieces that attackers touch: how many share one, and what room is left."""

import pytest
from chaos_tables import at_edge, chaos_table
from turns import played

from companion.errors import IllegalMove
from companion.games import chaos
from companion.games.chaos import geometry as g
from companion.games.chaos.position import standing


def test_c4_no_die_is_skipped_for_a_place_between_two_tips() -> None:
    lying = standing("white", "large", "lying", 12.7 + g.slant_mm("large") / 2, 0)
    upright = [standing("white", "large", "upright", x, 0) for x in (0, -178)]
    edge, other = g.supports(lying)
    tips = []
    for along, colour in ((7, "red"), (26.5, "green"), (41, "black")):
        heading = (edge.normal_deg + 180) % 360
        dx, dy = g.direction(heading)
        x, y = at_edge(edge, along, 6.0)
        tips.append(standing(colour, "small", "lying", x - dx * 23.1 / 2, y - dy * 23.1 / 2, heading))
    beside = [(x + u, v) for x in (0, -178) for u, v in ((0, 28), (0, -28), (-28, 0), (28, 0)) if (x, u) != (0, 28)]
    walls = [standing("orange", "large", "upright", *place) for place in beside]
    walls.append(standing("blue", "large", "upright", *at_edge(other, other.length / 2, 18), other.normal_deg))
    position = chaos_table(*upright, lying, *tips, *walls)
    assert {move.kind for move in chaos.moves(position)} == {"place"}
    with pytest.raises(IllegalMove, match="can be placed"):
        played(chaos, position, "skip w")


def test_ca6_two_small_ones_do_not_share_the_edge_of_a_large_one() -> None:
    defenders = [standing("white", "large", "upright", 0, y) for y in (0, -178)]
    out = 12.7 + g.slant_mm("small") / 2
    first = played(chaos, chaos_table(*defenders), f"w1>{out:.1f},6.4,0").position
    with pytest.raises(IllegalMove) as refused:
        played(chaos, first, f"w1>{out:.1f},-6.4,0")
    assert refused.value.rule == "CA6"
    side = g.supports(standing("white", "large", "lying", 60, 90, 90))[0]  # three small ones fit on 46 mm
    wide = chaos_table(*defenders, standing("white", "large", "lying", 60, 90, 90))
    for along in (8, 23):
        x, y = at_edge(side, along, g.slant_mm("small") / 2)
        wide = played(chaos, wide, f"w1>{x:.1f},{y:.1f},{side.normal_deg:.1f}").position
