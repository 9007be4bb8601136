"""The classes of the Khet network: the program's own, so that they cannot differ."""

from companion.vision.khet.network import CLASSES, FIRST, PERIOD, SIDES

__all__ = ["CLASSES", "FIRST", "INDEX", "PERIOD", "SIDES"]

INDEX = {name: index for index, name in enumerate(CLASSES)}
