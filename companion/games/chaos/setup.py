"""The choices before a game, and the first position."""

from companion.games.base import Option, Options
from companion.games.chaos.position import STASH, House, Position
from companion.games.options import settle

USUAL = "usual"

OPTIONS: tuple[Option, ...] = (
    Option(
        "seats",
        (2, 3, 4, 5),
        2,
        "How many play; so many defenders of a colour come before its attackers.",
        "C6",
        "Players",
    ),
    Option(
        "colours",
        (10, 12, 6, 4),
        10,
        "Ten colours with ten-sided dice, or the variants with 12, 6 or 4.",
        "C18-C20",
        "Colours of the array",
    ),
    Option(
        "score_by_size",
        (True, False),
        False,
        "At the end captured pieces count 3, 2 and 1 by size.",
        "C17",
        "Score by size",
    ),
    Option(
        "reach",
        (USUAL, 1, 2, 3),
        USUAL,
        "How far round the ring an attacker reaches, to both sides; usual: two, of six colours one, of four the next.",
        "CA20",
        "Reach round the ring",
    ),
)


def start(options: Options) -> Position:
    """An empty table and full stashes (C2)."""
    house = house_from(options)
    return Position(house, array=(STASH,) * house.colours, captured=((),) * house.players)


def house_from(options: Options) -> House:
    """The settled options; UnreadableText says what is allowed."""
    settled = settle(OPTIONS, options)
    reach = None if settled["reach"] == USUAL else int(settled["reach"])
    return House(int(settled["seats"]), int(settled["colours"]), bool(settled["score_by_size"]), reach)
