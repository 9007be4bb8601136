"""The answers to a question are drawn as the table would be."""

import random
from dataclasses import replace

import pytest
from close_shots import GRAZING, looked_at
from referee_tables import Bench

from companion.referee.asking import ask
from companion.referee.picture import Painter
from companion.referee.setup import pieces_of
from companion.referee.snapshot import Choice, Question
from companion.referee.spelling import described


def drawn(table):
    return Painter().snapshot(table)


def test_both_rays_of_a_grazing_attacker_are_drawn():
    bench = looked_at(GRAZING)
    choices = {"captures cyan" in choice.text: choice for choice in drawn(bench.table).question.choices[:-1]}
    assert [len(choice.added) for choice in choices.values()] == [1, 1]
    assert [len(choice.removed) for choice in choices.values()] == [0, 0]
    ends = {captures: [beam.end for beam in choice.beams] for captures, choice in choices.items()}
    assert ends == {True: ["target"], False: ["nothing"]}


@pytest.mark.parametrize("name", ["ataxx", "hexxagon", "kdak", "khet"])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_added_and_removed_makes_the_table_that_is_meant(name, seed):
    bench, rng = Bench(name), random.Random(seed)
    table = bench.table
    lawful = table.explainer.outlook(bench.game, bench.position).lawful
    meant = {str(i): hypothesis for i, hypothesis in enumerate(rng.sample(lawful, min(4, len(lawful))))}
    words = tuple(Choice(name, described(table.state, hypothesis)) for name, hypothesis in meant.items())
    ask(table, Question("which", "Which was it?", words), meant)
    shown = drawn(table)
    for choice in shown.question.choices:
        there = [piece for piece in shown.pieces if piece not in choice.removed] + list(choice.added)
        assert set(there) == set(pieces_of(meant[choice.id].layout, table.colours))
        assert choice.added
        assert not set(choice.added) & set(shown.pieces)


def test_a_question_is_drawn_once_and_anew_when_another_is_asked():
    bench = looked_at(GRAZING)
    painter = Painter()
    first = painter.snapshot(bench.table).question
    assert painter.snapshot(bench.table).question is first
    bench.table.question = Question("undo", "Take back?", (Choice("no", "No"),))
    assert painter.snapshot(bench.table).question == bench.table.question


def test_a_question_without_a_picture_is_told_in_words():
    bench = Bench("khet")
    question = Question("which", "Was it so?", (Choice("yes", "Yes"), Choice("no", "No")))
    ask(bench.table, question)
    assert replace(drawn(bench.table).question, id="") == question
