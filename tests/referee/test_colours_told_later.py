"""A colour that is doubtful at first: what else lies about, and what the dice ask for, tell it."""

import random
from dataclasses import replace

import pytest
from free_views import free_view
from referee_tables import Bench

from companion.events import GameOver
from companion.games import chaos
from companion.photographs import photograph_settings
from companion.pieces import Piece
from companion.referee.chance import CAMERA
from companion.view import Sighting, TableView

GREEN, CLEAR = 6, 2  # faces of the dice


def begun(settings=None) -> Bench:
    bench = Bench("chaos", settings, dice=CAMERA)
    bench.look(free_view(bench.game.layout(bench.position), random.Random(1)))
    return bench


def upright(x_mm: float, y_mm: float, **beliefs: float) -> Sighting:
    looks = tuple((Piece("pyramid", c, "large", "upright"), p) for c, p in beliefs.items())
    return Sighting(looks, x_mm, y_mm, base_deg=0.0)


def view(*sightings: Sighting) -> TableView:
    return TableView(0.0, sightings)


def standing(bench: Bench) -> list[str]:
    return [piece.colour for piece in bench.position.pieces]


def photographed(*later: Sighting, first: float = 0.985) -> Bench:
    """Something orange, as it seems, and yellow beside it; then `later`, each in a photograph of its own."""
    return told(*later, first=first)[0]


def told(*later: Sighting, first: float = 0.985) -> tuple[Bench, list[str]]:
    bench, yellow = begun(photograph_settings()), upright(40, 40, yellow=0.99)
    alone = upright(-80, 40, orange=first, red=1 - first)
    assert bench.look(view(alone)).kind == "move"
    assert bench.look(view(alone, yellow)).kind == "move"
    assert standing(bench) == ["orange", "yellow"]
    return bench, [bench.look(view(seen, yellow)).text for seen in later]


def test_the_record_of_photographs_is_put_right_when_a_colour_is_told_later() -> None:
    red = upright(-80.5, 40.4, red=0.996, orange=0.003)
    bench, texts = told(red, red, red)
    (mended,) = (text for text in texts if "second thoughts" in text)
    assert mended.startswith(
        "On second thoughts: Player 1 rolls 3 and what was not seen. Player 1 places the large red"
    )
    assert standing(bench) == ["red", "yellow"]
    assert bench.table.state.plies[0].move == "r3,?"
    assert bench.look(view(red, upright(40, 40, yellow=0.99))).kind == "nothing new"


def test_a_game_that_was_given_up_stays_so() -> None:
    bench, _ = told()
    bench.table.record(GameOver("resigned", (1,), "Player 1 resigns: Player 2 wins"))
    for _ in range(3):
        bench.look(view(upright(-80.5, 40.4, red=0.996, orange=0.003), upright(40, 40, yellow=0.99)))
    assert bench.table.state.over is not None
    assert standing(bench) == ["orange", "yellow"]


@pytest.mark.parametrize(
    "later",
    [
        (upright(-80, 40, red=0.7, orange=0.29),) * 4,  # no look is plain
        (upright(-80, 40, red=0.996, orange=0.003),),  # one look against three
        (upright(-80, 120, red=0.996, orange=0.003),) * 4,  # that is another piece
    ],
)
def test_it_is_left_alone_where_later_looks_do_not_tell(later) -> None:
    assert standing(photographed(*later))[0] == "orange"


@pytest.mark.parametrize(("looks", "colour"), [(1, "orange"), (4, "red")])
def test_a_piece_that_was_surely_orange_stays_so_until_it_is_outvoted(looks, colour) -> None:
    assert standing(photographed(*(upright(-80, 40, red=0.996),) * looks, first=0.9999))[0] == colour


@pytest.mark.parametrize(
    ("looks", "colours"),
    [
        ((0.93, 0.95, 0.95), ["red", "orange", "yellow"]),
        ((0.9999, 0.95, 0.95), ["orange", "orange", "yellow"]),  # what is refused is let stand
        ((0.93, 0.9999, 0.95), ["orange", "orange", "yellow"]),  # one look is plainly against it
    ],
)
def test_what_was_refused_for_a_colour_tells_the_colour_once_play_goes_on(looks, colours) -> None:
    bench = begun(photograph_settings())
    first, second, third = (upright(-80, 40, orange=p, red=round(1 - p, 4)) for p in looks)
    near, yellow = upright(-10, 40, orange=0.999), upright(150, -60, yellow=0.999)
    assert bench.look(view(first)).kind == "move"
    reading = bench.look(view(second, near))
    assert (reading.kind, reading.rule) == ("unlawful", "C10")
    assert "The large orange piece is 44.6 mm from another of its colour" in reading.text
    assert bench.look(view(third, near, yellow)).kind == "move"
    assert standing(bench) == colours


def photographed_reds(*looks: float) -> Bench:
    """One piece, as red as this in each photograph, else orange; it stands alone but for yellow."""
    bench = begun(photograph_settings())
    for number, red in enumerate(looks):
        seen = upright(-80, 40, red=red, orange=round(0.999 - red, 4))
        bench.look(view(*(seen, upright(40, 40, yellow=0.99))[: number + 1]))
    return bench


@pytest.mark.parametrize(
    ("reds", "colour"),
    [
        ((0.17, 0.12, 0.44, 0.83, 0.62, 0.52, 0.93), "orange"),  # what most looks say is not yet clear
        ((0.17, 0.12, 0.44, 0.83, 0.62, 0.52, 0.93, 0.61, 0.74, 0.81, 0.92), "red"),
        ((0.99, 0.99, 0.99, 0.99, 0.07, 0.05), "red"),  # two looks against four
    ],
)
def test_a_colour_that_most_looks_tell_is_believed_though_none_of_them_is_sure(reds, colour) -> None:
    assert standing(photographed_reds(*reds)) == [colour, "yellow"]


def test_a_colour_that_was_put_right_may_be_put_right_again() -> None:
    swung = (0.1, 0.2, *(0.97,) * 5)
    assert standing(photographed_reds(*swung)) == ["red", "yellow"]
    assert standing(photographed_reds(*swung, *(0.03,) * 9)) == ["orange", "yellow"]


def test_a_colour_is_not_put_right_before_what_was_refused_is_put_back() -> None:
    bench = begun(photograph_settings())
    black, near = (upright(x, -60, black=0.999) for x in (40, 100))
    first, red = upright(-80, 40, orange=0.8, red=0.199), upright(-80, 40, red=0.996, orange=0.003)
    for looks in ((first,), (first, black), (first, black, near)):
        reading = bench.look(view(*looks))
    assert reading.kind == "unlawful"
    for _ in range(3):
        assert bench.look(view(red, black, near)).kind == "unlawful"
    assert bench.look(view(red, black)).text == "Put back as it was: Player 2 to move."
    assert "second thoughts" in bench.look(view(red, black)).text
    assert standing(bench) == ["red", "black"]


@pytest.mark.parametrize(("first", "colours"), [(0.28, ["orange", "red"]), (0.04, ["red", "orange"])])
def test_of_two_pieces_of_which_one_was_misread_it_is_the_one_that_was_less_sure(first, colours) -> None:
    bench = begun(photograph_settings())
    doubtful, near = upright(-80, 40, red=0.99 - first, orange=first), upright(-10, 40, red=0.95, orange=0.045)
    assert bench.look(view(doubtful)).kind == "move"
    assert bench.look(view(doubtful, near)).kind == "unlawful"
    assert bench.look(view(doubtful, near, upright(150, -60, yellow=0.999))).kind == "move"
    assert standing(bench) == [*colours, "yellow"]


def test_what_is_lawful_if_the_piece_before_was_as_likely_another_is_not_refused() -> None:
    bench = begun(photograph_settings())
    doubtful, near = upright(-80, 40, red=0.52, orange=0.47), upright(-10, 40, red=0.999)
    assert bench.look(view(doubtful)).kind == "move"
    assert standing(bench) == ["red"]
    reading = bench.look(view(doubtful, near))
    assert (reading.kind, standing(bench)) == ("move", ["orange", "red"])
    assert reading.text.startswith("On second thoughts: Player 1 rolls 4 and what was not seen. Player 1 places the")


def asked(settings=None, **beliefs: float):
    """The dice ask for green and clear; this is placed."""
    bench = begun(settings)
    bench.table.enter(chaos.Move("roll", (GREEN, CLEAR)))
    assert bench.position.dice == ("green", "clear")
    return bench.look(view(upright(0, 0, **beliefs))), bench.table.question


def test_a_colour_that_the_dice_do_not_ask_for_is_refused() -> None:
    reading, question = asked(yellow=0.99, clear=0.002)
    assert (reading.kind, reading.rule, question) == ("unlawful", "C4", None)


@pytest.mark.parametrize("clear", [0.2, 0.07, 0.037, 0.006])
def test_a_look_that_may_be_the_colour_asked_for_is_asked_about(clear) -> None:
    reading, question = asked(yellow=0.99 - clear, clear=clear)
    assert reading.kind == "unclear"
    assert {choice.text.split()[5] for choice in question.choices[:-1]} == {"yellow", "clear"}


@pytest.mark.parametrize(("large", "kind"), [(0.1, "unclear"), (0.02, "unclear"), (0.002, "unlawful")])
def test_a_size_that_may_be_the_one_due_is_asked_about(large, kind) -> None:
    bench = begun()
    bench.table.enter(chaos.Move("roll", (GREEN, CLEAR)))
    sighting = upright(0, 0, green=0.995)
    ((piece, _),) = sighting.beliefs
    beliefs = ((replace(piece, size="medium"), 0.995 - large), (piece, large))
    reading = bench.look(view(replace(sighting, beliefs=beliefs)))
    assert reading.kind == kind
    if bench.table.question is not None:
        assert {choice.text.split()[4] for choice in bench.table.question.choices[:-1]} == {"large", "medium"}


@pytest.mark.parametrize("clear", [0.09, 0.02, 0.0012])
def test_white_may_be_clear_plastic_that_mirrors_a_lamp(clear) -> None:
    reading, question = asked(white=0.995 - clear, clear=clear)
    assert reading.kind == "unclear"
    assert {choice.text.split()[5] for choice in question.choices[:-1]} == {"white", "clear"}


def test_what_is_surely_white_is_refused() -> None:
    reading, question = asked(white=0.995)
    assert (reading.kind, reading.rule, question) == ("unlawful", "C4", None)


def test_a_colour_asked_for_is_thought_of_though_three_others_are_likelier() -> None:
    _, question = asked(black=0.77, yellow=0.15, orange=0.018, clear=0.017)
    assert "clear" in [choice.text.split()[5] for choice in question.choices]


def test_what_is_as_likely_the_colour_asked_for_is_rather_that_one() -> None:
    _, question = asked(yellow=0.5, clear=0.48)
    assert question.choices[0].text.split()[5] == "clear"
    reading, _ = asked(photograph_settings(), yellow=0.5, clear=0.48)
    assert reading.moves[-1].startswith("l3^")


def test_what_speaks_against_a_colour_or_a_size_is_said_only_of_those() -> None:
    bench = begun()
    bench.table.enter(chaos.Move("roll", (GREEN, CLEAR)))
    piece = chaos.read_move(bench.position, "g3^0,0,0")
    assert chaos.oddity(bench.position, piece) == 0.0
    for other in ({"colour": "yellow"}, {"size": "medium"}):
        assert chaos.oddity(bench.position, replace(piece, piece=replace(piece.piece, **other))) > 0.0
