"""What one pyramid or stack does to a beam that comes upon it."""

from dataclasses import dataclass

from companion.games.kaxxt.pyramids import BLACK, Pyramid

FULL_PIPS = 3
METHODS = ("fraction", "capacity")


@dataclass(frozen=True, slots=True)
class Branch:
    """A part of the beam that leaves by the tip: who turned it, its colour and its power."""

    by: Pyramid
    colour: str
    power: int


@dataclass(frozen=True, slots=True)
class Passage:
    """What became of a beam: what goes straight on, what black absorbed, what was turned."""

    rest: int
    absorbed: int
    branches: tuple[Branch, ...]


def share(power: int, pips: int, method: str) -> int:
    """How much of a beam a pyramid of its colour turns (X15, XA1).

    fraction: pips/3 of the beam, to the nearest point (a half cannot occur); capacity: at most its pips.
    """
    if method == "capacity":
        return min(power, pips)
    return (2 * power * pips + FULL_PIPS) // (2 * FULL_PIPS)


def meet(pyramids: tuple[Pyramid, ...], colour: str, power: int, fed: bool, method: str) -> Passage:
    """A beam meets a stack, bottom first (X13-X15, X20-X27, XA12-XA15).

    `fed`: one of the owner's own pyramids has turned this beam already, so that black takes it (X25, X26, XA16).
    """
    absorbed, branches = 0, []
    for at, pyramid in enumerate(pyramids):
        if pyramid.colour == BLACK:
            taken = min(power, pyramid.pips) if fed else 0
            absorbed, power = absorbed + taken, power - taken
        elif pyramid.colour == colour:
            caught = share(power, pyramid.pips, method)
            power -= caught
            sent, out, taken = _through(pyramids[at + 1 :], colour, caught)
            absorbed += taken
            if sent:
                branches.append(Branch(pyramid, out, sent))
    return Passage(power, absorbed, tuple(branches))


def _through(above: tuple[Pyramid, ...], colour: str, power: int) -> tuple[int, str, int]:
    """Power, colour and what black absorbed after the nested pyramids above (X21, X23, XA13, XA14)."""
    absorbed = 0
    for pyramid in above:
        if pyramid.colour == BLACK:
            taken = min(power, pyramid.pips)
            absorbed, power = absorbed + taken, power - taken
        else:
            colour = pyramid.colour
    return power, colour, absorbed
