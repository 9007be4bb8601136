"""Drawn tables for lessons, and eyes that keep what they learn in a folder."""

import dataclasses
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from companion.games import game as game_named
from companion.games.base import Layout
from companion.referee.evidence.layout import cells_of
from companion.sets.stored_eyes import StoredEyes
from companion.simulator.album import write_album
from companion.simulator.design import furnish
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
    layout = drawn(game, **dict(options))
    design = dataclasses.replace(design_for(game, layout), seed=SEED)
    with TemporaryDirectory() as folder:
        write_album([Beat(Setting(furnish(design), 1).state(layout), 1.0, "set-up")], design, Path(folder))
        pixels = cv2.imread(str(next(Path(folder).glob("*.jpg"))))
    told = Path(folder).parent / f"{Path(folder).name}-told"
    told.mkdir()
    return frame_of(np.asarray(pixels, np.uint8), 0.0, 0), look_options(design, told)


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
