"""The colour chart, the ring, and who may attack whom."""

CHART = ("white", "clear", "red", "orange", "yellow", "green", "cyan", "blue", "purple", "black", "gray", "pink")
CODES = dict(zip(CHART, "wlroygcbpkai", strict=True))  # black is k, clear l, gray a, pink i
RINGS = {  # number of colours -> the colours in dice order (C3, C18, C19, C20, CA20)
    10: CHART[:10],
    12: CHART,
    6: ("white", "red", "yellow", "green", "blue", "black"),
    4: ("red", "yellow", "green", "blue"),
}
UNSEEN, UNSEEN_FACE = "any", -1  # a die that nobody read: its colour is told by what is placed for it
REACH = {10: (-2, -1, 1, 2), 12: (-2, -1, 1, 2), 6: (-1, 1), 4: (1,)}  # steps round the ring (C13, C18, C19)


def rolled(face: int, colours: int) -> str:
    """The colour of a die's face; face 0 of a ten-sided die is ten (CA10)."""
    return UNSEEN if face == UNSEEN_FACE else RINGS[colours][(face or colours) - 1]


def targets(colour: str, colours: int, reach: int | None = None) -> frozenset[str]:
    """The colours that an attacker of this colour may point at (C13, CA19: the ring loops; CA20: a house's reach).

    None for a colour that is not played with.
    """
    ring = RINGS[colours]
    steps = REACH[colours] if reach is None else (*range(-reach, 0), *range(1, reach + 1))
    return frozenset(ring[(at + step) % colours] for at, own in enumerate(ring) if own == colour for step in steps)
