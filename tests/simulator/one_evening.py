"""A game and a picture, told line by line: a program that the test of sameness runs in processes of their own."""

import json
import zlib

from companion.demo.players import new_game
from companion.demo.table import table_of
from companion.games.base import Layout
from companion.journal.archive import MemoryArchive
from companion.referee.commands import Command
from companion.referee.readmodel import Desk
from companion.simulator.design import furnish, scene_of
from companion.simulator.playbook import Playbook, load
from companion.simulator.renderer import Renderer
from companion.simulator.script import TOGETHER
from companion.simulator.setting import Setting
from companion.view import Sighting, TableView

BESIDE_MM = (-330.0, 130.0)  # where a tile lies that was taken away
LOOKS, RULED = 3, 10  # of a quarter of a second: a ruling takes longer


class Table:
    """A desk before which layouts are shown."""

    def __init__(self, book: Playbook) -> None:
        self.now_s = 100.0
        self.archive = MemoryArchive()
        self.desk = Desk(self.archive, clock=lambda: self.now_s, wall_clock=lambda: "tonight")
        self.desk.submit(new_game(book))

    def show(self, layout: Layout, looks: int = LOOKS) -> None:
        """A hand, then the same table for a while, as a good eye sees it."""
        self.desk.observe(TableView(self.now_s, obstacles=("hand",)))
        places = [BESIDE_MM if p.x_mm is None else (p.x_mm, p.y_mm) for p in layout.pieces]
        seen = [Sighting(((p.piece, 0.99),), *place, 0.0) for p, place in zip(layout.pieces, places, strict=True)]
        for _ in range(looks):
            self.now_s += 0.25
            self.desk.observe(TableView(self.now_s, tuple(seen)))


def played(book: Playbook) -> Table:
    """A script from its set-up to its end."""
    table, game, position = Table(book), book.game, book.start()
    table.show(game.layout(position))
    for step in book.steps:
        if step.what == "unlawful":
            table.show(game.during(position, game.read_move(position, step.move)), RULED)
            table.show(game.layout(position))
            continue
        for text in step.move.split(TOGETHER):
            move = game.read_move(position, text.strip())
            during, position = game.during(position, move), game.play(position, move).position
        if step.what == "roll":
            table.desk.submit(Command("play_move", {"move": step.move}))
        else:
            table.show(during)
            table.show(game.layout(position))
    return table


def picture(book: Playbook) -> int:
    """The checksum of a drawn table on which a tile lies face-up."""
    game, position = book.game, book.start()
    for text in book.steps[0].move.split(TOGETHER):
        position = game.play(position, game.read_move(position, text.strip())).position
    furniture = furnish(table_of(book))
    light, _ = Renderer().draw(scene_of(furniture, Setting(furniture, 0).state(game.layout(position))))
    return zlib.crc32(light.tobytes())


if __name__ == "__main__":
    book = load("kdak", "unlawful")
    table = played(book)
    for event in table.archive.events(1):
        print(json.dumps(event.to_json()))
    print(len(table.desk.table.state.plies), picture(book))
