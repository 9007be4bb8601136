"""Where a pawn may go: the checks of the move phase, each with its rule."""

from collections.abc import Iterator

from companion.errors import IllegalMove
from companion.games.kdak import tower as t
from companion.games.kdak.position import Move, Pawn, Position
from companion.games.kdak.tower import BESIDE, Place


def steps(position: Position) -> Iterator[Move]:
    """The legal moves of the pawn on turn (K1, K4 to K7, K15, K17); `pass` only when there is no other (KA2)."""
    found = False
    for place in _within_reach(position):
        if refusal_to_go(position, place) is None:
            found = True
            yield Move("go", place)
    if refusal_to_stay(position) is None:
        found = True
        yield Move("stay")
    if refusal_to_leave(position) is None:
        found = True
        yield Move("out")
    if not found:
        yield Move("pass")
    if refusal_of_calm(position) is None:
        yield Move("coin")


def refusal_to_go(position: Position, place: Place) -> IllegalMove | None:
    """Why the pawn on turn may not go to a place; None when it may."""
    pawn = position.pawn
    if not t.has(position.tower, place):
        return IllegalMove("no-tile", "K4", f"there is no tile on {place}", f"{_back(pawn)}, then go to a tile")
    if pawn.place is None:
        return _refusal_to_enter(pawn, place)
    if place.level == pawn.place.level:
        if place.corner in BESIDE[pawn.place.corner]:
            return None
        if place == pawn.place:
            return IllegalMove("no-step", "K4", "the pawn stands there already", "go to another tile")
        return IllegalMove(
            "diagonal", "K4", f"{pawn.place} to {place} is diagonal", f"{_back(pawn)}, or go to a tile beside it"
        )
    if place.corner != pawn.place.corner or abs(place.level - pawn.place.level) != 1:
        text = f"{pawn.place} to {place} is no step: one tile beside, or one level directly up or down"
        return IllegalMove("too-far", "K4", text, _back(pawn))
    return _refusal_to_climb(position, pawn.place, place) if place.level > pawn.place.level else None


def refusal_to_stay(position: Position) -> IllegalMove | None:
    """Why the pawn on turn may not stay where it is (K15, KA2, KA8)."""
    pawn = position.pawn
    if pawn.place is None:
        return IllegalMove("not-inside", "K1", "the pawn is not in the tower", _way_in(pawn))
    if t.tile_at(position.tower, pawn.place).up:
        return IllegalMove("must-move", "KA2", f"the tile on {pawn.place} is face-up: a step is due", "make a step")
    if not pawn.fallen:
        text = f"the pawn has not fallen onto {pawn.place}, so it may not stay"
        return IllegalMove("must-move", "K15", text, "make a step")
    return None


def refusal_to_leave(position: Position) -> IllegalMove | None:
    """Why the pawn on turn may not leave the tower (K3, K25, KA6, KA13)."""
    place = position.pawn.place
    if place is None:
        return IllegalMove(
            "not-inside", "K17" if position.pawn.out else "KA6", "the pawn is not in the tower", _way_in(position.pawn)
        )
    if not position.door_open:
        rule, text = ("K25", "without the talisman") if position.house.alone else ("K3", "before the switch")
        return IllegalMove("door-shut", rule, f"the door is shut {text}", _back(position.pawn))
    if place.level != 0:
        text = f"the door is on the null level, the pawn on level {place.level}"
        return IllegalMove("not-at-the-door", "KA13", text, _back(position.pawn))
    return None


def refusal_to_pass(position: Position) -> IllegalMove | None:
    """Passing is no choice: only a pawn that is walled in stays (KA2)."""
    if any(move.kind != "pass" and move.kind != "coin" for move in steps(position)):
        return IllegalMove("must-move", "KA2", "a pawn that can move must", "make a step")
    return None


def refusal_of_calm(position: Position) -> IllegalMove | None:
    """Why the talisman cannot buy a turn without a removal (K27, KA23)."""
    if not position.house.alone:
        return IllegalMove("no-talisman", "K22", "a coin is used after the turn, not before it", "make a step")
    if not position.coins[position.seat]:
        return IllegalMove("no-talisman", "K27", "the talisman is not in this player's hand", "make a step")
    if position.calm:
        return IllegalMove("no-talisman", "K27", "the talisman is already at work in this turn", "make a step")
    return None


def _within_reach(position: Position) -> Iterator[Place]:
    place = position.pawn.place
    if place is None:
        yield from t.places_on(position.tower, 0)
        return
    for corner in BESIDE[place.corner]:
        yield Place(place.level, corner)
    yield Place(place.level - 1, place.corner)
    yield Place(place.level + 1, place.corner)


def _refusal_to_enter(pawn: Pawn, place: Place) -> IllegalMove | None:
    if pawn.out:
        return IllegalMove("cannot-return", "K17", "who has left the tower cannot come back", _back(pawn))
    if place.level != 0:
        return IllegalMove("enter-below", "K1", f"{place} is not on the null level", _way_in(pawn))
    return None


def _refusal_to_climb(position: Position, here: Place, there: Place) -> IllegalMove | None:
    if position.house.alone:
        return None  # K24
    if position.house.up_onto_face_up and t.tile_at(position.tower, there).up:
        return None  # KA3 as a house rule
    shown = sum(t.tile_at(position.tower, place).up for place in t.places_on(position.tower, here.level))
    if shown >= 2:
        return None
    text = f"level {here.level} shows {shown} face-up tile{'s' * (shown != 1)}; two are needed to climb"
    return IllegalMove("too-dark", "K5", text, _back(position.pawn), {"face_up": shown, "needed": 2})


def _back(pawn: Pawn) -> str:
    """Where the pawn on turn belongs."""
    return f"put the pawn back {'beside the tower' if pawn.place is None else f'on {pawn.place}'}"


def _way_in(pawn: Pawn) -> str:
    return "leave the pawn outside" if pawn.out else "enter any tile of the null level"
