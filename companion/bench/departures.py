"""Where a refereed game departs from its script: what was done, what the referee said, and the table's picture."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from companion.agreement import same_moves
from companion.demo.players import understood
from companion.games.base import Position
from companion.referee.readmodel import Desk
from companion.simulator.design import TableDesign
from companion.simulator.script import TOGETHER, Beat, Script
from companion.simulator.source import ScriptedTable
from companion.simulator.state import TableState

PLAYED = ("moved", "offer", "roll")  # beats that tell a move
RULED = ("unlawful", "took")  # beats of which the referee should say that they are wrong


@dataclass(frozen=True, slots=True)
class Departure:
    """A beat at which the referee was astray."""

    ply: int
    done: str  # what hands did
    told: str  # what the referee said of it
    state: TableState
    before: TableState | None  # what lay there when both last agreed


@dataclass
class Departures:
    """Looks on after each beat at rest: the `ends` of `play_fast`. Cuts a game that takes over `limit_s` seconds.

    What is not understood at once and is later was no departure, but for what is unlawful.
    """

    design: TableDesign
    start: Position
    limit_s: float = float("inf")
    cut: bool = False
    wrong: int = 0  # moves in the record that nobody made
    unlawful: int = 0  # beats that the referee should have refused
    found: Departure | None = None
    unrefused: list[Departure] = field(default_factory=list)
    _before: TableState | None = None
    _began_s: float = field(default_factory=time.monotonic)

    def __call__(self, beat: Beat, script: Script, desk: Desk) -> bool:
        """True where the game ends: its time is over, or a wrong move is in the record."""
        self.wrong = self._wrong(beat, script, desk)
        played = len(script.record)
        heard = len(desk.table.state.plies) >= played and understood(beat.what, desk.snapshot(), played)
        ruled = beat.what.startswith(RULED)
        self.unlawful += ruled
        if heard and not self.wrong:
            self.found, self._before = None, beat.state
        else:
            here = Departure(played, beat.what, told_by(desk), beat.state, self._before)
            self.found = self.found or here
            if ruled:
                self.unrefused.append(here)
        self.cut = time.monotonic() - self._began_s > self.limit_s
        return self.cut or self.wrong > 0

    def _wrong(self, beat: Beat, script: Script, desk: Desk) -> int:
        """How much of what was read is not what was played; the beat's own moves count as played."""
        played, read = [*script.record, *_moves(beat, script)], [past.move for past in desk.table.state.plies]
        right = min(len(read), len(played))
        while not same_moves(script.game, self.start, played[:right], read[:right]):
            right -= 1
        return len(read) - right

    def draw(self, departure: Departure, path: Path) -> None:
        """Write the table's picture before it and at it as `path`-1.png and -2.png; OSError when that cannot be."""
        states = [state for state in (departure.before, departure.state) if state is not None]
        table = ScriptedTable(self.design, states)
        table.open()
        path.parent.mkdir(parents=True, exist_ok=True)
        for number in range(len(states)):
            if not cv2.imwrite(f"{path}-{number + 1}.png", table.read(0.0).pixels):
                raise OSError(f"cannot write {path}-{number + 1}.png")
        table.close()


def _moves(beat: Beat, script: Script) -> Iterator[str]:
    """The moves that a beat tells, and whatever happens by itself after them."""
    done, _, told = beat.what.partition(" ")
    if done not in PLAYED:
        return
    game, position = script.game, script.position
    for text in told.split(TOGETHER):
        yield text.strip()
        position = game.play(position, game.read_move(position, text.strip())).position
    while len(certain := game.chance(position)) == 1 and game.outcome(position) is None:
        yield game.write_move(position, certain[0][0])
        position = game.play(position, certain[0][0]).position


def told_by(desk: Desk) -> str:
    """What the page says now, in one line."""
    snapshot = desk.snapshot()
    last = snapshot.record[-1].text if snapshot.record else "nothing"
    steps = "".join(f" [{'x' if step.done else ' '}] {step.text}" for step in snapshot.waiting.steps)
    ruling = f" Refused ({snapshot.ruling.rule}): {snapshot.ruling.text}" if snapshot.ruling else ""
    waiting = ": ".join(filter(None, (snapshot.waiting.text, snapshot.waiting.why)))
    return f"read last: {last}; waits: {waiting}{steps}{ruling}"
