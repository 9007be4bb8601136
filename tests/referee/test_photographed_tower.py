"""A tower in photographs: what is hardly in doubt is taken for what happened, as no further look will tell."""

from dataclasses import replace

import pytest
from photograph_folders import lines, readings
from referee_tables import Bench
from towers import Tower

from companion.games.kdak.position import Move
from companion.games.kdak.table import BACK, place_mm
from companion.games.kdak.tower import Place
from companion.photographs import photograph_settings
from companion.pieces import Piece
from companion.referee.photographs.played_on import TAKEN_UP
from companion.referee.settings import Settings
from companion.referee.words import sentence
from companion.view import TableView

TAKEN = Place(0, 1)


class Photographs:
    """Pictures of a tower of which one tile is taken, at whose place the eye still half sees one."""

    def __init__(self, settings: Settings) -> None:
        self.tower = Tower(3, "cooperative")
        options = {"variant": "cooperative", "dice": "camera"}
        self.bench = Bench("kdak", settings=settings, **options)
        self.ghost: float | None = None

    def look(self):
        view = self.tower.view()
        if self.ghost is None:
            return self.bench.look(view)
        at = self.tower.on_table(*place_mm(TAKEN), TAKEN.level)
        like = replace(self.tower._seen(at, (BACK, self.ghost)), faint=True)
        return self.bench.look(TableView(0.0, (*view.sightings, like)))

    def until_the_tile_is_taken(self) -> "Photographs":
        assert self.look().kind == "set-up"
        self.tower.put(0, Place(0, 3))
        self.tower.turn_up(Place(0, 3))
        assert self.look().kind == "move"
        self.tower.tiles.pop(TAKEN)
        return self


@pytest.mark.parametrize("ghost", [0.2, 0.3])
def test_a_taken_tile_that_is_half_seen_is_taken_in_photographs_and_waited_for_at_the_table(ghost) -> None:
    read = {}
    for name, settings in (("photographs", photograph_settings()), ("table", Settings())):
        album = Photographs(settings).until_the_tile_is_taken()
        album.ghost = ghost
        read[name] = album.look(), [past.move for past in album.bench.table.state.plies]
    assert read["photographs"][0].kind == "move"
    assert read["photographs"][1][-1] == "x0b"
    assert read["table"][0].kind != "move"


UNSEEN = (Place(2, 1), Place(3, 0))
IN_THE_GLEAM = (Place(1, 1), *(Place(2, corner) for corner in range(4)))


def seen_without(tower: Tower, *unseen: Place) -> TableView:
    """A view of the tower in which the tiles on some places are not made out."""
    kept, tower.tiles = tower.tiles, {place: tile for place, tile in tower.tiles.items() if place not in unseen}
    view, tower.tiles = tower.view(), kept
    return view


@pytest.mark.parametrize("never", [UNSEEN, IN_THE_GLEAM])
def test_a_set_up_of_which_a_few_tiles_are_not_made_out_was_one_if_an_action_follows(tmp_path, never) -> None:
    tower = Tower(4, "talisman")
    views = [seen_without(tower, *never)]
    for place, unseen in ((Place(1, 2), never), (None, never), (Place(0, 3), never[:1])):
        tower.put(0, place)
        views.append(seen_without(tower, *unseen))
    told = readings(tmp_path, *views, game="kdak", variant="talisman")
    assert told == ["set-up", "unlawful", "take-back", "move"]


def test_a_set_up_of_which_a_pawn_is_not_made_out_was_one_if_the_other_enters(tmp_path) -> None:
    tower, pawn = Tower(4, "duel"), Piece("pawn", suit="arms")
    views = [tower.view()]
    tower.put(0, Place(0, 3))
    views.append(tower.view())
    unseen = [replace(v, sightings=tuple(s for s in v.sightings if s.piece != pawn)) for v in views]
    told = lines(tmp_path, *unseen, game="kdak", variant="duel")
    assert [line.reading.kind for line in told] == ["set-up", "move"]
    assert told[1].reading.moves == ("0d",)


@pytest.mark.parametrize(
    ("unseen", "stands"),
    [
        ([Place(level, corner) for level in range(5) for corner in (1, 2)], None),  # not laid out yet, rather
        (UNSEEN, Place(0, 2)),  # a pawn stands where none belongs
    ],
)
def test_other_towers_were_not_set_up(tmp_path, unseen, stands) -> None:
    tower = Tower(4, "talisman")
    tower.put(0, stands)
    views = [seen_without(tower, *unseen)]
    tower.put(0, Place(0, 3))
    views.append(seen_without(tower, *UNSEEN))
    assert readings(tmp_path, *views, game="kdak", variant="talisman") == ["set-up", "set-up"]


def crumbling(photographed: bool, dice: str, level: int) -> tuple[Tower, Bench]:
    """A tower of which Baba stands on 0d, and this level is to lose a tile."""
    settings = photograph_settings() if photographed else Settings()
    tower, bench = Tower(3, "cooperative"), Bench("kdak", settings=settings, variant="cooperative", dice=dice)
    assert bench.look(tower.view()).kind == "set-up"
    tower.put(0, Place(0, 3))
    tower.turn_up(Place(0, 3))
    assert bench.look(tower.view()).kind == "move"
    if dice == "entered":
        bench.table.enter(Move("roll", level=level))
    return tower, bench


def moved_down(tower: Tower, taken: Place, count: int) -> None:
    """So many of the tiles above one that was taken are moved down, with the pawns on them."""
    for level in range(taken.level + 1, taken.level + 1 + count):
        above, below = Place(level, taken.corner), Place(level - 1, taken.corner)
        tower.tiles[below] = tower.tiles.pop(above)
        tower.pawns = [below if pawn == above else pawn for pawn in tower.pawns]


@pytest.mark.parametrize("photographed", [False, True])
@pytest.mark.parametrize(
    ("count", "back"),
    [(2, "Move the tiles on 0d and 1d one level up"), (5, "Move the tiles on 0d, 1d, 2d, 3d and 4d one level up")],
)
def test_k9_an_unlawful_take_is_refused_though_the_column_was_moved_down(photographed, count, back) -> None:
    tower, bench = crumbling(photographed, "entered", level=2)
    tower.take(Place(0, 3))
    moved_down(tower, Place(0, 3), count)
    refused = bench.look(tower.view())
    assert (refused.rule, refused.moves) == ("K9", ("x0d",))
    assert back in refused.text
    assert refused.text.endswith("and put the tile that was taken away back on 0d.")


@pytest.mark.parametrize("photographed", [False, True])
def test_k9_the_top_of_a_column_is_refused_where_no_lawful_take_looks_so(photographed) -> None:
    tower, bench = crumbling(photographed, "entered", level=0)
    tower.take(Place(5, 3))
    assert bench.look(tower.view()).moves == ("x5d",)
    lowered, again = crumbling(photographed, "entered", level=0)
    lowered.take(Place(0, 1))
    moved_down(lowered, Place(0, 1), 5)
    assert again.look(lowered.view()).moves == ("x0b",)


@pytest.mark.parametrize("photographed", [False, True])
@pytest.mark.parametrize("dice", ["entered", "camera"])
@pytest.mark.parametrize("count", [1, 3])
def test_a_take_is_seen_together_with_a_column_that_is_half_moved_down(photographed, dice, count) -> None:
    tower, bench = crumbling(photographed, dice, level=0)
    tower.take(Place(0, 3))
    moved_down(tower, Place(0, 3), count)
    assert bench.look(tower.view()).moves[-1] == "x0d"
    moved_down(tower, Place(count, 3), 5 - count)
    assert bench.look(tower.view()).kind == "step"
    assert not bench.table.state.awaiting


def test_a_tower_of_which_no_picture_shows_the_set_up_is_played_from_its_first_actions(tmp_path) -> None:
    tower = Tower(3)
    tower.put(0, Place(0, 3))
    views = [tower.view()]
    tower.turn_up(Place(0, 3))
    views.append(tower.view())
    tower.put(1, Place(0, 2))
    *told, last = lines(tmp_path, *views, tower.view(), game="kdak", variant="duel")
    assert [line.reading.kind for line in told] == ["set-up", "move"]
    assert told[1].reading.moves == ("0d", f"={tower.tiles[Place(0, 3)]}")
    assert last.reading.moves == ("0c",)


def test_a_tower_that_lost_tiles_before_the_first_picture_is_taken_as_it_lies(tmp_path) -> None:
    tower = Tower(3, "cooperative")
    for seat, place in enumerate((Place(0, 3), Place(0, 2))):
        tower.put(seat, place)
        tower.turn_up(place)
    tower.take(Place(0, 1))
    tower.take(Place(3, 0))
    moved_down(tower, Place(0, 1), 5)
    moved_down(tower, Place(3, 0), 2)
    views = [tower.view()]
    tower.put(0, Place(1, 3))
    lying, begun = lines(tmp_path, *views, tower.view(), game="kdak", variant="cooperative")
    assert (lying.reading.kind, begun.reading.kind) == ("set-up", "move")
    assert begun.reading.text.startswith(sentence(TAKEN_UP))
    assert begun.reading.moves[-1] == "1d"


def test_a_tower_that_is_still_laid_out_begins_no_game(tmp_path) -> None:
    tower, views = Tower(3), []
    whole = tower.tiles
    for level in (2, 3, 4, 5):
        tower.tiles = {place: tile for place, tile in whole.items() if place.level <= level}
        views.append(tower.view())
    assert readings(tmp_path, *views, game="kdak", variant="duel") == ["set-up"] * 4
