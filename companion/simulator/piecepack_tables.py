"""Random tables with a piecepack: as K'Dak's Tower lays it out, and in a mess; by seed."""

import math
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from companion.pieces import (
    COIN_DIAMETER_MM,
    SUITS,
    TILE_SIDE_MM,
    VALUES,
    Piece,
)
from companion.simulator import odds_and_ends
from companion.simulator.arrays import Pixels
from companion.simulator.materials import linear
from companion.simulator.piecepack_art import (
    PEN,
    PiecepackStyle,
    random_piecepack_style,
    tile_back,
    tile_front,
)
from companion.simulator.piecepack_solids import Body, coin_body, die_body, pawn_body
from companion.simulator.prints import BoardPrint, MarkerSheets, Print
from companion.simulator.renderer import Renderer
from companion.simulator.rooms import random_camera, random_exposure, random_room, random_sensor
from companion.simulator.scene import Scene, Thing
from companion.simulator.sensor import Sensor, developed, exposed
from companion.simulator.surfaces import random_surface
from companion.simulator.tables import random_clutter
from companion.simulator.truth import truth_json

TEXTURE_PX = 160
TAKEN = (0.05, 0.4)  # share of a played tower's tiles
TILE_REACH_MM = 37.0  # from its middle to a corner, and a little
FONTS: tuple[str | int, ...] = (PEN, PEN, cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)
AREA_MM = (330.0, 150.0)  # half the ground that is laid out
KEPT_FREE = BoardPrint(cell_mm=70.0, rows=4, border_mm=5.0)  # where no clutter lies


@dataclass(frozen=True)
class LaidTile:
    """A tile on the table; the heading is that of its upper edge."""

    piece: Piece
    x_mm: float
    y_mm: float
    heading_deg: float


@dataclass(frozen=True)
class PiecepackTable:
    """One table: its scene, its sensor, its tiles (prints in the scene) and how its set looks."""

    seed: int
    scene: Scene
    sensor: Sensor
    style: PiecepackStyle
    tiles: tuple[LaidTile, ...]
    thickness_mm: float

    def truth(self) -> dict[str, Any]:
        """Everything that the picture shows, in the format of `companion look`."""
        data = truth_json(self.scene, "kdak", self.seed)
        small = data["pieces"]
        for entry in small:
            entry["pose"] = "upright" if entry["kind"] == "pawn" else "flat"
            entry["heading_deg"] = None if entry["kind"] == "pawn" else entry["heading_deg"]
            entry |= {"game": "piecepack", "suit": entry.get("suit"), "value": entry.get("value")}
        data |= {"tile_thickness_mm": self.thickness_mm, "pieces": [_tile_truth(t) for t in self.tiles] + small}
        for index, entry in enumerate(data["pieces"]):
            entry["index"] = index
        return data


def _tile_truth(tile: LaidTile) -> dict[str, Any]:
    front = tile.piece.face == "front"
    return {
        "kind": "tile",
        "game": "piecepack",
        "face": tile.piece.face,
        "suit": tile.piece.suit,
        "value": tile.piece.value,
        "pose": "flat",
        "x_mm": round(tile.x_mm, 3),
        "y_mm": round(tile.y_mm, 3),
        "z_mm": 0.0,
        "heading_deg": round(tile.heading_deg % 360, 3) if front else None,
    }


def piecepack_table(
    seed: int, style: PiecepackStyle | None = None, crowded: bool = False, strewn: int = 0, played: bool = False
) -> PiecepackTable:
    """A random table of 1600 x 1200; the same seed gives the same one. With a style, another table of that set.

    A crowded one, for lessons, has several sets' small pieces, many on tiles of their own tone, matt to glossy.
    So many `strewn` things belong to no game. A `played` one shows a tower of which tiles were taken away.
    """
    rng = np.random.default_rng([seed, 41])
    chosen = random_piecepack_style(rng, FONTS)
    style = style or chosen
    room, camera = random_room(rng), random_camera(rng)
    sensor, surface = random_sensor(rng, room), random_surface(rng, seed)
    markers = MarkerSheets(740.0, 380.0, white=float(rng.uniform(0.62, 0.85)))
    layer = _Layer(rng, style, round(float(rng.uniform(5.0, 8.2)), 1))
    if rng.random() < 0.6 or played:
        layer.tower(float(np.random.default_rng([seed, 47]).uniform(*TAKEN)) if played else 0.0)
    else:
        layer.mess()
    if crowded:
        layer.crowd()
    taken = [*layer.taken, *((t.x_mm, t.y_mm, TILE_REACH_MM) for t in layer.tiles)]
    about = odds_and_ends.strewn(np.random.default_rng([seed, 79]), strewn, AREA_MM, taken)
    clutter, sheets, names = random_clutter(rng, KEPT_FREE, markers)
    names = (*names, *(t.name for t in about))
    eye = camera.position_mm[:2]
    far_first = sorted(layer.tiles, key=lambda t: -math.hypot(t.x_mm - eye[0], t.y_mm - eye[1]))
    prints = (*sheets, *layer.sheets, *(layer.tile_print(t) for t in far_first))
    scene = Scene(camera, room, surface, markers, (), None, prints, (*layer.things, *about, *clutter), names)
    return PiecepackTable(seed, scene, sensor, style, tuple(layer.tiles), layer.thick)


def piecepack_picture(table: PiecepackTable) -> Pixels:
    """The table's picture, (height, width, 3) BGR."""
    light, _ = Renderer().draw(table.scene)
    rng = np.random.default_rng([table.seed, 43])
    sensor = exposed(table.sensor, light, *random_exposure(rng))
    return developed(sensor, light, table.seed)


@dataclass
class _Layer:
    """Lays a set out so that nothing stands in another."""

    rng: np.random.Generator
    style: PiecepackStyle
    thick: float
    tiles: list[LaidTile] = field(default_factory=list)
    things: list[Thing] = field(default_factory=list)
    sheets: list[Print] = field(default_factory=list)
    taken: list[tuple[float, float, float]] = field(default_factory=list)
    gloss: float = 0.05  # of pawns

    def tile_print(self, tile: LaidTile) -> Print:
        """The tile as a thick print."""
        if tile.piece.face == "back":
            face = tile_back(self.style, TEXTURE_PX, TILE_SIDE_MM)
        else:
            face = tile_front(self.style, str(tile.piece.suit), str(tile.piece.value), TEXTURE_PX)
        turn, side, thick = tile.heading_deg - 90, TILE_SIDE_MM, self.thick
        return Print(linear(face), side, side, tile.x_mm, tile.y_mm, turn, thick, thick, 0.03)

    def _block(self, x: float, y: float, turn: float, deck: list[tuple[str, str]], backs: float) -> None:
        """Four tiles pushed together, a little askew."""
        a = math.radians(turn)
        for u, v in ((-0.5, 0.5), (0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)):
            if not deck:
                return
            suit, value = deck.pop()
            step = TILE_SIDE_MM + abs(float(self.rng.normal(0.3, 0.3)))
            px, py = u * step + float(self.rng.normal(0, 0.15)), v * step + float(self.rng.normal(0, 0.15))
            heading = turn + 90.0 * float(self.rng.integers(4)) + float(self.rng.normal(0, 0.3))
            self._tile(
                x + px * math.cos(a) - py * math.sin(a),
                y + px * math.sin(a) + py * math.cos(a),
                heading,
                suit,
                value,
                self.rng.random() < backs,
            )

    def _tile(self, x: float, y: float, heading: float, suit: str, value: str, back: bool) -> None:
        piece = Piece("tile", face="back") if back else Piece("tile", suit=suit, value=value, face="front")
        self.tiles.append(LaidTile(piece, x, y, heading))

    def _deck(self) -> list[tuple[str, str]]:
        deck = [(suit, value) for suit in SUITS for value in VALUES]
        return [deck[int(i)] for i in self.rng.permutation(len(deck))]

    def tower(self, taken: float = 0.0) -> None:
        """Six squares of four tiles in a line, coins and pawns on them, dice and the score track beside them.

        Of the tiles a share is gone.
        """
        deck, backs = self._deck(), float(self.rng.uniform(0.1, 0.8))
        gap, y = float(self.rng.uniform(8, 16)), float(self.rng.normal(15, 15))
        for level in range(6):
            x = (level - 2.5) * (2 * TILE_SIDE_MM + gap)
            self._block(x, y + float(self.rng.normal(0, 4)), float(self.rng.normal(0, 1.5)), deck, backs)
        if taken:
            self.tiles = [tile for tile in self.tiles if self.rng.random() >= taken]
        if self.rng.random() < 0.6:
            self._track(y - 100)
        self._on_tiles(int(self.rng.integers(3, 9)), int(self.rng.integers(1, 5)))
        self._beside(int(self.rng.integers(0, 3)), 0, int(self.rng.integers(0, 5)))

    def mess(self) -> None:
        """Tiles and squares of tiles anywhere, everything else on and between them."""
        deck, backs = self._deck(), float(self.rng.uniform(0.1, 0.7))
        for _ in range(int(self.rng.integers(0, 3))):
            place = self._free(74.0)
            if place is not None:
                self._block(*place, float(self.rng.uniform(0, 360)), deck, backs)
                self.taken.append((*place, 74.0))
        for _ in range(int(self.rng.integers(4, 14))):
            place = self._free(37.0)
            if place is not None and deck:
                suit, value = deck.pop()
                back = bool(self.rng.random() < backs)
                self._tile(*place, float(self.rng.uniform(0, 360)), suit, value, back)
                self.taken.append((*place, 37.0))
        self._on_tiles(int(self.rng.integers(0, 8)), int(self.rng.integers(0, 5)))
        self._beside(int(self.rng.integers(0, 6)), int(self.rng.integers(0, 3)), int(self.rng.integers(0, 5)))

    def crowd(self) -> None:
        """Many small pieces on tiles, half of the pawns on their own suit's, and many beside them."""
        self.gloss = float(self.rng.choice([0.05, self.rng.uniform(0.0, 0.16)]))
        for count, radius, lay in ((24, 9.0, self._pawn), (18, 9.6, self._coin), (10, 9.5, self._die)):
            for _ in range(count):
                tile = self.tiles[int(self.rng.integers(len(self.tiles)))]
                at = self._place_on(tile, radius)
                if at is None:
                    continue
                if lay == self._pawn and self.rng.random() < 0.5:
                    self._pawn(*at, self.thick, tile.piece.suit)
                else:
                    lay(*at, self.thick)
        self._beside(int(self.rng.integers(2, 8)), int(self.rng.integers(4, 14)), int(self.rng.integers(10, 26)))

    def _place_on(self, tile: LaidTile, radius: float) -> tuple[float, float] | None:
        """A random place on a tile, None where something else stands."""
        reach = TILE_SIDE_MM / 2 - radius
        u, v = (float(w) for w in self.rng.uniform(-reach, reach, 2))
        a = math.radians(tile.heading_deg)
        x, y = tile.x_mm + u * math.cos(a) - v * math.sin(a), tile.y_mm + u * math.sin(a) + v * math.cos(a)
        if any(math.hypot(x - p, y - q) <= radius + r for p, q, r in self.taken if r < 30):
            return None
        self.taken.append((x, y, radius))
        return x, y

    def _free(self, radius: float) -> tuple[float, float] | None:
        for _ in range(60):
            x, y = (float(self.rng.uniform(-side, side)) for side in AREA_MM)
            clear = all(math.hypot(x - a, y - b) > radius + r for a, b, r in self.taken)
            if clear and all(math.hypot(x - t.x_mm, y - t.y_mm) > TILE_REACH_MM + radius for t in self.tiles):
                return x, y
        return None

    def _on_tiles(self, coins: int, pawns: int) -> None:
        """Each on a tile, wholly or almost, clear of each other."""
        for kind in ("coin",) * coins + ("pawn",) * pawns:
            radius = COIN_DIAMETER_MM / 2 if kind == "coin" else 9.0
            tile = self.tiles[int(self.rng.integers(len(self.tiles)))]
            at = self._place_on(tile, radius)
            if at is not None:
                (self._coin if kind == "coin" else self._pawn)(*at, self.thick)

    def _beside(self, coins: int, pawns: int, dice: int) -> None:
        for lay, radius, count in ((self._coin, 11.0, coins), (self._pawn, 10.0, pawns), (self._die, 11.0, dice)):
            for _ in range(count):
                place = self._free(radius)
                if place is not None:
                    self.taken.append((*place, radius))
                    lay(*place, 0.0)

    def _track(self, y: float) -> None:
        """Twelve numbered cells in a strip, coins on some."""
        cell, turn = float(self.rng.uniform(23, 28)), float(self.rng.normal(0, 2.5))
        face, ink = (0.85, 0.88, 0.9), (0.1, 0.1, 0.1)
        if self.rng.random() < 0.5:
            b, g, r = (float(c) for c in self.rng.uniform(0.1, 0.5, 3))
            face, ink = (b, g, r), (0.85, 0.88, 0.9)
        image = np.empty((64, 12 * 48, 3), np.float32)
        image[:] = face
        for i in range(12):
            cv2.rectangle(image, (i * 48 + 1, 8), (i * 48 + 46, 55), ink, 1, cv2.LINE_AA)
            cover = np.zeros((64, 48), np.uint8)
            cv2.putText(cover, str(i), (14 if i < 10 else 4, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.7, 255, 2, cv2.LINE_AA)
            part = image[:, i * 48 : i * 48 + 48]
            part += (cover / np.float32(255))[..., None] * (np.array(ink, np.float32) - part)
        x = float(self.rng.normal(0, 25))
        self.sheets.append(Print(linear(image), 12 * cell, cell * 4 / 3, x, y, turn, thick_mm=0.3))
        a = math.radians(turn)
        for i in range(12):
            u = (i - 5.5) * cell
            px, py = x + u * math.cos(a), y + u * math.sin(a)
            self.taken.append((px, py, 14.0))
            if self.rng.random() < 0.2:
                self._coin(px, py, 0.3, 90 + turn + float(self.rng.normal(0, 8)))

    def _coin(self, x: float, y: float, z: float, heading: float | None = None) -> None:
        face, suit, value = str(self.rng.choice(["suit", "value"])), self._any(SUITS), self._any(VALUES)
        turn = float(self.rng.uniform(0, 360)) if heading is None else heading
        shown = Piece("coin", suit=suit, face=face) if face == "suit" else Piece("coin", value=value, face=face)
        tinted = self.style.tinted and face == "suit"
        self._put(shown, coin_body(self.style, face, suit, value, tinted), x, y, z, turn)

    def _die(self, x: float, y: float, z: float) -> None:
        suit, value, turn = self._any(SUITS), self._any(VALUES), float(self.rng.uniform(0, 360))
        sides = [v for v in VALUES if v != value]
        np.random.default_rng([self.style.seed, len(self.things)]).shuffle(sides)
        body = die_body(self.style, suit, value, tuple(sides[:4]))
        self._put(Piece("die", suit=suit, value=value), body, x, y, z, turn)

    def _pawn(self, x: float, y: float, z: float, suit: str | None = None) -> None:
        suit = suit or self._any(SUITS)
        self._put(Piece("pawn", suit=suit), pawn_body(self.style, suit, self.gloss), x, y, z, 0.0)

    def _put(self, piece: Piece, body: Body, x: float, y: float, z: float, turn: float) -> None:
        mesh, finish, decals = body
        name = f"{piece.kind} {len(self.things)}"
        self.things.append(Thing(name, mesh, finish, x, y, z, turn, piece, decals=decals))

    def _any(self, names: tuple[str, ...]) -> str:
        return names[int(self.rng.integers(len(names)))]
