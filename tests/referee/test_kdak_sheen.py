"""Tiles of the tower that a sheen hides: something lies there, and play begins; what is bare is missing."""

from dataclasses import replace

import pytest
from kdak_players import Evening
from towers import Tower

from companion.games import kdak
from companion.games.kdak.table import BACK, place_mm
from companion.games.kdak.tower import Place
from companion.pieces import EMPTY
from companion.referee.evidence.laid import Laid
from companion.view import TableView, square_at

UNDER = (Place(2, 1), Place(2, 3))
HALF_MM = 26.0


class Shining(Tower):
    """A tower of which the eye makes out no tile at some places; which squares of the table are not bare is told."""

    hidden: tuple[Place, ...] = ()
    bare: tuple[Place, ...] = ()

    def view(self, obstacles=()) -> TableView:
        view = super().view(obstacles)
        places = [(place, self.on_table(*place_mm(place), place.level)) for place in self.tiles]
        away = [at for place, at in places if place in (*self.hidden, *self.bare)]
        lying = [at for place, at in places if place not in self.bare]
        steps = [HALF_MM * (k / 8 - 1) for k in range(17)]
        covered = frozenset(square_at(at.real + dx, at.imag + dy) for at in lying for dx in steps for dy in steps)
        bare = [at for place, at in places if place in self.bare]
        inner = [0.7 * step for step in steps]
        covered -= {square_at(at.real + dx, at.imag + dy) for at in bare for dx in inner for dy in inner}
        seen = tuple(
            s
            for s in view.sightings
            if s.piece.kind != "tile" or all(abs(complex(s.x_mm, s.y_mm) - at) > 20.0 for at in away)
        )
        return TableView(view.taken_s, seen, view.obstacles, covered=covered)


def evening(hidden: tuple[Place, ...], bare: tuple[Place, ...] = ()) -> Evening:
    tower = Shining(3)
    tower.hidden, tower.bare = hidden, bare
    return Evening(tower)


def test_a_game_begins_and_goes_on_though_a_sheen_hides_two_tiles() -> None:
    players = evening(UNDER).begin()
    for _ in range(4):  # before anybody stands on what is hidden
        players.turn()
    assert players.agree()
    assert players.refused == []


def test_what_a_sheen_has_hidden_from_the_start_is_no_news_until_it_is_made_out() -> None:
    tower, laid, layout = Shining(3), Laid(), kdak.layout(kdak.start({}))
    tower.hidden = UNDER

    def there(settled: bool = True):
        return laid.read(tower.view(), layout, settled).by_cell()["2b"]

    assert there(settled=False).belief(BACK) > 0.0
    assert there().beliefs == ()
    tower.hidden = ()
    assert there().belief(BACK) > 0.9
    tower.hidden = UNDER
    assert there().belief(EMPTY) > 0.9  # it was seen, and is not any more


@pytest.mark.parametrize(
    ("hidden", "bare", "words"),
    [
        ((), UNDER[:1], "put the face-down tile on 2b"),
        (UNDER[:1], UNDER[1:], "put the face-down tile on 2d"),
        ((*UNDER, Place(3, 0), Place(4, 2)), (), "cannot be told (a sheen perhaps)"),
    ],
)
def test_what_is_bare_is_missing_and_more_than_a_few_that_are_hidden_are_told(hidden, bare, words) -> None:
    players = evening(hidden, bare)
    reading = players.look()
    assert words in reading.text.lower()
    assert players.table.state.phase == "set-up"


def test_a_gap_is_no_sheen_where_the_tiles_around_it_are_not_told_from_bare_table() -> None:
    tower, laid, layout = Shining(3), Laid(), kdak.layout(kdak.start({}))
    tower.hidden = UNDER[:1]
    view = tower.view()
    gap = {square_at(s.x_mm, s.y_mm) for s in laid.read(view, layout, settled=False).sightings if s.cell == "2b"}
    reach = range(-4, 5)
    only_the_gap = frozenset((col + dx, row + dy) for col, row in gap for dx in reach for dy in reach)
    cells = Laid().read(replace(view, covered=only_the_gap), layout, settled=False).by_cell()
    assert cells["2b"].belief(EMPTY) > 0.9
