"""What a cell showed before counts as long as it looks as it did."""

import cv2
import numpy as np
import pytest
from drawn_tables import KHET, LYING, camera, khet_table, with_noise

from companion.pieces import EMPTY, Piece
from companion.view import BoardPose
from companion.vision.boards.cell_memory import CellMemory
from companion.vision.boards.cell_watch import CellWatch
from companion.vision.boards.cells import CellCutter
from companion.vision.reader import CellReading
from companion.vision.settings import EyeSettings

POSE = camera()
RED, BLUE = (40, 40, 190), (190, 60, 40)
SILVER = Piece("pyramid", colour="silver", facing="NW")
TURNED = Piece("pyramid", colour="silver", facing="SE")
CELLS = tuple(KHET.cells())


def look(memory, painted=BLUE, told=SILVER, sure=0.98, why=None, gain=1.0, shift_mm=0.0, seed=0, noise=4.0):
    """What is told of e3, painted so and read so, of a board that is found a little beside its place."""
    board = BoardPose(LYING.x_mm + shift_mm, LYING.y_mm, LYING.rotation_deg)
    cutter = CellCutter(POSE, board, KHET)
    image = khet_table(POSE, pieces={"a1": RED, "e3": painted})
    flat = cutter.flat(with_noise(image * np.float32(gain), seed, noise))
    readings = [CellReading(((EMPTY, 1.0),)) for _ in CELLS]
    readings[CELLS.index("e3")] = CellReading(((told, sure), (EMPTY, 1 - sure)), why)
    return memory.together(cutter, flat, readings)[CELLS.index("e3")]


def test_one_odd_reading_of_what_nobody_touched_is_outvoted() -> None:
    memory = CellMemory()
    for seed in range(3):
        look(memory, seed=seed)
    odd = look(memory, told=TURNED, shift_mm=0.3, seed=3)
    assert odd.beliefs[0] == (SILVER, pytest.approx(0.735))
    assert dict(odd.beliefs)[TURNED] == pytest.approx(0.245)


def test_a_cell_that_changed_is_what_it_is_read_as() -> None:
    memory = CellMemory()
    for seed in range(3):
        look(memory, seed=seed)
    assert look(memory, painted=RED, told=TURNED, seed=3).beliefs[0] == (TURNED, 0.98)
    assert look(memory, painted=RED, told=TURNED, sure=0.9, seed=4).beliefs[0] == (TURNED, pytest.approx(0.94))


def test_a_mirror_that_glitters_a_little_otherwise_has_not_changed() -> None:
    memory = CellMemory()
    for seed in range(3):
        look(memory, seed=seed, noise=12.0)
    glittering = tuple(level + 9 for level in BLUE)
    odd = look(memory, painted=glittering, told=TURNED, seed=3, noise=12.0)
    assert odd.beliefs[0] == (SILVER, pytest.approx(0.735))


def test_a_small_change_in_a_noisy_picture_is_one() -> None:
    memory = CellMemory()
    for seed in range(3):
        look(memory, seed=seed, noise=25.0)
    other = tuple(level + 20 for level in BLUE)
    assert look(memory, painted=other, told=TURNED, seed=3, noise=25.0).beliefs[0] == (TURNED, 0.98)


def test_an_odd_reading_that_stays_wins_in_the_end() -> None:
    memory = CellMemory()
    for seed in range(5):
        look(memory, seed=seed)
    told = [look(memory, told=TURNED, seed=5 + n).beliefs[0][0] for n in range(4)]
    assert told == [SILVER, told[1], TURNED, TURNED]


@pytest.mark.parametrize("other", [{"gain": 0.6}, {"shift_mm": 6.0}], ids=["lamp", "board pushed"])
def test_nothing_counts_from_before_the_lamp_or_the_board_was_moved(other) -> None:
    memory = CellMemory()
    look(memory)
    assert look(memory, told=TURNED, seed=1, **other).beliefs[0] == (TURNED, 0.98)


def test_nothing_counts_from_before_the_looks_were_taught() -> None:
    memory = CellMemory()
    look(memory)
    memory.forget()
    assert look(memory, told=TURNED, seed=1).beliefs[0] == (TURNED, 0.98)


def test_a_cell_cannot_be_told_where_most_looks_could_not() -> None:
    memory = CellMemory()
    assert look(memory, why="glare").why == "glare"
    assert look(memory, seed=1).why is None
    assert look(memory, why="glare", seed=2).why == "glare"
    assert look(memory, seed=3).why is None


def test_boards_of_other_sizes_are_not_compared() -> None:
    memory = CellMemory()
    look(memory)
    cutter = CellCutter(POSE, LYING, KHET)
    flat = cv2.resize(cutter.flat(khet_table(POSE)), (300, 260))
    assert memory.together(cutter, flat, [CellReading(((EMPTY, 0.9),))] * len(CELLS))[0].beliefs == ((EMPTY, 0.9),)


class Wavering:
    """Reads every cell as one thing, and later as another."""

    told = SILVER

    def read(self, patches):
        return [CellReading(((self.told, 0.98),)) for _ in patches.cells]


@pytest.mark.parametrize(
    ("settings", "told"),
    [(EyeSettings(one_table=True), SILVER), (EyeSettings(live=True), SILVER), (EyeSettings(), TURNED)],
    ids=["photographs of one table", "camera", "pictures of any tables"],
)
def test_only_pictures_of_one_table_are_read_together(settings, told) -> None:
    reader, cutter = Wavering(), CellCutter(POSE, LYING, KHET)
    watch, flat = CellWatch(settings, reader), cutter.flat(khet_table(POSE))
    for seconds in (0.0, 20.0, 40.0):  # so long that a watched board is read as a whole
        reader.told = TURNED if seconds == 40.0 else SILVER
        readings = watch.read(cutter, flat, cutter.patches(flat), seconds)
    assert {reading.beliefs[0][0] for reading in readings} == {told}
