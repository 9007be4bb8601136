"""A game refereed from still pictures: each stands for as many equal frames as a decision needs."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calibration.errors import PictureUnusable
from companion.games import game as game_named
from companion.games.base import Layout
from companion.games.extras import extras
from companion.journal.archive import MemoryArchive
from companion.pieces import EMPTY, Piece
from companion.referee.chance import CAMERA
from companion.referee.commands import Command
from companion.referee.consequences import turn_began
from companion.referee.dice import throws
from companion.referee.evidence.layout import cells_of, likeness
from companion.referee.evidence.weighing import evidence
from companion.referee.happenings import SetUp, TakenUp
from companion.referee.reading import Reading
from companion.referee.readmodel import Desk
from companion.referee.settings import Settings
from companion.sets.teaching import SetTeacher
from companion.sets.teaching import likeness as table_likeness
from companion.view import Sighting, TableView
from companion.vision.picture import read_picture
from companion.vision.pipeline import Eye
from hardware.frames import Frame
from hardware.pictures import frame_of

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
        self,
        eye: Eye,
        game: str,
        options: Mapping[str, Any],
        teacher: SetTeacher | None,
        settings: Settings,
        note: str = "",
    ) -> None:
        self._eye, self._teacher = eye, teacher
        self._note = (note,) if note else ()  # said until play has begun
        self._now = 0.0
        self.pictures_read = 0  # the others are no pictures, or torn
        self._settings = settings
        self._unread: TableView | None = None  # the last picture while the set-up is not complete
        # nobody can be asked: an earlier table is a move taken back
        usual = {"dice": CAMERA, "undo": "take", **extras(game_named(game)).PHOTOGRAPHED}
        self._order = Command("new_game", {"game": game, "options": {**usual, **options}})
        self.archive, self.desk = self._new_game()

    def run(self, paths: list[Path]) -> Iterator[Line]:
        """One line for each picture."""
        for number, path in enumerate(paths):
            yield self._picture(path, number)

    def _picture(self, path: Path, number: int) -> Line:
        try:
            pixels, amiss = read_picture(path)
        except PictureUnusable as error:
            return Line(path.name, Reading("unclear", str(error)), self._position())
        if amiss:  # it shows what never was, which would be played
            return Line(path.name, Reading("unclear", f"{path}: {amiss[0]}"), self._position())
        self.pictures_read += 1
        frame = frame_of(pixels, time.monotonic(), number, path.name)
        view = self._view(frame)
        reading = self._read(view, self.desk)
        if reading.kind == "set-up" and self._wanted() is not None:
            reading = self._begun_unnoticed(view) or reading
        why: tuple[str, ...] = ()
        if not view.clear and view.warnings:
            reading = replace(reading, text=view.warnings[0])
        elif reading.kind in ("unclear", "unlawful") or self._wanted() is not None:
            why = self._eye.advice()  # what the camera shows badly is no fault of the players
        if self._wanted() is not None and (view.clear or "board" in view.obstacles):
            why += self._note
        if why:
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

        What seemed too much may have been played before there was a picture; not so if the next action is lawful only
        where it was nothing.
        """
        before, self._unread = self._unread, view
        if before is None or (wanted := self._wanted()) is None:
            return None
        played = self._begun_before(wanted, before, view)
        if played is None or played[0].kind == "unlawful":
            tells = ("move", "unlawful") if played is None else ("move",)
            if (reading := self._begun_with(wanted, before, view, tells)) is not None:
                return reading
        if played is None:
            return None
        reading, self.archive, self.desk = played
        return reading

    def _begun_with(self, wanted: Layout, before: TableView, view: TableView, tells: Sequence[str]) -> Reading | None:
        """The first view shows the set-up, the second an action made from it.

        From then on places are compared with how they looked in the first.
        """
        _, trial = self._new_game()
        if wanted.plan is not None:
            if not few_unseen(wanted, trial.table.views.as_begun(before, trial.table.state)[0]):
                return None
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

    def _begun_before(
        self, wanted: Layout, before: TableView, view: TableView
    ) -> tuple[Reading, MemoryArchive, Desk] | None:
        """Both views show actions, one after the other, made from a set-up of which there is no picture.

        Nothing lies on a plan by chance: play may also go on from the first view, and the second show how.
        """
        archive, anew = self._new_game()
        if wanted.plan is not None:
            anew.table.record(SetUp(), *turn_began(anew.table.state))
        elif (bare := set_up_behind(wanted, before, self._settings)) is not None:
            self._decide(bare, anew)
        else:
            return None
        first, begun = self._read(before, anew), anew.table.state.plies
        second, plies = self._read(view, anew), anew.table.state.plies
        followed = first.kind == "move" and plies[: len(begun)] == begun
        taken_up = wanted.plan is not None and any(isinstance(event, TakenUp) for event in archive.events(1))
        tells = ("move",) if wanted.celled else ("move", "unlawful")
        if second.kind not in tells or not (followed or taken_up):
            return None
        return (joined(first, second) if followed else second), archive, anew

    def _new_game(self) -> tuple[MemoryArchive, Desk]:
        """The game as it was ordered, of which nothing has been seen."""
        archive = MemoryArchive()
        desk = Desk(archive, clock=lambda: self._now, settings=self._settings)
        desk.submit(self._order)
        return archive, desk

    def _read(self, view: TableView, desk: Desk) -> Reading:
        """What this desk makes of one picture; where dice are read, it may show what they led to."""
        due = bool(throws(desk.table.state))
        reading = self._decide(view, desk)
        if not due or reading.kind != "move":
            return reading
        more = self._decide(view, desk)
        return joined(reading, more) if more.kind in ("move", "unlawful") else reading

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


def joined(first: Reading, more: Reading) -> Reading:
    """Two readings of which the second follows on the first, as one."""
    return replace(more, text=f"{first.text} {more.text}", moves=(*first.moves, *more.moves))


def set_up_behind(layout: Layout, view: TableView, settings: Settings) -> TableView | None:
    """How a view would have looked before the first action; None where nobody can tell.

    No cell looked otherwise but those that surely differ. What lies free and is surely seen was not there yet, if it is
    of no kind that the set-up has.
    """
    if layout.plan is not None:
        return None
    if layout.celled:
        cells = cells_of(layout)
        return replace(view, sightings=tuple(as_it_belongs(s, cells.get(s.cell or "", EMPTY)) for s in view.sightings))
    kinds = {lying.piece.kind for lying in layout.pieces}
    later = [s for s in view.pieces() if s.piece.kind not in kinds]
    if any(s.why is not None or s.confidence < settings.sure_seen for s in later):
        return None
    return replace(view, sightings=tuple(s for s in view.sightings if s not in later))


def as_it_belongs(sighting: Sighting, piece: Piece) -> Sighting:
    """A cell as it was seen if it shows this piece, else as it would look with it."""
    return sighting if piece.fits(sighting.piece) else replace(sighting, beliefs=((piece, 1.0),), why=None)


def few_unseen(layout: Layout, view: TableView) -> bool:
    """True if all that is laid out by a plan lies in its place, but for a few pieces that are not made out.

    A walker that is seen nowhere is one of them, although it may stand anywhere.
    """
    cells, unseen = cells_of(layout), set[str]()
    for cell, sighting in view.by_cell().items():
        if cells.get(cell, EMPTY).fits(sighting.piece):
            continue
        if not (sighting.why or sighting.piece == EMPTY) or not (cell in cells or sighting.hidden):
            return False
        place, _, walker = cell.partition("/")
        unseen.add(walker or place)
    return len(unseen) <= MOST_UNSEEN


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
    table.record(SetUp(), *turn_began(table.state))
    ready = table.views.read(view, table.state)
    table.known.remember(evidence(ready, table.layout, table.settings, table.views.overrides, {}), table.state)
