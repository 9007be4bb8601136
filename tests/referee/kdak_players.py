"""People who play K'Dak's Tower before a referee: random lawful games, whose every view is noisy."""

from dataclasses import dataclass, field

from towers import Tower

from companion.events import Event
from companion.games import kdak
from companion.games.kdak import tower as t
from companion.games.kdak.position import Move
from companion.journal.archive import MemoryArchive
from companion.referee.commands import Command
from companion.referee.happenings import Plied, Ruled
from companion.referee.reading import Reading
from companion.referee.readmodel import Desk
from companion.referee.settings import Settings
from companion.view import TableView

STEP_S = 0.25
MOST_VIEWS = 40


@dataclass
class Evening:
    """One game: the table, the referee, and what was really played."""

    tower: Tower
    options: dict[str, str] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    now: float = 100.0
    played: list[str] = field(default_factory=list)
    asked: int = 0
    entered: int = 0
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.archive = MemoryArchive()
        self.desk = Desk(self.archive, clock=lambda: self.now, settings=self.settings)
        self.desk.listen(lambda events, snapshot: self.events.extend(events))
        options = {"variant": self.tower.variant, **self.options}
        self.desk.submit(Command("new_game", {"game": "kdak", "options": options}))
        self.position = kdak.start({"variant": self.tower.variant})
        self.rng = self.tower.rng
        self.table.dice.draw = self.rng.random  # the same game every time

    # --- the referee ----------------------------------------------------------------------------------------------

    @property
    def table(self):
        return self.desk.table

    @property
    def read(self) -> list[str]:
        return [past.move for past in self.table.state.plies]

    @property
    def refused(self) -> list[str]:
        return [e.rule for e in self.events if isinstance(e, Ruled)]

    def once(self, **how) -> Reading:
        self.now += STEP_S
        return self.desk.observe(self.tower.view(**how))

    def hand(self) -> None:
        """A hand comes and goes."""
        self.desk.observe(TableView(0.0, obstacles=("hand",)))

    def look(self, until=None, most: int = MOST_VIEWS) -> Reading:
        """Views until the referee has made up its mind (and what is awaited has come), each with its own noise."""
        self.hand()
        reading = Reading("unclear", decided=False)
        for _ in range(most):
            reading = self.once()
            if reading.decided and (until is None or until()):
                break
            self._answer()
        return reading

    def _answer(self) -> None:
        question = self.desk.snapshot().question
        if question is None:
            return
        self.asked += 1
        wanted = kdak.describe(self.position, kdak.read_move(self.position, self.played[-1]))
        chosen = next((c for c in question.choices if wanted.rstrip(".") in c.text), question.choices[0])
        self.desk.submit(Command("answer", {"question": question.id, "choice": chosen.id}))

    def agree(self) -> bool:
        return self.read == self.played

    def begin(self) -> "Evening":
        self.look(lambda: self.table.state.phase == "play")
        assert self.table.state.phase == "play", self.table.faults
        return self

    def restart(self) -> "Evening":
        """The companion goes on with what its journal holds."""
        self.desk = Desk(self.archive, clock=lambda: self.now, settings=self.settings)
        assert self.desk.resume() is not None
        return self

    def rest(self, looks: int = 12, hand: bool = True) -> None:
        """So many views of a table that nobody touches, after a hand if one came."""
        if hand:
            self.hand()
        for _ in range(looks):
            self.once()

    def enter(self, *moves: str) -> None:
        """Told on the page."""
        for text in moves:
            self.desk.submit(Command("enter_move", {"move": text}))

    @property
    def still_to_do(self) -> list[str]:
        """What hands are asked for, but for coins."""
        return [step.text for step in self.desk.snapshot().waiting.steps if not step.done and "coin" not in step.text]

    # --- the players ----------------------------------------------------------------------------------------------

    def play(self, most: int = 400) -> "Evening":
        """A whole game; stops where the referee has read something else than was played."""
        for _ in range(most):
            if kdak.to_move(self.position) is None or not self.agree():
                break
            self.turn()
        return self

    def until(self, phase: str) -> "Evening":
        """Turns until that is due."""
        while self.position.phase != phase:
            self.turn()
        return self

    def turn(self, move: Move | None = None) -> None:
        """What is due next, by hand."""
        phase = self.position.phase
        move = move or self._chosen()
        if phase == "move":
            self._step(move)
        elif phase == "roll":
            self.desk.submit(Command("roll"))
            self._note(kdak.read_move(self.position, self.read[-1]))
        elif phase == "take":
            self._take(move)
        elif phase == "coin":
            self._press(move)
        self.look(self.agree)

    def _chosen(self) -> Move:
        moves = [m for m in kdak.moves(self.position) if m.kind != "coin" or self.rng.random() < 0.3]
        if self.position.phase != "move":
            return self.rng.choice(moves)
        pawn = self.position.pawn
        upward = [m for m in moves if m.kind == "go" and pawn.place and m.place and m.place.level > pawn.place.level]
        if upward and not self.position.door_open and self.rng.random() < 0.8:
            return self.rng.choice(upward)
        fresh = [m for m in moves if m.kind == "go" and m.place and not t.tile_at(self.position.tower, m.place).up]
        if fresh and self.rng.random() < 0.7:
            return self.rng.choice(fresh)
        return self.rng.choice(moves)

    def _note(self, move: Move) -> None:
        self.played.append(kdak.write_move(self.position, move))
        self.position = kdak.play(self.position, move).position

    def _press(self, move: Move) -> None:
        """What does not show on the table is said on the page."""
        self.desk.submit(Command("play_move", {"move": kdak.write_move(self.position, move)}))
        self.entered += 1
        self._note(move)

    def _step(self, move: Move) -> None:
        seat = self.position.seat
        if move.kind in ("pass", "coin"):
            return self._press(move)
        before = self.position
        self._note(move)
        if move.kind != "stay":
            self.tower.put(seat, move.place)
            if self.rng.random() < 0.5:
                self.look(self.agree)
        if move.kind == "out":
            return None
        place = self.position.pawns[seat].place if move.kind == "stay" else move.place
        assert place is not None
        if not t.tile_at(before.tower, place).up:
            name = self.tower.turn_up(place)
            if self.position.phase == "reveal":
                self._note(Move("tile", tile=name))
                if self.position.door_open and not before.door_open:
                    self.look(self.agree)
        if self.position.door_open and not before.door_open:
            self._down()
        self._scores()
        return None

    def _down(self) -> None:
        """All tiles are turned down, some views in between."""
        house = self.position.house
        if house.alone and not house.solitaire_turn_down:
            return
        for name in list(self.tower.up):
            self.tower.up.discard(name)
            if self.rng.random() < 0.3:
                self.once()
        self.look(lambda: not self.table.state.awaiting)

    def _take(self, move: Move) -> None:
        assert move.place is not None
        before = self.position
        self._note(move)
        name = self.tower.take(move.place)
        if self.rng.random() < 0.6:
            self.look(self.agree)
        self.tower.drop(move.place)
        if before.phase == "take" and self.position.phase == "discard":
            self.look(self.agree)
            self._note(Move("tile", tile=name))

    def _scores(self) -> None:
        """Coins on the track go where they belong, sooner or later."""
        if self.rng.random() < 0.7:
            self.tower.scores = list(self.position.scores)


def moved(events: list[Event]) -> list[str]:
    return [e.move for e in events if isinstance(e, Plied)]
