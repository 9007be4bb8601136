"""A state machine plays, errs, hesitates and restarts; the referee must always know exactly what was played."""

import random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from referee_tables import Bench

from companion.pieces import EMPTY, KHET_FACINGS, Piece
from companion.referee.commands import Command
from companion.referee.evidence.layout import cells_of
from companion.referee.orders import carry_out
from companion.referee.table import Table
from companion.view import Sighting, TableView

COLOURS = ("silver", "red")


class NoisyTable:
    """What really stands on the board, and an eye that sees it less than perfectly."""

    def __init__(self, rng):
        self.rng = rng
        self.cells = {}

    def view(self, board, obstacles=()):
        doubted = set(self.rng.sample(list(board.cells()), 3))
        sightings = [
            Sighting(
                self.beliefs(cell, 0.90 if cell in doubted else 0.99), cell=cell, skew_deg=self.rng.uniform(-12, 12)
            )
            for cell in board.cells()
        ]
        return TableView(0.0, tuple(sightings), tuple(obstacles))

    def beliefs(self, cell, least):
        piece = self.cells.get(cell, EMPTY)
        if piece.kind in ("pharaoh", "obelisk") and piece.facing is None:
            piece = Piece(piece.kind, piece.colour, facing="N")
        sure = self.rng.uniform(least, 0.9999)
        return ((piece, sure), (self.anything(), (1 - sure) * 0.7))

    def anything(self):
        kind = self.rng.choice([*KHET_FACINGS, "empty"])
        if kind == "empty":
            return EMPTY
        return Piece(kind, self.rng.choice(COLOURS), facing=self.rng.choice(KHET_FACINGS[kind]))


class RefereeMachine(RuleBasedStateMachine):
    """Hands at a table, and a referee that sees it with some noise."""

    layouts = ("classic-2.0", "imhotep-2.0", "imhotep2-2.0", "classic-1.0")

    def __init__(self):
        super().__init__()
        self.bench = None

    def begin(self, seed):
        self.rng = random.Random(seed)
        self.bench = Bench(layout=self.rng.choice(self.layouts))
        self.table = NoisyTable(self.rng)
        self.position = self.bench.position
        self.record = []
        self.before = []
        self.due = False  # something hit still stands
        self.stand(self.game.layout(self.position))
        assert self.look().kind == "set-up"
        assert self.bench.table.state.phase == "play"

    @property
    def game(self):
        return self.bench.game

    def stand(self, layout):
        self.table.cells = dict(cells_of(layout))

    def look(self):
        """A hand, then fresh noise in every view until the referee has made up its mind."""
        self.bench.hand()
        board = self.game.layout(self.position).board
        for _ in range(60):
            self.bench.now += 0.25
            reading = self.bench.table.observe(self.table.view(board))
            if reading.decided:
                return reading
        raise AssertionError(f"undecided: {reading}")

    @precondition(lambda self: self.bench is None)
    @rule(seed=st.integers(0, 2**32))
    def set_up(self, seed):
        self.begin(seed)

    def playing(self):
        return self.bench is not None and not self.due and self.game.outcome(self.position) is None

    @precondition(playing)
    @rule(pick=st.integers(0, 10**6), pause=st.booleans())
    def act(self, pick, pause):
        moves = [m for m in self.game.moves(self.position) if self.shows(m)]
        move = moves[pick % len(moves)]
        during = self.game.during(self.position, move)
        if pause and self.lifting_tells(move, moves):  # the piece is lifted first, and somebody looks
            self.table.cells.pop(move.origin)
            assert self.look().kind == "unclear"
        self.stand(during)
        reading = self.look()
        if reading.kind == "unclear" and self.bench.table.question is not None:
            text = self.game.describe(self.position, move)
            choices = self.bench.table.question.choices
            choice = next(c for c in choices if c.text.rstrip(".").lower() == text.rstrip(".").lower())
            self.order("answer", question=self.bench.table.question.id, choice=choice.id)
        else:
            assert reading.kind == "move", reading
        self.before.append(self.position)
        self.record.append(self.game.write_move(self.position, move))
        self.position = self.game.play(self.position, move).position
        wanted = cells_of(self.game.layout(self.position))
        self.due = wanted != self.table.cells and self.game.outcome(self.position) is None

    def shows(self, move):
        """Not every action of 1.0 can be seen: a step onto a stack's own square looks like nothing."""
        return cells_of(self.game.during(self.position, move)) != self.table.cells

    def lifting_tells(self, move, moves):
        """Not every piece that was lifted is missed: one beside another of its kind may have been stacked on it."""
        left = {cell: piece for cell, piece in self.table.cells.items() if cell != move.origin}
        return all(cells_of(self.game.during(self.position, other)) != left for other in moves)

    @precondition(lambda self: self.bench is not None and self.due)
    @rule(pick=st.integers(0, 10**6), wrong=st.booleans())
    def clear(self, pick, wrong):
        wanted = self.game.layout(self.position)
        if wrong:
            cells = dict(self.table.cells)
            others = sorted(c for c in cells if cells_of(wanted).get(c) == cells[c])
            self.table.cells.pop(others[pick % len(others)])
            assert self.look().kind == "unlawful"
            self.table.cells = cells
            assert self.look().kind == "take-back"
        self.stand(wanted)
        assert self.look().kind == "step"
        self.due = False

    @precondition(playing)
    @rule(pick=st.integers(0, 10**6))
    def move_too_far(self, pick):
        cells = dict(self.table.cells)
        colour = COLOURS[self.game.to_move(self.position)]
        own = sorted(c for c, p in cells.items() if p.colour == colour and p.kind == "pyramid")
        empty = [c for c in self.game.layout(self.position).board.cells() if c not in cells]
        origin = own[pick % len(own)] if own else None
        far = [c for c in empty if origin and max(abs(ord(c[0]) - ord(origin[0])), abs(int(c[1]) - int(origin[1]))) > 2]
        if not far:
            return
        target = far[pick % len(far)]
        self.table.cells[target] = self.table.cells.pop(origin)
        reading = self.look()
        assert reading.kind == "unlawful", reading
        assert reading.rule, reading
        self.table.cells = cells
        assert self.look().kind == "take-back"

    @precondition(lambda self: self.bench is not None)
    @rule(count=st.integers(1, 6))
    def a_hand_passes(self, count):
        board = self.game.layout(self.position).board
        cells, plies = dict(self.table.cells), len(self.bench.table.state.plies)
        for cell in self.rng.sample(sorted(cells), min(count, len(cells))):
            del self.table.cells[cell]
        for _ in range(8):
            self.bench.now += 0.25
            self.bench.table.observe(self.table.view(board, ("hand",)))
        self.table.cells = cells
        assert len(self.bench.table.state.plies) == plies

    @precondition(lambda self: self.playing() and self.record)
    @rule(by_hand=st.booleans())
    def take_back(self, by_hand):
        self.position = self.before.pop()
        self.record.pop()
        self.order("undo")
        moved = cells_of(self.game.layout(self.position)) != self.table.cells
        self.stand(self.game.layout(self.position))
        reading = self.look()
        assert reading.kind == ("step" if moved else "nothing new"), reading

    @precondition(lambda self: self.bench is not None)
    @rule()
    def restart(self):
        old = self.bench.table
        table = Table(self.bench.archive, lambda: self.bench.now, self.bench.events.extend)
        table.restore(old.game_id, self.bench.archive.events(old.game_id), self.bench.archive.last_number())
        assert table.state.position == old.state.position
        assert table.state.awaiting == old.state.awaiting
        self.bench.table = table

    def order(self, name, **arguments):
        carry_out(self.bench.table, Command(name, arguments), "now")

    @invariant()
    def the_record_is_what_was_played(self):
        if self.bench is None:
            return
        state = self.bench.table.state
        assert [past.move for past in state.plies] == self.record
        assert state.position == self.position


CAREFUL = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


def test_the_referee_always_knows_what_was_played():
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        RefereeMachine,
        settings=settings(
            max_examples=5, stateful_step_count=14, deadline=None, suppress_health_check=CAREFUL, derandomize=True
        ),
    )


@pytest.mark.long
def test_the_referee_always_knows_what_was_played_for_long():
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        RefereeMachine,
        settings=settings(max_examples=100, stateful_step_count=30, deadline=None, suppress_health_check=CAREFUL),
    )
