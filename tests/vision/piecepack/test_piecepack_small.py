"""Coins, pawns and dice of a piecepack, told among what else looks like one."""

from types import SimpleNamespace

import numpy as np
import pytest
from flat_grounds import flat_ground, tile_at

from companion.pieces import SUITS, VALUES, Piece
from companion.vision.piecepack.finder import PiecepackFinder, _answers
from companion.vision.piecepack.places import Place, Spot
from companion.vision.piecepack.settings import PiecepackSettings
from companion.vision.piecepack.small import feet_of, little, small_among
from companion.vision.piecepack.tiles import tiles_among


def shares_of(count: int, at: int, share: float) -> np.ndarray:
    told = np.full(count, (1 - share) / (count - 1), np.float32)
    told[at] = share
    return told


class Fickle:
    """Reads a die as it lies as a 4, surely, and from each other side as an ace."""

    def embed(self, name, patches):
        assert name == "die"
        return np.arange(len(patches))

    def told(self, name, numbers):
        values = [shares_of(6, 4 if number == 0 else 1, 0.99) for number in numbers]
        return {"suit": np.tile(shares_of(4, 0, 0.999), (len(numbers), 1)), "value": np.array(values)}


def test_a_die_is_looked_at_closely_and_from_all_sides_however_sure_the_first_look_is():
    ground = SimpleNamespace(settings=SimpleNamespace(fine_mm=0.6))
    die, coin = (Place(Spot(kind, 40.0, 40.0, 10.0, 0.9), 0.99, 0.99, {}) for kind in (3, 1))
    same, other = (Place(Spot(3, x, 40.0, 10.0, 0.9), 0.6, 0.6, {}) for x in (45.0, 70.0))
    every = [same, coin, die, other]
    PiecepackFinder(networks=Fickle())._look_closely(ground, np.zeros((80, 80, 3), np.uint8), every)
    assert die.told["value"].argmax() == 1
    assert die.told["suit"].argmax() == 0
    assert [place.told == {} for place in every] == [True, True, False, False]


def test_a_blank_die_teaches_no_suit():
    taught = {value: _answers(Piece("die", suit="moons", value=value)) for value in ("null", "ace")}
    assert taught["null"]["suit"] == -1  # no answer to that question
    assert taught["ace"]["suit"] == SUITS.index("moons")
    assert taught["null"]["value"] == VALUES.index("null")
    assert _answers(Piece("tile", suit="moons", value="null", face="front"))["suit"] == SUITS.index("moons")


def test_a_die_whose_suit_is_hardly_seen_is_not_told():
    ground = flat_ground()
    whys = []
    for suit, value in ((0.85, 0), (0.93, 0), (0.93, 2)):
        told = {"suit": shares_of(4, 1, suit), "value": shares_of(6, value, 0.999), "heading": np.array([1.0, 0.0])}
        found = little(ground, Spot(3, 0.0, 0.0, 0.0, 0.9), told, 1.0, [], PiecepackSettings())
        best = found.sighting.beliefs[0][0]
        assert (best.suit, best.kind) == ("moons", "die")
        assert sum(p for _, p in found.sighting.beliefs) == pytest.approx(1.0, abs=0.01)
        whys.append(found.sighting.why)
    assert whys[0] is not None
    assert whys[1:] == [None, None]


@pytest.mark.parametrize(("x", "sure", "shown"), [(1.0, 0.96, False), (1.0, 0.995, True), (15.0, 0.96, True)])
def test_the_digit_of_a_tile_is_no_die(x, sure, shown):
    tile = tile_at(0, 0, 0.99)
    tile.told["kind"][:] = 0.01, 0.01, 0.98
    ground = flat_ground()
    told = {"suit": shares_of(4, 1, 0.99), "value": shares_of(6, 2, 0.99), "heading": np.array([1.0, 0.0])}
    die = Place(Spot(3, x, 0.0, 0.0, 0.9), sure, sure, told)
    (found,) = small_among(ground, [die], tiles_among(ground, [tile], PiecepackSettings()), PiecepackSettings())
    assert found.sighting.faint != shown


def pawn_at(x: float, suit: int, sure: float) -> Place:
    told = {"suit": shares_of(4, suit, 0.99), "heading": np.array([1.0, 0.0])}
    return Place(Spot(2, x, 0.0, 0.0, 0.9), sure, sure, told)


@pytest.mark.parametrize(("suit", "there"), [(0, [400]), (1, [400, 412])])
@pytest.mark.parametrize(("foot_sure", "head_sure"), [(0.98, 0.9), (0.9, 0.98)])
def test_the_head_of_a_pawn_is_no_second_pawn_of_its_suit_however_sure(suit, there, foot_sure, head_sure):
    ground = flat_ground()
    foot, head = pawn_at(400, 0, foot_sure), pawn_at(412, suit, head_sure)  # from 900 mm above it leans 13 mm
    places = sorted([foot, head], key=lambda place: -place.sure)
    assert (
        sorted(round(f.outline_mm[:, 0].mean()) for f in small_among(ground, places, [], PiecepackSettings())) == there
    )


def test_what_is_hardly_a_pawn_takes_no_pawns_place():
    places = [pawn_at(412, 0, 0.98), pawn_at(400, 0, 0.3)]
    found = small_among(flat_ground(), places, [], PiecepackSettings())
    assert [f.sighting.faint for f in found] == [False, True]


def test_a_pawn_whose_head_was_proposed_is_looked_for_at_its_foot():
    settings, ground = PiecepackSettings(), flat_ground()
    head, coin, middle = Spot(2, 400.0, 0.0, 0.0, 0.9), Spot(1, 400.0, 90.0, 0.0, 0.9), Spot(2, 20.0, 0.0, 0.0, 0.9)
    feet = list(feet_of(ground, [head, coin, middle], [], settings))
    lean = 400 * settings.pawn_high_mm / 900
    assert [spot.x for spot in feet] == pytest.approx([400 - share * lean for share in settings.leans])
    assert {spot.kind for spot in feet} == {2}
    assert list(feet_of(ground, [head], [pawn_at(403, 0, 0.9)], settings)) == []
