"""Random games for hands to play at a virtual table, with what goes wrong at real ones."""

import json
import random

from companion.events import Hit
from companion.eye_options import read_eye_options
from companion.games import game
from companion.photographs import photographed_run
from companion.simulator.album import write_album
from companion.simulator.design import TableDesign, furnish
from companion.simulator.playbook import Playbook
from companion.simulator.random_games import random_steps
from companion.simulator.script import Script, Step, Timing
from companion.simulator.setting import Setting
from hardware.pictures import pictures_in

LAYOUTS = ("classic-2.0", "imhotep-2.0", "dynasty-2.0", "osiris-2.0", "imhotep2-2.0")
FIRST_SEED = 6_000_000  # far from whatever the eye was fitted on
COLOURS = ("silver", "red")


def steps(khet, position, plies, rng, mischief):
    """A random lawful game, disturbed: unlawful actions put back, wrong removals, hands, knocks."""
    lawful, _ = random_steps(khet, position, plies, rng.randrange(10**6), mischief / 3)
    found = []
    for step in lawful:
        if step.what != "move":
            found.append(step)
            continue
        if rng.random() < mischief and (too_far := far(khet, position, rng)):
            found.append(Step("unlawful", too_far))
        move = khet.read_move(position, step.move)
        turn = khet.play(position, move)
        hits = [e.cell for e in turn.events if isinstance(e, Hit)]
        wrong = [p.cell for p in khet.during(position, move).pieces if p.cell not in hits and p.piece.kind != "sphinx"]
        disturbed = hits and rng.random() < mischief and khet.outcome(turn.position) is None
        found.append(Step("wrong removal", step.move, rng.choice(wrong)) if disturbed else step)
        position = turn.position
    return found


def far(khet, position, rng):
    """A step over two squares with an own piece."""
    cells = {p.cell: p.piece for p in khet.layout(position).pieces}
    own = [
        c for c, p in cells.items() if p.colour == COLOURS[khet.to_move(position)] and p.kind in ("pyramid", "anubis")
    ]
    origin = rng.choice(own)
    squares = [f"{f}{r}" for f in "abcdefghij" for r in range(1, 9)]
    targets = [c for c in squares if c not in cells and distance(c, origin) == 2]
    return origin + rng.choice(targets) if targets else None


def distance(one, other):
    return max(abs(ord(one[0]) - ord(other[0])), abs(int(one[1]) - int(other[1])))


def playbook(seed, plies, mischief=0.25):
    """A script of a random game."""
    rng, khet = random.Random(seed), game("khet")
    options = {"layout": LAYOUTS[seed % len(LAYOUTS)]}
    position = khet.start(options)
    return Playbook(f"random {seed}", khet, options, {}, tuple(steps(khet, position, plies, rng, mischief)))


def design(seed):
    """Every other table has a set and a board of its own looks."""
    return TableDesign(seed=FIRST_SEED + seed, usual=seed % 2 == 0)


def measured(table, folder):
    """Lens and board of a table, as a person would have calibrated and measured them: options of the eye."""
    furniture = furnish(table)
    lens, board = folder / "lens.json", folder / "board.json"
    lens.write_text(json.dumps(furniture.scene.camera.lens.to_json()))
    sizes = ("cols", "rows", "cell_mm", "border_mm", "thickness_mm")
    board.write_text(json.dumps({name: getattr(furniture.board, name) for name in sizes}))
    return {"lens": lens, "board": board}


def refereed_album(seed, plies, folder, mischief=0.25):
    """A random game photographed and refereed: (what each picture shows, its line) and the script that was played."""
    book, table = playbook(seed, plies, mischief), design(seed)
    script = Script(book.game, book.start(), book.steps, Setting(furnish(table), seed), Timing(), seed)
    shown = write_album(script.beats(), table, folder)
    look = measured(table, folder)

    def eye():
        return read_eye_options("khet", look["lens"], "600,380,40", look["board"], None, None).eye()

    run = photographed_run(eye, "khet", book.options)
    lines = list(run.run([path for path in pictures_in(folder) if path.stem.isdigit()]))
    return list(zip(shown, lines, strict=True)), script, run


def expected(shown):
    """The reading that a picture should get."""
    kinds = {"set-up": "set-up", "moved": "move", "cleared": "step", "unlawful": "unlawful", "took": "unlawful"}
    kinds |= {"put": "take-back"}
    return kinds.get(shown.split()[0], "nothing new")
