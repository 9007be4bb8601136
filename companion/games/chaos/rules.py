"""The numbered rules in our own words, each with the function that enforces it."""

from companion.games.base import Rule

_HERE = "companion.games.chaos"
_PLACE, _PLAY, _GEO, _AIM = f"{_HERE}.placement:", f"{_HERE}.play:", f"{_HERE}.geometry:", f"{_HERE}.aim:"

_TEXTS: tuple[tuple[str, str, str], ...] = (
    ("C1", f"{_PLAY}_place", "Whoever first holds one captured piece of every colour wins at once."),
    (
        "C2",
        f"{_HERE}.setup:start",
        "A stash of five large, five medium and five small pieces of each colour; 2 to 5 players.",
    ),
    (
        "C3",
        f"{_HERE}.colours:rolled",
        "The chart: 1 white 2 clear 3 red 4 orange 5 yellow 6 green 7 cyan 8 blue 9 purple 10 black.",
    ),
    ("C4", f"{_PLAY}_roll", "A turn: roll both dice and place a piece of both colours."),
    ("C5", f"{_PLACE}pose_due", "A standing piece is a defender, a lying one an attacker."),
    ("C6", f"{_PLACE}pose_due", "Of each colour as many defenders as players come first, and never more."),
    ("C7", f"{_PLACE}largest", "Always the largest piece of the colour that the array still holds."),
    ("C8", f"{_PLACE}_check_defender", "A defender stands at most six inches from the nearest piece in play."),
    ("C9", f"{_PLACE}_check_defender", "A defender stands at least six inches from the nearest piece of its colour."),
    (
        "C10",
        f"{_PLACE}_check_defender",
        "The first piece stands anywhere; a second of the same colour exactly six inches off.",
    ),
    (
        "C11",
        f"{_PLACE}_check_attacker",
        "An attacker's base lies flush and square against a defender's base or an attacker's side of its colour.",
    ),
    ("C12", f"{_PLACE}contact", "No part of that base reaches beyond the edge."),
    (
        "C13",
        f"{_HERE}.colours:targets",
        "An attacker threatens the colours one and two steps away on the ring, never its own.",
    ),
    (
        "C14",
        f"{_PLAY}_capture",
        "Laid so that it points at such a defender, it earns the largest piece of that colour in the array.",
    ),
    ("C15", f"{_AIM}aim", "The target is at most six inches away, any part of it, and nothing stands between."),
    ("C16", f"{_PLAY}_capture", "One captured piece of each colour for each player."),
    ("C17", f"{_PLAY}outcome", "There is no score, unless the house counts captured pieces 3, 2 and 1 by size."),
    ("C18", f"{_HERE}.colours:targets", "Six colours and six-sided dice: only neighbours on the ring are attacked."),
    (
        "C19",
        f"{_HERE}.colours:targets",
        "Four colours and four-sided dice: red attacks yellow, yellow green, green blue, blue red.",
    ),
    ("C20", f"{_HERE}.colours:rolled", "Twelve colours and twelve-sided dice."),
    (
        "CA1",
        f"{_GEO}gap_mm",
        "Six inches run between nearest edges; a shot from the tip to the first edge that it meets.",
    ),
    (
        "CA2",
        f"{_GEO}Tolerances",
        "Three millimetres are forgiven, six with a warning; where one or two decide what a ray captures, it is told.",
    ),
    ("CA3", f"{_GEO}corners", "A defender covers its base square, an attacker the triangle of base and slant."),
    ("CA4", f"{_GEO}supports", "Any of the four edges of a defender can be touched."),
    ("CA5", f"{_GEO}supports", "Of an attacker only the two slanted sides can be touched."),
    ("CA6", f"{_PLACE}contact", "A base must fit on its edge: large on large only aligned, large on medium never."),
    ("CA7", f"{_PLACE}pose_due", "After as many defenders as players only attackers of that colour follow."),
    ("CA8", f"{_PLACE}_check_defender", "The nearest piece may be of any colour, its own only at exactly six inches."),
    ("CA9", f"{_PLAY}moves", "The dice are placed in either order; the second sees what the first did."),
    ("CA10", f"{_HERE}.colours:rolled", "A zero on a ten-sided die is ten."),
    ("CA11", f"{_PLAY}_skip", "A colour that is used up or has no lawful place is skipped."),
    ("CA12", f"{_PLAY}outcome", "Nothing placeable any more ends the game: most colours win, equal is a draw."),
    ("CA13", f"{_AIM}aim", "An attacker without a target is lawful."),
    ("CA14", f"{_PLAY}_place", "A defender that comes into an older attacker's line is not captured for."),
    ("CA15", f"{_AIM}aim", "One capture at most: by the first footprint in the line, if it is a defender."),
    ("CA16", f"{_PLAY}_capture", "A colour that the array is out of is not captured."),
    ("CA17", f"{_PLAY}_capture", "The target stays; the captured piece comes from the array."),
    ("CA18", f"{_PLACE}_check_attacker", "Pieces belong to nobody: any one of the same colour supports an attacker."),
    ("CA19", f"{_HERE}.colours:targets", "The ring of six colours loops like that of ten."),
    (
        "CA20",
        f"{_HERE}.colours:targets",
        "The twelve are the ten, gray and pink, with a reach of two steps, unless the house says otherwise.",
    ),
    ("CA21", f"{_GEO}on_table", "The whole footprint lies on the visible table."),
)

RULES = tuple(Rule(number, text, place) for number, place, text in _TEXTS)
