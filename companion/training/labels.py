"""The classes of the Khet network by number: the program's own, so that they cannot differ."""

from companion.vision.khet.network import CLASSES

INDEX = {name: index for index, name in enumerate(CLASSES)}
