"""K'Dak's Tower on a strip along the camel-wash track: each score in its suit's colour, and the fall of the tower.

Scores differ in rhythm as well: the second explorer's light blinks. The strip's six parts stand for the levels.
"""

from companion.events import Event, GameOver, Scored, Told
from companion.games.kdak.play import Crumbled
from companion.games.kdak.setup import PAWNS
from companion.games.kdak.tower import LEVELS
from companion.outputs.films import DARK, Colour, Film, Frame, Picture, dark, dimmed
from companion.referee.snapshot import Snapshot

SUIT_COLOURS: dict[str, Colour] = {
    "suns": (255, 40, 0),
    "moons": (190, 190, 255),  # black cannot be lit
    "crowns": (30, 220, 40),
    "arms": (0, 70, 255),
}
SAND: Colour = (40, 26, 6)
DUST: Colour = (150, 95, 25)
EMBER: Colour = (255, 70, 0)
GOLD: Colour = (255, 180, 20)
WAITS = 0.45  # brightness of who is not on turn
STEP_S, FALL_S, SWEEP_S = 0.12, 0.35, 0.12
SWEEPS = 10
DOOR = ("K8", "K25")  # the rules by which the door opens


def lasting(snapshot: Snapshot, lights: int) -> Film:
    """Each seat's light on the square of its score; where both meet they take turns."""
    if snapshot.phase not in ("play", "over") or not snapshot.seats:
        return dark(lights)
    places = _places(snapshot, lights)
    colours = [_colour(snapshot, seat) for seat in range(len(places))]
    shades = [c if snapshot.to_move in (seat, None) else dimmed(c, WAITS) for seat, c in enumerate(colours)]
    if len(places) < 2:
        return Film((Frame(_lit(lights, {places[0]: shades[0]}), 1.0),), repeats=True)
    first, second = ({places[seat]: shades[seat]} for seat in (0, 1))
    if places[0] == places[1]:
        return Film((Frame(_lit(lights, first), 2.0), Frame(_lit(lights, second), 2.0)), repeats=True)
    both, alone = _lit(lights, first | second), _lit(lights, first)
    return Film((Frame(both, 2.8), Frame(alone, 0.3), Frame(both, 0.6), Frame(alone, 0.3)), repeats=True)


def passing(event: Event, snapshot: Snapshot, lights: int) -> Film | None:
    """A score that walks, a level that crumbles, the door that opens, the winners' colours."""
    if isinstance(event, Scored):
        return walk(snapshot, event, lights)
    if isinstance(event, Crumbled):
        return fall(int(event.place[0]), lights)
    if isinstance(event, Told) and event.rule in DOOR and "door" in event.text:
        return sweep((GOLD,), lights)
    if isinstance(event, GameOver) and event.winners:
        return sweep(tuple(_colour(snapshot, seat) for seat in event.winners), lights)
    return None


def walk(snapshot: Snapshot, event: Scored, lights: int) -> Film | None:
    """The seat's light goes from square to square; the other one stays."""
    end = min(int(event.total), lights - 1)
    start = max(0, min(int(event.total - event.points), lights - 1))
    others = {at: _colour(snapshot, s) for s, at in enumerate(_places(snapshot, lights)) if s != event.seat}
    colour, way = _colour(snapshot, event.seat), 1 if end >= start else -1
    squares = range(start, end + way, way)
    return Film(tuple(Frame(_lit(lights, others | {at: colour}), STEP_S) for at in squares)) if end != start else None


def fall(level: int, lights: int) -> Film:
    """The level glows and goes dark; then what stood above it comes down, part after part."""
    sand = _parts(lights, dict.fromkeys(range(LEVELS), SAND))
    frames = [
        Frame(_parts(lights, {**dict.fromkeys(range(LEVELS), SAND), level: EMBER}), 0.7),
        Frame(_parts(lights, {p: SAND for p in range(LEVELS) if p != level}), FALL_S),
    ]
    for part in range(level, LEVELS - 1):  # the part above has come down to here
        shades = dict.fromkeys(range(LEVELS), SAND) | {part: DUST, part + 1: DARK}
        frames.append(Frame(_parts(lights, shades), FALL_S))
    return Film((*frames, Frame(sand, FALL_S)))


def sweep(colours: tuple[Colour, ...], lights: int) -> Film:
    """The strip fills from its beginning, and empties again."""
    frames = []
    for step in range(2 * SWEEPS):
        start, end = (0, step + 1) if step < SWEEPS else (step - SWEEPS, SWEEPS)
        lit = {i: colours[i % len(colours)] for i in range(lights * start // SWEEPS, lights * end // SWEEPS)}
        frames.append(Frame(_lit(lights, lit), SWEEP_S))
    return Film(tuple(frames))


def _places(snapshot: Snapshot, lights: int) -> tuple[int, ...]:
    return tuple(max(0, min(seat.score or 0, lights - 1)) for seat in snapshot.seats)


def _colour(snapshot: Snapshot, seat: int) -> Colour:
    return SUIT_COLOURS[str(dict(snapshot.options)[PAWNS[seat]])]


def _lit(lights: int, colours: dict[int, Colour]) -> Picture:
    return tuple(colours.get(i, DARK) for i in range(lights))


def _parts(lights: int, colours: dict[int, Colour]) -> Picture:
    """A colour for each sixth of the strip, the null level first."""
    return tuple(colours.get(i * LEVELS // lights, DARK) for i in range(lights))
