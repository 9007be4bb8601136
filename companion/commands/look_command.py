"""`companion look`: what the vision says of pictures."""

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import PictureUnusable
from companion.commands.eye_options import eye_options
from companion.commands.paths import ANY, FOLDER, naming
from companion.errors import ConfigError
from companion.eye_options import EyeOptions, read_eye_options
from companion.storage import write_safely
from companion.texts import printable
from companion.vision.drawing import drawn, labelled
from companion.vision.picture import read_picture
from companion.vision.readers import READERS
from companion.vision.report import failure_json, look_json, people_lines
from hardware.pictures import frame_of


@click.command()
@click.argument("images", nargs=-1, required=True, type=ANY)
@click.option("--game", required=True, help=f"What lies there: {', '.join(READERS)}.")
@eye_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object per picture and line.")
@click.option("--draw", type=FOLDER, default=None, help="Write the pictures there with what was recognised.")
def command(images: tuple[Path, ...], game: str, as_json: bool, draw: Path | None, **options: Any) -> None:
    """Say what is seen in each of the IMAGES. Without --json, it is an error when none of them can be read."""
    chosen = read_eye_options(game, **options)
    if draw is not None:
        with naming(draw):
            draw.mkdir(parents=True, exist_ok=True)
    drawings = _drawings(images, draw)
    unread = 0
    for path, drawing in zip(images, drawings, strict=True):
        answer = _look(path, chosen, drawing)
        unread += answer.get("error") == "picture"
        click.echo(json.dumps(answer) if as_json else "\n".join(map(printable, people_lines(answer))))
    if unread == len(images) and not as_json:
        raise ConfigError("no picture could be read")


def _drawings(images: Sequence[Path], folder: Path | None) -> list[Path | None]:
    """Where each picture is drawn: none over another, and none over a photograph. ConfigError."""
    if folder is None:
        return [None] * len(images)
    counts: Counter[str] = Counter()
    drawings: list[Path | None] = []
    for path in images:
        counts[path.stem] += 1
        again = f"-{counts[path.stem]}" if counts[path.stem] > 1 else ""
        drawings.append(folder / f"{path.stem}{again}.jpg")
    photographs = {path.resolve() for path in images}
    if taken := next((drawing for drawing in drawings if drawing and drawing.resolve() in photographs), None):
        raise ConfigError(f"{taken}: this is one of the photographs; name another folder for what is drawn")
    return drawings


def _look(path: Path, chosen: EyeOptions, drawing: Path | None) -> dict[str, Any]:
    """Each picture is a table of its own: nothing is carried over from the one before."""
    try:
        pixels, warnings = read_picture(path)
    except PictureUnusable as error:
        return failure_json(path.name, str(error))
    frame = frame_of(pixels, time.monotonic(), 0, path.name)
    eye = chosen.eye()
    start = time.perf_counter()
    view = eye.read(frame)
    seconds = time.perf_counter() - start
    view = replace(view, warnings=(*view.warnings, *chosen.notes, *warnings))
    height, width = pixels.shape[:2]
    answer = look_json(view, eye.place, chosen.game, seconds, chosen.lens_from, (width, height))
    if drawing is not None:
        _write(drawing, drawn(eye.last, view) if eye.last else labelled(pixels, view))
    return answer


def _write(drawing: Path, picture: NDArray[np.uint8]) -> None:
    _, data = cv2.imencode(".jpg", picture)
    with naming(drawing):
        write_safely(drawing, data.tobytes())
