"""Where a game departs from its script is told and drawn."""

import dataclasses

import cv2

from companion.bench.departures import Departures
from companion.demo.fast import play_fast
from companion.games import game
from companion.simulator.designs import design_for
from companion.simulator.playbook import Playbook
from companion.simulator.random_games import random_steps

SEED, PLIES = 7, 2


def _book():
    rules, options = game("ataxx"), {"board": 7}
    steps, _ = random_steps(rules, rules.start(options), PLIES, SEED)
    return Playbook("two plies", rules, options, {}, tuple(steps))


def _table(book, **looks):
    return dataclasses.replace(design_for("ataxx", book.game.layout(book.start())), **looks)


def test_a_game_that_is_read_as_it_was_played_departs_nowhere():
    book = _book()
    watch = Departures(_table(book), book.start())
    result = play_fast(book, watch.design, seed=SEED, ends=watch)
    assert result.agreed
    assert (watch.found, watch.wrong, watch.cut) == (None, 0, False)


def test_a_move_read_as_another_ends_the_game_and_is_drawn_beside_what_was_agreed(tmp_path):
    book = _book()
    watch = Departures(_table(book), book.start())
    rules, start, made = book.game, book.start(), book.steps[0].move
    other = next(text for m in rules.moves(start) if (text := rules.write_move(start, m)) != made)

    def ends(beat, script, desk):
        return watch(dataclasses.replace(beat, what=beat.what.replace(made, other)), script, desk)

    play_fast(book, watch.design, seed=SEED, ends=ends)
    assert watch.wrong == 1
    assert watch.found.done == f"moved {other}"
    watch.draw(watch.found, tmp_path / "pictures" / "ataxx")
    agreed, there = (cv2.imread(str(tmp_path / "pictures" / f"ataxx-{number}.png")) for number in (1, 2))
    assert agreed.shape == there.shape == (1200, 1600, 3)
    assert cv2.absdiff(agreed, there).max() > 50


def test_a_table_that_is_never_seen_departs_at_its_set_up_and_is_cut(tmp_path):
    book = _book()
    watch = Departures(_table(book, mean=0.001, white=0.001), book.start(), limit_s=0.0)
    play_fast(book, watch.design, seed=SEED, ends=watch)
    assert watch.cut
    assert watch.found.done == "set-up"
    assert "covered" in watch.found.told
    watch.draw(watch.found, tmp_path / "ataxx")
    assert [path.name for path in tmp_path.iterdir()] == ["ataxx-1.png"]
