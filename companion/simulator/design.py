"""How a virtual table is furnished, as a small picklable value; the scene is built from it where it is drawn."""

import dataclasses
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from calibration.table import CameraPose
from companion.pieces import Piece
from companion.simulator.arrays import Floats
from companion.simulator.hands import hand_thing
from companion.simulator.khet_solids import khet_mesh
from companion.simulator.khet_style import KhetStyle, random_style
from companion.simulator.khet_table import khet_finish
from companion.simulator.piecepack_solids import coin_mesh, piecepack_finish, suit_die_mesh, tile_mesh
from companion.simulator.prints import BoardPrint, MarkerSheets, khet_marked
from companion.simulator.pyramid_solids import edges, pyramid_mesh
from companion.simulator.pyramid_style import usual_finish
from companion.simulator.rooms import nudged, random_camera, random_room, random_sensor
from companion.simulator.scene import Finish, Scene, Thing
from companion.simulator.sensor import Sensor
from companion.simulator.shapes import Mesh
from companion.simulator.small_solids import disc_finish, disc_mesh, pawn_mesh, suit_finish
from companion.simulator.state import Standing, TableState
from companion.simulator.surfaces import random_surface
from companion.simulator.tables import random_board, random_clutter
from companion.view import BoardShape

NUDGE_MM = 6.0  # how far a knock moves the camera
KHET_BOARD = BoardShape(10, 8, 38.0, 10.0, 3.0)
USUAL_STYLE = KhetStyle(foot_mm=33.0, pyramid_mm=21.0, figure_mm=25.0)


@dataclass(frozen=True, slots=True)
class TableDesign:
    """A table by seed. `usual` takes the usual board and plain pieces, else board and set are random too."""

    seed: int = 3_000_000
    width: int = 1600
    height: int = 1200
    fps: float = 10.0
    colours: str = "silver-red"
    usual: bool = True
    shape: BoardShape = KHET_BOARD
    clutter: bool = True
    white: float = 0.80  # screen value of the bright parts, at most
    mean: float = 0.48  # of the whole picture, at most
    threads: int = 1  # of OpenCV, where the table is drawn


@dataclass(frozen=True, eq=False)
class Furniture:
    """A design carried out: the empty scene, the sensor (not yet exposed) and the looks of the set."""

    design: TableDesign
    scene: Scene
    sensor: Sensor
    style: KhetStyle

    @property
    def board(self) -> BoardPrint:
        """The board; a table for games is never without one."""
        assert self.scene.board is not None
        return self.scene.board


def furnish(design: TableDesign) -> Furniture:
    """Builds the empty table of a design; the same design gives the same table."""
    rng = np.random.default_rng([design.seed, 23])
    random = random_style(rng, design.colours)
    style = dataclasses.replace(USUAL_STYLE, colours=design.colours) if design.usual else random
    board = random_board(rng, style)
    if design.usual:
        board = _usual_board(design.shape, board)
    room = random_room(rng)
    camera = random_camera(rng, design.width, design.height)
    sensor = dataclasses.replace(random_sensor(rng, room), jpeg=0)
    surface = random_surface(rng, design.seed)
    markers = MarkerSheets(margin_mm=7.0, white=0.78)
    clutter, prints, names = random_clutter(rng, board, markers)
    if not design.clutter:
        clutter, prints, names = (), (), ()
    scene = Scene(camera, room, surface, markers, (), board, prints, clutter, names)
    return Furniture(design, scene, sensor, style)


def _usual_board(shape: BoardShape, random: BoardPrint) -> BoardPrint:
    return BoardPrint(
        shape.cols,
        shape.rows,
        shape.cell_mm,
        shape.border_mm,
        shape.thickness_mm,
        random.x_mm,
        random.y_mm,
        random.rotation_deg,
        marked=khet_marked(),
        seed=random.seed,
    )


@lru_cache(maxsize=16)
def _camera(furniture: Furniture, nudges: int) -> CameraPose:
    """The camera after so many knocks; kept, because a renderer compares cameras by identity."""
    if nudges == 0:
        return furniture.scene.camera
    rng = np.random.default_rng([furniture.design.seed, 31, nudges])
    return nudged(_camera(furniture, nudges - 1), rng, NUDGE_MM)


def camera_of(furniture: Furniture, state: TableState) -> CameraPose:
    """Where the camera is now."""
    return _camera(furniture, state.nudges)


def scene_of(furniture: Furniture, state: TableState) -> Scene:
    """The scene that a state shows."""
    camera = camera_of(furniture, state)
    pieces = tuple(standing_thing(s, furniture.style) for s in state.standing)
    hands = tuple(
        hand_thing(f"hand {i}", h.x_mm, h.y_mm, h.z_mm, h.heading_deg, h.skin, h.sleeve, h.left, h.opened)
        for i, h in enumerate(state.hands)
    )
    return dataclasses.replace(furniture.scene, camera=camera, things=furniture.scene.things + pieces + hands)


def standing_thing(standing: Standing, style: KhetStyle) -> Thing:
    """A piece of the set as a solid."""
    piece = standing.piece
    mesh, finish = solid_of(piece, style, standing.count)
    return Thing(
        standing.name,
        mesh,
        finish,
        standing.x_mm,
        standing.y_mm,
        standing.z_mm,
        standing.heading_deg,
        piece,
        standing.cell,
        count=standing.count,
        lines=_clear_edges(piece, finish),
    )


def _clear_edges(piece: Piece, finish: Finish) -> Floats:
    """(E, 2, 3) edges that show through clear plastic."""
    if piece.kind != "pyramid" or piece.size is None or not finish.see_through:
        return np.zeros((0, 2, 3))
    return np.array(edges(piece.size, piece.pose or "upright"))


def solid_of(piece: Piece, style: KhetStyle, count: int = 1) -> tuple[Mesh, Finish]:
    """Body and materials of any piece that stands on a virtual table; KeyError for a kind that has no sculpt."""
    colour = piece.colour or "silver"
    if piece.kind == "disc":
        return disc_mesh(), disc_finish(colour)
    if piece.kind == "pawn":
        return pawn_mesh(), suit_finish(piece.suit or "suns")
    if piece.kind == "tile":
        return tile_mesh(piece.face or "back", piece.suit, piece.value), piecepack_finish(piece.suit)
    if piece.kind == "coin":
        return coin_mesh(piece.face or "value", piece.suit, piece.value), piecepack_finish(piece.suit)
    if piece.kind == "die" and piece.suit is not None:
        return suit_die_mesh(piece.suit, piece.value or "null"), piecepack_finish(piece.suit, painted=True)
    if piece.kind == "pyramid" and piece.size is not None:
        finish = usual_finish(colour)
        return pyramid_mesh(piece.size, piece.pose or "upright", finish.see_through), finish
    return khet_mesh(piece.kind, style, count), khet_finish(style, colour)
