"""What differs on a table in words, and how hands put it right: what was moved or swapped is told as one thing."""

import math
from collections.abc import Sequence
from dataclasses import replace

from companion.pieces import EMPTY, UNKNOWN, Piece
from companion.referee.evidence.layout import Difference
from companion.referee.words import (
    Palette,
    difference_words,
    in_its_place,
    lies,
    piece_words,
    place_words,
    put_right_words,
    taken_away_words,
    turned_words,
)
from companion.texts import join

MOST_TOLD = 4  # things amiss; on the page all are marked
Stray = tuple[Difference, Difference]  # where a piece belongs that is not there, and where it is seen


def told_words(differences: Sequence[Difference], colours: Palette) -> str:
    """What is otherwise than it should be: "the red pyramid is not on c4 but on e5"."""
    found = strays(differences)
    swaps = _swaps(found)
    moves = [(home, at) for home, at in found if home.seen == EMPTY and at.expected == EMPTY]
    told = [_swap_words(*pair, colours) for pair in swaps] + [_move_words(*pair, colours) for pair in moves]
    known = [d for pair in (*swaps, *moves) for d in pair]
    return _listed(told + [difference_words(d, colours) for d in differences if d not in known], "{} more are amiss")


def remedy_words(differences: Sequence[Difference], colours: Palette) -> str:
    """How that is put right: what belongs elsewhere goes away first, so that there is room."""
    found = strays(differences)
    homes, places = [home for home, _ in found], [at for _, at in found]
    alone = [d for d in differences if d not in homes and d not in places]
    away = [taken_away_words(d, colours) for d in homes if d.seen != EMPTY and d not in places]
    swaps = _swaps(found)
    swapped = [d for pair in swaps for d in pair]
    back = [_swap_back_words(*pair, colours) for pair in swaps]
    back += [_back_words(home, at, colours) for home, at in found if home not in swapped]
    due = [f"put the {turned_words(d.expected, colours)} back {_place(d)}" for d in places if _is_due(d, homes)]
    first = _away_again([d for d in alone if d.expected == EMPTY], colours)
    other = [put_right_words(d, colours) for d in alone if d.expected != EMPTY]
    return _listed([*first, *away, *back, *due, *other], "put {} more right that are marked here")


def _away_again(extra: Sequence[Difference], colours: Palette) -> list[str]:
    """What is to be taken away, in one breath where it is little."""
    if len(extra) > MOST_TOLD:
        return [put_right_words(d, colours) for d in extra]
    named = [f"the {piece_words(d.seen, colours)} {_place(d)}" for d in extra]
    return [f"take {join(named)} away again"] if named else []


def _listed(told: list[str], more: str) -> str:
    """All of it, or of very much the first."""
    left = len(told) - MOST_TOLD
    return join(told if left <= 1 else [*told[:MOST_TOLD], more.format(left)])


def strays(differences: Sequence[Difference]) -> list[Stray]:
    """The pieces that are missing in one place and seen in another: on cells where no two look alike, else the next."""
    open_ones = [d for d in differences if d.why is None and d.seen != UNKNOWN and not in_its_place(d.expected, d.seen)]
    due = [d for d in open_ones if d.expected != EMPTY]
    new = [d for d in open_ones if d.seen != EMPTY]
    pairs = [(home, at) for home in due for at in new if _same(home.expected, at.seen)]
    found: list[Stray] = []
    for home, at in sorted(pairs, key=lambda pair: _apart(*pair)):
        rivals = [pair for pair in pairs if (pair[0] is home) != (pair[1] is at)]
        if home.cell is not None and rivals:
            continue
        if all(home is not other and at is not place for other, place in found):
            found.append((home, at))
    return found


def _apart(home: Difference, at: Difference) -> float:
    """Millimetres between them; 0 on cells."""
    return math.hypot((home.x_mm or 0.0) - (at.x_mm or 0.0), (home.y_mm or 0.0) - (at.y_mm or 0.0))


def _swaps(found: Sequence[Stray]) -> list[Stray]:
    """The places of which each has the other's piece."""
    return [(home, at) for i, (home, at) in enumerate(found) if (at, home) in found[i + 1 :]]


def _same(one: Piece, other: Piece) -> bool:
    """True for pieces of one look, however they lie or are turned."""
    return replace(one, pose=None, facing=None) == replace(other, pose=None, facing=None)


def _is_due(d: Difference, homes: Sequence[Difference]) -> bool:
    """True where a piece is missing that is seen nowhere else."""
    return d.expected != EMPTY and d not in homes


def _place(d: Difference) -> str:
    return place_words(d.cell, d.x_mm, d.y_mm)


def _move_words(home: Difference, at: Difference, colours: Palette) -> str:
    fell = f"{lies(at.seen)} " if home.expected.pose != at.seen.pose else ""
    away = f", {round(_apart(home, at))} mm away" if home.x_mm is not None else ""
    return f"the {piece_words(home.expected, colours)} is not {_place(home)} but {fell}{_place(at)}{away}"


def _swap_words(one: Difference, other: Difference, colours: Palette) -> str:
    first, second = (f"the {piece_words(d.expected, colours)} {_place(d)}" for d in (one, other))
    return f"{first} and {second} are swapped"


def _back_words(home: Difference, at: Difference, colours: Palette) -> str:
    named = turned_words(home.expected, colours)
    return f"put the {named} that {lies(at.seen)} {_place(at)} back {_place(home)}"


def _swap_back_words(one: Difference, other: Difference, colours: Palette) -> str:
    first, second = (f"the {turned_words(d.expected, colours)}" for d in (one, other))
    return f"swap {first} and {second} back"
