"""The drawn way of beams: every corner in millimetres, with power, colour and end."""

import pytest
from kaxxt_tables import fire, position, table

from companion.events import BeamPath
from companion.games import kaxxt
from companion.games.kaxxt.arranging import free_row
from companion.games.kaxxt.beam import Tracer
from companion.games.kaxxt.lanes import lanes
from companion.games.kaxxt.pyramids import read_codes
from companion.games.kaxxt.sides import sides
from companion.games.kaxxt.stands import has_room, stand


def drawn(paths: list[BeamPath]) -> list[tuple[str | None, float | None, str, tuple[tuple[float, float], ...]]]:
    return [(path.colour, path.power, path.end, path.points) for path in paths]


def test_a_beam_that_meets_nothing_ends_at_the_player() -> None:
    assert drawn(fire(4, {}, 1, "green").paths) == [("green", 3.0, "hit", ((0.0, 0.0), (-260.0, 0.0)))]
    assert drawn(fire(3, {}, 2, "blue", power=6).paths) == [("blue", 6.0, "hit", ((0.0, 0.0), (0.0, 260.0)))]


def test_what_is_let_by_goes_on_from_the_pyramid() -> None:
    assert drawn(fire(2, {0: (("r1", "kaxxt", 0, 0),)}, 0, "red").paths) == [
        ("red", 3.0, "turned", ((0.0, 0.0), (0.0, -70.0))),
        ("red", 1.0, "kaxxt", ((0.0, -70.0), (0.0, 0.0))),
        ("red", 2.0, "hit", ((0.0, -70.0), (0.0, -260.0))),
    ]


def test_a_beam_to_the_right_goes_round_the_other_way() -> None:
    assert drawn(fire(4, {0: (("r3", "right", 1, 0),)}, 0, "red").paths)[1:] == [
        ("red", 3.0, "passed on", ((0.0, -116.0), (130.0, -116.0), (150.0, -130.0))),
        ("red", 3.0, "hit", ((150.0, -130.0), (260.0, 0.0))),
    ]


def test_a_beam_leaves_sideways_beyond_every_pyramid_of_its_row() -> None:
    paths = fire(4, {0: (("r3", "left", 0, 0), ("r1", "left", 0, -3))}, 0, "red").paths
    assert drawn(paths)[2:4] == [
        ("red", 1.0, "passed on", ((-150.0, -70.0), (-150.0, -130.0))),
        ("red", 2.0, "passed on", ((-150.0, -70.0), (-150.0, -130.0))),
    ]


@pytest.mark.parametrize("hand", ["left", "right"])
@pytest.mark.parametrize("away", [(90, 95), (95, 90), (90, 140), (140, 90)])
def test_XA9_a_side_beam_meets_first_what_is_nearer_to_its_side(hand, away) -> None:
    south = sides(2)[0]
    small = stand(read_codes("b1"), *south.table(-18, away[0]), south.heading("kaxxt"))
    large = stand(read_codes("b3"), *south.table(18, away[1]), south.heading("up"))
    assert [slot.col for slot in lanes((small, large), south)] == [0, 0]  # both touch the line to Kaxxt
    trace = Tracer(((small, large), ()), (True, True), "fraction").enter(0, hand, "blue", 3)
    met = small if hand == "left" else large
    assert trace.paths[0].points[-1] == (met.x_mm, met.y_mm)


def test_beams_upwards_and_into_black_end_where_they_are() -> None:
    assert drawn(fire(2, {0: (("r2k1", "up", 0, 0),)}, 0, "red").paths) == [
        ("red", 3.0, "turned", ((0.0, 0.0), (0.0, -70.0))),
        ("red", 1.0, "lost", ((0.0, -70.0),)),
        ("red", 1.0, "hit", ((0.0, -70.0), (0.0, -260.0))),
    ]
    assert [path.end for path in fire(2, {0: (("r3k3", "up", 0, 0),)}, 0, "red").paths] == ["absorbed"]


def test_a_beam_in_another_column_runs_straight_to_the_player() -> None:
    paths = fire(4, {0: (("b3", "left", 0, 0), ("b3", "self", 0, -1))}, 0, "blue").paths
    assert drawn(paths)[-1] == ("blue", 3.0, "hit", ((-50.0, -70.0), (-50.0, -260.0)))


def test_a_beam_in_another_column_that_points_at_kaxxt_hits_him() -> None:
    paths = fire(4, {0: (("b3", "left", 1, 0), ("b3", "kaxxt", 1, -1))}, 0, "blue").paths
    assert drawn(paths)[-1] == ("blue", 3.0, "kaxxt", ((-50.0, -116.0), (0.0, 0.0)))


def test_the_free_row_lies_beyond_what_stands_there() -> None:
    at = position(2, {0: (("r3", "left", 0, 0), ("b3", "left", 2, 0), ("g3", "left", 0, 1))})
    assert (free_row(at, 0), free_row(at, 0, 1), free_row(at, 0, -1), free_row(at, 1)) == (1, 1, 0, 0)
    assert len([move for move in kaxxt.moves(at) if move.kind == "arrange"]) == 0


def test_suggestions_place_on_the_line_or_on_top() -> None:
    at = position(2, {0: (("r2", "left", 0, 0),)}, hands=(position(2, {}).bag[3:6], ()))
    texts = [kaxxt.write_move(at, move) for move in kaxxt.moves(at) if move.kind == "arrange"]
    assert len(texts) == 3 * 5 + 2  # b3 does not fit on r2
    assert "put r2b2@0.0,-70.0>180.0" in texts
    assert "put r2@0.0,-70.0>180.0 b3@0.0,-116.0^" in texts


def test_suggestions_leave_room_for_what_lies_there() -> None:
    bag = position(2, {}).bag
    small = tuple(p for p in bag if p.code == "g1")
    tips = {0: (("b3b2", "self", 0, 0), ("k2y1", "kaxxt", 1, 0))}  # tip to tip: no more fits between them
    texts = [kaxxt.write_move(at, m) for at in [position(2, tips, hands=(small, ()))] for m in kaxxt.moves(at)]
    assert not [text for text in texts if "b3b2g1" in text or "k2y1g1" in text]
    apart = {0: (("b3b2", "kaxxt", 0, 0), ("k2y1", "self", 1, 0))}
    texts = [kaxxt.write_move(at, m) for at in [position(2, apart, hands=(small, ()))] for m in kaxxt.moves(at)]
    assert any("b3b2g1" in text for text in texts)
    assert any("k2y1g1" in text for text in texts)


def test_suggestions_lay_no_tip_into_a_tip() -> None:
    large = tuple(p for p in position(2, {}).bag if p.code == "r3")
    at = position(2, {0: (("b3b2", "self", 0, 0),)}, hands=(large, ()))
    texts = [kaxxt.write_move(at, m) for m in kaxxt.moves(at) if m.kind == "arrange"]
    assert any("r3@0.0,-116.0^" in text for text in texts)
    assert not any("r3@0.0,-116.0>90.0" in text for text in texts)


@pytest.mark.parametrize(
    ("one", "other", "room"),
    [
        ("r3@0.0,-70.0^", "b3@0.0,-95.4^", True),
        ("r3@0.0,-70.0^", "b3@0.0,-94.0^", False),
        ("r3@0.0,-70.0>270.0", "b3@0.0,-116.4>90.0", True),
        ("r3g1@0.0,-70.0>270.0", "b3@0.0,-116.4>90.0", False),
        ("r3g1@0.0,-70.0>0.0", "b3@0.0,-116.4>90.0", True),
        ("r3@0.0,-70.0>270.0", "b3@26.0,-70.0>90.0", True),
        ("r3@0.0,-70.0>270.0", "b3@12.0,-70.0>270.0", False),
    ],
)
def test_two_pyramids_cannot_be_in_one_place(one: str, other: str, room: bool) -> None:
    placed, there = (kaxxt.read_move(position(2, {}), f"put {text}").stands[0] for text in (one, other))
    assert has_room(placed, [there]) is has_room(there, [placed]) is room


def test_a_beam_that_enters_is_drawn_from_the_edge_of_the_area() -> None:
    tracer = Tracer(table(4, {0: (("g3", "up", 0, 0),)}), (True,) * 4, "fraction")
    for hand, entry in (("left", (-130.0, -150.0)), ("right", (130.0, -150.0))):
        paths = tracer.enter(0, hand, "green", 3).paths
        assert [path.points for path in paths] == [(entry, (0.0, -70.0)), ((0.0, -70.0),)]


def test_a_pyramid_at_the_very_same_place_is_not_beyond() -> None:
    for points in ("self", "kaxxt", "left", "right"):
        trace = fire(4, {0: (("b3", points, 0, 0), ("k3", "up", 0, 0))}, 0, "blue")
        assert trace.recharge == {}
