"""Games in folders of photographs, of which an eye sees what it is told."""

from pathlib import Path

import cv2
import numpy as np

from companion.folder_run import FolderRun, Line
from companion.photographs import photograph_settings
from companion.view import TableView


class Views:
    """An eye that has seen these."""

    def __init__(self, *views: TableView) -> None:
        self._views = iter(views)

    def read(self, frame: object) -> TableView:
        return next(self._views)

    def advice(self) -> tuple[str, ...]:
        return ("the table is dark",)


def readings(folder: Path, *views: TableView, game: str = "khet", **options: str) -> list[str]:
    """What becomes of each picture of a game."""
    return [line.reading.kind for line in lines(folder, *views, game=game, **options)]


def lines(folder: Path, *views: TableView, game: str = "khet", **options: str) -> list[Line]:
    return photographed(folder, *views, game=game, **options)[1]


def photographed(folder: Path, *views: TableView, game: str = "khet", **options: str) -> tuple[FolderRun, list[Line]]:
    """A game, and what became of each picture of it."""
    for number in range(len(views)):
        cv2.imwrite(str(folder / f"{number:03}.png"), np.full((480, 640, 3), 120, np.uint8))
    chosen = options or ({"layout": "classic-2.0"} if game == "khet" else {})
    run = FolderRun(Views(*views), game, chosen, None, photograph_settings())
    return run, list(run.run(sorted(folder.iterdir())))
