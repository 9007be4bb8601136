"""What lies on a table of Kaxxt on Ice: pyramids, the robot's card, and the die where it fell."""

from companion.view import BoardShape
from companion.vision.card.finder import RobotCardFinder
from companion.vision.dice.loose_dice import LooseDice
from companion.vision.finders import FamilyFinder, FinderSettings, TableFinder
from companion.vision.pyramids.finder import PyramidFinder

SHAPE: BoardShape | None = None


def new_reader() -> TableFinder:
    """What the project ships, before any teaching."""
    families: list[FamilyFinder] = [PyramidFinder(), RobotCardFinder(), LooseDice()]
    return TableFinder(families, FinderSettings(starts_bare=True))
