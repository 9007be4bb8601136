"""Moves and places in words, and the one spelling of a move."""

from collections.abc import Iterable

from companion.games.kdak import tower as t
from companion.games.kdak.position import House, Move, Position
from companion.games.kdak.tower import CORNERS, LEVELS, Place
from companion.texts import join

_WAYS = {
    "stay": "stay and turn the tile up",
    "out": "leave the tower",
    "pass": "stay, walled in",
    "coin": "use the talisman: this turn takes no tile",
}  # what a pawn may do but go somewhere
_SIDES = ("front left", "front right", "back left", "back right")


def seat_name(house: House, seat: int) -> str:
    """The explorer of a seat; who plays alone is Kaka."""
    return "Kaka" if house.variant == "solitaire" else ("Baba", "Kaka")[seat]


def tile_words(name: str | None) -> str:
    """A tile's face in words."""
    return "a face-down tile" if name is None or name == t.UNSEEN else f"the {t.value(name)} of {t.suit(name)}"


def place_words(place: Place) -> str:
    """A place in words: "level 2, front right (2b)"."""
    return f"level {place.level}, {_SIDES[place.corner]} ({place})"


def spelled(move: Move) -> str:
    """The move's one spelling: 2b, stay, out, pass, =S3, r4, x2b, coin, end."""
    if move.kind == "go":
        return str(move.place)
    if move.kind == "take":
        return f"x{move.place}"
    if move.kind == "tile":
        return f"={move.tile}"
    return f"r{move.level}" if move.kind == "roll" else move.kind


def describe(position: Position, move: Move) -> str:
    """What a move does."""
    who, held = seat_name(position.house, position.seat), position.coins[position.seat]
    if move.kind == "go" and move.place is not None:
        verb = "enters the tower on" if position.pawn.place is None else "goes to"
        return f"{who} {verb} {place_words(move.place)}."
    if move.kind == "take" and move.place is not None:
        return f"{who} takes the tile on {place_words(move.place)} away."
    if move.kind == "tile" and move.tile == t.UNSEEN and position.phase == "reveal":
        return "The tile was turned up, and lies face-down again by now."
    if move.kind == "tile" and move.tile == t.UNSEEN:
        return "Nobody saw the face of the tile that was taken away."
    if move.kind == "tile":
        return f"The tile is {tile_words(move.tile)}."
    if move.kind == "roll":
        return f"The die shows {move.level}."
    return {
        "stay": f"{who} stays and turns the tile up.",
        "out": f"{who} leaves the tower.",
        "pass": f"{who} is walled in and stays.",
        "coin": f"{who} uses {'the talisman' if position.house.alone else 'a talisman'}.",
        "end": f"{who} keeps {'the talisman' if held == 1 else 'the talismans'} and ends the turn.",
    }[move.kind]


def due(position: Position) -> str:
    """What the next move is, while the game goes on."""
    return {
        "move": "move the pawn",
        "reveal": "turn the tile under the pawn face-up",
        "roll": "roll the die",
        "take": f"take a tile of level {position.level} away",
        "discard": "show the face of the tile that was taken away",
        "coin": "use a talisman for an additional turn, or end the turn",
    }[position.phase]


def steps_words(allowed: Iterable[Move]) -> str:
    """What a pawn on turn may do, of its moves: "go to 0b, 1a or 2a, or leave the tower"."""
    moves = tuple(allowed)
    places = [str(move.place) for move in moves if move.kind == "go"]
    ways = [f"go to {join(places, 'or')}"] if places else []
    ways += [_WAYS[kind] for kind in _WAYS if any(move.kind == kind for move in moves)]
    return ", or ".join(ways)


def work(position: Position, move: Move, taken: bool = True) -> str:
    """What hands have to do when a tile is taken and other tiles lie above it (K12); "" for all else.

    `taken`: its place is empty already.
    """
    above = _above(position, move)
    if not above:
        return ""
    down = f"move {_tiles_on(above)} one level down{_carried(position, above)}"
    return down if taken else f"take the tile on {move.place} away and {down}"


def work_back(position: Position, move: Move, then: Position | None = None) -> tuple[str, tuple[str, ...]]:
    """What hands have to do to undo that, and the tiles' places; () for all else.

    The words are "" where no tile lies above it, unless `then`, after it, everybody saw which tile lies hidden again.
    """
    if move.kind != "take" or move.place is None:
        return "", ()
    above, hidden = _above(position, move), not t.tile_at(position.tower, move.place).up
    shown = then.gone[len(position.gone)] if then is not None and len(then.gone) > len(position.gone) else t.UNSEEN
    named = f"{tile_words(shown)} back on {move.place}, face-down" if hidden and shown != t.UNSEEN else ""
    if not above:
        return named and f"put {named}", (str(move.place),)
    return up_again(position, move.place, len(above), named), (str(move.place), *above)


def up_again(position: Position, hole: Place, moved: int, named: str = "") -> str:
    """What hands have to do to put a tile back that was taken in this position, and of those above so many moved down.

    `named`: the tile, where it goes, and how it lies there. Of the pawns those go up again that stood on the tiles that
    were moved (K12).
    """
    levels = range(hole.level, hole.level + moved)
    now, before = ([str(Place(level + up, hole.corner)) for level in levels] for up in (0, 1))
    up = f"move {_tiles_on(now)} one level up{_carried(position, before)}"
    return f"{up}, and put {named or f'the tile that was taken away back on {hole}'}"


def _carried(position: Position, places: list[str]) -> str:
    """The pawns that go where the tiles on these places go; "" where none stands there."""
    pawns = sum(str(pawn.place) in places for pawn in position.pawns)
    if not pawns:
        return ""
    return f", with the {'pawn' if pawns == 1 else 'pawns'} on {'it' if len(places) == 1 else 'them'}"


def _above(position: Position, move: Move) -> list[str]:
    """The places above a tile that is taken."""
    if move.kind != "take" or move.place is None:
        return []
    hole, top = move.place, t.height(position.tower, move.place.corner)
    return [str(Place(level, hole.corner)) for level in range(hole.level + 1, top)]


def _tiles_on(places: list[str]) -> str:
    return f"the {'tile' if len(places) == 1 else 'tiles'} on {join(places)}"


def draw(position: Position) -> str:
    """The tower from above, level 5 first; pawns as B and K, face-down tiles as ##."""
    lines = []
    for level in reversed(range(LEVELS)):
        back = " ".join(_cell(position, Place(level, corner)) for corner in (2, 3))
        front = " ".join(_cell(position, Place(level, corner)) for corner in (0, 1))
        lines += [f"  {level}  {back}", f"     {front}", ""]
    house = position.house
    for seat in range(house.seats):
        pawn = position.pawns[seat]
        where = "outside" if pawn.out else "not in yet" if pawn.place is None else f"on {pawn.place}"
        coins = f", coins {position.coins[seat]}" if position.coins[seat] else ""
        mark = ">" if seat == position.seat and position.phase != "over" else " "
        lines.append(f"{mark} {seat_name(house, seat)} {where}, {position.scores[seat]} points{coins}")
    door = "open" if position.door_open else "shut"
    lines.append(
        f"  door {door}; next: {position.phase}" + (f" on level {position.level}" if position.level is not None else "")
    )
    if position.gone:
        lines.append("  gone: " + " ".join(position.gone))
    return "\n".join(lines)


def _cell(position: Position, place: Place) -> str:
    if not t.has(position.tower, place):
        return ".    "
    tile = t.tile_at(position.tower, place)
    face = tile.name if tile.up and tile.name else "##"
    initials = [seat_name(position.house, s)[0] for s in range(position.house.seats)]
    pawns = "".join(initials[s] for s, pawn in enumerate(position.pawns[: len(initials)]) if pawn.place == place)
    return f"{face}{CORNERS[place.corner] if not pawns else ''}{pawns:<2}"[:5].ljust(5)
