"""Texts that people and files give: which signs may stand in them, how JSON is read; counts and places in words."""

import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from companion.errors import UnreadableText

UNPRINTABLE = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))  # Unicode's control, format, half and line signs
# (non-)joiners between signs of a script or of a picture that needs them: Persian, families of emoji
_JOINERS = re.compile(r"(?<=[^\x00-\xa0\u200c\u200d])[\u200c\u200d](?=[^\x00-\xa0\u200c\u200d])")


def unprintable(text: str) -> bool:
    """True for a text with signs that a page or a terminal would not print but obey, or could not write."""
    return any(unicodedata.category(sign) in UNPRINTABLE for sign in _JOINERS.sub("", text))


def printable(text: str) -> str:
    """The same with a replacement sign for every one that a terminal would obey or could not write."""
    if not unprintable(text):
        return text
    return "".join("\N{REPLACEMENT CHARACTER}" if unprintable(sign) else sign for sign in text)


def counted(count: int, one: str, many: str = "") -> str:
    """ "1 game", "2 games"; `many` where the word has a plural of its own."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def with_article(words: str) -> str:
    """ "a red piece", "an orange piece"."""
    return f"a{'n' * words.startswith(tuple('aeiou'))} {words}"


def join(parts: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"; "" for none."""
    return f" {last} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def place_on_table(x_mm: float, y_mm: float) -> str:
    """Where on a free table, from its middle: "70 mm below the middle"."""
    over, up = round(x_mm), round(y_mm)
    side, height = "right" if over > 0 else "left", "above" if up > 0 else "below"
    if over and up:
        return f"{abs(over)} mm to the {side} and {abs(up)} mm {height} the middle"
    if up:
        return f"{abs(up)} mm {height} the middle"
    return f"{abs(over)} mm to the {side} of the middle" if over else "in the middle of the table"


def read_json(text: str) -> Any:
    """The value of a JSON text; UnreadableText for none, however deep it is nested."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableText(f"this is no JSON: {error}") from error
