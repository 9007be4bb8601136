"""Scripted games: what hands do at a virtual table, lawful or not, and what a referee should have read.

The script knows the rules and the truth; a referee sees only the frames.
"""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.errors import UnreadableText
from companion.games.base import Game, Layout, Move, Position
from companion.simulator.carry import SLOW, Carry, Player, Tempo, carried, finished, hovering
from companion.simulator.setting import Setting
from companion.simulator.state import TableState

SEAT_DEG = (-90.0, 90.0)  # seat 0 sits at rank 1, seat 1 opposite
STEPS = ("move", "unlawful", "wrong removal", "nudge", "hover", "wait")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens.

    move           a lawful move, carried out, hit pieces removed
    unlawful       a move that the rules forbid, put back after a ruling
    wrong removal  a lawful move with a hit, at which a wrong piece (on `cell`) is taken off first and put back
    nudge          somebody knocks against the camera
    hover          a hand comes and goes over a cell without touching anything
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
    """A state and how long it is shown: 0 = one frame. `still` marks those that a referee should have read."""

    state: TableState
    hold_s: float = 0.0
    what: str = ""

    @property
    def still(self) -> bool:
        """True if no hand is in the picture and the table rests."""
        return self.hold_s > 0.0


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

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng([self.seed, 43])
        self._players = [Player.random(self._rng, seat) for seat in SEAT_DEG]
        self.state = self.setting.state(self.game.layout(self.position))

    def beats(self) -> Iterator[Beat]:
        """Everything that happens, from the set-up on."""
        yield Beat(self.state, self.timing.set_up_s, "set-up")
        for step in self.steps:
            yield from self._doers()[step.what](step)

    def _doers(self) -> dict[str, Callable[[Step], Iterator[Beat]]]:
        return {
            "move": self._move,
            "unlawful": self._unlawful,
            "wrong removal": self._wrong_removal,
            "nudge": self._nudge,
            "hover": self._hover,
            "wait": self._wait,
        }

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

    def _rest(self, what: str, seconds: float) -> Iterator[Beat]:
        yield Beat(self.state, seconds, what)

    def _move(self, step: Step) -> Iterator[Beat]:
        yield from self._act(step)
        yield from self._clear(step)

    def _act(self, step: Step) -> Iterator[Beat]:
        """The action itself, hit pieces still standing."""
        move = self.game.read_move(self.position, step.move)
        player, before = self._player(), self.position
        mover = getattr(move, "origin", None)
        yield from self._hands(self.game.during(before, move), player, mover)
        yield from self._rest(f"moved {step.move}", self.timing.still_s)
        self.position = self.game.play(before, move).position
        self.record.append(self.game.write_move(before, move))
        self._mover = player

    def _clear(self, step: Step) -> Iterator[Beat]:
        """What the shot hit is taken off."""
        wanted = self.game.layout(self.position)
        if self.setting.work(self.state, wanted):
            yield from self._hands(wanted, self._mover)
            yield from self._rest(f"cleared after {step.move}", self.timing.still_s)

    def _unlawful(self, step: Step) -> Iterator[Beat]:
        move = self.game.read_move(self.position, step.move)
        player = self._player()
        yield from self._hands(self.game.during(self.position, move), player, getattr(move, "origin", None))
        yield from self._rest(f"unlawful {step.move}", self.timing.ruling_s)
        yield from self._hands(self.game.layout(self.position), player)
        yield from self._rest("put back", self.timing.still_s)

    def _wrong_removal(self, step: Step) -> Iterator[Beat]:
        yield from self._act(step)
        wrong = self.state.on_cell(step.cell)
        if wrong is None:
            raise UnreadableText(f"nothing stands on {step.cell!r} that could be taken off by mistake")
        aside = self.setting.beside(self.state, wrong.piece, wrong.name, wrong.count)
        yield from self._carried([Carry(wrong.name, aside)], self._mover)
        yield from self._rest(f"took {step.cell} off by mistake", self.timing.ruling_s)
        yield from self._carried([Carry(wrong.name, wrong)], self._mover)
        yield from self._rest(f"put {step.cell} back", self.timing.still_s)
        yield from self._clear(step)

    def _nudge(self, step: Step) -> Iterator[Beat]:
        self.state = dataclasses.replace(self.state, nudges=self.state.nudges + 1)
        yield from self._rest("camera nudged", self.timing.still_s)

    def _hover(self, step: Step) -> Iterator[Beat]:
        there = self.setting.put("", next(iter(self.state.standing)).piece, step.cell or "e4", neat=True)
        for state in hovering(self.state, there.x_mm, there.y_mm, self._player(), 9):
            yield Beat(state, 0.0, "hand")
        yield from self._rest("hand gone", self.timing.still_s)

    def _wait(self, step: Step) -> Iterator[Beat]:
        yield from self._rest("waiting", self.timing.still_s)


def frames(beats: Iterator[Beat], fps: float) -> Iterator[TableState]:
    """Beats as one state for each frame."""
    for beat in beats:
        for _ in range(max(1, round(beat.hold_s * fps))):
            yield beat.state


def random_steps(
    game: Game, position: Position, plies: int, seed: int, mischief: float = 0.0
) -> tuple[list[Step], Position]:
    """A random lawful game of so many plies at most, hits preferred; `mischief` is the share of disturbed plies."""
    rng = np.random.default_rng([seed, 47])
    steps: list[Step] = []
    for _ in range(plies):
        if game.outcome(position) is not None:
            break
        move, after = _lively(game, position, rng)
        text = game.write_move(position, move)
        if rng.random() < mischief:
            steps.append(Step(str(rng.choice(["hover", "wait", "nudge"]))))
        steps.append(Step("move", text))
        position = after
    return steps, position


def _lively(game: Game, position: Position, rng: np.random.Generator) -> tuple[Move, Position]:
    """One of the legal moves; of a handful tried, one that takes something off is preferred."""
    legal = list(game.moves(position))
    tried = [legal[int(i)] for i in rng.permutation(len(legal))[:8]]
    before = len(game.layout(position).pieces)
    best: tuple[Move, Position] | None = None
    for move in tried:
        after = game.play(position, move).position
        if game.outcome(after) is None and len(game.layout(after).pieces) < before and rng.random() < 0.7:
            return move, after
        if best is None or game.outcome(best[1]) is not None:
            best = (move, after)
    assert best is not None, "a game that is not over has a legal move"
    return best
