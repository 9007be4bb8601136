"""`companion teach`: learn from labelled pictures how one physical set looks."""

import time
from pathlib import Path
from typing import Any

import click

from calibration.errors import PictureUnusable
from companion.commands.eye_options import eye_options
from companion.commands.paths import ANY, FOLDER, naming
from companion.errors import CompanionError, ConfigError
from companion.eye_options import EyeOptions, read_eye_options
from companion.games import game as game_named
from companion.games.base import Layout
from companion.games.options import placed
from companion.referee.evidence.layout import cells_of
from companion.referee.settings import Settings
from companion.sets.stored_eyes import BY_HAND
from companion.sets.teaching import check_labels, doubles, learned, learned_free, seen_at_rest, seen_of
from companion.texts import counted, printable
from companion.view import BoardShape
from companion.vision.files import Truth, read_truth
from companion.vision.picture import read_picture
from companion.vision.pipeline import Eye
from companion.vision.readers import READERS
from companion.vision.settings import EyeSettings
from companion.vision.taught_looks import files_of
from hardware.pictures import frame_of, pictures_in

USUAL = "start"


@click.command()
@click.argument("files", nargs=-1, required=True, type=ANY)
@click.option("--game", required=True, help=f"What lies there: {', '.join(READERS)}.")
@click.option("--out", required=True, type=FOLDER, help="Folder for what was learned.")
@click.option(
    "--layout",
    default=None,
    help=f"The pictures show this starting position ({USUAL}: the game's usual one); no truth files are given.",
)
@eye_options
def command(files: tuple[Path, ...], game: str, out: Path, layout: str | None, **options: Any) -> None:
    """Learn from FILES: IMAGE TRUTH [IMAGE TRUTH ...], or IMAGE [IMAGE ...] with --layout.

    TRUTH says what lies there, as JSON like that of `companion look --json`. A folder stands for all labelled
    pictures in it, such as those that the companion kept of your corrections.
    """
    files = _in_folders(files)
    drawn = set_up(game, layout) if layout is not None else None
    chosen = read_eye_options(game, **options, played=drawn.board if drawn is not None else None)
    lessons = _lessons(files, drawn)
    doubts = [doubt for image, truth in lessons for doubt in _teach(image, truth, drawn, chosen)]
    try:
        names = files_of(chosen.reader)
    except ValueError:
        names = []
    if not names:
        raise ConfigError(f"nothing was learned: no piece that {game} has is named where the pictures show one")
    taught = options["taught"]
    replaced = any((out / name).is_file() for name in names) and (taught is None or taught.resolve() != out.resolve())
    with naming(out):
        out.mkdir(parents=True, exist_ok=True)
        chosen.reader.save(out)
        (out / BY_HAND).touch()  # where the service keeps its lessons, no set-up replaces this one
    for doubt in (*doubts, *doubles(chosen.reader)):
        click.echo(doubt)
    if replaced:
        click.echo(f"what was taught there before is replaced; `--taught {out}` adds to it instead")
    click.echo(f"learned from {counted(len(lessons), 'picture')}; written to {out}")


def _lessons(files: tuple[Path, ...], drawn: Layout | None) -> list[tuple[Path, Truth]]:
    if drawn is not None:
        return [(image, Truth(cells_of(drawn), (), None, None, None, None)) for image in files]
    if len(files) % 2:
        raise click.UsageError("give IMAGE TRUTH pairs, or --layout NAME and images alone")
    return [(image, read_truth(truth)) for image, truth in zip(files[::2], files[1::2], strict=True)]


def _in_folders(files: tuple[Path, ...]) -> tuple[Path, ...]:
    """Folders among the files stand for their labelled pictures: every .json beside pictures of its name."""
    found: list[Path] = []
    for file in files:
        if not file.is_dir():
            found.append(file)
            continue
        pairs = _pairs_in(file)
        if not pairs:
            raise ConfigError(f"{file}: no labelled picture is in this folder")
        found += [path for pair in pairs for path in pair]
    return tuple(found)


def _pairs_in(folder: Path) -> list[tuple[Path, Path]]:
    """The pictures of a folder that have a label, each with it. ConfigError."""
    with naming(folder):
        pictures = pictures_in(folder)
        truths = sorted(folder.glob("*.json"))
    return [(image, truth) for truth in truths for image in pictures if image.stem == truth.stem]


def set_up(game: str, layout: str) -> Layout:
    """How a game's starting position lies; UnreadableText lists the layouts there are."""
    module = game_named(game)
    return module.layout(module.start({} if layout == USUAL else placed(module.OPTIONS, "layout", layout)))


def _teach(image: Path, truth: Truth, drawn: Layout | None, chosen: EyeOptions) -> list[str]:
    """Learn from one picture; what is doubtful about its labels, in sentences. ConfigError."""
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
        pixels, amiss = read_picture(image)
        if amiss:  # what was never there would be learned
            raise ConfigError(f"{image}: {amiss[0]}")
        frame = frame_of(pixels, time.monotonic(), 0, image.name)
        if drawn is not None and eye.shape is not None:
            learned(eye, frame, drawn, Settings())
            return []
        if drawn is not None:
            learned_free(eye, frame, seen_at_rest(eye, frame), drawn, Settings())
            return []
        if eye.shape is not None:
            _check_cells(truth, eye.shape)
        view = seen_at_rest(eye, frame)
        doubts = (*view.warnings, *check_labels(truth.cells, truth.free, view, Settings()))
        if eye.shape is None:
            eye.teach_free(frame, seen_of(truth.free, view))
        else:
            eye.teach(frame, truth.cells)
        return [f"{printable(str(image))}: {doubt}" for doubt in doubts]
    except PictureUnusable as error:
        raise ConfigError(str(error)) from error
    except (CompanionError, ValueError) as error:
        raise ConfigError(f"{image} teaches nothing: {error}") from error


def _check_cells(truth: Truth, shape: BoardShape) -> None:
    """ConfigError names labels of cells that the board does not have."""
    strange = sorted(set(truth.cells) - set(shape.cells()))
    if strange:
        raise ConfigError(
            f"this board has no cell {strange[0]!r}: its cells are called {', '.join(list(shape.cells())[:3])} ..."
        )
