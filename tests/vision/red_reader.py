"""A reader that knows one thing, an eye with it, and the table that both are shown."""

from drawn_tables import KHET, SMALL, camera

from calibration.table import TableMarkers
from companion.pieces import EMPTY, Piece
from companion.vision.picture import small_grey
from companion.vision.pipeline import Eye
from companion.vision.reader import CellReading
from companion.vision.settings import EyeSettings
from hardware.frames import Frame

POSE = camera(SMALL)
RED = (40, 40, 190)
MARKERS = TableMarkers()


class RedReader:
    """Knows one thing: whether a cell is red."""

    def __init__(self, half_turn=0.0):
        self.read_cells, self.learned, self.half_turn = [], None, half_turn

    def read(self, patches):
        self.read_cells.append(list(patches.cells))
        inner = patches.pixels[:, 52:64, 32:44].astype(float).mean(axis=(1, 2))
        red = inner[:, 2] > 1.5 * inner[:, 1]
        return [CellReading(((Piece("pyramid", "red") if r else EMPTY, 0.99),)) for r in red]

    def learn(self, patches, labels):
        self.learned = (patches.cells, dict(labels))

    def turned(self, patches):
        return self.half_turn


class GreyReader(RedReader):
    """Tells light from dark."""

    in_grey = True


def frame(image, at=0.0, name=None, checksum=0):
    return Frame(image, small_grey(image), at, 0, checksum, name)


def red_cells(view):
    return sorted(s.cell for s in view.pieces())


def eye(reader=None, live=False, **how):
    return Eye(EyeSettings(live=live), SMALL, MARKERS, KHET, reader, **how)
