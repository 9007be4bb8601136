"""Whole random games of Ataxx and Hexxagon, with what must hold after every move."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.errors import IllegalMove
from companion.events import from_json
from companion.games import ataxx
from companion.games.ataxx.play import Flipped
from companion.games.ataxx.position import ACCEPT, OFFER, PASS, Move, Position


class AtaxxMachine(RuleBasedStateMachine):
    """Plays any lawful move, and tries unlawful ones."""

    @initialize(
        board=st.sampled_from((3, 4, 5, 8, 11, "hex")),
        blocked=st.sets(st.integers(0, 60), max_size=12),
        without_drop=st.sampled_from(("offer", "draw")),
    )
    def begin(self, board: int | str, blocked: set[int], without_drop: str) -> None:
        position = ataxx.start({"board": board, "without_drop": without_drop})
        free = [bit for bit in position.board.names if not 1 << bit & (position.x | position.o)]
        mask = sum(1 << free[at] for at in blocked if at < len(free) - 1) if len(blocked) > 6 else 0
        self.position = Position(position.board, position.x, position.o, mask, without_drop=without_drop)
        self.begun, self.passed = self.position, False

    def over(self) -> bool:
        return ataxx.outcome(self.position) is not None

    @precondition(lambda self: not self.over())
    @rule(pick=st.integers(0, 10**6))
    def move(self, pick: int) -> None:
        possible = ataxx.moves(self.position)
        move = possible[pick % len(possible)]
        before = self.position
        turn = ataxx.play(before, move)
        assert all(from_json(event.to_json()) == event for event in turn.events)
        self.position = turn.position
        flips = sum(len(event.cells) for event in turn.events if isinstance(event, Flipped))
        mine, theirs = before.own.bit_count(), before.theirs.bit_count()
        assert turn.position.theirs.bit_count() == mine + flips + (move.kind == "drop")
        assert turn.position.own.bit_count() == theirs - flips
        assert flips <= 8
        if not before.blocked:  # A16: somebody can always act
            assert not (self.passed and move == PASS)
        self.passed = move == PASS

    @rule(data=st.data())
    def try_anything(self, data: st.DataObject) -> None:
        cells = st.sampled_from(sorted(self.position.board.bits))
        kind = data.draw(st.sampled_from(("drop", "jump", "pass", "offer", "accept")))
        move = Move(kind, data.draw(cells), data.draw(cells)) if kind == "jump" else Move(kind)
        move = Move("drop", data.draw(cells)) if kind == "drop" else move
        lawful = move in ataxx.moves(self.position)
        try:
            ataxx.play(self.position, move)
        except IllegalMove as refusal:
            assert not lawful
            assert refusal.rule
            assert refusal.remedy
            assert (refusal.name == "game-over") == self.over()
        else:
            assert lawful or move in (OFFER, ACCEPT)

    @invariant()
    def masks_are_apart_and_on_the_board(self) -> None:
        p = self.position
        assert not p.x & p.o | (p.x | p.o) & p.blocked
        assert not (p.x | p.o | p.blocked) & ~p.board.cells
        assert p.blocked == self.begun.blocked

    @invariant()
    def text_and_json_give_it_back(self) -> None:
        assert ataxx.read_position(ataxx.write_position(self.position)) == self.position
        assert ataxx.from_json(ataxx.to_json(self.position)) == self.position

    @invariant()
    def an_open_game_has_moves_and_a_finished_one_has_none(self) -> None:
        assert bool(ataxx.moves(self.position)) != self.over()
        assert len(ataxx.moves(self.position)) == ataxx.perft(self.position, 1)

    @invariant()
    def the_layout_shows_every_piece(self) -> None:
        layout = ataxx.layout(self.position)
        assert len(layout.pieces) == (self.position.x | self.position.o).bit_count()


AtaxxMachine.TestCase.settings = settings(
    max_examples=30, stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck)
)
TestAtaxx = AtaxxMachine.TestCase


class LongAtaxxMachine(AtaxxMachine):
    """The same for longer."""


LongAtaxxMachine.TestCase.settings = settings(
    max_examples=300, stateful_step_count=150, deadline=None, suppress_health_check=list(HealthCheck)
)
TestLongAtaxx = pytest.mark.long(LongAtaxxMachine.TestCase)
