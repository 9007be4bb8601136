"""The pieces of Khet as codes, and what each of their faces does to light, as data (Khet 3a)."""

from companion.games.khet.squares import DIRECTIONS
from companion.pieces import KHET_COLOURS, KHET_FACINGS

# What happens to light that travels N, E, S, W: a letter = it leaves that way, "hit", "absorbed".
FACES: dict[tuple[str, str | None], tuple[str, str, str, str]] = {
    ("pyramid", "NE"): ("hit", "hit", "E", "N"),
    ("pyramid", "SE"): ("E", "hit", "hit", "S"),
    ("pyramid", "SW"): ("W", "S", "hit", "hit"),
    ("pyramid", "NW"): ("hit", "N", "W", "hit"),
    ("scarab", "/"): ("E", "N", "W", "S"),
    ("scarab", "\\"): ("W", "S", "E", "N"),
    ("eye", "/"): ("E", "N", "W", "S"),
    ("eye", "\\"): ("W", "S", "E", "N"),
    ("anubis", "N"): ("hit", "hit", "absorbed", "hit"),
    ("anubis", "E"): ("hit", "hit", "hit", "absorbed"),
    ("anubis", "S"): ("absorbed", "hit", "hit", "hit"),
    ("anubis", "W"): ("hit", "absorbed", "hit", "hit"),
    ("sphinx", "N"): ("absorbed",) * 4,
    ("sphinx", "E"): ("absorbed",) * 4,
    ("sphinx", "S"): ("absorbed",) * 4,
    ("sphinx", "W"): ("absorbed",) * 4,
    ("pharaoh", None): ("hit",) * 4,
    ("obelisk", None): ("hit",) * 4,
    ("stack", None): ("hit",) * 4,
}
LETTERS = {
    "pharaoh": "k",
    "pyramid": "p",
    "scarab": "s",
    "eye": "e",
    "anubis": "a",
    "sphinx": "x",
    "obelisk": "o",
    "stack": "d",
}
TURNED = ("pyramid", "scarab", "eye", "anubis", "sphinx")  # the kinds whose facing counts
SPHINX_FACINGS = (("N", "W"), ("S", "E"))  # by seat: never off the board

EMPTY, OWN_CODES = 0, len(FACES)  # silver codes are 1..19, red codes 20..38
RIM = 2 * OWN_CODES + 1
_LOOKS = tuple(FACES)

CODE = {
    (seat, kind, facing): 1 + seat * OWN_CODES + index
    for seat in range(2)
    for index, (kind, facing) in enumerate(_LOOKS)
}
LOOK = {code: look for look, code in CODE.items()}  # code -> (seat, kind, facing)
SEAT = (None, *(LOOK[c][0] for c in range(1, RIM)), None)
KIND = ("empty", *(LOOK[c][1] for c in range(1, RIM)), "rim")
FACING = (None, *(LOOK[c][2] for c in range(1, RIM)), None)

HIT, ABSORBED, EDGE, SPLIT = 4, 5, 6, 8  # reactions beyond the four directions; SPLIT + direction turned to


def _reaction(code: int, heading: int) -> int:
    if code == EMPTY:
        return heading
    if code == RIM:
        return EDGE
    _, kind, facing = LOOK[code]
    word = FACES[kind, facing][heading]
    if word in DIRECTIONS:
        return DIRECTIONS.index(word) + (SPLIT if kind == "eye" else 0)
    return HIT if word == "hit" else ABSORBED


REACTION = bytes(_reaction(code, heading) for code in range(RIM + 1) for heading in range(4))  # at code * 4 + heading


def _kinds(*kinds: str) -> tuple[bool, ...]:
    return tuple(kind in kinds for kind in KIND)


SWAPS = _kinds("scarab", "eye")
SWAPPABLE = _kinds("pyramid", "anubis", "obelisk", "stack")
MOVES = _kinds("pharaoh", "pyramid", "scarab", "eye", "anubis", "obelisk", "stack")
OBELISKS = _kinds("obelisk", "stack")


def quarter_turn(kind: str, facing: str | None, quarters: int) -> str | None:
    """The facing after quarter turns clockwise (negative: counter-clockwise); None stays None."""
    if facing is None:
        return None
    facings = KHET_FACINGS[kind]
    return facings[(facings.index(facing) + quarters) % len(facings)]


def turned(code: int, quarters: int) -> int:
    """The code of a piece turned clockwise; one whose facing does not count stays the same."""
    if code == EMPTY:
        return code
    seat, kind, facing = LOOK[code]
    return CODE[seat, kind, quarter_turn(kind, facing, quarters)]


def _turns(code: int) -> tuple[int, ...]:
    """Codes that one lawful turn gives: clockwise first."""
    if code in (EMPTY, RIM):
        return ()
    seat, kind, facing = LOOK[code]
    if kind not in TURNED:
        return ()
    after = dict.fromkeys(quarter_turn(kind, facing, q) for q in (1, -1))
    allowed = SPHINX_FACINGS[seat] if kind == "sphinx" else tuple(after)
    return tuple(CODE[seat, kind, f] for f in after if f in allowed)


TURNS = tuple(_turns(code) for code in range(RIM + 1))


def _after_hit(code: int) -> int:
    return CODE[SEAT[code] or 0, "obelisk", None] if KIND[code] == "stack" else EMPTY


AFTER_HIT = bytes(_after_hit(code) for code in range(RIM + 1))  # a stack loses one obelisk (Khet 3a.stack)
OBELISK = tuple(CODE[seat, "obelisk", None] for seat in range(2))
STACK = tuple(CODE[seat, "stack", None] for seat in range(2))
SPHINX = tuple(frozenset(CODE[seat, "sphinx", facing] for facing in KHET_FACINGS["sphinx"]) for seat in range(2))
PHARAOH = tuple(CODE[seat, "pharaoh", None] for seat in range(2))
COLOUR = KHET_COLOURS  # by seat
