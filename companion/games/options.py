"""Options as given by a page, a command line or a record, settled against those that a game knows."""

import difflib
import re
from collections.abc import Mapping

from companion.errors import UnreadableText
from companion.games.base import Option

NUMBERS = {"four": "4", "six": "6", "ten": "10", "twelve": "12"}
Value = str | int | bool


def settle(known: tuple[Option, ...], given: Mapping[str, Value]) -> dict[str, Value]:
    """Every option with its value, defaults filled in.

    Texts are read as the choice that they spell ("yes", "3"). UnreadableText says what is allowed.
    """
    by_name = {option.name: option for option in known}
    for name in given:
        if name not in by_name:
            near = difflib.get_close_matches(name, by_name, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise UnreadableText(f"there is no option {name!r}{hint} (there are {', '.join(by_name)})")
    return {o.name: _choice(o, given[o.name]) if o.name in given else o.default for o in known}


def placed(known: tuple[Option, ...], name: str, word: str) -> dict[str, Value]:
    """The option that is meant where a game has none of this name: the one with such a choice.

    "7x7" is 7 and "four colours" 4; how many play has a name of its own everywhere.
    """
    if any(option.name == name for option in known):
        return {name: word}
    sides = word.lower().split("x")
    wanted = sides[0] if len(sides) == 2 and sides[0] == sides[1] else word.lower()
    first = re.split(r"[ _-]", wanted)[0]
    wanted = NUMBERS.get(first, first if first.isdigit() else wanted)
    others = [option for option in known if option.name != "seats"]
    fitting = [(o.name, c) for o in others for c in o.choices if not isinstance(c, bool) and spell(c).lower() == wanted]
    return dict(fitting[:1]) or {name: word}


def spell(value: Value) -> str:
    """The one spelling of a choice: yes and no for switches."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def said(option: Option, value: Value) -> str:
    """A choice as people are told of it."""
    return option.said[option.choices.index(value)] if option.said else spell(value)


def _choice(option: Option, value: Value) -> Value:
    wanted = {"true": "yes", "false": "no", "on": "yes", "off": "no"}.get(spell(value).lower(), spell(value).lower())
    for choice in option.choices:
        if spell(choice).lower() == wanted:
            return choice
    allowed = ", ".join(spell(choice) for choice in option.choices)
    raise UnreadableText(f"option {option.name!r} cannot be {spell(value)!r}; it can be {allowed}")
