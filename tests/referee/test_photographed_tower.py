"""A tower in photographs: what is hardly in doubt is taken for what happened, as no further look will tell."""

from dataclasses import replace

import pytest
from referee_tables import Bench
from towers import Tower

from companion.commands.run_command import photograph_settings
from companion.games.kdak.table import BACK, place_mm
from companion.games.kdak.tower import Place
from companion.referee.settings import Settings
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
