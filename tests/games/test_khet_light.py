"""The rules of the light of Khet, by their numbers: where it goes, where it ends, what it hits."""

import pytest
from khet_boards import play, spelled, table

from companion.events import Beam, Hit, TurnBegan
from companion.games import khet


def test_one_action_then_the_own_laser_fires_once() -> None:
    """Khet 3b.1: the action, one shot, the other side's turn; also when nothing is hit."""
    turn = khet.play(table({}), khet.read_move(table({}), "e1e2"))
    assert [event.name for event in turn.events] == ["acted", "beam", "turn"]
    assert turn.events[-1] == TurnBegan(1)
    assert turn.position.to_move == 1


def test_light_ends_at_the_edge_or_on_a_piece_and_hits_own_pieces() -> None:
    """Khet 3b.4."""
    turn = khet.play(table({"j5": "Pse"}), khet.read_move(table({"j5": "Pse"}), "e1e2"))
    beam = next(event for event in turn.events if isinstance(event, Beam))
    assert beam.paths[0].points == ((9, -0.5), (9, 0), (9, 1), (9, 2), (9, 3), (9, 4), (9.5, 4))
    assert beam.paths[0].end == "edge"
    own = khet.play(table({"j5": "Pne"}), khet.read_move(table({"j5": "Pne"}), "e1e2"))
    assert [(e.seat, e.cell, e.removed) for e in own.events if isinstance(e, Hit)] == [(0, "j5", True)]


def test_light_in_a_ring_ends_where_its_way_is_lit() -> None:
    """Khet Q3: the ring of Osiris lies in the first shot: f4 splits, e4 mirrors, e5 splits, f5 mirrors, f4 again."""
    position = khet.start({"layout": "osiris-2.0"})
    turn = khet.play(position, khet.read_move(position, "b1b2"))
    beam = next(event for event in turn.events if isinstance(event, Beam))
    assert [(path.end, path.points[0], path.points[-1]) for path in beam.paths] == [
        ("edge", (9, 0), (4, 7.5)),
        ("edge", (5, 3), (5, -0.5)),
        ("loop", (4, 4), (5, 3)),
    ]
    assert turn.events[-1] == TurnBegan(1)


@pytest.mark.parametrize("edition", ["1.0", "2.0"])
def test_light_that_comes_back_to_its_source_ends_there(edition: str) -> None:
    """Khet Q4: both halves run one ring in opposite directions and come home."""
    ring = {"j4": "Ef", "j6": "Sf", "h6": "sr", "h4": "sf"}
    position = table(ring, edition)
    turn = khet.play(position, khet.read_move(position, "e1e2"))
    beam = next(event for event in turn.events if isinstance(event, Beam))
    home = [path for path in beam.paths if path.points[-1][0] == 9 and path.points[-1][1] <= 0]
    assert home
    assert {path.end for path in home} == {"absorbed" if edition == "2.0" else "edge"}
    assert khet.outcome(turn.position) is None


def test_hit_pieces_are_removed_together_after_the_whole_shot() -> None:
    """Khet Q5, Khet Q7: the pyramid hit on its back still mirrors the other half of the same shot."""
    # the eye on j4 sends light on north (j7, west, c7, down to the back of c4) and west along rank 4 to c4
    pieces = {"j4": "Ef", "j7": "Psw", "c7": "Pse", "c4": "Pse", "c2": "pse"}
    position = table(pieces)
    turn = khet.play(position, khet.read_move(position, "e1e2"))
    assert {event.cell for event in turn.events if isinstance(event, Hit)} == {"c4", "c2"}


def test_two_beams_on_a_stack_take_one_obelisk() -> None:
    """Khet Q6."""
    pieces = {"j4": "Ef", "j7": "Psw", "c7": "Pse", "c4": "d"}
    position = table(pieces)
    turn = khet.play(position, khet.read_move(position, "e1e2"))
    beam = next(event for event in turn.events if isinstance(event, Beam))
    assert [path.points[-1] for path in beam.paths if path.end == "hit"] == [(2, 3), (2, 3)]
    assert [event.cell for event in turn.events if isinstance(event, Hit)] == ["c4"]
    assert khet.write_position(turn.position).split("/")[4].startswith("2o")


def test_pieces_may_stand_before_the_rim_lasers() -> None:
    """Khet Q16, Khet 2.lasers: in 1.0 j1 and a8 are squares like others, first to meet the light."""
    position = table({"i2": "Psw", "b7": "pne"})
    assert "i2j1" in spelled(position)
    turn = khet.play(position, khet.read_move(position, "i2j1"))
    beam = next(event for event in turn.events if isinstance(event, Beam))
    assert beam.paths[0].points[:3] == ((9, -0.5), (9, 0), (8, 0))
    wrong = table({"i2": "Pnw"})
    assert play(wrong, "i2j1").at("j1") == 0


def test_light_follows_the_right_angles() -> None:
    """Khet Q21: facings are the four of each piece; nothing between them can be written or played."""
    assert {piece.piece.facing for piece in khet.layout(khet.start({})).pieces} <= {
        None, "N", "E", "S", "W", "NE", "SE", "SW", "NW", "/", "\\",
    }  # fmt: skip


def test_the_table_to_wait_for_is_the_one_without_the_hit_pieces() -> None:
    """Khet Q22: right after the action they still stand there, then exactly they are gone."""
    position = table({"j5": "Pne", "e4": "Sr"})
    move = khet.read_move(position, "e4+")
    before = {lying.cell: lying.piece for lying in khet.during(position, move).pieces}
    after = {lying.cell: lying.piece for lying in khet.layout(khet.play(position, move).position).pieces}
    assert {cell: before[cell] for cell in before if cell != "j5"} == after
    assert "j5" in before
