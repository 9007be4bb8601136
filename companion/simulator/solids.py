"""Any piece on a virtual table: as a solid, or as a print where it lies flat and rests."""

import dataclasses
from functools import lru_cache

import numpy as np

from companion.pieces import (
    COIN_THICKNESS_MM,
    DIE_SIDE_MM,
    PAWN_HEIGHT_MM,
    PYRAMID_HEIGHT_MM,
    TILE_SIDE_MM,
    Piece,
)
from companion.simulator.arrays import Floats
from companion.simulator.disc_tables import disc_body, disc_finishes
from companion.simulator.khet_solids import khet_mesh
from companion.simulator.khet_table import khet_finish
from companion.simulator.materials import linear, srgb
from companion.simulator.piecepack_art import tile_back, tile_front
from companion.simulator.piecepack_solids import Body, coin_body, die_body, on_top, pawn_body, printed, topped
from companion.simulator.prints import Print
from companion.simulator.pyramid_tables import pyramid_thing, stacked
from companion.simulator.scene import Finish, Thing
from companion.simulator.sets import SetLooks
from companion.simulator.shapes import Mesh, Point2, slab, square
from companion.simulator.sheets import CARD_MM, CARD_THICK_MM, robot_card
from companion.simulator.small_solids import die_finish, die_mesh
from companion.simulator.state import Standing

FLAT = ("tile", "robot_card")
TURNED_OVER = ("disc", "tile", "coin")  # kinds whose two sides look different
TILE_PX = 160
KHET_HEIGHT_MM = 30.0
STEEP_DEG = 60.0  # what is tilted more shows no picture
PITCH_STEP_DEG = 15.0  # bodies in a hand are turned over in such steps
DIE_COLOURS = (srgb(236, 234, 226), srgb(24, 24, 26))  # of a die with pips


def height_mm(piece: Piece, looks: SetLooks) -> float:
    """How high a piece is where it stands."""
    if piece.kind == "disc":
        return looks.discs.height_mm
    if piece.kind == "pyramid" and piece.size is not None:
        return PYRAMID_HEIGHT_MM[piece.size] * (1.0 if piece.pose != "lying" else 0.55)
    sizes = {"tile": looks.tile_mm, "robot_card": CARD_THICK_MM, "coin": COIN_THICKNESS_MM}
    return {**sizes, "die": DIE_SIDE_MM, "pawn": PAWN_HEIGHT_MM}.get(piece.kind, KHET_HEIGHT_MM)


def rests_flat(standing: Standing) -> bool:
    """True for a tile or card that lies on the table: it is drawn as part of it."""
    return standing.piece.kind in FLAT and standing.z_mm == 0.0 and standing.pitch_deg == 0.0


@lru_cache(maxsize=256)
def lying_print(standing: Standing, looks: SetLooks) -> Print:
    """A resting tile or card."""
    turn, face = standing.heading_deg - 90.0, _face(standing.piece, looks)
    if standing.piece.kind == "tile":
        thick, side = looks.tile_mm, TILE_SIDE_MM
        return Print(face, side, side, standing.x_mm, standing.y_mm, turn, thick, thick, 0.03)
    long, short = CARD_MM
    return Print(face, short, long, standing.x_mm, standing.y_mm, turn, 0.0, CARD_THICK_MM, 0.04)


def standing_thing(standing: Standing, looks: SetLooks) -> Thing:
    """A piece of the set as a solid; KeyError for a kind that has no sculpt."""
    piece = standing.piece
    at = (standing.x_mm, standing.y_mm, standing.z_mm, standing.heading_deg)
    if piece.kind == "pyramid" and piece.size is not None:
        whole = dataclasses.replace(piece, pose=piece.pose or "upright")
        thing = pyramid_thing(standing.name, whole, looks.pyramids, at[0], at[1], at[3])
        return dataclasses.replace(thing, z_mm=at[2], cell=standing.cell, nested_on=standing.nested_on)
    mesh, finish, decals = _body(piece, looks, standing.count)
    if standing.pitch_deg:
        mesh = _pitched(mesh, round(standing.pitch_deg / PITCH_STEP_DEG) * PITCH_STEP_DEG)
        decals = decals if abs(standing.pitch_deg) < STEEP_DEG else ()
    return Thing(
        standing.name, mesh, finish, *at, piece, standing.cell, standing.nested_on, standing.count, decals=decals
    )


def nested(piece: Piece, name: str, below: Standing, looks: SetLooks) -> Standing:
    """A pyramid put over the tip of another one."""
    assert piece.colour is not None
    assert piece.size is not None
    thing = stacked(name, piece.colour, piece.size, standing_thing(below, looks), looks.pyramids)
    return Standing(name, piece, thing.x_mm, thing.y_mm, thing.z_mm, thing.heading_deg, nested_on=below.name)


# --- bodies -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _body(piece: Piece, looks: SetLooks, count: int) -> Body:
    style = looks.piecepack
    if piece.kind == "disc":
        return disc_body(looks.discs), _disc_finishes(looks)[piece.colour or "black"], ()
    if piece.kind == "pawn":
        return pawn_body(style, piece.suit or "suns", 0.05)
    if piece.kind == "die" and piece.suit is not None:
        return die_body(style, piece.suit, piece.value or "null")
    if piece.kind == "die":
        top = int(piece.value or 1)
        return die_mesh(top, 2 if top in (1, 6) else 1), die_finish(*DIE_COLOURS), ()
    if piece.kind == "coin":
        tinted = style.tinted and piece.face == "suit" and piece.suit is not None
        return coin_body(style, piece.face or "value", piece.suit or "suns", piece.value or "null", tinted)
    if piece.kind == "tile":
        high, side = looks.tile_mm, TILE_SIDE_MM
        mesh = topped(slab(square(side), 0.0, high, 0.5), square(side - 0.6), high)
        paper = printed(style.back if piece.face == "back" else style.ground)
        return mesh, paper, (on_top(_face(piece, looks), side, high),)
    if piece.kind == "robot_card":
        long, short = CARD_MM
        outline: list[Point2] = [(x * long / 2, y * short / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        mesh = topped(slab(outline, 0.0, CARD_THICK_MM, 0.05), outline, CARD_THICK_MM)
        return mesh, printed((0.88, 0.9, 0.9)), (on_top(_squared(_face(piece, looks)), long, CARD_THICK_MM),)
    return khet_mesh(piece.kind, looks.khet, count), khet_finish(looks.khet, piece.colour or "silver"), ()


@lru_cache(maxsize=16)
def _disc_finishes(looks: SetLooks) -> dict[str, Finish]:
    return disc_finishes(looks.discs)


@lru_cache(maxsize=128)
def _face(piece: Piece, looks: SetLooks) -> Floats:
    """The printed picture on top of a piece, linear, its upper edge first."""
    style = looks.piecepack
    if piece.kind == "robot_card":
        return robot_card()
    if piece.suit is None or piece.value is None:
        return linear(tile_back(style, TILE_PX, TILE_SIDE_MM))
    return linear(tile_front(style, piece.suit, piece.value, TILE_PX))


def _squared(face: Floats) -> Floats:
    """A high picture in the middle of a square one."""
    beside = (face.shape[0] - face.shape[1]) // 2
    return np.pad(face, ((0, 0), (beside, face.shape[0] - face.shape[1] - beside), (0, 0)), mode="edge")


@lru_cache(maxsize=128)
def _pitched(mesh: Mesh, degrees: float) -> Mesh:
    """A flat body tilted about the line through its middle."""
    middle = mesh.height_mm / 2
    return Mesh(tuple(p.moved(z=-middle).pitched(degrees).moved(z=middle) for p in mesh.parts))
