"""`companion bench albums`: disturbed random games as photographs, one of every table at rest, refereed from a folder.

The tables are those of `companion bench games`, taken by the simulated camera, whose lens is calibrated; nothing is
taught but by the picture of the set-up. Told are pictures of which another kind of thing was read than was made; which
moves they were, the table at the end tells. Environment, with that of `random_game`: COMPANION_BENCH_GAMES (how many of
each, default 2), COMPANION_BENCH_PLIES (how long, default 10), COMPANION_BENCH_FIRST (how many seeds are left out
before them, default 0), COMPANION_BENCH_PICTURES (a folder with what `companion.training.album_scenes random` drew in
the same environment: these are refereed instead of the simulated camera's).
"""

import json
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from companion.agreement import same_layout
from companion.bench.asked import folder
from companion.bench.loops import each
from companion.bench.random_game import Variant, called, plies, random_game, seeds, variants
from companion.errors import UnreadableText
from companion.eye_options import read_eye_options
from companion.folder_run import Line
from companion.photographs import ONE_TABLE, photographed_run
from companion.simulator.album import write_album
from companion.simulator.design import Furniture, TableDesign, furnish
from companion.simulator.script import Beat, Script, Timing
from companion.simulator.setting import Setting
from companion.vision.pipeline import Eye
from hardware.pictures import pictures_in

BOARD_SIZES = ("cols", "rows", "cell_mm", "border_mm", "thickness_mm")
MADE: Mapping[str, frozenset[str]] = {  # first word of what hands did: as what its picture may be read
    "set-up": frozenset({"set-up"}),
    "moved": frozenset({"move"}),
    "cleared": frozenset({"step", "nothing new", "move"}),  # a die's throw may be told by what was cleared only
    "unlawful": frozenset({"unlawful"}),
    "took": frozenset({"unlawful"}),
    "put": frozenset({"take-back"}),
    "taken": frozenset({"take-back"}),
}
NOTHING = frozenset({"nothing new", "step"})
Photographer = Callable[[Iterable[Beat], TableDesign, Path, str], list[str]]  # as `write_album`


@dataclass
class Album:
    """A game in photographs: what hands did before each, and what was read."""

    made: list[str]
    lines: list[Line]
    seconds: list[float]
    ends_right: bool

    def otherwise(self) -> Iterator[str]:
        """The pictures that were read otherwise than they were made, in words."""
        for made, line in zip(self.made, self.lines, strict=True):
            if line.reading.kind not in MADE.get(made.split()[0], NOTHING):
                moves = " ".join(line.reading.moves)
                yield f"{line.image}: {made}; read as {line.reading.kind} {moves}: {line.reading.text}"


@dataclass
class Tally:
    """Figures over the games of one variant."""

    albums: list[Album] = field(default_factory=list)

    def line(self) -> str:
        """For people."""
        seconds = [s for album in self.albums for s in album.seconds]
        right = sum(album.ends_right for album in self.albums)
        otherwise = sum(len(list(album.otherwise())) for album in self.albums)
        return (
            f"{right} of {len(self.albums)} games end as they were played; {otherwise} of {len(seconds)} pictures read "
            f"otherwise than they were made; one picture {np.median(seconds):.2f} s median, "
            f"{np.percentile(seconds, 95):.2f} s 95 %"
        )


def run(say: Callable[[str], None]) -> None:
    """Play, photograph, referee and print."""
    before = folder("COMPANION_BENCH_PICTURES")
    for variant in variants():
        tally, (name, options) = Tally(), variant
        for seed in each(seeds(), "games", say):
            if before is not None:
                album = photographed(variant, plies(), seed, before / called(variant, seed), drawn_before)
            else:
                with tempfile.TemporaryDirectory() as own:
                    album = photographed(variant, plies(), seed, Path(own))
            tally.albums.append(album)
            for line in album.otherwise():
                say(f"  {called(variant, seed)} {line}")
        say(f"  {name} {' '.join(map(str, options.values()))}: {tally.line()}")


def photographed(variant: Variant, plies: int, seed: int, folder: Path, take: Photographer = write_album) -> Album:
    """One game, its pictures in the folder.

    Raises UnreadableText when the pictures that were drawn before are of another game.
    """
    book, design = random_game(variant, plies, seed)
    furniture = furnish(design)
    script = Script(book.game, book.start(), book.steps, Setting(furniture, seed), Timing(), seed)
    made = take((beat for beat in script.beats() if not beat.entered), design, folder, book.game.NAME)
    eye = _eye_for(furniture, book.game.NAME, folder)
    lines, seconds = list[Line](), list[float]()
    run = photographed_run(eye, book.game.NAME, book.options)
    began = time.perf_counter()
    for line in run.run([path for path in pictures_in(folder) if path.stem.isdigit()]):
        lines.append(line)
        seconds.append(time.perf_counter() - began)
        began = time.perf_counter()
    read = run.desk.table.state.position
    right = same_layout(book.game.layout(script.position), book.game.layout(read))
    return Album(made, lines, seconds, right)


def drawn_before(beats: Iterable[Beat], design: TableDesign, folder: Path, game: str) -> list[str]:
    """What hands did before each picture of the folder, which shows the beats' tables."""
    made = [beat.what for beat in beats if beat.still]
    try:
        told = [picture["text"] for picture in json.loads((folder / "game.json").read_bytes())["pictures"]]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise UnreadableText(f"no album of {game} on table {design.seed} in {folder}: {error}") from error
    if told != made:
        raise UnreadableText(f"{folder} shows another game: draw it anew, with the options and plies of this bench")
    return made


def _eye_for(furniture: Furniture, game: str, folder: Path) -> Callable[[], Eye]:
    """Eyes that are told the lens, the sheets' places and the board's measures, as a person would have taken them."""
    scene, lens, board = furniture.scene, folder / "lens.json", folder / "board.json"
    lens.write_text(json.dumps(scene.camera.lens.to_json()), encoding="utf-8")
    if scene.board is not None:
        sizes = {name: getattr(scene.board, name) for name in BOARD_SIZES}
        board.write_text(json.dumps(sizes), encoding="utf-8")
    sheets = scene.markers
    markers = f"{sheets.width_mm:g},{sheets.height_mm:g},{sheets.side_mm:g}"
    measured = board if scene.board is not None else None
    return lambda: read_eye_options(game, lens, markers, measured, None, None).eye(ONE_TABLE)
