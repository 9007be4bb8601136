"""Random tables with Icehouse pyramids: scattered, as Chaos lays them, and as Kaxxt on Ice does; by seed."""

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from companion.pieces import PYRAMID_BASE_MM, PYRAMID_COLOURS, PYRAMID_HEIGHT_MM, PYRAMID_SIZES, Piece
from companion.simulator import odds_and_ends
from companion.simulator.arrays import Floats, Pixels
from companion.simulator.clutter import CLUTTER
from companion.simulator.dice_tables import random_dice, thrown_die
from companion.simulator.prints import BoardPrint, MarkerSheets, Print, card_print
from companion.simulator.pyramid_solids import edges, lain, pyramid_mesh
from companion.simulator.pyramid_style import PyramidStyle, glassy, random_pyramid_style
from companion.simulator.renderer import Renderer
from companion.simulator.rooms import random_camera, random_exposure, random_room, random_sensor
from companion.simulator.scene import Scene, Thing
from companion.simulator.sensor import Sensor, developed, exposed
from companion.simulator.surfaces import Surface, random_surface
from companion.simulator.tables import random_clutter
from companion.simulator.truth import truth_json

GAMES = ("pieces", "kaxxt", "chaos")
AREA_MM = (235.0, 150.0)  # half the ground that is laid out
CARD_MM = (58.0, 89.0)
GLASSY = 0.4  # of the sets
SAME_SIZE = 0.2  # of what is stacked, at most: the lower one then hardly shows
TREES = {  # of a table of trees: the sizes of each from below, and how often it stands or lies there
    ("large", "medium", "small"): 0.26,
    ("large", "medium"): 0.17,
    ("large", "small"): 0.17,
    ("large",): 0.15,
    ("medium", "small"): 0.12,
    ("medium",): 0.08,
    ("small",): 0.05,
}


@dataclass(frozen=True)
class PyramidTable:
    """One table: its scene and its sensor. `card` is the robot's: x, y, heading; `strewn` things belong to no game."""

    seed: int
    game: str
    scene: Scene
    sensor: Sensor
    card: tuple[float, float, float] | None = None
    strewn: tuple[Thing, ...] = ()

    def truth(self) -> dict[str, Any]:
        """Everything that the picture shows, in the format of `companion look`."""
        data = truth_json(self.scene, self.game, self.seed)
        things = {t.name: t for t in self.scene.things if t.piece is not None}
        for entry, thing in zip(data["pieces"], things.values(), strict=True):
            if entry["kind"] == "pyramid":
                entry |= _marks(thing)
        if self.card is not None:
            x, y, heading = self.card
            card = {"kind": "robot_card", "x_mm": x, "y_mm": y, "heading_deg": heading, "index": len(data["pieces"])}
            data["pieces"].append(card)
        return data


def pyramid_table(
    seed: int,
    game: str | None = None,
    width: int = 1600,
    height: int = 1200,
    checked: bool = False,
    stacking: float | None = None,
    count: int | None = None,
    same_size: float = SAME_SIZE,
    of_set: int | None = None,
    colours: tuple[str, ...] = PYRAMID_COLOURS,
    dice: int = 0,
    trees: bool = False,
    strewn: int = 0,
) -> PyramidTable:
    """A random table; the same seed gives the same one. Without a game, the seed chooses it. Pip dice lie about, and
    so many `strewn` things that belong to no game.

    `stacking` is the share of scattered pieces that carry another, `count` how many are scattered; chance chooses
    what is not given. `same_size` is the share of stacks of one size that are kept. Tables `of_set` show one set.
    Scattered pieces have one of `colours` each, those named twice twice as often. With `trees` they are of one to three
    pieces each.
    Checked cloth, whose squares are as large and as bold as pieces, lies only on tables that are asked for it.
    """
    rng = np.random.default_rng([seed, 23])
    game = game or GAMES[int(rng.choice(len(GAMES), p=(0.5, 0.25, 0.25)))]
    style = _style(rng, seed, of_set)
    room, camera = random_room(rng), random_camera(rng, width, height)
    sensor, surface = random_sensor(rng, room), _surface(rng, seed, checked)
    big = rng.random() < 0.3
    markers = MarkerSheets(640.0 if big else 600.0, 420.0 if big else 380.0, white=float(rng.uniform(0.62, 0.85)))
    layer = _Layer(rng, style, same_size=same_size, colours=colours)
    card = layer.lay_out(game, count, stacking, trees)
    clutter, prints, names = random_clutter(rng, BoardPrint(border_mm=5.0), markers)
    near = layer.everyday() if rng.random() < 0.4 else []
    thrown = layer.dice(dice, np.random.default_rng([seed, 71]))
    about = odds_and_ends.strewn(np.random.default_rng([seed, 79]), strewn, AREA_MM, layer.taken)
    papers = [_robot(card)] if card is not None else []
    scene = Scene(
        camera,
        room,
        surface,
        markers,
        (),
        None,
        (*prints, *papers),
        (*layer.things, *thrown, *near, *about, *clutter),
        (*names, *(t.name for t in (*near, *about))),
    )
    return PyramidTable(seed, game, scene, sensor, card, tuple(about))


def _style(rng: np.random.Generator, seed: int, of_set: int | None) -> PyramidStyle:
    """A set of any kind, or the one of this number; of both, some are glassy."""
    style, whim = random_pyramid_style(rng), np.random.default_rng([seed, 37])
    if of_set is not None:
        whim = np.random.default_rng([of_set, 61])
        style = random_pyramid_style(whim)
    return glassy(style, whim) if whim.random() < GLASSY else style


def _surface(rng: np.random.Generator, seed: int, checked: bool) -> Surface:
    surface = random_surface(rng, seed)
    while (surface.kind == "check") is not checked:
        surface = random_surface(rng, seed)
    return surface


def pyramid_picture(table: PyramidTable, renderer: Renderer | None = None, number: int = 0) -> Pixels:
    """The table's picture, (height, width, 3) BGR; a renderer that drew the table before draws what changed.

    Each `number` has other noise.
    """
    light, _ = (renderer or Renderer()).draw(table.scene)
    rng = np.random.default_rng([table.seed, 29])
    sensor = exposed(table.sensor, light, *random_exposure(rng))
    return developed(sensor, light, table.seed, number)


def pyramid_thing(name: str, piece: Piece, style: PyramidStyle, x: float, y: float, heading: float) -> Thing:
    """A pyramid on the table; the heading of an upright one is how its base is turned."""
    assert piece.size is not None
    assert piece.pose is not None
    assert piece.colour is not None
    clear = style.clear_walls(piece.colour)
    mesh = pyramid_mesh(piece.size, piece.pose, clear, style.pips)
    lines = np.array(edges(piece.size, piece.pose)) if clear else np.zeros((0, 2, 3))
    finish = style.finishes[piece.colour]
    return Thing(name, mesh, finish, x, y, 0.0, heading, piece, lines=lines, line_mm=style.edge_mm)


def stacked(name: str, colour: str, size: str, below: Thing, style: PyramidStyle) -> Thing:
    """A pyramid put over the tip of another one, its tip `tip_rise_mm` beyond that one's along their axis."""
    assert below.piece is not None
    assert below.piece.size is not None
    piece = Piece("pyramid", colour, size, below.piece.pose)
    thing = pyramid_thing(name, piece, style, below.x_mm, below.y_mm, below.heading_deg)
    shift = _tip(below.piece)[0] - _tip(piece)[0] + _axis(below.piece) * style.tip_rise_mm
    x, y, z = below.to_table(shift[None])[0]
    return replace(thing, x_mm=float(x), y_mm=float(y), z_mm=float(z), nested_on=below.name)


def _axis(piece: Piece) -> Floats:
    tip, base = _tip(piece)
    return np.asarray((tip - base) / np.linalg.norm(tip - base))


def _tip(piece: Piece) -> tuple[Floats, Floats]:
    """Tip and middle of the base in the body's own frame."""
    assert piece.size is not None
    points = np.array([(0.0, 0.0, PYRAMID_HEIGHT_MM[piece.size]), (0.0, 0.0, 0.0)])
    if piece.pose == "lying":
        points = lain(points, PYRAMID_BASE_MM[piece.size], PYRAMID_HEIGHT_MM[piece.size])
    return points[0], points[1]


def _marks(thing: Thing) -> dict[str, Any]:
    """What the format of pyramids has beside that of other pieces."""
    assert thing.piece is not None
    ends = thing.to_table(np.array(_tip(thing.piece))).round(2).tolist()
    marks: dict[str, Any] = {"tip_mm": ends[0], "base_centre_mm": ends[1]}
    if thing.nested_on is None:
        marks["nested_on"] = None
    if thing.piece.pose == "upright":
        marks |= {"heading_deg": None, "base_rotation_deg": round(thing.heading_deg % 90, 2)}
    return marks


def _reach(piece: Piece) -> float:
    assert piece.size is not None
    return PYRAMID_BASE_MM[piece.size] * (0.75 if piece.pose == "upright" else 1.08)


@dataclass
class _Layer:
    """Lays pieces so that none stands in another."""

    rng: np.random.Generator
    style: PyramidStyle
    same_size: float = SAME_SIZE
    colours: tuple[str, ...] = PYRAMID_COLOURS
    things: list[Thing] = field(default_factory=list)
    taken: list[tuple[float, float, float]] = field(default_factory=list)

    def _any(self, colours: tuple[str, ...] | None = None, pose: str | None = None) -> Piece:
        size, colour = str(self.rng.choice(PYRAMID_SIZES)), str(self.rng.choice(colours or self.colours))
        return Piece("pyramid", colour, size, pose or str(self.rng.choice(["upright", "lying"])))

    def _free(self, x: float, y: float, radius: float) -> bool:
        inside = abs(x) < AREA_MM[0] and abs(y) < AREA_MM[1]
        return inside and all(math.hypot(x - a, y - b) > radius + r for a, b, r in self.taken)

    def _place(self, radius: float, tries: int = 60) -> tuple[float, float] | None:
        for _ in range(tries):
            x, y = (float(self.rng.uniform(-side, side)) for side in AREA_MM)
            if self._free(x, y, radius):
                return x, y
        return None

    def _lay(self, piece: Piece, x: float, y: float, heading: float, stack: float = 0.0) -> Thing:
        thing = pyramid_thing(f"{piece.colour} pyramid {len(self.things)}", piece, self.style, x, y, heading)
        self.things.append(thing)
        self.taken.append((x, y, _reach(piece)))
        top = thing
        while self.rng.random() < stack:
            assert top.piece is not None
            assert top.piece.size is not None
            smaller = PYRAMID_SIZES[: PYRAMID_SIZES.index(top.piece.size)]
            same = not smaller or self.rng.random() < SAME_SIZE
            if same and self.rng.random() > self.same_size:
                break
            colour = str(self.rng.choice(PYRAMID_COLOURS))
            size = top.piece.size if same else str(self.rng.choice(smaller))
            top = stacked(f"{colour} pyramid {len(self.things)}", colour, size, top, self.style)
            self.things.append(top)
            stack *= 0.35
        return thing

    def lay_out(
        self, game: str, count: int | None, stacking: float | None, trees: bool
    ) -> tuple[float, float, float] | None:
        """A table of the game, and where the robot's card lies on it, if one does."""
        if game == "kaxxt":
            return self.kaxxt()
        if game == "chaos":
            self.chaos()
        elif trees:
            self.trees(int(self.rng.integers(8, 31)) if count is None else count)
        else:
            self.scattered(int(self.rng.integers(2, 31)) if count is None else count, stacking)
        return None

    def scattered(self, count: int, stacking: float | None = None) -> None:
        """Anywhere; some lean flush against others, some are stacked."""
        stack = float(self.rng.choice([0.0, 0.15, 0.35]))
        stack = stack if stacking is None else stacking
        flush = float(self.rng.choice([0.0, 0.2, 0.5]))
        while len(self.things) < count:
            piece = self._any()
            if self.things and self.rng.random() < flush and self._flush(piece):
                continue
            place = self._place(_reach(piece))
            if place is None:
                return
            self._lay(piece, *place, float(self.rng.uniform(0, 360)), stack)

    def trees(self, count: int) -> None:
        """So many pieces in trees of one to three, each of any colour, anywhere."""
        sorts = list(TREES)
        while len(self.things) < count:
            sizes = sorts[int(self.rng.choice(len(sorts), p=list(TREES.values())))]
            pose = str(self.rng.choice(["upright", "lying"], p=(0.6, 0.4)))
            top = Piece("pyramid", str(self.rng.choice(self.colours)), sizes[0], pose)
            place = self._place(_reach(top))
            if place is None:
                return
            below = self._lay(top, *place, float(self.rng.uniform(0, 360)))
            for size in sizes[1:]:
                colour = str(self.rng.choice(self.colours))
                below = stacked(f"{colour} pyramid {len(self.things)}", colour, size, below, self.style)
                self.things.append(below)

    def _flush(self, piece: Piece) -> bool:
        """Puts the piece against a face of an upright one that stands free."""
        standing = [t for t in self.things if t.piece and t.piece.pose == "upright" and t.nested_on is None]
        if not standing:
            return False
        target = standing[int(self.rng.integers(len(standing)))]
        return self._against(target, piece, int(self.rng.integers(4)))

    def _against(self, target: Thing, piece: Piece, side: int) -> bool:
        assert target.piece is not None
        assert target.piece.size is not None
        assert piece.size is not None
        way = math.radians(target.heading_deg + 90.0 * side)
        out = PYRAMID_BASE_MM[target.piece.size] / 2 + max(0.0, float(self.rng.normal(0.4, 0.6)))
        base = PYRAMID_BASE_MM[piece.size]
        slack = float(self.rng.normal(0, 1.0))
        if piece.pose == "lying":
            corner = lain(np.array([(-base / 2, 0.0, 0.0)]), base, PYRAMID_HEIGHT_MM[piece.size])[0]
            out += -float(corner[0])
            heading = math.degrees(way) + float(self.rng.normal(0, 1.5))
        else:
            out += base / 2
            heading = target.heading_deg + float(self.rng.normal(0, 1.5))
        x = target.x_mm + out * math.cos(way) - slack * math.sin(way)
        y = target.y_mm + out * math.sin(way) + slack * math.cos(way)
        others = [t for t in self.taken if t[:2] != (target.x_mm, target.y_mm)]
        inside = abs(x) < AREA_MM[0] + 20 and abs(y) < AREA_MM[1] + 20
        if not inside or any(math.hypot(x - a, y - b) < r + _reach(piece) for a, b, r in others):
            return False
        self._lay(piece, x, y, heading)
        return True

    def chaos(self) -> None:
        """Defenders with attackers lying flush against their sides, pointing away."""
        colours = tuple(str(c) for c in self.rng.choice(PYRAMID_COLOURS, int(self.rng.integers(2, 6)), replace=False))
        for _ in range(int(self.rng.integers(3, 8))):
            piece = self._any(colours, "upright")
            place = self._place(_reach(piece) + 20)
            if place is None:
                continue
            target = self._lay(piece, *place, float(self.rng.uniform(0, 90)))
            for side in self.rng.permutation(4)[: int(self.rng.integers(0, 4))]:
                self._against(target, self._any(colours, "lying"), int(side))

    def kaxxt(self) -> tuple[float, float, float]:
        """Rows of pieces on four sides of the robot's card."""
        x, y = (float(v) for v in self.rng.normal(0, 8, 2))
        card = (round(x, 2), round(y, 2), round(float(self.rng.choice([0, 90, 180, 270]) + self.rng.normal(0, 4)), 2))
        self.taken.append((x, y, 56.0))
        colours = [str(c) for c in self.rng.choice(PYRAMID_COLOURS, 4, replace=False)]
        for seat in range(4):
            way = math.pi / 2 * seat
            far = float(self.rng.uniform(85, 110) if seat % 2 else self.rng.uniform(120, 170))
            count = int(self.rng.integers(0, 7))
            for number in range(count):
                along = (number - (count - 1) / 2) * 44.0
                px = far * math.cos(way) - along * math.sin(way) + float(self.rng.normal(0, 3))
                py = far * math.sin(way) + along * math.cos(way) + float(self.rng.normal(0, 3))
                own = (colours[seat],) if self.rng.random() < 0.8 else PYRAMID_COLOURS
                piece = self._any(own)
                heading = math.degrees(way) + 90.0 * float(self.rng.integers(4)) + float(self.rng.normal(0, 6))
                if self._free(px, py, _reach(piece) * 0.9):
                    self._lay(piece, px, py, heading, 0.25)
        return card

    def everyday(self) -> list[Thing]:
        """A few other things right among the pieces."""
        found = []
        for number in range(int(self.rng.integers(1, 3))):
            kind = str(self.rng.choice(["pencil", "coin", "cone", "box"]))
            place = self._place({"pencil": 95.0, "box": 90.0}.get(kind, 18.0))
            if place is not None:
                found.append(CLUTTER[kind](self.rng, f"{kind} among {number}", *place))
                self.taken.append((*place, 40.0))
        return found

    def dice(self, count: int, rng: np.random.Generator) -> list[Thing]:
        """Dice of one set, of several where there are many, where there is room."""
        found = []
        for number in range(count):
            if number % 3 == 0:
                dice, side = random_dice(rng), float(rng.uniform(11.0, 17.0))
            for _ in range(40):
                x, y = (float(v) for v in rng.uniform(-1, 1, 2) * AREA_MM)
                if all(math.hypot(x - a, y - b) > side * 0.8 + r for a, b, r in self.taken):
                    found.append(thrown_die(rng, f"die {number}", dice, side, x, y))
                    self.taken.append((x, y, side * 0.8))
                    break
        return found


def _robot(card: tuple[float, float, float]) -> Print:
    """A card of the robot's size with somebody's drawing on it."""
    x, y, heading = card
    print_ = card_print(np.random.default_rng(int(abs(x) * 1000)), x, y, heading)
    return replace(print_, width_mm=CARD_MM[1], height_mm=CARD_MM[0])
