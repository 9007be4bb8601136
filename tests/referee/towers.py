"""A tower of tiles on a table, as hands leave it and as an eye with faults sees it: no picture is involved."""

import random
from dataclasses import dataclass, field

from companion.games import kdak
from companion.games.kdak import tower as t
from companion.games.kdak.table import BACK, front, place_mm
from companion.games.kdak.tower import LEVELS, TILES, Place
from companion.games.kdak.track import square_mm
from companion.pieces import SUITS, TILE_SIDE_MM, VALUES, Piece
from companion.view import Sighting, TableView


@dataclass
class Lies:
    """How the whole lies on the table: the tower's middle, its turn, wider gaps, and the track by itself."""

    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_deg: float = 0.0
    wider_mm: float = 0.0
    askew_mm: float = 0.0  # of each tile, one sigma
    track: tuple[float, float, float] = (0.0, -140.0, 0.0)


@dataclass
class Eye:
    """How it is seen."""

    noise_mm: float = 0.0
    sure: float = 0.995
    doubts: float = 0.0  # share of tile faces of which the suit is in doubt in one view
    missed_coins: float = 0.0
    overlooks: bool = False  # pawns on tiles of their own suit, which are of their colour
    blind_beside: bool = False  # pawns beside the tower, on cloth of their colour


@dataclass
class Tower:
    """The table itself. `deck` is the order in which the tiles were laid, level by level."""

    seed: int = 0
    variant: str = "duel"
    lies: Lies = field(default_factory=Lies)
    eye: Eye = field(default_factory=Eye)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        deck = self.rng.sample(TILES, len(TILES))
        places = [Place(level, corner) for level in range(LEVELS) for corner in range(4)]
        self.tiles = dict(zip(places, deck, strict=True))
        self.up: set[str] = set()
        self.off = {name: self._jog() for name in deck}
        self.house = kdak.start({"variant": self.variant}).house
        self.pawns: list[Place | None] = [None] * self.house.seats
        self.beside: list[str] = []  # tiles that lie face-up beside the tower
        self.scores = [0] * self.house.seats
        self.prints: list[Sighting] = []  # what is no piece and looks like one
        self.dice: list[tuple[float, float, str, float]] = []  # x, y, value, how sure the eye is of it

    # --- hands ------------------------------------------------------------------------------------------------

    def put(self, seat: int, place: Place | None) -> None:
        self.pawns[seat] = place

    def turn_up(self, place: Place) -> str:
        self.up.add(self.tiles[place])
        return self.tiles[place]

    def turn_all_down(self) -> None:
        self.up.clear()

    def take(self, place: Place) -> str:
        """The tile is gone; a pawn on it lies down on the tile below, or beside the tower."""
        name = self.tiles.pop(place)
        self.beside.append(name)
        below = Place(place.level - 1, place.corner) if place.level else None
        self.pawns = [below if pawn == place else pawn for pawn in self.pawns]
        return name

    def drop(self, hole: Place) -> None:
        """What lay above the hole comes down, pawns and all."""
        above = [p for p in sorted(self.tiles) if p.corner == hole.corner and p.level > hole.level]
        for place in above:
            lower = Place(place.level - 1, place.corner)
            self.tiles[lower] = self.tiles.pop(place)
            self.off[self.tiles[lower]] = self._jog()
            self.pawns = [lower if pawn == place else pawn for pawn in self.pawns]

    def _jog(self) -> tuple[float, float]:
        return self.rng.gauss(0, self.lies.askew_mm), self.rng.gauss(0, self.lies.askew_mm)

    # --- the eye ------------------------------------------------------------------------------------------------

    def view(self, obstacles=()) -> TableView:
        sightings = [*self._tiles(), *self._pawns(), *self._coins(), *self._dice(), *self.prints]
        self.rng.shuffle(sightings)
        return TableView(0.0, tuple(sightings), tuple(obstacles))

    def on_table(self, x: float, y: float, level: int | None = None) -> complex:
        """A point of the plan on the table."""
        wider = 0.0 if level is None else (level - (LEVELS - 1) / 2) * self.lies.wider_mm
        import cmath
        import math

        turn = cmath.rect(1.0, math.radians(self.lies.turn_deg))
        return complex(self.lies.x_mm, self.lies.y_mm) + turn * complex(x + wider, y)

    def _seen(self, at: complex, *beliefs: tuple[Piece, float]) -> Sighting:
        noise = self.eye.noise_mm
        x, y = at.real + self.rng.gauss(0, noise), at.imag + self.rng.gauss(0, noise)
        return Sighting(beliefs, x, y, 0.0)

    def _tiles(self):
        for place, name in self.tiles.items():
            x, y = place_mm(place)
            dx, dy = self.off[name]
            at = self.on_table(x + dx, y + dy, place.level)
            yield self._seen(at, *self._face(name, name in self.up))
        for number, name in enumerate(self.beside):
            at = complex(self.lies.x_mm, self.lies.y_mm) + complex(-330 + 55 * (number % 12), 130 + 55 * (number // 12))
            yield self._seen(at, *self._face(name, True))

    def _face(self, name: str, up: bool) -> tuple[tuple[Piece, float], ...]:
        if not up:
            return ((BACK, self.eye.sure),)
        if self.rng.random() < self.eye.doubts:
            other = self.rng.choice([s for s in SUITS if s != t.suit(name)])
            return (front(name), 0.55), (Piece("tile", face="front", suit=other, value=t.value(name)), 0.4)
        return ((front(name), self.eye.sure),)

    def _pawns(self):
        for seat, place in enumerate(self.pawns):
            piece = Piece("pawn", suit=self.house.pawns[seat])
            below = self.tiles.get(place)
            if self.eye.overlooks and below in self.up and t.suit(below) == piece.suit:
                continue
            if place is None and self.eye.blind_beside:
                continue
            if place is None:
                at = self.on_table(place_mm(Place(0, 0))[0] + 30 * seat, -75, 0)
            else:
                x, y = place_mm(place)
                at = self.on_table(x + self.rng.uniform(-12, 12), y + self.rng.uniform(-12, 12), place.level)
            yield self._seen(at, (piece, self.eye.sure))

    def _coins(self):
        for level in range(LEVELS):
            if self.rng.random() >= self.eye.missed_coins:
                x = (place_mm(Place(level, 0))[0] + place_mm(Place(level, 1))[0]) / 2
                piece = Piece("coin", face="value", value=VALUES[level])
                yield self._seen(self.on_table(x, TILE_SIDE_MM + 20, level), (piece, self.eye.sure))
        for seat, points in enumerate(self.scores):
            if self.rng.random() >= self.eye.missed_coins:
                yield self._seen(self.on_track(points, seat), (self.score_coin(seat), self.eye.sure))

    def score_coin(self, seat: int) -> Piece:
        return Piece("coin", face="suit", suit=self.house.pawns[seat])

    def on_track(self, points: int, seat: int = 0) -> complex:
        import cmath
        import math

        x, y, turn = self.lies.track
        dx, dy = square_mm(points)
        return complex(x, y) + cmath.rect(1.0, math.radians(turn)) * complex(dx + (3 - 6 * seat), dy)

    def _dice(self):
        """The suit of a die is always in some doubt."""
        for x, y, value, sure in self.dice:
            at = complex(self.lies.x_mm + x, self.lies.y_mm + y)
            one, other = (Piece("die", suit=suit, value=value) for suit in ("suns", "crowns"))
            wrong = Piece("die", suit="suns", value="null" if value != "null" else "5")
            yield self._seen(at, (one, 0.7 * sure), (other, 0.3 * sure), (wrong, 0.98 - sure))


def anywhere(seed: int, variant: str = "duel", turned: float = 0.0) -> Tower:
    """A tower of which nobody said where it lies, and its track."""
    rng = random.Random(seed)
    track = (rng.uniform(-40, 40), -150.0, rng.uniform(-4, 4))
    at = rng.uniform(-30, 30), rng.uniform(-40, 60), rng.uniform(-6, 6) + turned, rng.uniform(0, 30)
    return Tower(seed, variant, Lies(*at, 2.0, track), Eye(1.5, doubts=0.03, missed_coins=0.05))
