"""What lies on a table of Kaxxt on Ice: pyramids and the robot's card."""

from companion.view import BoardShape
from companion.vision.finders import FamilyFinder, TableFinder
from companion.vision.pyramids import PyramidFinder
from companion.vision.robot_card import RobotCardFinder

SHAPE: BoardShape | None = None


def new_reader() -> TableFinder:
    """What the project ships, before any teaching."""
    families: list[FamilyFinder] = [PyramidFinder(), RobotCardFinder()]
    return TableFinder(families)
