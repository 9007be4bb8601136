"""Whole random games of Ataxx and Hexxagon from noisy views: no wrong move, and hardly anything asked."""

import random

import pytest
from cases import long
from referee_tables import Bench

from companion.games.ataxx import hands
from companion.pieces import EMPTY
from companion.referee.evidence.layout import cells_of
from companion.referee.reading import Reading
from companion.view import Sighting, TableView

BLACK, WHITE = hands.DISCS


class Noisy:
    """An eye that is less than sure everywhere, and doubts a few cells as long as nothing is touched."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def view(self, layout, changes, doubted):
        cells = {**cells_of(layout), **(changes or {})}
        names = list(layout.board.cells())
        return TableView(0.0, tuple(self._seen(c, cells.get(c, EMPTY), c in doubted) for c in names))

    def _seen(self, cell, piece, doubted):
        sure = self.rng.uniform(0.96 if doubted else 0.985, 0.9999)
        others = [p for p in (EMPTY, BLACK, WHITE) if p != piece]
        self.rng.shuffle(others)
        return Sighting(((piece, sure), (others[0], (1 - sure) * 0.8)), cell=cell)

    def read(self, bench, layout, changes=None):
        doubted = self.rng.sample(list(layout.board.cells()), 3)
        bench.hand()
        for _ in range(40):
            reading = bench.once(self.view(layout, changes, doubted))
            if reading.decided:
                return reading
        return Reading("unclear", "no decision")


def play_noisily(game, seed, plies, **options):
    """A random game from noisy views, discs turned at once, in two goes, or after a wrong one; (asked, plies)."""
    bench, eye, asked = Bench(game, **options), Noisy(seed), 0
    rng = eye.rng
    assert eye.read(bench, bench.game.layout(bench.position)).kind == "set-up"
    played = []
    while len(played) < plies and bench.table.state.phase == "play":
        position = bench.position
        moves = bench.game.moves(position)
        drops = [m for m in moves if m.kind == "drop"]
        move = rng.choice(drops) if drops and rng.random() < 0.6 else rng.choice(moves)
        during = bench.game.during(position, move)
        after = cells_of(bench.game.layout(bench.game.play(position, move).position))
        flips = [c for c, p in cells_of(during).items() if after[c] != p]
        mover = hands.DISCS[position.turn]
        wrong = [c for c, p in cells_of(during).items() if p != mover and c not in flips]
        done = dict.fromkeys(rng.sample(flips, rng.randint(0, len(flips))), mover)
        if wrong and rng.random() < 0.15:
            reading = eye.read(bench, during, {**done, rng.choice(wrong): mover})
            assert (reading.kind, reading.rule) in (("unlawful", "AA9"), ("unclear", None)), reading
        reading = eye.read(bench, during, done)
        if reading.kind != "move":
            asked += 1
            reading = eye.read(bench, during, done)
        text = bench.game.write_move(position, move)
        if reading.kind != "move" and (question := bench.table.question) is not None:  # the same doubt twice
            said = bench.game.describe(position, move).rstrip(".")
            choice = next(c.id for c in question.choices if c.text.rstrip(".") == said)
            bench.answer(choice)
        else:
            assert reading.moves[:1] == (text,), reading
        played.append(text)
        assert bench.table.state.plies[len(played) - 1].move == text
        played += [p.move for p in bench.table.state.plies[len(played) :]]  # forced passes
        if bench.table.state.awaiting and bench.table.state.phase == "play":
            assert eye.read(bench, during, dict.fromkeys(flips, mover)).kind == "step"
    assert bench.moves == played
    return asked, len(played)


GAMES = [long("ataxx", {"board": 7}), ("hexxagon", {}), ("ataxx", {"board": 5, "blocked": "corners"})]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_random_games_are_read_without_a_wrong_move(game, options):
    asked, plies = play_noisily(game, 1, 60, **options)
    assert plies >= 20
    assert asked <= 1


@pytest.mark.long
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_many_random_games_are_read_without_a_wrong_move(game, options):
    counts = [play_noisily(game, seed, 120, **options) for seed in range(2, 22)]
    assert sum(asked for asked, _ in counts) <= 0.02 * sum(plies for _, plies in counts)
