"""The first position of a game, from its options."""

from collections.abc import Iterator
from typing import Any

from companion.errors import OddPosition
from companion.games.base import Options
from companion.games.khet import faces
from companion.games.khet.layouts import LAYOUTS
from companion.games.khet.notation import read_position
from companion.games.khet.options import HOUSE_RULES, OPTIONS, house_rules
from companion.games.khet.position import House, Position
from companion.games.options import settle


def start(options: Options) -> Position:
    """The first position: of a named layout, or of a set-up of one's own given as text (Khet 2.layouts).

    What a text of one's own says about side and house rules holds unless an option says otherwise.
    """
    own = str(options.get("layout", ""))
    own = own if "/" in own or "\n" in own else ""
    given = {name: value for name, value in options.items() if not (own and name == "layout")}
    chosen = settle(OPTIONS, given)
    position = read_position(own or LAYOUTS[str(chosen["layout"])].position)
    names = {option.name for option in HOUSE_RULES}
    rules: dict[str, Any] = {name: getattr(position.house, name) for name in names}
    rules |= house_rules({name: value for name, value in given.items() if name in names})
    first = faces.COLOUR.index(str(chosen["first"])) if "first" in given or not own else position.to_move
    missing = tuple(f"{faces.COLOUR[s]} has no pharaoh" for s in range(2) if faces.PHARAOH[s] not in position.cells)
    if missing:
        raise OddPosition(missing)
    return Position(position.cells, first, House(position.house.edition, **rules)).afresh


def in_force(position: Position) -> dict[str, str | int | bool]:
    """The options of a game that began so: a text of one's own may bring side and house rules (`start`)."""
    rules = {option.name: getattr(position.house, option.name) for option in HOUSE_RULES}
    return {**rules, "first": faces.COLOUR[position.to_move]}


def openings(options: Options) -> Iterator[Options]:
    """The options that name what these leave to the table: the layout that is set up, where none is chosen."""
    if "layout" not in options:
        yield from ({**options, "layout": name} for name in LAYOUTS)
