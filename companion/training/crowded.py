"""Crowded Khet boards of the project's own simulator, for training: many pieces in a picture no larger than the board.

What a whole table costs to draw goes into pieces instead: more of them, of the kinds that are hard to tell, and
nothing of the table but its light, which sets exposure and white balance as over the whole table.
"""

import dataclasses

import cv2
import numpy as np

from calibration.table import CameraPose
from companion.pieces import KHET_FACINGS, Piece
from companion.simulator.khet_style import random_style
from companion.simulator.khet_table import khet_things
from companion.simulator.light import Room, falling
from companion.simulator.places import cell_name
from companion.simulator.prints import BoardPrint, MarkerSheets
from companion.simulator.renderer import Renderer
from companion.simulator.rooms import random_camera, random_exposure, random_room, random_sensor
from companion.simulator.scene import Scene
from companion.simulator.sensor import Sensor, developed, exposed
from companion.simulator.surfaces import Surface, random_surface, surface_albedo
from companion.simulator.tables import random_board, random_pieces

SHARES = {
    "pyramid": 0.44,
    "scarab": 0.12,
    "anubis": 0.13,
    "pharaoh": 0.09,
    "sphinx": 0.08,
    "obelisk": 0.07,
    "eye": 0.07,
}
CELLS = (24, 54)  # pieces on a board
AS_USUAL = 4  # every so many boards holds one set's pieces only
STACKED = 0.35  # of the obelisks
EDGE_MM = 22.0  # of the table around the board that is drawn
SIZES = ((1600, 1200), (1600, 1200), (1280, 960), (1920, 1440))  # of the whole pictures
SWATCH_PX = 24  # of the white paper that is developed beside the board


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Crowded:
    """One picture of a board, what stands on it, and the colour of white paper on that table."""

    pixels: np.ndarray
    pieces: dict[str, Piece]
    camera: CameraPose
    board: BoardPrint
    paper: np.ndarray  # (3,) BGR
    colours: str  # of the set


def crowded(seed: int, pyramids: float | None = None) -> Crowded:
    """The board of a seed; `pyramids`: their share among the pieces of a crowded one."""
    rng = np.random.default_rng([seed, 71])
    style = random_style(rng)
    board, room = random_board(rng, style), random_room(rng)
    camera = _cropped(random_camera(rng, *SIZES[seed % len(SIZES)]), board)
    sensor, surface = random_sensor(rng, room), random_surface(rng, seed)
    pieces, counts = _crowd(rng, board, _shares(pyramids)) if seed % AS_USUAL else random_pieces(rng, board)
    things = khet_things(pieces, board, style, rng, counts)
    light, _ = Renderer().draw(Scene(camera, room, surface, MarkerSheets(), (), board, (), things, ()))
    at_markers = _light_at_markers(room)
    sensor = _exposed(rng, sensor, light, surface, at_markers)
    pixels = _developed(sensor, light, seed, float(rng.uniform(0.1, 0.5)))
    paper = _paper(rng, sensor, at_markers, seed)
    return Crowded(pixels, pieces, camera, board, paper, style.colours)


def _shares(pyramids: float | None) -> dict[str, float]:
    """How often each kind stands on a crowded board."""
    if pyramids is None:
        return SHARES
    others = {kind: share for kind, share in SHARES.items() if kind != "pyramid"}
    scale = (1 - pyramids) / sum(others.values())
    return {"pyramid": pyramids} | {kind: share * scale for kind, share in others.items()}


def _crowd(
    rng: np.random.Generator, board: BoardPrint, shares: dict[str, float]
) -> tuple[dict[str, Piece], dict[str, int]]:
    """Pieces of all kinds anywhere, and which obelisks are stacked."""
    cells = [cell_name(col, row) for col in range(board.cols) for row in range(board.rows)]
    chosen = [str(cell) for cell in rng.permutation(cells)[: int(rng.integers(*CELLS))]]
    kinds = [str(kind) for kind in rng.choice(list(shares), len(chosen), p=list(shares.values()))]
    pieces = {
        cell: Piece(kind, str(rng.choice(["silver", "red"])), facing=str(rng.choice(KHET_FACINGS[kind])))
        for cell, kind in zip(chosen, kinds, strict=True)
    }
    counts = {cell: 2 for cell, piece in pieces.items() if piece.kind == "obelisk" and rng.random() < STACKED}
    return pieces, counts


def _cropped(camera: CameraPose, board: BoardPrint) -> CameraPose:
    """The same camera, seeing the board and its edge alone."""
    half = np.array(board.size_mm) / 2 + EDGE_MM
    steps = np.linspace(-1, 1, 9)
    sides = np.array([(a, b) for a in steps for b in (-1, 1)] + [(b, a) for a in steps for b in (-1, 1)]) * half
    c, s = np.cos(np.radians(board.rotation_deg)), np.sin(np.radians(board.rotation_deg))
    edge = sides @ np.array([[c, s], [-s, c]]) + (board.x_mm, board.y_mm)
    pixels = camera.project(np.hstack([edge, np.full((len(edge), 1), board.thickness_mm)]))
    lens = camera.lens
    low = np.maximum(np.floor(pixels.min(axis=0)), 0).astype(int) // 4 * 4
    high = np.minimum(np.ceil(pixels.max(axis=0)), (lens.width, lens.height)).astype(int)
    width, height = (int(v) for v in (high - low) // 4 * 4)
    seen = dataclasses.replace(lens, width=width, height=height, cx=lens.cx - low[0], cy=lens.cy - low[1])
    return dataclasses.replace(camera, lens=seen)


def _light_at_markers(room: Room) -> np.ndarray:
    """(4, 3) linear light that falls on the papers of the markers."""
    places = np.array([(x, y, 0.0) for x, y in MarkerSheets().centres()])
    up = np.tile([0.0, 0.0, 1.0], (len(places), 1))
    lit = np.tile(np.array(room.ceiling), (len(places), 1))
    for lamp in room.lamps:
        lit += falling(lamp, places, up).reshape(len(places), -1).sum(axis=1)[:, None] * np.array(lamp.colour)
    return lit


def _exposed(rng: np.random.Generator, sensor: Sensor, light: np.ndarray, surface: Surface, lit: np.ndarray) -> Sensor:
    """As if a table of this surface filled three quarters of the picture."""
    seen = light[::8, ::8].reshape(-1, 3)
    cloth = surface_albedo(surface, 200.0, 200.0, 0.5).reshape(-1, 3)
    picked = rng.integers(len(cloth), size=3 * len(seen)), rng.integers(len(lit), size=3 * len(seen))
    column = np.vstack([seen, cloth[picked[0]] * lit[picked[1]]])[:, None]
    spread = np.repeat(column, 8, axis=0).repeat(8, axis=1).astype(np.float32)  # the meter looks at every eighth pixel
    return exposed(sensor, spread, *random_exposure(rng))


def _developed(sensor: Sensor, light: np.ndarray, seed: int, corner: float) -> np.ndarray:
    """The picture of a part of the sensor, which `corner` of the whole vignette falls on."""
    return developed(dataclasses.replace(sensor, vignette=sensor.vignette * corner), light, seed)


def _paper(rng: np.random.Generator, sensor: Sensor, lit: np.ndarray, seed: int) -> np.ndarray:
    """(3,) the papers of the markers as the picture has them."""
    paper = (lit * rng.uniform(0.62, 0.85)).astype(np.float32)
    swatch = np.repeat(np.repeat(paper[:, None, None], SWATCH_PX, axis=1), SWATCH_PX, axis=2)
    strip = np.ascontiguousarray(swatch.reshape(-1, SWATCH_PX, 3))
    plain = dataclasses.replace(sensor, jpeg=0)
    picture = _developed(plain, strip, seed, float(rng.uniform(0.2, 0.8)))
    return np.asarray(np.median(picture.reshape(len(lit), -1, 3).mean(axis=1), axis=0))


def recoded(rng: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    """Every other picture once more through JPEG."""
    if rng.random() < 0.5:
        return picture
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 97))])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
