"""Scripted games: what hands do at a virtual table, lawful or not, and what a referee should have read.

The script knows the rules and the truth; a referee sees only the frames.
"""

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.errors import UnreadableText
from companion.games.base import Game, Layout, Move, Position
from companion.simulator.carry import SLOW, Carry, Player, Tempo, carried, finished, hovering
from companion.simulator.setting import Setting
from companion.simulator.state import Standing, TableState

SIDES_DEG = {"south": -90.0, "west": 180.0, "north": 90.0, "east": 0.0}
UNLAWFUL = ("unlawful", "wrong removal")  # steps after which a referee should cite a rule
TOGETHER = ";"  # between moves that show on the table only together


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens. `cell` is a cell's name, or a place on a free table as "X,Y" in millimetres.

    move           a lawful move, carried out, and what follows from it done; several with ";" between them, when only
                   the last shows on the table
    offer, roll    a move that does not show, entered on the page: by a player, or as dice that fell beside the table
    unlawful       a move that the rules forbid, put back after a ruling
    half           a lawful move after which only half of what follows is done, and after a while the rest
    forget         a lawful move after which one thing (on `cell`) is forgotten, and done after a while
    wrong removal  a lawful move after which a wrong piece (on `cell`) is taken off first, and put back
    take back      the last move is put back, and what followed from it
    nudge          somebody knocks against the camera
    hover          a hand comes and goes over a place without touching anything
    wait           nothing happens for a while
    """

    what: str
    move: str = ""
    cell: str = ""


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of stillness, and frames of a hand's movements."""

    tempo: Tempo = SLOW
    still_s: float = 1.5  # after what a referee should read
    ruling_s: float = 4.0  # after what it should refuse
    set_up_s: float = 2.5


@dataclass(frozen=True, slots=True)
class Beat:
    """A state and how long it is shown: 0 = one frame. `still` marks those that a referee should have read.

    `entered` is a move that a player enters on the page while the table rests.
    """

    state: TableState
    hold_s: float = 0.0
    what: str = ""
    entered: str = ""

    @property
    def still(self) -> bool:
        """True if no hand is in the picture and the table rests."""
        return self.hold_s > 0.0


@dataclass(frozen=True, slots=True)
class _Before:
    position: Position
    played: int


@dataclass
class Script:
    """A game played out by hands. Iterate `beats`; `record` and `position` then hold what was really played."""

    game: Game
    position: Position
    steps: Sequence[Step]
    setting: Setting
    timing: Timing = field(default_factory=Timing)
    seed: int = 0
    record: list[str] = field(default_factory=list)
    _befores: list[_Before] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng([self.seed, 43])
        self._players = [Player.random(self._rng, seat) for seat in seats_deg(self.game.seats(self.position))]
        self._mover = self._players[0]
        self.state = self.setting.state(self.game.layout(self.position))

    def beats(self) -> Iterator[Beat]:
        """Everything that happens, from the set-up on."""
        yield Beat(self.state, self.timing.set_up_s, "set-up")
        for step in self.steps:
            yield from self._doers()[step.what](step)

    def _doers(self) -> dict[str, Callable[[Step], Iterator[Beat]]]:
        return {
            "move": self._move,
            "offer": self._enter,
            "roll": self._enter,
            "unlawful": self._unlawful,
            "half": self._half,
            "forget": self._forget,
            "wrong removal": self._wrong_removal,
            "take back": self._take_back,
            "nudge": self._nudge,
            "hover": self._hover,
            "wait": self._wait,
        }

    # --- hands ---------------------------------------------------------------------------------------------------

    def _player(self) -> Player:
        seat = self.game.to_move(self.position)
        return self._players[(seat or 0) % len(self._players)]

    def _hands(self, wanted: Layout, player: Player, mover: str | None = None) -> Iterator[Beat]:
        """The hands that make the table show the layout."""
        yield from self._carried(self.setting.work(self.state, wanted, mover), player)

    def _carried(self, work: list[Carry], player: Player) -> Iterator[Beat]:
        if work:
            for state in carried(self.state, work, player, self.timing.tempo, self._rng):
                yield Beat(state, 0.0, "hand")
            self.state = finished(self.state, work)

    def _rest(self, what: str, seconds: float, entered: str = "") -> Iterator[Beat]:
        yield Beat(self.state, seconds, what, entered)

    # --- moves ---------------------------------------------------------------------------------------------------

    def _move(self, step: Step) -> Iterator[Beat]:
        yield from self._act(step)
        yield from self._clear(step)

    def _act(self, step: Step) -> Iterator[Beat]:
        """The action itself, nothing that follows from it done yet."""
        moves, position = self._read(step)
        player = self._player()
        during = self.game.during(position, moves[-1])
        yield from self._hands(during, player, getattr(moves[-1], "origin", None))
        yield from self._rest(f"moved {step.move}", self.timing.still_s)
        self._played(moves, player)

    def _enter(self, step: Step) -> Iterator[Beat]:
        """A move that the table does not show: a player enters it, or the number of the dice."""
        move, player = self.game.read_move(self.position, step.move), self._player()
        yield from self._rest(f"{step.what} {step.move}", self.timing.still_s, self._spelled(move))
        self._played([move], player)
        yield from self._clear(step)

    def _read(self, step: Step) -> tuple[list[Move], Position]:
        """The moves of a step, and the position before the last of them."""
        moves: list[Move] = []
        position = before = self.position
        for text in step.move.split(TOGETHER):
            before = position
            moves.append(self.game.read_move(position, text.strip()))
            if len(moves) <= step.move.count(TOGETHER):
                position = self.game.play(position, moves[-1]).position
        return moves, before

    def _spelled(self, move: Move) -> str:
        return self.game.write_move(self.position, move)

    def _played(self, moves: Sequence[Move], player: Player) -> None:
        """The moves count, and whatever happens by itself after them."""
        self._befores.append(_Before(self.position, len(self.record)))
        for move in moves:
            self._play(move)
        while len(certain := self.game.chance(self.position)) == 1 and self.game.outcome(self.position) is None:
            self._play(certain[0][0])
        self._mover = player

    def _play(self, move: Move) -> None:
        self.record.append(self._spelled(move))
        self.position = self.game.play(self.position, move).position

    def _clear(self, step: Step) -> Iterator[Beat]:
        """What follows from the move is done: hit pieces taken off, discs turned over."""
        work = self.setting.work(self.state, self.game.layout(self.position))
        if work:
            yield from self._carried(work, self._mover)
            yield from self._rest(f"cleared after {step.move}", self.timing.still_s)

    # --- what goes wrong --------------------------------------------------------------------------------------------

    def _unlawful(self, step: Step) -> Iterator[Beat]:
        moves, position = self._read(step)
        player = self._player()
        during = self.game.during(position, moves[-1])
        yield from self._hands(during, player, getattr(moves[-1], "origin", None))
        yield from self._rest(f"unlawful {step.move}", self.timing.ruling_s)
        yield from self._hands(self.game.layout(self.position), player)
        yield from self._rest("put back", self.timing.still_s)

    def _half(self, step: Step) -> Iterator[Beat]:
        yield from self._act(step)
        work = self._due(step)
        if len(work) > 1:
            yield from self._carried(work[: len(work) // 2], self._mover)
            yield from self._rest(f"half cleared after {step.move}", self.timing.ruling_s)
        yield from self._clear(step)

    def _forget(self, step: Step) -> Iterator[Beat]:
        yield from self._act(step)
        forgotten = self._at(step.cell).name
        work = self._due(step)
        done = [carry for carry in work if carry.name != forgotten]
        if len(done) == len(work):
            raise UnreadableText(f"nothing is due on {step.cell!r} after {step.move} that could be forgotten")
        yield from self._carried(done, self._mover)
        yield from self._rest(f"{'half cleared' if done else 'forgot'} after {step.move}", self.timing.ruling_s)
        yield from self._clear(step)

    def _due(self, step: Step) -> list[Carry]:
        work = self.setting.work(self.state, self.game.layout(self.position))
        if not work:
            raise UnreadableText(f"{step.move} leaves nothing to do that could be left undone")
        return work

    def _wrong_removal(self, step: Step) -> Iterator[Beat]:
        yield from self._act(step)
        wrong = self._at(step.cell)
        away = self.setting.taken_off(self.state, wrong)
        yield from self._carried([away], self._mover)
        yield from self._rest(f"took {step.cell} off by mistake", self.timing.ruling_s)
        back = self.setting.grasped(Carry(wrong.name, wrong, fresh=away.leaves))
        yield from self._carried([back], self._mover)
        yield from self._rest(f"put {step.cell} back", self.timing.still_s)
        yield from self._clear(step)

    def _take_back(self, step: Step) -> Iterator[Beat]:
        if not self._befores:
            raise UnreadableText("take back: nothing was played yet")
        player, before = self._player(), self._befores.pop()
        self.position = before.position
        del self.record[before.played :]
        yield from self._hands(self.game.layout(self.position), player)
        yield from self._rest("taken back", self.timing.ruling_s)

    def _nudge(self, step: Step) -> Iterator[Beat]:
        self.state = dataclasses.replace(self.state, nudges=self.state.nudges + 1)
        yield from self._rest("camera nudged", self.timing.still_s)

    def _hover(self, step: Step) -> Iterator[Beat]:
        for state in hovering(self.state, *self._place(step.cell or "0,0"), self._player(), 9):
            yield Beat(state, 0.0, "hand")
        yield from self._rest("hand gone", self.timing.still_s)

    def _wait(self, step: Step) -> Iterator[Beat]:
        yield from self._rest("waiting", self.timing.still_s)

    # --- places ----------------------------------------------------------------------------------------------------

    def _place(self, cell: str) -> tuple[float, float]:
        """Table millimetres of a cell, or of "X,Y"."""
        board = self.setting.furniture.scene.board
        if "," in cell:
            x, y = (float(part) for part in cell.split(","))
            return x, y
        if board is not None:
            return board.middle_of(cell)
        plan = self.game.layout(self.position).plan
        spot = next((s for s in plan.spots if s.cell == cell), None) if plan is not None else None
        if spot is None:
            raise UnreadableText(f"there is no place {cell!r} here; a free place is written X,Y in millimetres")
        return spot.x_mm, spot.y_mm

    def _at(self, cell: str) -> Standing:
        """The piece at a place: on a cell, or the nearest one."""
        here = self.state.on_cell(cell)
        if here is None and (self.setting.furniture.scene.board is None or "," in cell):
            x, y = self._place(cell)
            here = min(self.state.standing, key=lambda s: math.dist((x, y), (s.x_mm, s.y_mm)), default=None)
        if here is None:
            raise UnreadableText(f"nothing stands on {cell!r} that could be meant")
        return here


STEPS = {  # and how many words follow: the move (0: none, 1: one), and places
    "move": (1, 0),
    "offer": (1, 0),
    "roll": (1, 0),
    "unlawful": (1, 0),
    "half": (1, 0),
    "forget": (1, 1),
    "wrong removal": (1, 1),
    "take back": (0, 0),
    "nudge": (0, 0),
    "hover": (0, 1),
    "wait": (0, 0),
}


def seats_deg(names: Sequence[str]) -> list[float]:
    """Where players sit: seat 0 at the lower edge, the others where they are called, opposite, or round the table."""
    if all(name in SIDES_DEG for name in names):
        return [SIDES_DEG[name] for name in names]
    return [-90.0 + 360.0 * seat / len(names) for seat in range(len(names))]


def frames(beats: Iterator[Beat], fps: float) -> Iterator[TableState]:
    """Beats as one state for each frame."""
    for beat in beats:
        for _ in range(max(1, round(beat.hold_s * fps))):
            yield beat.state
