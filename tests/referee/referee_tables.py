"""Synthetic views of a table, and a referee over them: no picture is involved."""

import pytest

from companion.errors import CommandRefused
from companion.events import Hit
from companion.games.base import Layout
from companion.journal.archive import MemoryArchive
from companion.journal.export import as_json
from companion.journal.restore import read_game
from companion.pieces import EMPTY, Piece
from companion.referee.commands import Command
from companion.referee.evidence.layout import cells_of
from companion.referee.happenings import Asked
from companion.referee.orders import carry_out, started
from companion.referee.reading import Reading
from companion.referee.settings import Settings
from companion.referee.snapshot import Question
from companion.referee.table import Table
from companion.view import Sighting, TableView

SURE = 0.995


def comes_back(archive: MemoryArchive, game: int = 1) -> bool:
    """The game as it was, once exported and read again."""
    events = archive.events(game)
    return read_game(as_json(game, events).encode()).events == tuple(events)


def shown(layout: Layout, changes=None, sure: float = SURE, doubts=None, skew=None, obstacles=(), facings=None):
    """The layout as a good eye sees it; `changes` cell -> Piece or EMPTY, `doubts` cell -> beliefs."""
    cells = {**cells_of(layout), **(changes or {})}
    sightings = []
    for cell in layout.board.cells():
        piece = cells.get(cell, EMPTY)
        if piece.facing is None and piece.kind == "pharaoh":
            piece = Piece("pharaoh", piece.colour, facing=(facings or {}).get(cell, "N"))
        beliefs = ((piece, sure),)
        if doubts and cell in doubts:
            beliefs = doubts[cell]
        sightings.append(
            Sighting(beliefs, cell=cell, skew_deg=(skew or {}).get(cell, 0.0), why=None if beliefs else "glare")
        )
    return TableView(0.0, tuple(sightings), tuple(obstacles))


class Bench:
    """A referee at a table of its own, with a clock that only the test moves."""

    def __init__(self, game="khet", settings: Settings | None = None, archive=None, draw=None, **options):
        self.now = 100.0
        self.events = []
        self.archive = archive or MemoryArchive()
        self.table = Table(self.archive, lambda: self.now, self.events.extend, settings, draw)
        if game is not None:
            self.table.open_game(started({"game": game, "options": options}, "2026-01-01T00:00:00"))

    @property
    def game(self):
        return self.table.state.module

    @property
    def position(self):
        return self.table.state.position

    def begin(self):
        """The set-up is shown and play begins."""
        assert self.show(self.game.layout(self.position)).kind == "set-up"
        assert self.table.state.phase == "play"
        return self

    def once(self, view: TableView, wait_s: float = 0.25) -> Reading:
        self.now += wait_s
        return self.table.observe(view)

    def hand(self) -> None:
        """A hand comes and goes."""
        self.table.observe(TableView(0.0, obstacles=("hand",)))

    def look(self, view: TableView, most: int = 30) -> Reading:
        """A hand, then the same view again and again until the referee has made up its mind."""
        self.hand()
        reading = self.once(view)
        for _ in range(most):
            if reading.decided:
                return reading
            reading = self.once(view)
        raise AssertionError(f"no decision: {reading}")

    def show(self, layout: Layout, changes=None, **how) -> Reading:
        return self.look(shown(layout, changes, **how))

    def act(self, text: str, **how) -> Reading:
        """A hand carries out a move, lawful or not, and lets go."""
        return self.show(self.during(text), **how)

    def clear(self, **how) -> Reading:
        """Hands do what was asked for."""
        return self.show(self.game.layout(self.position), **how)

    @property
    def moves(self) -> list[str]:
        """What was played so far."""
        return [past.move for past in self.table.state.plies]

    @property
    def asked(self) -> int:
        """How often people were asked something."""
        return sum(isinstance(event, Asked) for event in self.events)

    def during(self, text: str) -> Layout:
        """The table after the hand of this move, lawful or not."""
        return self.game.during(self.position, self.game.read_move(self.position, text))

    def rest(self, view: TableView, seconds: float = 4.0, hand: bool = True) -> Reading:
        """What is read of a table that lies so while nobody touches it, after a hand if one came."""
        if hand:
            self.hand()
        return [self.once(view) for _ in range(round(4 * seconds))][-1]

    def answer(self, choice: str, question: Question | None = None) -> None:
        """To the question that stands, or to one that was seen before."""
        order(self, "answer", question=(question or self.table.question).id, choice=choice)

    def answer_in_words(self, part: str) -> None:
        """The first answer that can be given with these words in it."""
        self.answer(next(choice.id for choice in self.table.question.choices if part in choice.text))

    def play(self, *moves: str):
        """Lawful moves, each with what it asks for."""
        for text in moves:
            reading = self.act(text)
            assert reading.kind == "move", reading
            if self.table.state.awaiting:
                assert self.clear().kind == "step"
        return self


def order(bench: Bench, name: str, by: str = "host", **arguments) -> None:
    """Somebody at the page wants something; CommandRefused if it cannot be."""
    carry_out(bench.table, Command(name, arguments, by), "now")


def refused(bench: Bench, name: str, by: str = "host", **arguments) -> str:
    """What is named as the reason why this cannot be."""
    with pytest.raises(CommandRefused) as caught:
        order(bench, name, by, **arguments)
    return caught.value.name


def names(bench):
    return [e.name for e in bench.archive.events(bench.table.game_id)]


def first_hit(bench):
    """A lawful action whose shot removes a piece."""
    for move in bench.game.moves(bench.position):
        turn = bench.game.play(bench.position, move)
        if any(isinstance(e, Hit) for e in turn.events) and bench.game.outcome(turn.position) is None:
            return bench.game.write_move(bench.position, move)
    raise AssertionError("no action hits anything")


def turned_either_way(bench: Bench, cell: str = "h2") -> tuple[Piece, Piece]:
    """The piece of a cell as a turn to the left and one to the right leave it."""
    one, other = (
        next(piece.piece for piece in layout.pieces if piece.cell == cell)
        for turn in "+-"
        for layout in [bench.game.during(bench.position, bench.game.read_move(bench.position, f"{cell}{turn}"))]
    )
    return one, other
