"""Whatever is told to be wrong is told with what to do about it."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from kdak_players import Evening
from referee_tables import Bench, shown
from towers import Tower

import companion.games
from companion.errors import IllegalMove
from companion.games import kdak
from companion.games.base import Layout, Lying
from companion.pieces import Piece
from companion.referee.picture import waiting
from companion.referee.steps import tasks
from companion.referee.views.sight import sight_of
from companion.referee.words import Palette, place_words
from companion.view import TableView

TELL = "Shade it from glare, move it a little, or tap its place here."
GAMES = Path(companion.games.__file__).parent


def refusals(tree: ast.Module):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "IllegalMove":
            yield node


@pytest.mark.parametrize("path", sorted(GAMES.rglob("*.py")), ids=lambda path: str(path.relative_to(GAMES)))
def test_every_refusal_of_a_game_has_a_remedy(path) -> None:
    for call in refusals(ast.parse(path.read_text())):
        told = call.args[3:4] or [keyword.value for keyword in call.keywords if keyword.arg == "remedy"]
        assert told, ast.unparse(call)
        assert not (isinstance(told[0], ast.Constant) and not told[0].value), ast.unparse(call)


def test_a_cell_of_which_nobody_can_be_sure_is_to_be_shown_better_or_tapped() -> None:
    bench = Bench().begin()
    layout = bench.game.layout(bench.position)
    for how in ({"doubts": {"c1": ()}}, {"changes": {"d3": Piece("scarab", "red", facing="/")}, "sure": 0.7}):
        reading = bench.show(layout, **how)
        assert reading.kind == "unclear"
        assert waiting(bench.table).why.endswith(TELL)


@pytest.mark.parametrize("place", [(300.0, 10.0), (-300.0, 10.0), (10.0, 200.0), (10.0, -200.0)])
def test_a_piece_of_a_free_table_is_to_be_put_where_it_belongs(place) -> None:
    piece = Piece("pyramid", colour="red", size="large", pose="upright")
    belongs = Lying(piece, x_mm=place[0], y_mm=place[1])
    near, far = replace(belongs, x_mm=belongs.x_mm + 60.0), Layout((belongs,))
    put, moved = (tasks(Layout(before), far, Palette()) for before in ((), (near,)))
    for (task,) in (put, moved):
        assert task.lying == belongs
        assert place_words(None, *place) in task.text


def test_cells_of_a_set_up_that_cannot_be_told_for_one_reason_are_named_together() -> None:
    bench = Bench()
    doubted = dict.fromkeys(("c1", "d1", "e1", "h2", "j4"), ())
    reading = bench.look(shown(bench.game.layout(bench.position), doubts=doubted))
    both = "What stands on c1, d1, e1 and 2 more cannot be told (glare). "
    assert reading.text == both + "Shade them from glare, move them a little, or tap their places here."
    assert waiting(bench.table).why == reading.text


def test_tiles_that_are_found_nowhere_are_to_be_laid_out() -> None:
    tower = Tower(2)
    tower.tiles = dict(list(tower.tiles.items())[:4])
    evening = Evening(tower)
    evening.look()
    why = evening.desk.snapshot().waiting.why
    assert why.endswith("Lay the tiles out as they are drawn here: 6 or more of them are found.")
    assert "and 23 more cannot be told (the tiles are not found)" in why


def test_what_hinders_the_eye_in_no_known_way_says_where_to_look() -> None:
    assert sight_of(TableView(0.0, obstacles=("fog",))).text.endswith("Check light and camera")


def test_a_diagonal_step_may_be_put_back() -> None:
    at = kdak.start({})
    for text in ("0a", "=S3", "0c", "=S4"):
        at = kdak.play(at, kdak.read_move(at, text)).position
    with pytest.raises(IllegalMove) as refused:
        kdak.play(at, kdak.read_move(at, "0d"))
    assert refused.value.remedy == "put the pawn back on 0a, or go to a tile beside it"
