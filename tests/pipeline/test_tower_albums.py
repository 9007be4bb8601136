"""K'Dak's Tower refereed from photographs, with nobody to enter dice or coins: all that was played is read."""

import pytest

from companion.demo.table import table_of
from companion.eye_options import read_eye_options
from companion.folder_run import FolderRun
from companion.games.kdak.table import TRACK
from companion.photographs import photograph_settings
from companion.referee.reminders import reminders
from companion.simulator.album import write_album
from companion.simulator.design import furnish
from companion.simulator.designs import look_options
from companion.simulator.playbook import Playbook, load
from companion.simulator.script import Script, Timing
from companion.simulator.setting import Setting
from hardware.pictures import pictures_in


def refereed(book: Playbook, folder):
    """The script of a game that was photographed, and the run that read it."""
    design = table_of(book)
    script = Script(book.game, book.start(), book.steps, Setting(furnish(design), 0), Timing(), 0)
    shown = write_album(script.beats(), design, folder, "kdak")
    markers = look_options(design, folder)["markers"]
    eye = read_eye_options("kdak", None, markers, None, None, None).eye()
    run = FolderRun(eye, "kdak", book.options, None, photograph_settings())
    lines = list(run.run([path for path in pictures_in(folder) if path.stem.isdigit()]))
    return script, list(zip(shown, lines, strict=True)), run.desk.table


def shorter(book: Playbook, steps: int) -> Playbook:
    return Playbook(book.name, book.game, book.options, book.table, book.steps[:steps])


def test_a_coin_that_buys_a_turn_is_read_from_who_moves(tmp_path):
    script, _, table = refereed(shorter(load("kdak", "talisman"), 8), tmp_path)
    assert "coin" in script.record
    assert [past.move for past in table.state.plies] == script.record


@pytest.mark.long
@pytest.mark.parametrize("name", ["classic", "talisman", "solitaire", "cooperative"])
def test_photographs_of_a_whole_game_are_refereed(name, tmp_path):
    script, pairs, table = refereed(load("kdak", name), tmp_path)
    assert [past.move for past in table.state.plies] == script.record
    for what, line in pairs:
        if what.startswith("unlawful"):
            assert (line.reading.kind, line.reading.rule) == ("unlawful", "K4"), (what, line)
        elif what == "put back":
            assert line.reading.kind == "take-back", (what, line)
    assert table.views.asides.knows(TRACK)
    assert reminders(table) == ()  # every score coin was seen on its square
