"""A turn of Khet: the action is judged, the own laser fires, what it strikes is removed, the game may end."""

from dataclasses import replace

from companion.errors import IllegalMove
from companion.events import Acted, Beam, BeamPath, Event, Hit, Told, TurnBegan
from companion.games.base import Outcome, Turn
from companion.games.khet import faces, words
from companion.games.khet.actions import actions, move_of
from companion.games.khet.beam import Ray, rays
from companion.games.khet.judge import check
from companion.games.khet.notation import write_move
from companion.games.khet.position import Move, Position, laser
from companion.games.khet.squares import NAME, NUMBER, file_rank
from companion.games.khet.validity import impossible

TIMES_FOR_A_DRAW = 3  # Khet 3b.7


def moves(position: Position) -> tuple[Move, ...]:
    """The legal moves; a claim is none of them (`claims`)."""
    if outcome(position) is not None:
        return ()
    legal = actions(position.cells, position.to_move, position.house)
    return tuple(move_of(position.cells, action) for action in legal)


def play(position: Position, move: Move) -> Turn:
    """The action and everything that follows from it; IllegalMove when a rule forbids it."""
    if (ended := outcome(position)) is not None:
        raise ended.refusal()
    if move.kind == "draw":
        return claim(position)
    check(position, move)
    return _fired(position, move, after_action(position.cells, move))


def carry_out(position: Position, move: Move) -> Turn:
    """The turn without asking whether the action is lawful: for a host who lets an unlawful one stand.

    IllegalMove where nobody can play on from it, as when a sphinx has to go for it.
    """
    acted = after_action(position.cells, move)
    if found := impossible(replace(position, cells=acted)):
        raise IllegalMove("no-way-on", "Khet 2.lasers", found[0], "Put it back.")
    return _fired(position, move, acted)


def _fired(position: Position, move: Move, acted: bytes) -> Turn:
    """What follows once the hand has let go of the board."""
    shot = rays(acted, *laser(acted, position.to_move, position.house.edition))
    hits = tuple(dict.fromkeys(ray.squares[-1] for ray in shot if ray.end == "hit"))
    following = _next(position, without(acted, hits))
    events: list[Event] = [
        Acted(position.to_move, write_move(position, move), words.describe(position, move)),
        Beam(position.to_move, tuple(_beam_path(ray) for ray in shot)),
        *(_hit(acted, square, position.house.colours) for square in hits),
        *_told(position, move, following),
        _after(following),
    ]
    return Turn(following, tuple(events))


def after_action(cells: bytes, move: Move) -> bytes:
    """The board right after the hand has let go, lawful or not; what stood on a square entered is gone."""
    after = bytearray(cells)
    origin = NUMBER.get(move.origin, 0)
    if move.kind in ("pass", "draw") or cells[origin] == faces.EMPTY:
        return cells
    if move.kind == "turn":
        after[origin] = faces.turned(cells[origin], move.turn)
        return bytes(after)
    target = NUMBER[move.target]
    after[target], after[origin] = _put_and_left(cells, move, origin, target)
    return bytes(after)


def _put_and_left(cells: bytes, move: Move, origin: int, target: int) -> tuple[int, int]:
    code, other = cells[origin], cells[target]
    seat = faces.SEAT[code] or 0
    put = faces.turned(code, move.turn)
    if move.kind == "swap":
        return put, other
    single, stack = faces.OBELISK[seat], faces.STACK[seat]
    if move.kind == "top" and code == stack:
        return (stack if other == single else single), single
    return (stack if code == other == single else put), faces.EMPTY


def without(cells: bytes, hits: tuple[int, ...]) -> bytes:
    """The board once everything struck is taken off together; a stack loses one (Khet Q5, Khet Q6)."""
    after = bytearray(cells)
    for square in hits:
        after[square] = faces.AFTER_HIT[after[square]]
    return bytes(after)


def _next(position: Position, cells: bytes) -> Position:
    """The other side's turn; arrangements before a removal can never come back and are forgotten."""
    following = Position(cells, 1 - position.to_move, position.house)
    before = position.past if _same_pieces(position.cells, cells) else ()
    return Position(cells, following.to_move, position.house, past=(*before, following.arrangement))


def _same_pieces(before: bytes, after: bytes) -> bool:
    return sum(map(_weight, before)) == sum(map(_weight, after))


def _weight(code: int) -> int:
    return 2 if faces.KIND[code] == "stack" else int(faces.KIND[code] not in ("empty", "rim"))


# --- the end --------------------------------------------------------------------------------------------------


def outcome(position: Position) -> Outcome | None:
    """Who won, and why; None while the game goes on. No clock and no count of moves ends a game."""
    alive = [faces.PHARAOH[seat] in position.cells for seat in range(2)]
    name = words.sides(position)
    mover = 1 - position.to_move
    if not any(alive):
        return both_pharaohs(position, mover)
    if not all(alive):
        loser = alive.index(False)
        text = f"{name[loser]}'s pharaoh is hit: {name[1 - loser]} wins"
        return Outcome("pharaoh", (1 - loser,), text, "Khet 3b.5")
    if position.drawn or (position.house.repetition == "automatic" and repeated(position)):
        return Outcome("repetition", (), "The same arrangement for the third time: a draw", "Khet Q17")
    if position.house.edition == "1.0" and not actions(position.cells, position.to_move, position.house):
        return Outcome("no-action", (), f"{name[position.to_move]} has no lawful action: a draw", "Khet Q23")
    return None


def both_pharaohs(position: Position, mover: int) -> Outcome:
    """One shot took both pharaohs: the player who fired loses, or a draw by house rule (Khet Q2)."""
    if position.house.both_pharaohs == "draw":
        return Outcome("both-pharaohs", (), "Both pharaohs are hit: a draw", "Khet Q2")
    name = words.sides(position)
    text = f"{name[mover]} hit both pharaohs, the own one too: {name[1 - mover]} wins"
    return Outcome("both-pharaohs", (1 - mover,), text, "Khet 3b.6")


def repeated(position: Position) -> bool:
    """True when these pieces, with the same side to move, have now stood here three times (Khet 3b.7)."""
    return position.past.count(position.arrangement) >= TIMES_FOR_A_DRAW


def claims(position: Position) -> tuple[Move, ...]:
    """What the player about to move may claim: the draw by repetition, or nothing (Khet Q17)."""
    return (Move("draw"),) if outcome(position) is None and repeated(position) else ()


def claim(position: Position) -> Turn:
    """The draw by repetition, declared by the player about to move; IllegalMove when there is none."""
    if not repeated(position):
        raise IllegalMove(
            "no-repetition",
            "Khet Q17",
            "a draw may be claimed only when the same arrangement stands for the third time",
            "Play on; the companion says when a claim is possible.",
        )
    drawn = Position(position.cells, position.to_move, position.house, True, position.past)
    said = words.describe(position, Move("draw"))
    return Turn(drawn, (Acted(position.to_move, "draw", said), _after(drawn)))


# --- events ---------------------------------------------------------------------------------------------------


def _beam_path(ray: Ray) -> BeamPath:
    """Cell coordinates of every hop; light that leaves or enters by the rim does so on the board's edge."""
    return BeamPath(tuple(_point(square) for square in ray.squares), "cell", ray.end)


def _point(square: int) -> tuple[float, float]:
    file, rank = file_rank(square)
    return min(max(float(file), -0.5), 9.5), min(max(float(rank), -0.5), 7.5)


def _hit(cells: bytes, square: int, colours: str) -> Hit:
    seat, kind, _ = faces.LOOK[cells[square]]
    piece = "obelisk" if kind == "stack" else kind
    rule = {"pharaoh": "Khet 3b.5"}.get(kind, f"Khet 3a.{kind}")
    colour = words.colour(colours, seat)
    text = f"top {colour} {piece}" if kind == "stack" else f"{colour} {piece}"
    return Hit(seat, text, NAME[square], rule=rule)


def _told(position: Position, move: Move, following: Position) -> list[Event]:
    """House rules that came up, and claims that may now be made."""
    told: list[Event] = []
    if move.kind == "swap" and words.swap_pushes_onto_reserved(position, move):
        told.append(Told(f"By house rule a swap may push a piece onto {move.origin}, reserved against it.", "Khet Q1"))
    if claims(following):
        name = words.sides(following)[following.to_move]
        told.append(Told(f"The same arrangement for the third time: {name} may claim a draw.", "Khet Q17"))
    return told


def _after(position: Position) -> Event:
    ended = outcome(position)
    if ended is None:
        return TurnBegan(position.to_move)
    return ended.event()
