"""What is chosen before a game of Khet: the layout (which brings the edition) and the house rules."""

from typing import Any

from companion.games.base import Option, Options
from companion.games.khet.layouts import LAYOUTS
from companion.games.khet.position import SETS
from companion.games.options import settle


def _title(layout: str) -> str:
    """Its name for people, and its edition where it is of one of them."""
    name, edition = LAYOUTS[layout].name, layout.rpartition("-")[2]
    return f"{name} {edition}" if edition in ("1.0", "2.0") else name


OPTIONS: tuple[Option, ...] = (
    Option(
        "layout",
        tuple(LAYOUTS),
        "classic-2.0",
        "The set-up, which brings its edition; a position in text is a set-up of your own.",
        "Khet 2.layouts",
        "Set-up",
        tuple(map(_title, LAYOUTS)),
    ),
    Option(
        "swap_into_reserved",
        (False, True),
        False,
        "A scarab's swap may push the other piece onto a square reserved against it.",
        "Khet Q1",
        "Swap onto reserved squares",
    ),
    Option(
        "both_pharaohs",
        ("mover_loses", "draw"),
        "mover_loses",
        "What it means when one shot takes both pharaohs.",
        "Khet Q2",
        "Both pharaohs hit",
        ("Whose turn it was loses", "The game is drawn"),
    ),
    Option(
        "repetition",
        ("claim", "automatic"),
        "claim",
        "The third time of an arrangement is a draw when the next player claims it, or at once.",
        "Khet Q17",
        "An arrangement for the third time",
        ("May be claimed as a draw", "Is a draw at once"),
    ),
    Option("first", ("silver", "red"), "silver", "The side that begins.", "Khet Q19", "Who begins"),
    Option(
        "colours",
        tuple(SETS),
        "silver-red",
        "The colours of your set; the first one plays as silver.",
        label="Colours of the set",
    ),
)
HOUSE_RULES = tuple(option for option in OPTIONS if option.name not in ("layout", "first"))


def house_rules(given: Options) -> dict[str, Any]:
    """The house rules among these, each as the choice that its text spells; UnreadableText lists what is allowed."""
    chosen = settle(HOUSE_RULES, given)
    return {name: chosen[name] for name in given}
