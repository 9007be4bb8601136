"""Plays Khet behind a real page and says where it is. For each seed that it reads it forks such a house.

A house ends by being killed; that is said, too. Imports are paid for once.
"""

import os
import random
import sys
import time
from pathlib import Path

from journal_player import one_move

from companion.journal.archive import open_archive
from companion.referee.readmodel import Desk
from companion.web import WebSettings, build_app, serve

PAUSE_S = 0.004  # between two moves


def live(folder, seed):
    rng = random.Random(seed)
    desk = Desk(open_archive(folder / "j.sqlite3"))
    desk.resume()
    page = serve(build_app(desk, desk, WebSettings(folder)), "127.0.0.1", 0)
    print("page", os.getpid(), page.address[1], flush=True)
    while True:
        one_move(desk, rng)
        time.sleep(PAUSE_S)


def main(folder):
    for seed in sys.stdin:
        house = os.fork()
        if house == 0:
            live(folder, int(seed))
        os.waitpid(house, 0)
        print("killed", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
