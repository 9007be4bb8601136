"""A demonstration to watch: the house with its page, hands at watchable speed, and the table that they play on."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


def watched(
    book: Playbook,
    config: Config,
    state: Path,
    port: int,
    show_code: Callable[[str], None],
    play_next: Callable[[Playbook], None] = lambda book: None,
) -> Any:
    """Context manager over a demonstration with its page; the caller runs `house.loop`.

    `play_next` hears of the script that somebody chose on the page; the loop then ends.
    """
    return _Watching(book, config, state, port, show_code, play_next)


class _Watching:
    def __init__(
        self,
        book: Playbook,
        config: Config,
        state: Path,
        port: int,
        show_code: Callable[[str], None],
        play_next: Callable[[Playbook], None],
    ) -> None:
        self._book, self._config, self._state, self._port, self._show_code = book, config, state, port, show_code
        self._play_next = play_next

    def __enter__(self) -> Watched:
        self._stack = contextlib.ExitStack()
        try:
            return self._built()
        except BaseException:
            self._stack.close()
            raise

    def _built(self) -> Watched:
        design = table_of(self._book)
        table = VirtualTable(design)
        server = TableServer(table)
        self._stack.callback(server.close)
        make = elsewhere(table, server)
        camera = make_camera("simulated", CameraSettings(fps=design.fps, hang_s=DRAWING_S), make, simulated_apart=True)
        script = Script(self._book.game, self._book.start(), self._book.steps, Setting(table.furniture), WATCHABLE)
        table.show(script.state)
        houses: list[House] = []
        hand = Errands(table)
        pages = table_pages(table, lambda: houses[0].desk.picture() if houses else None, hand)

        def chosen(book: Playbook) -> None:
            self._play_next(book)
            houses[0].loop.stop()

        house = self._stack.enter_context(
            built(
                self._config,
                camera,
                look_options(design, self._state),
                state=self._state,
                port=self._port,
                show_code=self._show_code,
                extra=(
                    ExtraPages(pages, changes_by="anyone", title="Virtual table"),
                    ExtraPages(demo_pages(self._book, chosen), changes_by="anyone", title="Demonstrations"),
                ),
            )
        )
        houses.append(house)
        begin(house.desk, self._book)
        players = Players(script, table, house.desk, design.fps)
        hand.others = players
        self._stack.callback(players.stop)
        return Watched(house, players, table, script)

    def __exit__(self, *details: object) -> None:
        self._stack.close()
