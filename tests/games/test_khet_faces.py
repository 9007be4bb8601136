"""The face table, row by row: light that travels a way comes to a piece and is hit, absorbed or sent on."""

import pytest
from khet_boards import table

from companion.games.khet.beam import rays, struck
from companion.games.khet.squares import DIRECTIONS, STEP, number

# kind and facing as in our notation, then what light going N, E, S, W does
ROWS = """
Pne hit hit E N
Pse E hit hit S
Psw W S hit hit
Pnw hit N W hit
Sr E N W S
Sf W S E N
Er E N W S
Ef W S E N
An hit hit absorbed hit
Ae hit hit hit absorbed
As absorbed hit hit hit
Aw hit absorbed hit hit
K hit hit hit hit
O hit hit hit hit
D hit hit hit hit
"""
TABLE = [
    (words[0], direction, words[1 + index])
    for words in map(str.split, ROWS.strip().splitlines())
    for index, direction in enumerate(DIRECTIONS)
]
AT = number("e4")


@pytest.mark.parametrize(("piece", "direction", "expected"), TABLE)
@pytest.mark.parametrize("seat", [0, 1])
def test_face(piece: str, direction: str, expected: str, seat: int) -> None:
    """Khet 3a.pyramid, Khet 3a.scarab, Khet 3a.eye, Khet 3a.anubis, Khet 3a.pharaoh, Khet 3a.obelisk, Khet 3a.stack."""
    edition = "2.0" if piece[0] == "A" else "1.0"
    sign = piece if seat == 0 else piece.lower()
    cells = table({"e4": sign}, edition).cells
    heading = DIRECTIONS.index(direction)
    source = AT - 2 * STEP[heading]
    ray = rays(cells, source, heading)
    hit = tuple(struck(cells, source, heading))
    if expected in ("hit", "absorbed"):
        assert (ray[0].squares[-1], ray[0].end) == (AT, expected)
        assert hit == ((AT,) if expected == "hit" else ())
    else:
        onward = AT + STEP[DIRECTIONS.index(expected)]
        if piece[0] == "E":
            assert ray[0].squares[3] == AT + STEP[heading]  # half goes straight on
            assert ray[1].squares[:2] == (AT, onward)
        else:
            assert ray[0].squares[3] == onward
        assert AT not in hit


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(("square", "facing"), [("j1", "Xn"), ("j1", "Xw"), ("a8", "xs"), ("a8", "xe")])
def test_the_sphinx_swallows_light_from_every_side(direction: str, square: str, facing: str) -> None:
    """Khet 3a.sphinx, and Khet Q4: its own light coming back ends there too."""
    cells = table({square: facing}, "2.0").cells
    heading = DIRECTIONS.index(direction)
    source = number(square) - STEP[heading]
    assert [ray.end for ray in rays(cells, source, heading)] == ["absorbed"]
    assert struck(cells, source, heading) == ()
