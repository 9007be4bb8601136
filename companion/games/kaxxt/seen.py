"""What a view of the table could mean: an arrangement, a pyramid drawn and played at once, Kaxxt turned after a throw.

The view is expected to show what is known to lie there exactly where it is recorded; everything else is new, or was
moved.
"""

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.errors import IllegalMove
from companion.games.kaxxt.attack import TURN_KAXXT, outcome
from companion.games.kaxxt.lanes import DIRECTIONS, TOLERANCES, off_deg
from companion.games.kaxxt.play import FACES, check, drawable, play
from companion.games.kaxxt.position import ACT, DRAW, RETARGET, Move, Position
from companion.games.kaxxt.pyramids import LETTERS, Pyramid
from companion.games.kaxxt.sides import Side, side_at
from companion.games.kaxxt.stands import Stand, footprint, nested_mm, stand, without
from companion.headings import turn_deg
from companion.pieces import PYRAMID_SIZES, Piece
from companion.view import Sighting, TableView


@dataclass(frozen=True, slots=True)
class SeenSettings:
    """What is taken for what."""

    on_top_mm: float = 9.0  # so near to where a nested pyramid would be, it is nested
    on_top_deg: float = 15.0
    belief: float = 0.01  # other looks of a pyramid that are at least so likely are thought of, too
    variants: int = 4
    measured_deg: float = 5.0  # the camera's error: what points straight within it counts as straight (XA11)
    facing_deg: float = 35.0  # Kaxxt's card looks at a player within this
    common: float = 0.5  # share of the smaller foot that two stands have in common, measured wrongly as they may be
    die: float = 0.8  # belief in what the die shows


SETTINGS = SeenSettings()


def plausible(position: Position, view: TableView) -> Iterator[Move]:
    """The lawful moves that this view gives reason to think of."""
    if position.phase == RETARGET:
        yield from (Move("face", seat=seat) for seat in faced(position, view))
    for move in arrangements(position, view):
        if _lawful(position, move):
            yield move


def candidates(position: Position, view: TableView) -> Iterable[Move]:
    """The arrangements that are seen and that no draw explains, lawful or not."""
    if not view.clear or outcome(position) is not None:
        return ()
    seen = dict.fromkeys((*arrangements(position, view), *arrangements(position, view, anybodys=True)))
    offered = [move for move in seen if not _drawn_now(position, move)]
    return [*offered, *(left for move in offered if (left := _left(position, move, view)) not in (move, None))]


def _left(position: Position, move: Move, view: TableView) -> Move | None:
    """Of an arrangement that is forbidden in any case what lies there: without what lay where the table is bare now."""
    if _lawful(position, move):
        return None
    gone = {pyramid for pyramid, x, y, _ in _placed_at(position.areas[position.turn]) if view.bare(x, y)}
    seen = {pyramid for s in view.sightings if (pyramid := _pyramid(s.piece)) is not None}
    kept = (without(placed, gone - seen) for placed in move.stands)
    return replace(move, stands=tuple(placed for placed in kept if placed.pyramids))


def sequences(position: Position, view: TableView) -> Iterator[tuple[Move, ...]]:
    """A pyramid drawn and placed; dice thrown unseen, whose throw shows in whom Kaxxt looks at now; both at once."""
    if outcome(position) is not None:
        return
    placed = list(_placed(position, view))
    yield from placed
    for seat in faced(position, view):
        for before in ((), *placed, *((m,) for m in plausible(position, view) if m.kind == "arrange")):
            for moves in _thrown(position, before, seat, _shown(view)):
                yield moves
                yield from () if before else _and_placed(position, moves, view)


def _placed(position: Position, view: TableView) -> Iterator[tuple[Move, ...]]:
    """What was drawn from the bag and lies on the table now: as many as may have been drawn, all of them as placed."""
    for move in arrangements(position, view):
        new = _drawn_now(position, move)
        if not new or position.phase not in (ACT, DRAW):
            continue
        draws = [each for pyramid in new[: position.draws] for each in (Move("draw"), Move("drawn", pyramid=pyramid))]
        yield (*(draws[1:] if position.phase == DRAW else draws), move)


def _and_placed(position: Position, thrown: tuple[Move, ...], view: TableView) -> Iterator[tuple[Move, ...]]:
    """What the next player has drawn and placed already, after a throw that nobody saw."""
    after = _after(position, thrown)
    if after is not None and after.phase == ACT and outcome(after) is None:
        yield from ((*thrown, *placed) for placed in _placed(after, view))


def _drawn_now(position: Position, move: Move) -> list[Pyramid]:
    """The pyramids of an arrangement that were in the bag, and could just have been drawn."""
    if not position.draws:
        return []
    return [p for placed in move.stands for p in placed.pyramids if p in drawable(position)]


def _shown(view: TableView) -> tuple[int, ...]:
    """What the die may have shown: what it shows where it lies, if it is seen to have been thrown."""
    dice = [s.piece.value for s in view.sightings if s.piece.kind == "die" and s.confidence >= SETTINGS.die]
    if len(dice) == 1 and dice[0] is not None and dice[0].isdigit() and int(dice[0]) in FACES:
        return (int(dice[0]),)
    return tuple(FACES)


def _thrown(
    position: Position, before: tuple[Move, ...], seat: int, shown: tuple[int, ...]
) -> Iterator[tuple[Move, ...]]:
    """The throws after which Kaxxt looks at that seat; of throws that come to the same, one; the likeliest first."""
    after = _after(position, before)
    if after is None or after.phase == DRAW:
        return
    roll = (Move("roll"),) if after.phase == ACT else ()
    results: dict[Position, list[tuple[Move, ...]]] = {}
    for moves in itertools.chain(_throws(after, roll, shown), _retargets(after, roll, shown)):
        result = _after(after, moves)
        if result is not None and result.target == seat:
            results.setdefault(result, []).append((*before, *moves))
    likeliest = sorted(results.values(), key=lambda same: (len(same[0]), -len(same)))
    yield from (same[0] for same in likeliest)


def _throws(position: Position, roll: tuple[Move, ...], shown: tuple[int, ...]) -> Iterator[tuple[Move, ...]]:
    if position.phase != RETARGET:
        yield from ((*roll, Move("die", value=value)) for value in shown if value != TURN_KAXXT)


def _retargets(position: Position, roll: tuple[Move, ...], shown: tuple[int, ...]) -> Iterator[tuple[Move, ...]]:
    """Kaxxt turned by a five; the die shows it still, or what was thrown after it."""
    turn = () if position.phase == RETARGET else (*roll, Move("die", value=TURN_KAXXT))
    for other in range(position.seats):
        if other != position.target and position.present[other]:
            face = (*turn, Move("face", seat=other))
            if turn and TURN_KAXXT in shown:
                yield face
            yield from ((*face, Move("die", value=value)) for value in shown if value != TURN_KAXXT)


def _after(position: Position, moves: tuple[Move, ...]) -> Position | None:
    for move in moves:
        try:
            position = play(position, move).position
        except IllegalMove:
            return None
    return position


def _lawful(position: Position, move: Move) -> bool:
    try:
        check(position, move)
    except IllegalMove:
        return False
    return True


def faced(position: Position, view: TableView) -> list[int]:
    """The seat that Kaxxt's card looks at, if it is another one than his target."""
    card = next((s for s in view.sightings if s.piece.kind == "robot_card"), None)
    if card is None or card.heading_deg is None:
        return []
    heading = card.heading_deg
    off = {seat: abs(turn_deg(heading, side.bearing_deg)) for seat, side in enumerate(position.sides)}
    seat = min(off, key=lambda s: off[s])
    return [seat] if seat != position.target and off[seat] <= SETTINGS.facing_deg else []


# --- arrangements ---------------------------------------------------------------------------------------------------


def arrangements(position: Position, view: TableView, anybodys: bool = False) -> Iterator[Move]:
    """What the player on turn has before him, if it is not what he had; with every likely reading of what is new.

    With `anybodys` he is taken to have moved what was moved of others', too, though it lies before them.
    """
    for reading in _readings(position, view):
        stands = stands_seen(position, reading, anybodys)
        if stands != position.areas[position.turn] and _have_room(stands):
            yield Move("arrange", stands=stands)


def _have_room(stands: tuple[Stand, ...]) -> bool:
    """False if a pyramid is taken to stand in another one, that may only be unseen for what lies on it."""
    feet = [footprint(placed) for placed in stands]
    return all(
        one.intersection(other).area <= SETTINGS.common * min(one.area, other.area)
        for one, other in itertools.combinations(feet, 2)
    )


def _readings(position: Position, view: TableView) -> list[TableView]:
    """The view with what is new taken for the likeliest, and for each other thing that it may be."""
    known = _known(position, view)
    found, seen = [], set()
    doubts = [
        (number, [piece for piece, p in s.beliefs if p >= SETTINGS.belief and _pyramid(piece) is not None])
        for number, s in enumerate(view.sightings)
        if number not in known and s.piece.kind in ("pyramid", "unknown")
    ]
    options: list[list[Piece | None]] = [
        [*dict.fromkeys((*pieces, *_from_hand(position, view.sightings[number]))), *([] if pieces else [None])]
        for number, pieces in doubts
    ]
    for choice in itertools.islice(itertools.product(*options), SETTINGS.variants):
        sightings = list(view.sightings)
        for (number, _), piece in zip(doubts, choice, strict=True):
            beliefs = ((piece, sightings[number].belief(piece)),) if piece is not None else ()
            sightings[number] = replace(sightings[number], beliefs=beliefs, why=None)
        if choice not in seen:
            seen.add(choice)
            found.append(replace(view, sightings=tuple(sightings)))
    return found


def _from_hand(position: Position, sighting: Sighting) -> list[Piece]:
    """What was drawn and may be seen in a strange colour: it is translucent, and stands on another one."""
    if sighting.piece.size is None or sighting.x_mm is None or sighting.y_mm is None:
        return []
    hand = (p for p in position.hands[position.turn] if PYRAMID_SIZES[p.pips - 1] == sighting.piece.size)
    stands = list(position.areas[position.turn])
    return [replace(sighting.piece, colour=p.colour) for p in hand if _under(stands, p, sighting) is not None]


def _known(position: Position, view: TableView) -> dict[int, Pyramid]:
    """Which sightings are pyramids just where they are recorded."""
    places = {place: place[0] for area in position.areas for place in _placed_at(area)}
    found = {}
    for number, s in enumerate(view.sightings):
        pyramid = _pyramid(s.piece)
        if pyramid is not None and s.x_mm is not None and s.y_mm is not None:
            key = (pyramid, s.x_mm, s.y_mm, s.heading_deg)
            if key in places:
                found[number] = pyramid
    return found


def _placed_at(area: Iterable[Stand]) -> Iterator[tuple[Pyramid, float, float, float | None]]:
    """Each pyramid with its own place."""
    for placed in area:
        yield from ((pyramid, *nested_mm(placed, level)) for level, pyramid in enumerate(placed.pyramids))


def stands_seen(position: Position, view: TableView, anybodys: bool = False) -> tuple[Stand, ...]:
    """What stands before the player on turn; what is not seen and was not moved lies where it lay."""
    known = _known(position, view)
    side = position.sides[position.turn]
    new = _once(
        {n: p for n, s in enumerate(view.sightings) if n not in known and (p := _pyramid_placed(s))}, known, view
    )
    lifted = {known[n] for n in known if view.sightings[n].nested_on in new}  # set on something that is new
    moved = set(new.values()) | lifted
    stands = [
        replace(old, pyramids=left)
        for old in position.areas[position.turn]
        if (left := tuple(p for p in old.pyramids if p not in moved))
    ]
    waiting = [*new, *(number for number, pyramid in known.items() if pyramid in lifted)]
    pyramids = {**known, **new}
    at: dict[int, int] = {n: i for n, p in known.items() for i, s in enumerate(stands) if p in s.pyramids}
    while waiting:
        ready = next((n for n in waiting if view.sightings[n].nested_on not in waiting), waiting[0])
        waiting.remove(ready)
        sighting = view.sightings[ready]
        carrier = at.get(sighting.nested_on) if sighting.nested_on is not None else None
        if carrier is None:
            carrier = _under(stands, pyramids[ready], sighting)
        if carrier is not None:
            stands[carrier] = replace(stands[carrier], pyramids=(*stands[carrier].pyramids, pyramids[ready]))
            at[ready] = carrier
        elif ready in new and (anybodys or _in_reach(position, sighting, pyramids[ready])):
            stands.append(_as_measured(side, pyramids[ready], sighting))
            at[ready] = len(stands) - 1
    return tuple(stands)


def _once(new: dict[int, Pyramid], known: dict[int, Pyramid], view: TableView) -> dict[int, Pyramid]:
    """Of sightings that seem to be one and the same pyramid, the surest; none, if a known one is as surely it."""
    surest: dict[Pyramid, int] = {}
    for number, pyramid in sorted((known | new).items(), key=lambda item: -view.sightings[item[0]].confidence):
        surest.setdefault(pyramid, number)
    return {number: pyramid for number, pyramid in new.items() if surest[pyramid] == number}


def _in_reach(position: Position, sighting: Sighting, pyramid: Pyramid) -> bool:
    """True if it is the player's to explain: before him, or not yet anybody's."""
    assert sighting.x_mm is not None and sighting.y_mm is not None  # noqa: PT018 - one condition
    before = side_at(position.seats, sighting.x_mm, sighting.y_mm)
    return before == position.turn or pyramid not in position.pyramids_of(before)


def _as_measured(side: Side, pyramid: Pyramid, sighting: Sighting) -> Stand:
    """A pyramid as it lies; the camera's error does not make it point diagonally (XA11)."""
    assert sighting.x_mm is not None and sighting.y_mm is not None  # noqa: PT018 - one condition
    heading = sighting.heading_deg if sighting.piece.pose == "lying" else None
    return stand((pyramid,), sighting.x_mm, sighting.y_mm, None if heading is None else _forgiven(side, heading))


def _forgiven(side: Side, heading: float) -> float:
    """The heading, a little nearer to one of the four directions if the camera's error allows it."""
    nearest = min(DIRECTIONS, key=lambda word: off_deg(heading, side, word))
    exact, beyond = side.heading(nearest), off_deg(heading, side, nearest) - TOLERANCES.direction_deg
    if exact is None or not 0 < beyond <= SETTINGS.measured_deg:
        return heading
    return exact + math.copysign(TOLERANCES.direction_deg - 0.1, turn_deg(heading, exact))


def _under(stands: list[Stand], pyramid: Pyramid, sighting: Sighting) -> int | None:
    """The stand that carries what is seen just where something nested on it would be."""
    for number, below in enumerate(stands):
        if (sighting.piece.pose == "lying") != (below.heading_deg is not None):
            continue
        grown = replace(below, pyramids=(*below.pyramids, pyramid))
        x, y, heading = nested_mm(grown, len(below.pyramids))
        if math.hypot((sighting.x_mm or 0.0) - x, (sighting.y_mm or 0.0) - y) > SETTINGS.on_top_mm:
            continue
        if heading is None or sighting.heading_deg is None:
            return number
        if abs(turn_deg(heading, sighting.heading_deg)) <= SETTINGS.on_top_deg:
            return number
    return None


def _pyramid_placed(sighting: Sighting) -> Pyramid | None:
    if sighting.x_mm is None or sighting.y_mm is None:
        return None
    return _pyramid(sighting.piece)


def _pyramid(piece: Piece) -> Pyramid | None:
    if piece.kind != "pyramid" or piece.colour not in LETTERS or piece.size not in PYRAMID_SIZES:
        return None
    return Pyramid(piece.colour, PYRAMID_SIZES.index(piece.size) + 1)
