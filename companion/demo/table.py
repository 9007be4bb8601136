"""Virtual tables: the usual one for a script, and one with a game's set-up whose pieces people drag on a page."""

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.games import game as game_named
from companion.simulator.design import TableDesign
from companion.simulator.designs import design_for, look_options
from companion.simulator.feed import TableServer
from companion.simulator.playbook import Playbook
from companion.simulator.setting import Setting
from companion.simulator.source import elsewhere
from companion.simulator.table_page import table_pages
from companion.simulator.world import VirtualTable
from companion.web.settings import ExtraPages
from hardware.cameras import CameraSettings, make_camera
from hardware.frames import FrameSource

DRAWING_S = 5.0  # a busy machine may be so long about one frame of the virtual table: that is no camera that hangs


def table_of(book: Playbook) -> TableDesign:
    """The usual table for a script."""
    return design_for(book.game.NAME, book.game.layout(book.start()))


@contextlib.contextmanager
def simulated_table(
    game: str, options: Mapping[str, Any], picture: Callable[[], bytes | None]
) -> Iterator[tuple[FrameSource, ExtraPages, Mapping[str, Any]]]:
    """A camera over a virtual table with the game's set-up, the page to drag its pieces, and options of the eye."""
    module = game_named(game)
    own = {option.name for option in module.OPTIONS}
    layout = module.layout(module.start({k: v for k, v in options.items() if k in own}))
    design = design_for(game, layout)
    table = VirtualTable(design)
    table.show(Setting(table.furniture).state(layout))
    server = TableServer(table)
    try:
        camera = make_camera(
            "simulated", CameraSettings(fps=design.fps, hang_s=DRAWING_S), elsewhere(table, server), True
        )
        pages = ExtraPages(table_pages(table, picture), changes_by="anyone", title="Virtual table")
        with tempfile.TemporaryDirectory(prefix="companion-table-") as folder:
            yield camera, pages, look_options(design, Path(folder))
    finally:
        server.close()
