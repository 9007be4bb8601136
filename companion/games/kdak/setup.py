"""The choices before a game, and the first position."""

from companion.errors import UnreadableText
from companion.games.base import Option, Options
from companion.games.kdak.position import House, Pawn, Position
from companion.games.options import Value, settle
from companion.pieces import SUITS

PAWNS = ("first_pawn", "second_pawn")  # the options that name each seat's suit
OPTIONS: tuple[Option, ...] = (
    Option(
        "variant",
        ("duel", "talisman", "solitaire", "cooperative"),
        "duel",
        "Two explorers against each other, with talismans that buy turns, Kaka alone, or both for one purse.",
        "K20-K29",
        "Variant",
        ("Duel", "Duel with talismans", "Kaka alone", "Both for one purse"),
    ),
    Option(
        "up_onto_face_up",
        (True, False),
        False,
        "A face-up tile above may be climbed to from a dark level.",
        "KA3",
        "Climb onto face-up tiles",
    ),
    Option(
        "solitaire_turn_down",
        (True, False),
        True,
        "Alone, too, all tiles are turned down at level 5.",
        "KA20",
        "Alone, turn down at level 5",
    ),
    Option(
        "first_pawn", SUITS, "moons", "The suit of the first explorer's pawn and score coin.", label="First explorer"
    ),
    Option(
        "second_pawn", SUITS, "arms", "The suit of the second explorer's pawn and score coin.", label="Second explorer"
    ),
)


def start(options: Options) -> Position:
    """24 tiles face-down, nobody inside (K0)."""
    house = house_from(options)
    nought = (0,) * house.seats
    return Position(house, pawns=(Pawn(),) * house.seats, scores=nought, coins=nought)


def house_from(options: Options) -> House:
    """The settled options; UnreadableText says what is allowed."""
    settled = settle(OPTIONS, options)
    variant = str(settled["variant"])
    pawns = tuple(str(settled[name]) for name in PAWNS)
    if len(set(pawns)) < len(pawns) and variant != "solitaire":
        pawns = _told_apart(pawns, options)
    return House(variant, bool(settled["up_onto_face_up"]), bool(settled["solitaire_turn_down"]), pawns)


def _told_apart(pawns: tuple[str, ...], options: Options) -> tuple[str, ...]:
    """One suit was chosen, and the other explorer usually has it: that one gets another."""
    if all(name in options for name in PAWNS):
        raise UnreadableText(f"both pawns cannot be of {pawns[0]}: choose another suit for one of them")
    free = next(suit for suit in SUITS if suit not in pawns)
    return tuple(suit if name in options else free for name, suit in zip(PAWNS, pawns, strict=True))


def options_of(house: House) -> dict[str, Value]:
    """The options that give this house."""
    return {
        "variant": house.variant,
        "up_onto_face_up": house.up_onto_face_up,
        "solitaire_turn_down": house.solitaire_turn_down,
        "first_pawn": house.pawns[0],
        "second_pawn": house.pawns[1],
    }


def in_force(position: Position) -> dict[str, Value]:
    """The options of a game that began so: an explorer whose pawn nobody chose may have another than usual."""
    return options_of(position.house)
