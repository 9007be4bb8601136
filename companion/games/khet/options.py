"""What is chosen before a game of Khet: the layout (which brings the edition) and the house rules."""

from companion.errors import UnreadableText
from companion.games.base import Option
from companion.games.khet.layouts import LAYOUTS
from companion.games.khet.position import SETS

OPTIONS: tuple[Option, ...] = (
    Option(
        "layout",
        tuple(LAYOUTS),
        "classic-2.0",
        "The set-up, which brings its edition; a position in text is a set-up of your own.",
        "Khet 2.layouts",
    ),
    Option(
        "swap_into_reserved",
        (False, True),
        False,
        "A scarab's swap may push the other piece onto a square reserved against it.",
        "Khet Q1",
    ),
    Option(
        "both_pharaohs",
        ("mover_loses", "draw"),
        "mover_loses",
        "What it means when one shot takes both pharaohs.",
        "Khet Q2",
    ),
    Option(
        "repetition",
        ("claim", "automatic"),
        "claim",
        "The third time of an arrangement is a draw when the next player claims it, or at once.",
        "Khet Q17",
    ),
    Option("first", ("silver", "red"), "silver", "The side that begins.", "Khet Q19"),
    Option("colours", tuple(SETS), "silver-red", "The colours of your set; the first one plays as silver."),
)
BY_NAME = {option.name: option for option in OPTIONS}
HOUSE = ("swap_into_reserved", "both_pharaohs", "repetition", "colours")
_YES_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def house_field(name: str, value: str | int | bool) -> str | bool:
    """The value of one house rule, read tolerantly; UnreadableText lists what is allowed."""
    if name not in HOUSE:
        raise UnreadableText(f"no house rule is called {name!r}; there are {', '.join(HOUSE)}")
    chosen = choice_of(BY_NAME[name], value)
    assert not isinstance(chosen, int) or isinstance(chosen, bool)
    return chosen


def choice_of(option: Option, value: str | int | bool) -> str | int | bool:
    """The option's choice that a value names, read tolerantly; UnreadableText lists the choices."""
    wanted: str | int | bool = value
    if isinstance(value, str):
        wanted = value.strip().lower()
        if isinstance(option.default, bool):
            wanted = _YES_NO.get(wanted, wanted)
    for choice in option.choices:
        same = choice.lower() == wanted if isinstance(choice, str) else choice is wanted
        if same:
            return choice
    allowed = ", ".join("yes" if c is True else "no" if c is False else str(c) for c in option.choices)
    raise UnreadableText(f"{option.name} cannot be {value!r}; it can be {allowed}")
