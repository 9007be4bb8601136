"""Moves and pieces in words, by the colours of the set on the table."""

from companion.games.khet import faces
from companion.games.khet.position import SETS, Move, Position, reserved
from companion.games.khet.squares import NUMBER


def colour(colours: str, seat: int) -> str:
    """The set's own name for a side: "silver", "gold"."""
    return SETS[colours][seat]


def sides(position: Position) -> tuple[str, str]:
    """Both sides' names to begin a sentence with."""
    silver, red = SETS[position.house.colours]
    return silver.capitalize(), red.capitalize()


def piece(position: Position, square: str) -> str:
    """What stands on a square: "pyramid", "stack of obelisks"; "empty square" for nothing."""
    kind = faces.KIND[position.at(square)]
    return {"stack": "stack of obelisks", "eye": "Eye of Horus", "empty": "empty square"}.get(kind, kind)


def owned(position: Position, square: str) -> str:
    """What stands on a square with its colour: "silver pyramid"."""
    seat = faces.SEAT[position.at(square)]
    noun = piece(position, square)
    return noun if seat is None else f"{colour(position.house.colours, seat)} {noun}"


def describe(position: Position, move: Move) -> str:
    """The move in words, lawful or not."""
    who = sides(position)[position.to_move]
    if move.kind == "draw":
        return f"{who} claims a draw by repetition."
    if move.kind == "pass":
        return f"{who} does nothing."
    mine = faces.SEAT[position.at(move.origin)] == position.to_move
    what = f"the {piece(position, move.origin) if mine else owned(position, move.origin)}"
    if move.kind == "turn":
        return f"{who} turns {what} on {move.origin}{_turned(position, move)}."
    and_turns = f" and turns it{_turned(position, move)}" if move.turn else ""
    if move.kind == "swap":
        other = owned(position, move.target)
        return f"{who} swaps {what} on {move.origin} with the {other} on {move.target}{and_turns}."
    if move.kind == "top":
        return f"{who} moves the top obelisk from {move.origin} to {move.target}{and_turns}."
    return f"{who} moves {what} from {move.origin} to {move.target}{and_turns}."


def _turned(position: Position, move: Move) -> str:
    _, kind, facing = faces.LOOK.get(position.at(move.origin), (None, "empty", None))
    if facing is None:
        return ""
    if kind in ("scarab", "eye"):
        return " a quarter turn" if move.turn != 2 else " a half turn"
    return f" to face {faces.quarter_turn(kind, facing, move.turn)}"


def swap_pushes_onto_reserved(position: Position, move: Move) -> bool:
    """True when a swap puts the other piece onto a square reserved against it (Khet Q1)."""
    seat = faces.SEAT[position.at(move.target)]
    return seat is not None and reserved(NUMBER[move.origin], seat)
