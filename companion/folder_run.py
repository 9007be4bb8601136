"""A game refereed from still pictures: each stands for as many equal frames as a decision needs."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calibration.errors import PictureUnusable
from companion.games import game as game_named
from companion.games.base import Layout
from companion.games.extras import extras
from companion.journal.archive import MemoryArchive
from companion.pieces import EMPTY
from companion.referee.chance import CAMERA
from companion.referee.commands import Command
from companion.referee.dice import throws
from companion.referee.evidence import cells_of, evidence, likeness
from companion.referee.happenings import SetUp
from companion.referee.reading import Reading
from companion.referee.readmodel import Desk
from companion.referee.settings import Settings
from companion.teaching import SetTeacher
from companion.teaching import likeness as table_likeness
from companion.view import TableView
from companion.vision.picture import read_picture, small_grey
from companion.vision.pipeline import Eye
from hardware.frames import Frame

STEP_S = 0.5  # between the equal views that one picture stands for
MOST_VIEWS = 40  # no decision needs more
LOOKS_ALIKE = 0.5  # likeness of two readings below which a cell looks changed
MOST_CELLS_OF_A_MOVE = 2
MOST_MISREAD = 4  # pieces of a complete set-up that may have been taken for others of their colour
MOST_UNSEEN = 8  # tiles of a complete tower that may not have been made out, in a lamp's gleam


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one picture."""

    image: str
    reading: Reading
    position: str | None

    def to_json(self) -> dict[str, Any]:
        """The line of `companion run --json`."""
        moves = self.reading.moves
        data: dict[str, Any] = {
            "image": self.image,
            "reading": self.reading.kind,
            "move": moves[-1] if moves else None,
            "hit": list(self.reading.hits),
            "rule": self.reading.rule,
            "position": self.position,
            "text": self.reading.text,
        }
        return data | ({"moves": list(moves)} if len(moves) > 1 else {})


class FolderRun:
    """One game from one folder. `teacher` is None when the set is known already."""

    def __init__(
        self, eye: Eye, game: str, options: Mapping[str, Any], teacher: SetTeacher | None, settings: Settings
    ) -> None:
        self._eye, self._teacher = eye, teacher
        self._now = 0.0
        self.pictures_read = 0  # the others are no pictures, or torn
        self.archive = MemoryArchive()
        self.desk = Desk(self.archive, clock=lambda: self._now, settings=settings)
        self._settings = settings
        self._unread: TableView | None = None  # the last picture while the set-up is not complete
        # nobody can be asked: an earlier table is a move taken back
        usual = {"dice": CAMERA, "undo": "take", **extras(game_named(game)).PHOTOGRAPHED}
        self._order = Command("new_game", {"game": game, "options": {**usual, **options}})
        self.desk.submit(self._order)

    def run(self, paths: list[Path], pace: Callable[[], None] = lambda: None) -> Iterator[Line]:
        """One line for each picture."""
        for number, path in enumerate(paths):
            yield self._picture(path, number)
            pace()

    def _picture(self, path: Path, number: int) -> Line:
        try:
            pixels, warnings = read_picture(path)
        except PictureUnusable as error:
            return Line(path.name, Reading("unclear", str(error)), self._position())
        self.pictures_read += 1
        frame = Frame(pixels, small_grey(pixels), time.monotonic(), number, name=path.name)
        view = self._view(frame)
        view = replace(view, warnings=(*view.warnings, *warnings))
        due = bool(throws(self.desk.table.state))
        reading = self._decide(view)
        if due and reading.kind == "move":  # dice were read: the same picture may show what they led to
            reading = self._and_more(reading, view)
        if reading.kind == "set-up" and self._wanted() is not None:
            reading = self._begun_unnoticed(view) or reading
        if not view.clear and view.warnings:
            reading = replace(reading, text=view.warnings[0])
        elif reading.kind in ("unclear", "unlawful") or self._wanted() is not None:
            why = (*self._eye.advice(), *warnings)  # what the camera shows badly is no fault of the players
            reading = replace(reading, text=" ".join((reading.text, *(f"({one})" for one in why))).strip())
        return Line(path.name, reading, self._position())

    def _view(self, frame: Frame) -> TableView:
        view = self._eye.read(frame)
        if self._teacher is None or not view.clear:
            return view
        taught = (self._teacher.taught(frame, view, layout) for layout in self._may_be_set_up())
        if (learned := next((one for one in taught if one is not None), None)) is None:
            return view
        self._eye, view = learned[0] or self._eye, learned[1]
        self._teacher = None
        return view

    def _may_be_set_up(self) -> Iterator[Layout]:
        """The set-up that was chosen, and those that the options leave to the table."""
        state = self.desk.table.state
        if (wanted := self._wanted()) is None:
            return
        yield wanted
        for options in extras(state.module).openings(state.options):
            yield state.module.layout(state.module.start(options))

    def _begun_unnoticed(self, view: TableView) -> Reading | None:
        """A set-up that the eye never quite read was one after all, if the next picture shows an action made from it.

        From then on places are compared with how they looked in it.
        """
        before, self._unread = self._unread, view
        if before is None or (wanted := self._wanted()) is None:
            return None
        trial = Desk(MemoryArchive(), clock=lambda: self._now, settings=self._settings)
        trial.submit(self._order)
        if wanted.plan is not None:
            if not few_unseen(wanted, trial.table.views.as_begun(before, trial.table.state)[0]):
                return None
            tells: tuple[str, ...] = ("move", "unlawful")
        elif table_likeness(wanted, before, self._settings).misplaced or not few_changed(wanted, before, view):
            return None
        else:
            tells = ("move",)  # what seemed to stand wrong may have, and been put right: that is no action
        assume_set_up(trial, before)
        reading = self._decide(view, trial)
        if reading.kind not in tells or not reading.moves:
            return None
        assume_set_up(self.desk, before)
        return self._decide(view)

    def _and_more(self, thrown: Reading, view: TableView) -> Reading:
        more = self._decide(view)
        if more.kind not in ("move", "unlawful"):
            return thrown
        return replace(more, text=f"{thrown.text} {more.text}", moves=(*thrown.moves, *more.moves))

    def _wanted(self) -> Layout | None:
        state = self.desk.table.state
        return state.module.layout(state.position) if state.phase == "set-up" else None

    def _decide(self, view: TableView, desk: Desk | None = None) -> Reading:
        """The same view until the referee has made up its mind."""
        desk = desk or self.desk
        reading = Reading("unclear")
        for _ in range(MOST_VIEWS):
            self._now += STEP_S
            reading = desk.observe(view)
            if reading.decided:
                break
        return reading

    def _position(self) -> str | None:
        state = self.desk.table.state
        if state.game is None:
            return None
        return state.game.write_position(state.game.seen_by(state.position, None))  # nothing that lies face-down


def few_unseen(layout: Layout, view: TableView) -> bool:
    """True if all that is laid out by a plan lies in its place, but for a few pieces that are not made out."""
    cells, unseen = cells_of(layout), 0
    for cell, sighting in view.by_cell().items():
        if cells.get(cell, EMPTY).fits(sighting.piece):
            continue
        if cell not in cells or not (sighting.why or sighting.piece == EMPTY):
            return False
        unseen += 1
    return unseen <= MOST_UNSEEN


def few_changed(layout: Layout, before: TableView, now: TableView) -> bool:
    """True if no more cells look different than one move changes, but for pieces that were taken for others."""
    changed = set(looks_changed(before, now))
    misread = changed & set(cleared_up(before, now, layout))
    return len(misread) <= MOST_MISREAD and len(changed - misread) <= MOST_CELLS_OF_A_MOVE


def looks_changed(before: TableView, now: TableView) -> list[str]:
    """The cells that look different in two views, rightly read or not."""
    cells, others = before.by_cell(), now.by_cell()
    return [c for c in cells.keys() & others.keys() if likeness(cells[c].beliefs, others[c].beliefs) < LOOKS_ALIKE]


def cleared_up(before: TableView, now: TableView, layout: Layout) -> list[str]:
    """The cells that show what belongs there, and showed another piece of that colour before."""
    cells, others, wanted = before.by_cell(), now.by_cell(), cells_of(layout)
    both = wanted.keys() & cells.keys() & others.keys()
    return [c for c in both if wanted[c].fits(others[c].piece) and cells[c].piece.colour == wanted[c].colour]


def assume_set_up(desk: Desk, view: TableView) -> None:
    """Take this view for the complete set-up, and remember how it looked."""
    table = desk.table
    table.record(SetUp(), *table.turn_began())
    ready = table.views.read(view, table.state)
    table.remember(evidence(ready, table.layout, table.settings, table.views.overrides, {}))
