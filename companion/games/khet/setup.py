"""The first position of a game, from its options."""

from typing import Any

from companion.errors import OddPosition, UnreadableText
from companion.games.base import Options
from companion.games.khet import faces
from companion.games.khet.layouts import LAYOUTS
from companion.games.khet.notation import read_position
from companion.games.khet.options import BY_NAME, HOUSE, choice_of, house_field
from companion.games.khet.position import House, Position


def start(options: Options) -> Position:
    """The first position: of a named layout, or of a set-up of one's own given as text."""
    unknown = sorted(set(options) - set(BY_NAME))
    if unknown:
        raise UnreadableText(f"Khet has no option {', '.join(unknown)}; there are {', '.join(BY_NAME)}")
    layout = str(options.get("layout", BY_NAME["layout"].default)).strip()
    own = "/" in layout or "\n" in layout
    if not own:
        layout = LAYOUTS[str(choice_of(BY_NAME["layout"], layout))].position
    position = read_position(layout)
    settings: dict[str, Any] = {
        name: house_field(name, options[name]) if name in options else getattr(position.house, name) for name in HOUSE
    }
    first = position.to_move
    if "first" in options:
        first = faces.COLOUR.index(str(choice_of(BY_NAME["first"], options["first"])))
    missing = tuple(f"{faces.COLOUR[s]} has no pharaoh" for s in range(2) if faces.PHARAOH[s] not in position.cells)
    if missing:
        raise OddPosition(missing)
    begun = Position(position.cells, first, House(position.house.edition, **settings))
    return Position(begun.cells, first, begun.house, past=(begun.arrangement,))
