"""Tables on which the robot's card lies: simulated ones, and ones painted from above."""

import dataclasses

import numpy as np

from calibration.lens import Lens
from calibration.table import CameraPose
from companion.pieces import Piece
from companion.simulator.pyramid_tables import PyramidTable, pyramid_picture, pyramid_table
from companion.simulator.tables import TESTING
from companion.view import Sighting
from companion.vision.card.finder import RobotCardFinder
from companion.vision.finders import TableFinder
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground, GroundSettings, Region
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.frames import Frame

LENS = Lens(600, 600, 600.0, 600.0, 300.0, 300.0)


def eye_for(table: PyramidTable, finder: RobotCardFinder) -> tuple[Eye, Frame]:
    picture = pyramid_picture(table)
    frame = Frame(picture, picture[::8, ::8, 1].copy(), 0.0, 0, name="table")
    return Eye(EyeSettings(), table.scene.camera.lens, table.scene.markers.places, None, TableFinder([finder])), frame


def card_table() -> tuple[PyramidTable, tuple[float, float, float]]:
    """A table of Kaxxt and where its card lies: x, y, heading."""
    table = pyramid_table(TESTING[1], "kaxxt")
    assert table.card is not None
    return table, table.card


def taught_card() -> tuple[RobotCardFinder, PyramidTable, Frame, tuple[float, float, float]]:
    """A finder that was taught the card of a table, that table, its picture, and where the card lies."""
    table, card = card_table()
    finder = RobotCardFinder()
    eye, frame = eye_for(table, finder)
    eye.teach_free(frame, [Sighting(((Piece("robot_card"), 1.0),), *card)])
    return finder, table, frame, card


class OnTheCard:
    """A family that sees a pyramid on the card."""

    def __init__(self, x_mm: float, y_mm: float, sure: float, colour: str = "white") -> None:
        self.x_mm, self.y_mm, self.sure, self.colour = x_mm, y_mm, sure, colour

    def find(self, ground: Ground) -> list[Found]:
        piece = Piece("pyramid", self.colour, "small", "upright")
        outline = 12.0 * np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + np.array([self.x_mm, self.y_mm]) - 6.0
        return [Found(Sighting(((piece, self.sure),), self.x_mm, self.y_mm, 0.0), self.sure, outline)]


def bare_ground(grey: np.ndarray, regions: tuple[Region, ...] = ()) -> Ground:
    """A table drawn from above, 600 by 600 fine pixels about its middle; `grey`, or BGR, is its coarse half."""
    bgr = grey if grey.ndim == 3 else np.repeat(grey[:, :, None], 3, axis=2)
    log = np.log(bgr.astype(np.float32) + 10.0)
    colours = np.zeros((600, 600, 3), np.uint8)
    s, half = GroundSettings(), 299.5 * 0.6
    seen = np.ones(log.shape[:2], bool)
    return Ground(s, None, colours, log, seen, -half, half, np.ones(3), colours, log, regions, 0.01, seen)


def seen_from_above(ground: Ground) -> Ground:
    return dataclasses.replace(ground, pose=CameraPose(LENS, np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 600.0])))


def checked_with_a_card(card: bool) -> np.ndarray:
    """A checked cloth of three tones, and on it a card as bright as the brightest, with print on a fifth of it."""
    at = np.arange(300) // 22 % 2
    tones = np.array([60.0, 120.0, 200.0])[at[:, None] + at[None, :]]
    grey = np.random.default_rng(2).normal(tones, 6.0).astype(np.float32)
    if card:
        grey[113:186, 124:176] = 200.0
        grey[140:170, 138:162] = 110.0
    return np.clip(grey, 1, 255)
