"""Games that are gone on with: the record of one, its table as hands left it, and the program started anew over it."""

import dataclasses

from companion.demo.stopwatch import FrameClock
from companion.games import game
from companion.games.base import Layout
from companion.journal.archive import MemoryArchive
from companion.referee import chance
from companion.referee.consequences import played_out
from companion.referee.happenings import Cleared, SetUp
from companion.referee.orders import started
from companion.referee.readmodel import Desk
from companion.referee.table import Table
from companion.service.vision_loop import VisionLoop
from companion.sets.stored_eyes import StoredEyes
from companion.simulator.carry import BRISK, Player, carried, finished
from companion.simulator.designs import design_for, has_room, look_options
from companion.simulator.random_games import random_steps
from companion.simulator.setting import Setting
from companion.simulator.source import ScriptedTable
from companion.simulator.state import TableState
from companion.simulator.world import VirtualTable

FPS = 4.0
RESTS = 16  # pictures of a table at rest, after which it is read
FIRST_SEED = 7_000_000  # of tables that nothing was fitted to


class Film:
    """A camera that stays where it is, whatever becomes of the program: films the states that it is given."""

    def __init__(self, design, clock):
        self.states, self._clock = [], clock
        self._film = ScriptedTable(design, iter(lambda: self.states.pop(0), None), start_s=clock())
        self._film.open()

    def open(self):
        pass

    def close(self):
        pass

    def read(self, timeout_s):
        frame = self._film.read(timeout_s)
        self._clock.now_s = frame.taken_s
        return frame


class MidGame:
    """A random game of so many plies, each with what it asks for, of which the camera has seen nothing."""

    def __init__(self, name, plies, seed, folder, **options):
        self.game, self.clock, self.archive = game(name), FrameClock(), MemoryArchive()
        start = self.game.start(options)
        layout = self.game.layout(start)
        self.design = dataclasses.replace(design_for(name, layout), seed=FIRST_SEED + seed, fps=FPS)
        steps, _ = random_steps(self.game, start, plies + 1, seed, room=has_room(self.design))
        self._record = Table(self.archive, self.clock)
        asked = {"game": name, "options": {**options, "dice": "entered"}}
        self._record.open_game(started(asked, "2026-01-01T00:00:00"))
        self._record.record(SetUp())
        for step in steps[:plies]:
            self.record(step.move)
        self.next = steps[plies].move
        self._setting = Setting(VirtualTable(self.design).furniture, seed)
        self._film, self._folder = Film(self.design, self.clock), folder
        self.state = self._setting.state(self.game.layout(self.position))

    @property
    def position(self):
        return self._record.state.position

    def record(self, text, done=True):
        """One more action while nobody looks; `done`: and what it asks for."""
        state = self._record.state
        self._record.record(*played_out(state, self.game.read_move(state.position, text), "table"))
        self._record.record(*chance.certain(self._record.state))
        if done and self._record.state.awaiting:
            self._record.record(Cleared())

    def lay(self, *layouts: Layout):
        """What hands do while nobody looks, one layout after the other."""
        for layout in layouts:
            self.state = finished(self.state, self._setting.work(self.state, layout))

    def start(self, *states: TableState) -> Desk:
        """The program, after its first looks at the table, which show these states first."""
        self.desk = Desk(self.archive, clock=self.clock)
        assert self.desk.resume() is not None
        eyes = StoredEyes(look_options(self.design, self._folder), self._folder)
        self._loop = VisionLoop(self._film, eyes, self.desk)
        return self.look(*states)

    def look(self, *states: TableState) -> Desk:
        """Hands bring about these states before the camera; then the last one rests."""
        self._film.states += states
        self.state = states[-1] if states else self.state
        self._film.states += [self.state] * RESTS
        while self._film.states:
            self._loop._round()
        return self.desk

    def hands(self, layout: Layout) -> Desk:
        """Hands bring this about before the camera, which then sees it at rest."""
        work = self._setting.work(self.state, layout)
        player = Player.random(self._setting._rng, -90.0)
        film = list(carried(self.state, work, player, BRISK, self._setting._rng))
        return self.look(*film, finished(self.state, work))
