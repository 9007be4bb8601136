"""What the referee made of a script, beside what was really played."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.agreement import same_moves, same_position
from companion.events import Event
from companion.games.base import Game, Position
from companion.referee.happenings import Plied, Ruled, TakenBack
from companion.referee.readmodel import Desk
from companion.simulator.script import UNLAWFUL, Script
from companion.texts import counted


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the referee made of a script, beside what was really played.

    Where free pieces lie is measured by the eye: records and ends agree if they differ in nothing else.
    """

    played: tuple[str, ...]
    read: tuple[str, ...]
    refused: tuple[str, ...]  # the rules that were cited
    disturbances: int  # unlawful actions and wrong removals in the script
    position: str
    end: str
    taken_back: int = 0
    asked: int = 0  # questions that the players had to answer
    texts: tuple[str, ...] = ()
    same: bool = False  # moves and end
    waits_s: tuple[float, ...] = ()  # from the hand's leaving to the event, in the table's time
    looks_s: tuple[float, ...] = ()  # computation for one picture at rest, in this machine's time

    @property
    def agreed(self) -> bool:
        """True if the referee read exactly what was played and refused exactly what was unlawful."""
        return self.same and len(self.refused) == self.disturbances

    def lines(self) -> list[str]:
        """The record for people."""
        record = [f"{i}. {text}" for i, text in enumerate(self.texts, start=1)]
        refused = [f"refused: {rule}" for rule in self.refused]
        asked = [f"asked which of two actions it was: {counted(self.asked, 'time')}"] if self.asked else []
        back = [f"taken back on the table: {counted(self.taken_back, 'time')}"] if self.taken_back else []
        return [*record, *refused, *back, *asked, f"end: {self.end}"]


def verdict(script: Script, start: Position, events: Sequence[Event], desk: Desk) -> Verdict:
    """Compare a script that was played from `start` with what the referee recorded."""
    state, game = desk.table.state, script.game
    played, read = tuple(script.record), tuple(past.move for past in state.plies)
    same = state.game is not None and same_moves(game, start, played, read)
    return Verdict(
        played=played,
        read=read,
        refused=tuple(e.rule for e in events if isinstance(e, Ruled)),
        disturbances=sum(step.what in UNLAWFUL for step in script.steps),
        position=_shown(game, script.position),
        end=_shown(game, state.position) if state.game is not None else "",
        taken_back=sum(isinstance(e, TakenBack) for e in events),
        asked=sum(isinstance(e, Plied) and e.source == "chosen" for e in events),
        texts=tuple(past.text for past in state.plies),
        same=same and same_position(game, script.position, state.position),
    )


def _shown(game: Game, position: Position) -> str:
    """The position as it is told at the end: what lies face-down is told to nobody."""
    return game.write_position(game.seen_by(position, None))
