"""How to train each network from nothing: the commands, one after the other, by the name of the weights they write.

Modules are those of `companion.training`; `{lessons}` is the folder that keeps the lessons. Recipes that share lessons
make the same ones, in the same folder. What is there already is not made again, except by the `piecepack_*` modules.
"""

import shlex
from collections.abc import Mapping
from pathlib import Path

_TRACED_PYRAMIDS = """
pyramid_scenes --seed 500000 --count 250 --minutes 600 --out {lessons}/pyramids-traced
pyramid_scenes --seed 550000 --count 150 --minutes 600 --out {lessons}/pyramids-traced
"""
_PATCHES = f"""{_TRACED_PYRAMIDS}
pyramid_patch_lessons --seeds 0 800 --folder {{lessons}}/pyramids
pyramid_patch_lessons --kept --folder {{lessons}}/pyramids-traced
"""
_KHET_BOARDS = """
scenes --seed 1000 --count 420 --minutes 600 --out {lessons}/khet-traced
simulated --seed 30000 --count 3000 --minutes 600 --out {lessons}/khet
"""
_KHET_PYRAMIDS = "simulated --seed 60000 --count 1200 --pyramids 0.7 --minutes 600 --out {lessons}/khet-pyramids"
_ALL_KHET = "{lessons}/khet-traced {lessons}/khet {lessons}/khet-pyramids"
_KHET_CELLS = "train --pictures {lessons}/khet-traced=2 {lessons}/khet --seed 1 --state {lessons}/khet.pt"

RECIPES: Mapping[str, str] = {
    "khet": f"""{_KHET_BOARDS}
{_KHET_PYRAMIDS}
{_KHET_CELLS}
khet_sides --boards {_ALL_KHET} --seed 5
""",
    "khet_empty": f"""{_KHET_BOARDS}
{_KHET_PYRAMIDS}
khet_empty --boards {_ALL_KHET} --most 2600
""",
    "khet_shades": """
simulated --seed 30000 --count 3000 --minutes 600 --out {lessons}/khet
khet_judge --boards {lessons}/khet --lessons {lessons}/khet-shades.npz
""",
    "khet_together": f"""{_KHET_BOARDS}
{_KHET_PYRAMIDS}
{_KHET_CELLS} --out {{lessons}}/khet-cells
together --boards {_ALL_KHET} --start {{lessons}}/khet.pt --steps 8400
""",
    "discs": "discs --tables 764 --hexagons 90 --many 96 --seed 1 --keep {lessons}/discs",
    "disc_seen": """
disc_network --seeds 3000-3399 --wells 10000-11599 --hexagons 3000-3158 --many 3000-3099 --keep {lessons}/discs
""",
    "pyramids": "pyramids --tables 450 --seed 1 --lessons {lessons}/pyramids-judged",
    "pyramid_look": f"""{_PATCHES}
pyramid_network --lessons {{lessons}}/pyramids --traced {{lessons}}/pyramids-traced \
--rate 2e-3 --epochs 14 --seconds 1900
""",
    "pyramid_second": f"""{_PATCHES}
pyramid_patch_lessons --seeds 52000 52300 --folder {{lessons}}/pyramids
pyramid_network --second --lessons {{lessons}}/pyramids --traced {{lessons}}/pyramids-traced \
--start companion/vision/weights --rate 6e-4 --epochs 4
""",
    "pyramid_proposals": f"""{_PATCHES}
pyramid_proposals --pictures {{lessons}}/pyramids --tables 0 --traced {{lessons}}/pyramids-traced --seconds 800
""",
    "pyramid_hues": f"""{_TRACED_PYRAMIDS}
pyramid_hue_lessons --seeds 0 800 --folder {{lessons}}/pyramids
pyramid_hue_lessons --kept --folder {{lessons}}/pyramids-traced
pyramid_hues --lessons {{lessons}}/pyramids --traced {{lessons}}/pyramids-traced --epochs 24
""",
    "pyramid_watched": """
pyramid_watched_lessons --seeds 610000 610600 --folder {lessons}/pyramids-watched
pyramid_network --watched --lessons {lessons}/pyramids-watched --apart 610000 610065 --start companion/vision/weights \
--epochs 5 --rate 8e-4
""",
    "pyramid_pairs": f"""{_TRACED_PYRAMIDS}
pyramid_pair_lessons --seeds 41000 41500 --folder {{lessons}}/pyramids-paired
pyramid_pair_lessons --seeds 42000 42400 --folder {{lessons}}/pyramids-paired
pyramid_pair_lessons --seeds 25000 25150 --folder {{lessons}}/pyramids-paired
pyramid_pair_lessons --seeds 26000 26400 --folder {{lessons}}/pyramids-paired
pyramid_pair_lessons --kept --folder {{lessons}}/pyramids-traced
pyramid_pairs --lessons {{lessons}}/pyramids-paired --apart 41460 41500 --traced {{lessons}}/pyramids-traced \
--rate 1.5e-3 --epochs 8
""",
    "pyramid_trees": f"""{_TRACED_PYRAMIDS}
pyramid_trees --seeds 49000 49400 --apart 49300 49400 --lessons {{lessons}}/pyramids-in-trees \
--traced {{lessons}}/pyramids-traced
""",
    "piecepack": """
piecepack_cut --seed 500000 --count 2200 --out {lessons}/piecepack-painted.npz
piecepack_cut --found --seed 510000 --count 1800 --out {lessons}/piecepack-found.npz
piecepack_simulated --seed 750000 --count 260 --out {lessons}/piecepack-drawn.npz
piecepack_simulated --crowded --seed 760000 --count 280 --out {lessons}/piecepack-crowded.npz
piecepack_simulated --strewn 14 --seed 770000 --count 290 --out {lessons}/piecepack-strewn.npz
piecepack_simulated --seed 747900 --count 24 --out {lessons}/piecepack-apart.npz
piecepack_train --train {lessons}/piecepack-painted.npz {lessons}/piecepack-found.npz {lessons}/piecepack-drawn.npz \
{lessons}/piecepack-crowded.npz {lessons}/piecepack-strewn.npz --held {lessons}/piecepack-apart.npz
piecepack_judge --seed 600000 --count 24
""",
    "pip_dice": """
pip_dice --seeds 40000-40219 40300-40409 45000-45159 60000-60219 65000-65099 \
--apart 40220-40243 40410-40429 45400-45415 60220-60231 65120-65129 --lessons {lessons}/dice
""",
}


def steps(network: str, lessons: Path) -> list[list[str]]:
    """The commands of a network's recipe in order: a module's name, then its options."""
    folder = shlex.quote(str(lessons))
    return [shlex.split(line.replace("{lessons}", folder)) for line in RECIPES[network].splitlines() if line.strip()]
