"""`companion teach`: learn the looks of one physical set from labelled pictures."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from calibration.errors import PictureUnusable
from companion.commands.eye_options import FOLDER, EyeOptions, eye_options, read_eye_options
from companion.errors import ConfigError
from companion.games import game as game_named
from companion.games.options import placed
from companion.pieces import Piece
from companion.vision.errors import ObstructedView
from companion.vision.files import Truth, read_truth
from companion.vision.picture import read_picture, small_grey
from companion.vision.pipeline import Eye
from companion.vision.reader import TellsDoubles
from companion.vision.readers import READERS
from companion.vision.settings import EyeSettings
from hardware.frames import Frame


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--game", required=True, help=f"What lies there: {', '.join(READERS)}.")
@click.option("--out", required=True, type=FOLDER, help="Folder for what was learned.")
@click.option("--layout", default=None, help="The pictures show this starting position; no truth files are given.")
@eye_options
def command(files: tuple[Path, ...], game: str, out: Path, layout: str | None, **options: Any) -> None:
    """Learn from FILES: IMAGE TRUTH [IMAGE TRUTH ...], or with --layout IMAGE [IMAGE ...].

    A folder stands for all labelled pictures in it, such as those that the companion kept of your corrections.
    """
    files = _in_folders(files)
    chosen = read_eye_options(game, **options)
    for image, truth in _lessons(files, game, layout):
        _teach(image, truth, chosen)
    try:
        out.mkdir(parents=True, exist_ok=True)
        chosen.reader.save(out)
    except OSError as error:
        raise ConfigError(f"{out}: {error.strerror or error}") from error
    if isinstance(chosen.reader, TellsDoubles):
        for one, other in chosen.reader.too_close:
            click.echo(f"{one} and {other} of this set look almost alike to the camera: expect questions about them")
    count = len(files) if layout else len(files) // 2
    click.echo(f"learned from {count} picture{'' if count == 1 else 's'}; written to {out}")


def _lessons(files: tuple[Path, ...], game: str, layout: str | None) -> list[tuple[Path, Truth]]:
    if layout is not None:
        cells = set_up(game, layout)
        return [(image, Truth(cells, (), None, None, None, None)) for image in files]
    if len(files) % 2:
        raise click.UsageError("give IMAGE TRUTH pairs, or --layout NAME and images alone")
    return [(image, read_truth(truth)) for image, truth in zip(files[::2], files[1::2], strict=True)]


def _in_folders(files: tuple[Path, ...]) -> tuple[Path, ...]:
    """Folders among the files stand for their labelled pictures: every .json beside a .jpg or .png of its name."""
    found: list[Path] = []
    for file in files:
        if not file.is_dir():
            found.append(file)
            continue
        truths = sorted(file.glob("*.json"))
        pairs = [(image, truth) for truth in truths for image in _pictures_of(truth)]
        if not pairs:
            raise ConfigError(f"{file}: no labelled picture is in this folder")
        found += [path for pair in pairs for path in pair]
    return tuple(found)


def _pictures_of(truth: Path) -> list[Path]:
    return [image for suffix in (".jpg", ".png") if (image := truth.with_suffix(suffix)).is_file()]


def set_up(game: str, layout: str) -> Mapping[str, Piece]:
    """What stands on which cell in a game's starting position; UnreadableText lists the layouts there are."""
    module = game_named(game)
    pieces = module.layout(module.start(placed(module.OPTIONS, "layout", layout))).pieces
    return {lying.cell: lying.piece for lying in pieces if lying.cell is not None}


def _teach(image: Path, truth: Truth, chosen: EyeOptions) -> None:
    eye = Eye(
        EyeSettings(),
        truth.lens or chosen.lens,
        truth.markers or chosen.markers,
        truth.shape or chosen.shape,
        chosen.reader,
        truth.board or chosen.board,
        chosen.corners,
    )
    try:
        pixels, _ = read_picture(image)
        frame = Frame(pixels, small_grey(pixels), time.monotonic(), 0, name=image.name)
        if eye.shape is None:
            eye.teach_free(frame, truth.free)
        else:
            eye.teach(frame, truth.cells)
    except PictureUnusable as error:
        raise ConfigError(str(error)) from error
    except (ObstructedView, ValueError) as error:
        raise ConfigError(f"{image}: {error}") from error
