"""The words behind a position's pieces: side to move, edition, house rules."""

from typing import Any

from companion.errors import UnreadableText
from companion.games.khet import faces
from companion.games.khet.options import house_rules
from companion.games.khet.position import House, Position


def read_fields(cells: bytes, fields: list[str]) -> Position:
    """Cells and the words behind them: side to move, edition, house rules; unnamed ones are the usual ones."""
    seat, drawn = 0, False
    settings: dict[str, Any] = {"edition": _edition_of(cells)}
    for word in fields:
        name, _, value = word.lower().partition("=")
        if name in ("s", "silver", "r", "red") and not value:
            seat = 0 if name[0] == "s" else 1
        elif name in ("1.0", "2.0") and not value:
            settings["edition"] = name
        elif name == "drawn" and not value:
            drawn = True
        elif value:
            settings |= house_rules({name: value})
        else:
            raise UnreadableText(f"{word!r} is neither a side (s, r), an edition (1.0, 2.0) nor a house rule")
    return Position(cells, seat, House(**settings), drawn).afresh


def write_fields(position: Position) -> list[str]:
    """The edition and every house rule that is not the usual one; `read_fields` gives them back."""
    usual = House(edition=position.house.edition)
    words = [position.house.edition]
    for name in ("swap_into_reserved", "both_pharaohs", "repetition", "colours"):
        value = getattr(position.house, name)
        if value != getattr(usual, name):
            words.append(f"{name}={'yes' if value is True else value}")
    return words + ["drawn"] * position.drawn


def _edition_of(cells: bytes) -> str:
    kinds = {faces.KIND[code] for code in cells}
    return "2.0" if kinds & {"anubis", "sphinx"} else "1.0"
