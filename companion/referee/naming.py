"""A piece named by hand: what a person says that the camera misread."""

import math
from collections.abc import Mapping
from typing import Any

from companion.errors import CommandRefused, UnreadableText
from companion.games.base import Plan
from companion.pieces import (
    EMPTY,
    KHET_FACINGS,
    PYRAMID_COLOURS,
    PYRAMID_POSES,
    PYRAMID_SIZES,
    SUITS,
    VALUES,
    Piece,
    spoken,
)
from companion.referee import happenings as h
from companion.referee.commands import Command
from companion.referee.order_checks import need_game
from companion.referee.table import Table
from companion.texts import with_article

PIECE_KINDS = {"empty", "disc", "tile", "coin", "pawn", "die", "robot_card", *KHET_FACINGS}  # pyramids are Khet's, too


def correct(table: Table, command: Command, at: str) -> None:
    """What lies on a cell, or at a place of a free table, is what the command says."""
    need_game(table)
    board, plan = table.layout.board, table.layout.plan
    if board is None and plan is None:
        _correct_place(table, command)
        return
    cell = str(command.arguments.get("cell", ""))
    if cell not in set(board.cells() if board is not None else plan.cells() if plan is not None else ()):
        raise CommandRefused("no-such-cell", f"There is no cell {cell!r} on this board", 400)
    piece = piece_of(command.arguments.get("piece"))
    if plan is not None and piece != EMPTY and not _may_be_on(plan, cell, piece):
        raise CommandRefused(
            "no-such-piece", f"{with_article(spoken(piece.kind)).capitalize()} cannot be on {cell!r}", 400
        )
    table.record(h.Corrected(cell, *(getattr(piece, name) for name in _TOLD)))


def _correct_place(table: Table, command: Command) -> None:
    """On a free table a piece is named by where it lies."""
    told = [command.arguments.get(name) for name in ("x_mm", "y_mm", "heading_deg")]
    x_mm, y_mm, heading_deg = (float(v) if isinstance(v, int | float) and math.isfinite(v) else None for v in told)
    if x_mm is None or y_mm is None:
        raise CommandRefused("no-such-place", "A piece of this game is named by where it lies: x_mm and y_mm", 400)
    piece = piece_of(command.arguments.get("piece"))
    words: dict[str, Any] = {name: getattr(piece, name) for name in _TOLD}
    table.record(h.Corrected("", **words, x_mm=x_mm, y_mm=y_mm, heading_deg=heading_deg))


_TOLD = ("kind", "colour", "facing", "size", "pose", "suit", "value", "face")  # in the order of `Corrected`


def _may_be_on(plan: Plan, cell: str, piece: Piece) -> bool:
    """True for what lies on a spot there, and for the walker whose cell it is."""
    name = cell.partition("/")[2]
    walker = next((w for w in plan.walkers if w.name == name), None)
    return piece == walker.piece if walker is not None else piece.kind == plan.lies


def piece_of(data: Any) -> Piece:
    """A piece as a page names it: {"kind": "scarab", "colour": "silver", "facing": "/"}, or "empty"."""
    if isinstance(data, str):
        data = {"kind": data}
    if not isinstance(data, Mapping) or data.get("kind") not in PIECE_KINDS:
        raise UnreadableText(f"no such piece: {data!r}")
    kind, colour, facing = str(data["kind"]), data.get("colour"), data.get("facing")
    if colour is not None and colour not in (*PYRAMID_COLOURS, "silver", "white", "black"):
        raise UnreadableText(f"no such colour: {colour!r}")
    if facing is not None and facing not in KHET_FACINGS.get(kind, ()):
        raise UnreadableText(f"a {kind} cannot face {facing!r}")
    known = {
        "size": PYRAMID_SIZES,
        "pose": PYRAMID_POSES,
        "suit": SUITS,
        "value": VALUES,
        "face": ("front", "back", "value", "suit"),
    }
    for name, words in known.items():
        if data.get(name) not in (None, *words):
            raise UnreadableText(f"no such {name}: {data.get(name)!r}")
    return Piece(kind, colour, facing=facing, **{name: data.get(name) for name in known})
