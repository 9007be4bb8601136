"""A move carried out, phase by phase: step, face, switch, roll, fall, coin."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from companion.errors import IllegalMove
from companion.events import Acted, Chance, Event, Scored, Told, TurnBegan, event
from companion.games.base import Outcome, Turn
from companion.games.kdak import tower as t
from companion.games.kdak.position import Move, Pawn, Position
from companion.games.kdak.steps import (
    refusal_of_calm,
    refusal_to_go,
    refusal_to_leave,
    refusal_to_pass,
    refusal_to_stay,
    steps,
)
from companion.games.kdak.tower import LEVELS, Place, Tile
from companion.games.kdak.words import describe, due, seat_name, spelled, tile_words
from companion.texts import counted

TITLES = ((53, "supreme camel boy"), (48, "lead camel boy"), (42, "big camel boy"), (37, "camel boy"))  # K28

_KINDS = {
    "move": ("go", "stay", "out", "pass", "coin"),
    "reveal": ("tile",),
    "roll": ("roll",),
    "take": ("take",),
    "discard": ("tile",),
    "coin": ("coin", "end"),
}


@event("crumbled")
@dataclass(frozen=True)
class Crumbled(Event):
    """A tile left the tower in this seat's turn."""

    seat: int
    place: str
    rule: str


def moves(position: Position) -> Iterator[Move]:
    """Every legal move; moves of chance are all faces of the die, all faces not yet seen."""
    if position.phase == "move":
        yield from steps(position)
    elif position.phase in ("reveal", "discard"):
        yield from (Move("tile", tile=name) for name in position.unseen())
    elif position.phase == "roll":
        yield from (Move("roll", level=level) for level in range(LEVELS))
    elif position.phase == "take" and position.level is not None:
        yield from (Move("take", place) for place in t.places_on(position.tower, position.level))
    elif position.phase == "coin":
        yield Move("coin")
        yield Move("end")


def play(position: Position, move: Move) -> Turn:
    """The move carried out; IllegalMove names the rule that forbids it."""
    if (ended := outcome(position)) is not None:
        raise ended.refusal()
    if move.kind not in _KINDS[position.phase]:
        raise IllegalMove("not-now", "K9", "this is not the time for that", due(position))
    events: list[Event] = [Acted(position.seat, spelled(move), describe(position, move))]
    after = _CARRY_OUT[move.kind](position, move, events)
    if (ended := outcome(after)) is not None:
        events.append(ended.event())
    elif after.phase == "move":
        events.append(TurnBegan(after.seat))
    return Turn(after, tuple(events))


def carry_out(position: Position, move: Move) -> Turn:
    """A face that another tile was taken for counts: that one, out of sight by now, is not known any more (K0).

    IllegalMove for all else that the rules forbid.
    """
    return play(position if move.tile is None else position.without_face(move.tile), move)


def outcome(position: Position) -> Outcome | None:
    """Who won (K18, K19, K25 to K29)."""
    if position.phase != "over":
        return None
    if position.house.alone:
        return _outcome_alone(position)
    best = max(position.scores)
    winners = tuple(seat for seat, score in enumerate(position.scores) if score == best)
    out = all(pawn.out for pawn in position.pawns)
    score = " to ".join(map(str, sorted(position.scores, reverse=True)))
    if len(winners) > 1:
        return Outcome("out" if out else "explored", winners, f"Both explorers win, {score}.", "KA17")
    text = f"{seat_name(position.house, winners[0])} wins, {score}."
    return Outcome("out" if out else "explored", winners, text, "K19")


def title(points: int) -> str | None:
    """The victory title for points (K28, KA25: at least so many)."""
    return next((name for least, name in TITLES if points >= least), None)


def _outcome_alone(position: Position) -> Outcome:
    points = sum(position.scores)
    if position.lost:
        rule, why = "K26", "level 5 is gone, and the talisman with it"
        if all(pawn.out for pawn in position.pawns):
            rule, why = "KA24" if position.house.seats == 2 else "KA21", "out without the talisman"
        return Outcome("lost", (), f"Lost: {why}.", rule)
    name, rule, told = title(points), "K29" if position.house.seats == 2 else "K28", counted(points, "point")
    if name is None:
        least, lowest = TITLES[-1]
        return Outcome("untitled", (), f"Escaped with {told}: {least - points} more would make a {lowest}.", rule)
    return Outcome("escaped", tuple(range(position.house.seats)), f"Escaped with {told}: {name}!", rule)


# --- the move phase ---------------------------------------------------------------------------------------------


def _go(position: Position, move: Move, events: list[Event]) -> Position:
    place = _named(move.place)
    _unless(refusal_to_go(position, place))
    return _arrive(_with_pawn(position, Pawn(place)), place, events)


def _stay(position: Position, move: Move, events: list[Event]) -> Position:
    _unless(refusal_to_stay(position))
    return _arrive(position, _named(position.pawn.place), events)


def _out(position: Position, move: Move, events: list[Event]) -> Position:
    _unless(refusal_to_leave(position))
    return _after_step(_with_pawn(position, Pawn(out=True)))


def _pass(position: Position, move: Move, events: list[Event]) -> Position:
    _unless(refusal_to_pass(position))
    return _after_step(position)


def _coin(position: Position, move: Move, events: list[Event]) -> Position:
    if position.phase == "move":
        _unless(refusal_of_calm(position))
        events.append(Told("The talisman is spent: this turn takes no tile.", "K27"))
        return replace(position, coins=_changed(position.coins, position.seat, -1), calm=True)
    return replace(position, coins=_changed(position.coins, position.seat, -1), phase="move")


def _end(position: Position, move: Move, events: list[Event]) -> Position:
    return _next_seat(position)


def _arrive(position: Position, place: Place, events: list[Event]) -> Position:
    """On a tile: turned face-up when it is face-down (K2), its face being new or known from before."""
    tile = t.tile_at(position.tower, place)
    if tile.up:
        return _after_step(position)
    if tile.name is None:
        return replace(position, phase="reveal")
    return _turn_up(position, place, tile.name, events)


def _tile(position: Position, move: Move, events: list[Event]) -> Position:
    name = move.tile
    if name == t.UNSEEN and position.phase == "discard":
        return _after_fall(position)
    if name not in t.TILES:
        raise IllegalMove("no-such-tile", "K0", f"{name} is no tile of the set", "name it like Sa, Mn or C4")
    if name not in position.unseen():
        text = f"{tile_words(name)} has been seen elsewhere in this game"
        raise IllegalMove(
            "seen-elsewhere", "K0", text, "look at the tile again: if it is that, another was misread", {}
        )
    events.append(Chance("tile", name))
    if position.phase == "discard":
        return _after_fall(replace(position, gone=(*position.gone[:-1], name)))
    return _turn_up(position, _named(position.pawn.place), name, events)


def _turn_up(position: Position, place: Place, name: str, events: list[Event]) -> Position:
    position = replace(position, tower=t.with_tile(position.tower, place, Tile(name, up=True)), phase="move")
    position = _with_pawn(position, replace(position.pawn, fallen=False))
    if position.house.nulls_pay and t.gold(name) == 0:
        events.append(Told("A null tile: its talisman is worth an additional turn.", "K20"))
        position = replace(position, coins=_changed(position.coins, position.seat, 1))
    if place.level == LEVELS - 1 and not position.door_open:
        return _after_step(_switch(position, events))
    if position.door_open and t.gold(name):
        scores = _changed(position.scores, position.seat, t.gold(name))
        events.append(Scored(position.seat, t.gold(name), scores[position.seat], f"the tile on {place}", "K14"))
        position = replace(position, scores=scores)
    return _after_step(position)


def _switch(position: Position, events: list[Event]) -> Position:
    """Level 5 is reached: the door opens and every tile is turned down (K8, K25, KA7, KA8, KA20)."""
    position = replace(position, door_open=True)
    if position.house.alone:
        who = seat_name(position.house, position.seat)
        events.append(Told(f"The talisman is found: {who} takes its coin, and the door opens.", "K25"))
        position = replace(position, coins=_changed(position.coins, position.seat, 1))
    else:
        events.append(Told("The switch is hit: the door opens, and the tower begins to crumble.", "K8"))
    if not position.house.alone or position.house.solitaire_turn_down:
        events.append(Told("Turn all face-up tiles face-down.", "K8"))
        pawns = tuple(replace(pawn, fallen=pawn.fallen and not _on_face_up(position, pawn)) for pawn in position.pawns)
        position = replace(position, tower=t.turned_down(position.tower), pawns=pawns)
    return position


def _on_face_up(position: Position, pawn: Pawn) -> bool:
    return pawn.place is not None and t.tile_at(position.tower, pawn.place).up


def _after_step(position: Position) -> Position:
    position = replace(position, phase="move")
    if position.finished:
        return replace(position, phase="over")
    if position.crumbling and not position.calm:
        return replace(position, phase="roll")
    return _turn_ends(position)


# --- the tower loses a tile ---------------------------------------------------------------------------------------


def _roll(position: Position, move: Move, events: list[Event]) -> Position:
    if move.level is None or not 0 <= move.level < LEVELS:
        raise IllegalMove("no-such-level", "K9", "the die shows null, ace, 2, 3, 4 or 5", "read the die again")
    events.append(Chance("die", str(move.level)))
    level = t.doomed_level(position.tower, move.level)
    if level != move.level:
        events.append(Told(f"Level {move.level} is empty, so level {level} loses a tile.", "K16"))
    return replace(position, phase="take", level=level)


def _take(position: Position, move: Move, events: list[Event]) -> Position:
    place = _named(move.place)
    if place.level != position.level:
        text = f"level {position.level} loses a tile, and {place} is not on it"
        raise IllegalMove("other-level", "K9", text, f"put the tile back and take one of level {position.level}")
    if not t.has(position.tower, place):
        raise IllegalMove("no-tile", "K9", f"there is no tile on {place}", f"take a tile of level {position.level}")
    tile = t.tile_at(position.tower, place)
    pawns = []
    for seat, pawn in enumerate(position.pawns):
        pawns.append(_dropped(pawn, place))
        if pawn.place == place:
            where = "out of the tower" if pawns[-1].out else f"onto {pawns[-1].place}"
            events.append(Told(f"{seat_name(position.house, seat)} falls {where}.", "K11"))
    events.append(Crumbled(position.seat, str(place), "K10"))
    position = replace(
        position,
        tower=t.without(position.tower, place),
        pawns=tuple(pawns),
        gone=(*position.gone, tile.name or t.UNSEEN),
        level=None,
    )
    return replace(position, phase="discard") if tile.name is None else _after_fall(position)


def _dropped(pawn: Pawn, hole: Place) -> Pawn:
    """The pawn after the tile at `hole` is gone: it falls from it (K11), is carried above it (K12, KA9), or neither."""
    if pawn.place is None or pawn.place.corner != hole.corner or pawn.place.level < hole.level:
        return pawn
    below = Place(pawn.place.level - 1, hole.corner)
    if pawn.place.level > hole.level:
        return replace(pawn, place=below)
    return Pawn(out=True) if below.level < 0 else Pawn(below, fallen=True)


def _after_fall(position: Position) -> Position:
    position = replace(position, phase="move")
    if position.house.alone and not position.door_open and _hopeless(position):
        return replace(position, phase="over", lost=True)
    if position.finished:
        return replace(position, phase="over")
    return _turn_ends(position)


def _hopeless(position: Position) -> bool:
    """No talisman to be had any more: level 5 is gone, or nobody is left to fetch it (K26, KA21, KA24)."""
    no_top = all(t.height(position.tower, corner) < LEVELS for corner in range(4))
    return no_top or all(pawn.out for pawn in position.pawns)


def _turn_ends(position: Position) -> Position:
    position = replace(position, calm=False)
    may_buy = position.house.nulls_pay and position.coins[position.seat] and position.pawn.place is not None
    return replace(position, phase="coin") if may_buy else _next_seat(position)


def _next_seat(position: Position) -> Position:
    seats = position.house.seats
    for step in range(1, seats + 1):
        seat = (position.seat + step) % seats
        if not position.pawns[seat].out:  # K17, KA14
            return replace(position, seat=seat, phase="move")
    raise AssertionError("a game with nobody inside is over")


# --- small change -------------------------------------------------------------------------------------------------


def _with_pawn(position: Position, pawn: Pawn) -> Position:
    pawns = tuple(pawn if seat == position.seat else old for seat, old in enumerate(position.pawns))
    return replace(position, pawns=pawns)


def _changed(counts: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    return tuple(count + by * (i == seat) for i, count in enumerate(counts))


def _named(place: Place | None) -> Place:
    if place is None:
        raise IllegalMove("no-place", "K4", "the move names no place", "name one like 2b")
    return place


def _unless(refusal: IllegalMove | None) -> None:
    try:
        if refusal is not None:
            raise refusal
    finally:
        del refusal  # an error that its own frame holds lives on, with all that called it


_CARRY_OUT: dict[str, Callable[[Position, Move, list[Event]], Position]] = {
    "go": _go,
    "stay": _stay,
    "out": _out,
    "pass": _pass,
    "coin": _coin,
    "end": _end,
    "tile": _tile,
    "roll": _roll,
    "take": _take,
}
