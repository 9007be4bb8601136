"""Which board photographs show, where nobody said: the one on which the set-up is seen, else the likeliest.

A picture alone hardly tells whether a board has eight cells a side or seven and a broad rim; pieces in its corners do.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.errors import PictureUnusable
from companion.errors import UnreadableText
from companion.eye_options import EyeOptions
from companion.games.base import Game, Layout, Options
from companion.games.extras import extras
from companion.photographs import ONE_TABLE, photograph_settings
from companion.pieces import EMPTY
from companion.referee.evidence.layout import cells_of
from companion.sets.teaching import likeness
from companion.view import BoardShape, TableView
from companion.vision.boards.size import BoardSize, board_sizes
from companion.vision.errors import ObstructedView
from companion.vision.picture import read_picture
from companion.vision.pipeline import Eye, Look
from hardware.frames import Frame
from hardware.pictures import frame_of

MOST_LOOKED_AT = 4  # pictures of a table: a folder begins with its set-up, or has none
Chosen = Callable[[], EyeOptions]


@dataclass(frozen=True, slots=True)
class FoundBoard:
    """A board, and what is to be said of it as long as no game has begun on it; "" where it is sure."""

    shape: BoardShape
    note: str = ""


def photographed_board(paths: Iterable[Path], chosen: Chosen, game: Game, options: Options) -> FoundBoard | None:
    """The board of these pictures, its cells as large as they were measured; None in a game without a board.

    `chosen` makes the options of an eye, which name the usual board. A board that the options of the game leave open
    may have any of its counts of cells.
    """
    usual = chosen().shape
    if usual is None:
        return None
    counts = list(dict.fromkeys((b.cols, b.rows) for b in _boards(game, options) if b.kind == usual.kind))
    likely: dict[tuple[int, int], list[BoardSize]] = {}
    for frame, look in _tables(paths, chosen()):
        for size in _may_be(look, chosen(), counts):
            eye = replace(chosen(), shape=size.shape).eye(ONE_TABLE)
            view = eye.read(frame)
            shape = eye.board_shape()
            if not view.clear or shape is None:
                continue
            told = counts == [(usual.cols, usual.rows)] and size.shape == usual  # it lies there, set up or not
            if told or any(_set_up(layout, view) for layout in _openings(game, options, shape)):
                return FoundBoard(shape)
            likely.setdefault((shape.cols, shape.rows), []).append(replace(size, shape=shape))
            if view.hidden_cells():
                break  # the picture tells no other count: what lies there may pass for cells of another size
    if not likely:
        return FoundBoard(usual, f"no --board was given: {_words(usual)} are looked for")
    sizes = max(likely.values(), key=lambda sizes: sum(size.worth for size in sizes))
    shape = max(sizes, key=lambda size: size.worth).shape
    return FoundBoard(shape, f"no --board was given, and no set-up is seen: it is taken to have {_words(shape)}")


def _words(shape: BoardShape) -> str:
    return f"{shape.cols} x {shape.rows} cells of {shape.cell_mm:.1f} mm"


def _boards(game: Game, options: Options) -> Iterator[BoardShape]:
    """The boards that a game may be played on: of each choice, where the options do not say which."""
    for option in game.OPTIONS:
        if option.name != "board" or option.name in options:
            continue
        for choice in option.choices:
            try:
                board = game.layout(game.start({**options, option.name: choice})).board
            except UnreadableText:  # of the other options some fit no such board
                continue
            if board is not None:
                yield board
        return
    if (board := game.layout(game.start(options)).board) is not None:
        yield board


def _openings(game: Game, options: Options, shape: BoardShape) -> Iterator[Layout]:
    """The set-ups that a board of this shape may show."""
    chosen = {**options_for(game, shape), **options}
    yield game.layout(game.start(chosen))
    yield from (game.layout(game.start(other)) for other in extras(game).openings(chosen))


def options_for(game: Game, shape: BoardShape) -> dict[str, str | int | bool]:
    """What a board says of the game's options, by the game's optional `options_for`."""
    told = getattr(game, "options_for", None)
    return dict(told(shape)) if told is not None else {}


def _tables(paths: Iterable[Path], options: EyeOptions) -> Iterator[tuple[Frame, Look | None]]:
    """The first pictures in which a table is found, and where the camera was; None where corners tell of the board."""
    eye, seen = Eye(ONE_TABLE, options.lens, options.markers, None), 0
    for number, path in enumerate(paths):
        try:
            pixels, amiss = read_picture(path)
            if amiss:
                continue
            frame = frame_of(pixels, time.monotonic(), number, path.name)
            look = None if options.corners is not None else eye.look(frame)
        except (PictureUnusable, ObstructedView):  # told when the game is read
            continue
        yield frame, look
        seen += 1
        if seen == MOST_LOOKED_AT:
            return


def _may_be(look: Look | None, options: EyeOptions, counts: Sequence[tuple[int, int]]) -> Iterator[BoardSize]:
    """The usual board, where its count may be, and those that the picture may show; with corners every count."""
    usual = options.shape
    assert usual is not None
    if (usual.cols, usual.rows) in counts:
        yield BoardSize(usual, 0.0)
    if look is None:
        yield from (BoardSize(replace(usual, cols=cols, rows=rows), 0.0) for cols, rows in counts)
        return
    for size in board_sizes(look.picture.pixels, look.place.pose, usual, counts, options.markers):
        yield replace(size, shape=replace(size.shape, cell_mm=round(size.shape.cell_mm, 1)))


def _set_up(layout: Layout, view: TableView) -> bool:
    """True if pieces surely stand where the set-up has some, of whatever colour, and nowhere else."""
    settings, wanted = photograph_settings(), cells_of(layout)
    like = likeness(layout, view, settings)
    sure = all(seen.belief(EMPTY) <= 1 - settings.sure_seen for cell, seen in view.by_cell().items() if cell in wanted)
    return sure and like.occupied == 1.0 and not like.misplaced
