"""Placing pyramids in front of oneself: what is allowed, and places worth a thought."""

from collections.abc import Collection, Iterator, Sequence

from companion.errors import IllegalMove
from companion.games.kaxxt.lanes import ASK, DIRECTIONS, POINTING, TOLERANCES, direction, off_deg
from companion.games.kaxxt.position import Move, Position
from companion.games.kaxxt.pyramids import Pyramid, named
from companion.games.kaxxt.sides import Side, side_at
from companion.games.kaxxt.stands import Stand, has_room, stand
from companion.texts import place_on_table

FIRST_ROW_MM, ROW_MM, COLUMN_MM = 70.0, 46.0, 50.0  # a grid that leaves room for lying large ones
POINTS = (*DIRECTIONS, "up")
BETWEEN_DEG = 0.1  # places are kept to a tenth of a millimetre


def check_arrange(position: Position, move: Move) -> None:
    """An area holds what its player has, stacked and pointing as the rules allow, and before him (X6, X19, X20).

    What lies there already was allowed once, if only in the rules' spirit (X30).
    """
    check_owned(position, move)
    area = position.areas[position.turn]
    taken = {(old.x_mm, old.y_mm) for old in area}
    for placed in (placed for placed in move.stands if placed not in area):
        check_stack(placed)
        check_straight(position.sides[position.turn], placed)
        if (placed.x_mm, placed.y_mm) not in taken:
            check_before(position, placed)


def check_owned(position: Position, move: Move) -> None:
    """Only one's own pyramids can be placed, and what lies on the table stays there (X6)."""
    check_once(move)
    seat = position.turn
    placed = [pyramid for stand in move.stands for pyramid in stand.pyramids]
    own = position.pyramids_of(seat)
    bagged = tuple(pyramid for pyramid in dict.fromkeys(placed) if pyramid in position.bag)
    if bagged and not position.draws:
        were = "was" if len(bagged) == 1 else "were"
        text = f"{named(bagged)} {were} taken from the bag, too: one pyramid is drawn in a turn."
        raise IllegalMove("already-drawn", "XA24", text, f"Put {named(bagged)} back into the bag.")
    for pyramid in placed:
        if pyramid in bagged:
            raise IllegalMove(
                "not-drawn",
                "X6",
                f"{pyramid.words} has not been drawn from the bag.",
                f"Draw first, one in a turn: draw {pyramid.size}.",
            )
        if any(pyramid in position.pyramids_of(other) for other in range(position.seats) if other != seat):
            raise _of_others(position, placed)
        if pyramid not in own:
            have = named(own) if own else "none"
            raise IllegalMove(
                "not-your-pyramid", "X6", f"You do not have {pyramid.words}.", f"Place only your own: {have}."
            )
    for pyramid in own:
        if pyramid not in placed and pyramid not in position.hands[seat]:
            raise IllegalMove(
                "taken-away",
                "X6",
                f"{pyramid.words} was on the table and is not any more.",
                put_back(position, [pyramid]),
            )


def _of_others(position: Position, placed: Sequence[Pyramid]) -> IllegalMove:
    """The refusal to place what other players have."""
    theirs: list[Pyramid] = []
    owners: list[str] = []
    for other in range(position.seats):
        own = [p for p in placed if other != position.turn and p in position.pyramids_of(other)]
        theirs += own
        owners += [f"{position.names[other].capitalize()}'s"] * bool(own)
    verb = "is" if len(theirs) == 1 else "are"
    mover = position.names[position.turn].capitalize()
    text = f"{named(theirs)} {verb} {' and '.join(owners)}, and it is {mover}'s turn."
    return IllegalMove("not-your-pyramid", "X6", text, put_back(position, theirs))


def put_back(position: Position, pyramids: Collection[Pyramid]) -> str:
    """How pyramids come back to where they stood, or into the hand of whose they are."""
    ways = []
    for seat, side in enumerate(position.sides):
        for placed in position.areas[seat]:
            if own := [pyramid for pyramid in placed.pyramids if pyramid in pyramids]:
                where = place_on_table(placed.x_mm, placed.y_mm)
                ways.append(f"put {named(own)} back {where}, {POINTING[direction(placed.heading_deg, side)]}")
        if held := [pyramid for pyramid in position.hands[seat] if pyramid in pyramids]:
            ways.append(f"give {named(held)} back to {position.names[seat].capitalize()}")
    text = "; ".join(ways)
    return f"{text[:1].upper()}{text[1:]}."


def check_once(move: Move) -> None:
    """Of every pyramid there is one (X1)."""
    placed = [pyramid for stand in move.stands for pyramid in stand.pyramids]
    for pyramid in placed:
        if placed.count(pyramid) > 1:
            raise IllegalMove("placed-twice", "X1", f"{pyramid.words} is there only once.", "Name it once.")


def check_stack(placed: Stand) -> None:
    """Nothing stands on something smaller (X20, XA13)."""
    for below, above in zip(placed.pyramids, placed.pyramids[1:], strict=False):
        if above.pips > below.pips:
            raise IllegalMove(
                "stack-grows",
                "X20",
                f"{above.words} is larger than {below.words} below it.",
                "Put the larger one below.",
                {"below_pips": below.pips, "above_pips": above.pips},
            )


def check_straight(side: Side, placed: Stand) -> None:
    """No pyramid points diagonally; in doubt the table is asked (X19, XA11)."""
    heading = placed.heading_deg
    if heading is not None and direction(heading, side) == ASK:
        off = min(off_deg(heading, side, word) for word in DIRECTIONS)
        raise IllegalMove(
            "diagonal",
            "X19",
            f"{placed.bottom.words} points diagonally, {off:.0f} degrees off.",
            "Turn it to Kaxxt, to yourself, to the left or to the right, or stand it up.",
            {"off_deg": round(off, 1), "allowed_deg": TOLERANCES.direction_deg},
        )


def straight(side: Side, heading_deg: float | None) -> float | None:
    """The heading, brought within what counts as straight."""
    if heading_deg is None or direction(heading_deg, side) != ASK:
        return heading_deg
    return side.heading(min(DIRECTIONS, key=lambda word: off_deg(heading_deg, side, word)))


def check_before(position: Position, placed: Stand) -> None:
    """Pyramids are placed in front of oneself (X6); what lies just between two is before both."""
    seat = side_at(position.seats, placed.x_mm, placed.y_mm)
    beyond, least = (position.sides[at].beyond_deg(placed.x_mm, placed.y_mm) for at in (position.turn, seat))
    if beyond > least + BETWEEN_DEG:
        raise IllegalMove(
            "not-before-you",
            "X6",
            f"{placed.bottom.words} stands before {position.names[seat].capitalize()}, "
            f"{beyond:.0f} degrees off your line to Kaxxt.",
            "Put it in front of yourself.",
            {"off_deg": round(beyond, 1)},
        )


def grid_stand(side: Side, pyramids: tuple[Pyramid, ...], points: str, row: int, col: int) -> Stand:
    """A stand on a regular grid, for people who type and for players who play at random."""
    x, y = side.table(col * COLUMN_MM, FIRST_ROW_MM + row * ROW_MM)
    return stand(pyramids, x, y, side.heading(points))


def free_row(position: Position, seat: int, col: int = 0) -> int:
    """The first row of a column of the grid beyond everything that reaches into it."""
    places = [position.sides[seat].local(placed.x_mm, placed.y_mm) for placed in position.areas[seat]]
    taken = [away for across, away in places if round(abs(across - col * COLUMN_MM)) < COLUMN_MM]
    row = 0
    while any(abs(FIRST_ROW_MM + row * ROW_MM - away) < ROW_MM for away in taken):
        row += 1
    return row


def suggestions(position: Position) -> Iterator[Move]:
    """Each pyramid in hand on the line in every direction, or on top of what it fits on, wherever there is room."""
    seat = position.turn
    area, side = position.areas[seat], position.sides[seat]
    for pyramid in position.hands[seat]:
        row = free_row(position, seat)
        for points in POINTS:
            placed = grid_stand(side, (pyramid,), points, row, 0)
            if has_room(placed, area):
                yield Move("arrange", stands=(*area, placed))
        for at, below in enumerate(area):
            if below.pyramids[-1].pips >= pyramid.pips:
                grown = stand((*below.pyramids, pyramid), below.x_mm, below.y_mm, below.heading_deg)
                if has_room(grown, (*area[:at], *area[at + 1 :])):
                    yield Move("arrange", stands=(*area[:at], grown, *area[at + 1 :]))
