"""A demonstration to watch: the house with its page, hands at watchable speed, and the table that they play on."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.app import House, built
from companion.config import Config
from companion.demo.players import Players, begin
from companion.demo.table import DRAWING_S, table_of
from companion.simulator.carry import SLOW
from companion.simulator.demo_page import demo_pages
from companion.simulator.designs import look_options
from companion.simulator.errands import Errands
from companion.simulator.feed import TableServer
from companion.simulator.playbook import Playbook
from companion.simulator.script import Script, Timing
from companion.simulator.setting import Setting
from companion.simulator.source import elsewhere
from companion.simulator.table_page import table_pages
from companion.simulator.world import VirtualTable
from companion.web.settings import ExtraPages
from hardware.cameras import CameraSettings, make_camera

WATCHABLE = Timing(SLOW, still_s=2.5, ruling_s=6.0, set_up_s=4.0)


@dataclass(slots=True)
class Watched:
    """A demonstration that runs: the house, the hands, and the table that they play on."""

    house: House
    players: Players
    table: VirtualTable
    script: Script


@contextlib.contextmanager
def watched(
    book: Playbook,
    config: Config,
    state: Path,
    port: int,
    show_code: Callable[[str], None],
    play_next: Callable[[Playbook], None] = lambda book: None,
) -> Iterator[Watched]:
    """A demonstration with its page; the caller runs `house.loop`.

    `play_next` hears of the script that somebody chose on the page; the loop then ends.
    """
    design = table_of(book)
    table = VirtualTable(design)
    script = Script(book.game, book.start(), book.steps, Setting(table.furniture), WATCHABLE)
    table.show(script.state)
    houses: list[House] = []
    hand = Errands(table)
    pages = table_pages(table, lambda: houses[0].desk.picture() if houses else None, hand)

    def chosen(book: Playbook) -> None:
        play_next(book)
        houses[0].loop.stop()

    extra = (
        ExtraPages(pages, changes_by="anyone", title="Virtual table"),
        ExtraPages(demo_pages(book, chosen), changes_by="anyone", title="Demonstrations"),
    )
    look = look_options(design, state)
    with contextlib.closing(TableServer(table)) as server:
        settings = CameraSettings(fps=design.fps, hang_s=DRAWING_S)
        camera = make_camera("simulated", settings, elsewhere(table, server), simulated_apart=True)
        with built(config, camera, look, state=state, port=port, show_code=show_code, extra=extra) as house:
            houses.append(house)
            begin(house.desk, book)
            players = Players(script, table, house.desk, design.fps)
            hand.others = players
            try:
                yield Watched(house, players, table, script)
            finally:
                players.stop()
