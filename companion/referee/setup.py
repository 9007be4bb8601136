"""Set-up help: which piece is missing, wrong, turned or extra, in words and as drawn on the board."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games.base import Layout, Lying
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.layout import Difference, Evidence
from companion.referee.snapshot import PieceView
from companion.referee.words import (
    MOST_NAMED,
    Palette,
    difference_words,
    only_turned,
    piece_words,
    place_words,
    sentence,
    some,
    tell_words,
    turn_to_words,
    turned_over,
    turned_words,
    uncover_words,
    upside_down,
)
from companion.texts import join
from companion.view import ASKEW, COVERED


@dataclass(frozen=True, slots=True)
class Fault:
    """One place that is not yet as it should be; `state` is missing, wrong, turned, extra or unclear.

    `name`: what the game calls the piece that belongs there, "" where it is told by how it looks.
    """

    state: str
    difference: Difference
    name: str = ""

    @property
    def cell(self) -> str | None:
        """Where, on a board."""
        return self.difference.cell


def faults(layout: Layout, seen: Evidence) -> tuple[Fault, ...]:
    """What keeps the table from showing this layout."""
    found = seen.differences(layout)
    places = {(d.cell, d.x_mm, d.y_mm) for d in found}
    unseen = (d for d in seen.unseen(layout) if (d.cell, d.x_mm, d.y_mm) not in places)
    return tuple(map(fault_of, (*found, *unseen)))


def fault_of(difference: Difference) -> Fault:
    """The difference with its kind."""
    return Fault(state_of(difference), difference)


def missing(lying: Lying) -> Fault:
    """A piece that is not where it belongs; one that lies by the plan, and on no sheet, is called as the game does."""
    name = lying.words if lying.soft and not lying.sheet else ""
    return Fault("missing", Difference(lying.cell, lying.piece, EMPTY, 1.0, lying.x_mm, lying.y_mm), name)


def state_of(difference: Difference) -> str:
    """The kind of fault."""
    expected, seen = difference.expected, difference.seen
    if difference.why is not None:
        return "unclear"
    if seen == EMPTY:
        return "missing"
    if expected == EMPTY:
        return "extra"
    ways = (only_turned, turned_over, upside_down)
    return "turned" if any(way(expected, seen) for way in ways) else "wrong"


def fault_words(fault: Fault, colours: Palette) -> str:
    """What to do about it: "put the silver pyramid, mirror to NE, on c4"."""
    d = fault.difference
    place = place_words(d.cell, d.x_mm, d.y_mm)
    if fault.state == "missing":
        return f"put {fault.name or f'the {turned_words(d.expected, colours)}'} {place}"
    if fault.state == "extra":
        return f"take the {piece_words(d.seen, colours)} {place} away"
    if over := turned_over(d.seen, d.expected):
        return f"turn the tile {place} {over}"
    if upside_down(d.seen, d.expected):
        return f"turn the {piece_words(d.seen, colours)} {place} over: {colours.colour(d.expected.colour)}"
    if turned := turn_to_words(d, colours):
        return turned
    if fault.state == "turned":
        return f"turn the {piece_words(d.expected, colours)} {place}: {piece_words(d.expected, colours, facing=True)}"
    if fault.state == "wrong":
        return f"{place} belongs the {piece_words(d.expected, colours)}, not the {piece_words(d.seen, colours)}"
    return difference_words(d, colours)


def listed_faults(found: Sequence[Fault], colours: Palette) -> list[str]:
    """What to do about each; cells that cannot be told for one reason are named together, so is much to take away."""
    told: dict[str, list[str]] = {}
    extra = sum(fault.state == "extra" for fault in found)
    for fault in found:
        together = fault.cell is not None and fault.difference.why
        key = fault.difference.why or "" if together else fault_words(fault, colours)
        if fault.state == "extra" and extra > MOST_NAMED:  # an earlier game, rather: on the page all are marked
            key = f"take the {extra} pieces away that do not belong there"
        told.setdefault(key, []).append(place_words(fault.cell).removeprefix("on ") if together else "")
    return [_untold(why, cells) if any(cells) else why for why, cells in told.items()]


def _untold(why: str, cells: Sequence[str]) -> str:
    if why == ASKEW:
        return f"straighten what stands on {some(cells)}"
    if why == COVERED:
        return uncover_words(cells)
    return f"what stands on {some(cells)} cannot be told ({why})"


def untold_words(found: Sequence[Fault]) -> str:
    """What to do where pieces cannot be told; "" where something else is to be done first."""
    if not found or any(f.state != "unclear" or f.difference.why in (ASKEW, COVERED) for f in found):
        return ""
    return tell_words(len(found))


def unseen_words(overlooked: Sequence[Piece], colours: Palette) -> str:
    """What to do where pieces may only be unseen, on a table of their own colour; "" where none may."""
    if not overlooked:
        return ""
    told = join([f"the {piece_words(piece, colours)}" for piece in overlooked])
    return sentence(f"if {told} is there and only not seen, tap its place here, or begin")


def may_be_pattern(fault: Fault, surely: float) -> bool:
    """True for what should not lie on a free table, and of which the eye is not so sure that it does."""
    d = fault.difference
    return fault.cell is None and d.expected == EMPTY != d.seen and d.belief <= surely


def mistaken_words(found: Sequence[Fault], colours: Palette) -> str:
    """What to do where the eye sees pieces on a free table that are not there; "" where anything else is wrong."""
    if not found or any(f.cell is not None or f.state != "extra" for f in found):
        return ""
    told = f"the {piece_words(found[0].difference.seen, colours)}" if len(found) == 1 else "any of them"
    return sentence(f"if {told} is not there, tap its place here and say so")


def drawn(layout: Layout, found: Sequence[Fault], colours: Palette) -> tuple[PieceView, ...]:
    """The set-up as it should be, every piece with the state of its place, and what does not belong there."""
    return with_faults(pieces_of(layout, colours), found, colours)


def with_faults(views: Sequence[PieceView], found: Sequence[Fault], colours: Palette) -> tuple[PieceView, ...]:
    """These pieces, each with the state of its place, and what does not belong there."""
    states = {_place(f.difference): f.state for f in found}
    shown = [replace(v, state=_drawn_state(states[_place(v)])) if _place(v) in states else v for v in views]
    taken = {v.cell for v in views if v.cell is not None}
    extra = [_extra(f.difference, colours) for f in found if f.state == "extra" and f.cell not in taken]
    return (*shown, *extra)


def _place(thing: Difference | PieceView) -> tuple[str | None, float | None, float | None]:
    return (thing.cell, None, None) if thing.cell is not None else (None, thing.x_mm, thing.y_mm)


def _extra(d: Difference, colours: Palette) -> PieceView:
    return replace(piece_view(Lying(d.seen, d.cell, d.x_mm, d.y_mm, d.heading_deg), colours), state="extra")


def piece_view(lying: Lying, colours: Palette) -> PieceView:
    """A piece as the page draws it."""
    piece, cell = lying.piece, lying.cell
    return PieceView(
        piece.kind,
        colours.colour(piece.colour),
        piece.facing,
        piece.size,
        piece.pose,
        piece.suit,
        piece.value,
        piece.face,
        count=lying.count,
        cell=cell,
        x_mm=lying.x_mm,
        y_mm=lying.y_mm,
        heading_deg=lying.heading_deg,
        words=colours.text(lying.words) or f"the {piece_words(piece, colours)}" + (f" on {cell}" if cell else ""),
    )


def pieces_of(layout: Layout, colours: Palette) -> tuple[PieceView, ...]:
    """Every piece of a layout as drawn."""
    return tuple(piece_view(lying, colours) for lying in layout.pieces)


def _drawn_state(state: str) -> str:
    return "wrong" if state == "unclear" else state if state != "extra" else "wrong"
