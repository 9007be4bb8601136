"""Drawn tables for lessons, and eyes that keep what they learn in a folder."""

import atexit
import dataclasses
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import cv2
import numpy as np

from companion.games import game as game_named
from companion.games.base import Layout
from companion.referee.evidence.layout import cells_of
from companion.sets.stored_eyes import StoredEyes
from companion.simulator.album import write_album
from companion.simulator.design import TableDesign, furnish
from companion.simulator.designs import design_for, look_options
from companion.simulator.script import Beat
from companion.simulator.setting import Setting
from companion.view import TableView
from companion.vision.pipeline import Eye
from hardware.frames import Frame
from hardware.pictures import frame_of

SEED = 6_000_011
NOTHING = TableView(0.0, ())


def drawn(game: str, **options: str) -> Layout:
    rules = game_named(game)
    return rules.layout(rules.start(options))


@cache
def pictured(game: str, options: tuple[tuple[str, str], ...] = ()) -> tuple[Frame, Mapping[str, Any]]:
    """A picture of a game's set-up, and where the eye finds its lens, markers and board."""
    layout, folder = drawn(game, **dict(options)), Path(mkdtemp())
    atexit.register(shutil.rmtree, folder)
    return photographed(game, layout), look_options(design_of(game, layout), folder)


def design_of(game: str, layout: Layout) -> TableDesign:
    return dataclasses.replace(design_for(game, layout), seed=SEED)


def photographed(game: str, layout: Layout, furnished: Layout | None = None) -> Frame:
    """A picture of these pieces, on a table that was furnished for another layout, if one is given."""
    design = design_of(game, furnished or layout)
    with TemporaryDirectory() as folder:
        write_album([Beat(Setting(furnish(design), 1).state(layout), 1.0, "set-up")], design, Path(folder))
        return frame_of(np.asarray(cv2.imread(str(next(Path(folder).glob("*.jpg")))), np.uint8), 0.0, 0)


def eyes(folder: Path, game: str, **more: Any) -> StoredEyes:
    return StoredEyes({**pictured(game)[1], **more}, folder)


def seen(game: str, stored: StoredEyes) -> TableView:
    """What an eye that knows nothing of the set makes out."""
    eye = stored.fresh(game, None)
    eye.rests(pictured(game)[0])
    return eye.read(pictured(game)[0])


def pupil(stored: StoredEyes, dimmed: int = 0) -> Eye:
    """An eye that was taught a set, or with `dimmed` one that looks a little otherwise."""
    pixels = pictured("ataxx")[0].pixels
    eye = stored.fresh("ataxx", None)
    eye.teach(
        frame_of(np.where(pixels > dimmed, pixels - dimmed, 0).astype(np.uint8), 0.0, 0), cells_of(drawn("ataxx"))
    )
    return eye
