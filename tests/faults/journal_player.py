"""Plays Khet into a journal and says each number once it is safe: number, game, plies.

For each seed that it reads it forks a player (imports are paid for once), and says when that has been killed.
"""

import os
import random
import sys
from pathlib import Path

from companion.journal.archive import open_archive
from companion.referee.commands import Command
from companion.referee.happenings import SetUp
from companion.referee.readmodel import Desk


def one_move(desk, rng):
    """Any lawful move, in a new game when the last one is over."""
    table = desk.table
    if table.state.phase != "play":
        desk.submit(Command("new_game", {"game": "khet"}))
        table.record(SetUp())
    game, position = table.state.game, table.state.position
    move = rng.choice(list(game.moves(position)))
    desk.submit(Command("enter_move", {"move": game.write_move(position, move)}))


def play(path, seed):
    rng = random.Random(seed)
    desk = Desk(open_archive(Path(path)))
    desk.resume()
    while True:
        one_move(desk, rng)
        table = desk.table
        print(table.number, table.game_id, len(table.state.plies), end=".\n", flush=True)


def main(path):
    for seed in sys.stdin:
        player = os.fork()
        if player == 0:
            print("player", os.getpid(), flush=True)
            play(path, int(seed))
        os.waitpid(player, 0)
        print("\nkilled", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
