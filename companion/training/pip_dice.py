"""Trains the network that reads pip dice among pyramids, and writes pip_dice.onnx, .npz and .json.

python -m companion.training.pip_dice --seeds 40000-40219 --apart 40220-40243 --lessons /tmp/dice
"""

import argparse
import itertools
import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from calibration.colours import balanced
from companion.simulator.dice_tables import dice_picture, dice_table
from companion.simulator.pyramid_tables import PyramidTable, pyramid_picture, pyramid_table
from companion.training.about import made_by, write_about
from companion.training.fitting import arguments, fit
from companion.training.folders import made_folder, whole
from companion.training.piecepack_networks import PatchNetwork
from companion.training.piecepack_train import planes
from companion.training.seeds import first_to_last, for_training
from companion.training.seen_ground import ground_of
from companion.training.shipped import take_up, write
from companion.training.train import temperature
from companion.vision.dice.loose_dice import LooseDice
from companion.vision.dice.network import DIE_MM, FACES, NAME, SIDE_PX, SPAN_MM, cut_out
from companion.vision.dice.pip_dice import DiceSettings
from companion.vision.dice.pips import find_spots
from companion.vision.dice.search import DieSearchSettings, cut, first_places, halved
from companion.vision.plans import AT_ONCE
from companion.vision.weights import WEIGHTS

DICE, PIECES = 16, (4, 20)  # on a table
SLIP_MM, NEAR_MM = 6.0, 9.0  # a die lies so near the middle of its patch; what lies nearer than the latter is none
VIEWS = 3  # patches of each die
ANYWHERE = 6  # patches of any place of a table
NEAR = 45_000  # from this seed on, pictures of dice by themselves, taken from near
STREWN, STREWN_NEAR = 60_000, 65_000  # the same from these seeds on, with small things of no game among them
STREWN_COUNT, STREWN_DICE = 14, 8  # on a table
MOST_NEAR, LIKE = 160, 1.3  # patches of such a picture; a die is at most so many times as large as it is taken to be
WIDTHS, OUT = (16, 32, 48, 64), (FACES, 2)
BATCH_OF_LESSONS = 96
Arrays = dict[str, np.ndarray]
Tensors = dict[str, torch.Tensor]


def crowded_table(seed: int) -> PyramidTable:
    """A table with many dice of several sets."""
    rng = np.random.default_rng([seed, 83])
    game = ("pieces", "pieces", "kaxxt", "chaos")[seed % 4]
    strewn, dice = (STREWN_COUNT, STREWN_DICE) if seed >= STREWN else (0, DICE)
    count, checked = int(rng.integers(*PIECES)), rng.random() < 0.1
    return pyramid_table(seed, game, checked=checked, count=count, dice=dice, strewn=strewn)


def lessons_of(table: PyramidTable) -> Arrays | None:
    """Patches, what they show (0 no die) and where its middle lies in shares of half a side; None without markers."""
    ground = ground_of(table.scene, pyramid_picture(table))
    if ground is None:
        return None
    rng = np.random.default_rng([table.seed, 89])
    things = [t for t in table.scene.things if t.piece is not None]
    faces = [int(t.piece.value or 0) if t.piece is not None else 0 for t in things]  # pyramids have none
    dice = np.array(faces) > 0
    high = [t.mesh.height_mm * (1.0 if face else 0.5) for t, face in zip(things, faces, strict=True)]
    at = ground.seen_at(np.array([(t.x_mm, t.y_mm, z) for t, z in zip(things, high, strict=True)]))
    places: list[tuple[np.ndarray, int, np.ndarray]] = []
    for middle, face in zip(at, faces, strict=True):
        for _ in range(VIEWS if face else 2):
            slip = _slip(rng, SLIP_MM)
            places.append((middle + slip, face, -slip if face else np.full(2, np.nan)))
        if face:
            way = rng.uniform(0, 2 * math.pi)
            far = float(rng.uniform(NEAR_MM + 2, 16.0))
            places.append((middle + far * np.array([math.cos(way), math.sin(way)]), 0, np.full(2, np.nan)))
    strewn = [(t.x_mm, t.y_mm, t.mesh.height_mm / 2) for t in table.strewn]
    for middle in ground.seen_at(np.array(strewn).reshape(-1, 3)):
        places += [(middle + _slip(rng, SLIP_MM), 0, np.full(2, np.nan)) for _ in range(VIEWS)]
    looked_at = LooseDice(network=None).probes(ground)
    places += [(middle + _slip(rng, 3.0), 0, np.full(2, np.nan)) for middle in looked_at]
    places += [(rng.uniform(-1, 1, 2) * (240.0, 150.0), 0, np.full(2, np.nan)) for _ in range(ANYWHERE)]
    near = [value or not len(at[dice]) or np.hypot(*(at[dice] - place).T).min() > NEAR_MM for place, value, _ in places]
    kept = [one for one, keep in zip(places, near, strict=True) if keep]
    seen = balanced(ground.colours, ground.gains)
    half = SPAN_MM / 2
    return {
        "patches": np.stack([cut_out(seen, ground, place) for place, _, _ in kept]),
        "face": np.array([value for _, value, _ in kept], np.int64),
        "off": np.array([(off[0] / half, -off[1] / half) for _, _, off in kept], np.float32),
    }


def near_lessons(seed: int) -> Arrays | None:
    """The same of a picture of dice by themselves: what the search would ask of it; None where it asks nothing.

    Round a spot a die is learned if it lies in the patch about as large as the search takes it to be; what is neither
    that nor clearly something else is left out.
    """
    table, rng = dice_table(seed, strewn=STREWN_COUNT if seed >= STREWN_NEAR else 0), np.random.default_rng([seed, 97])
    picture = dice_picture(table)
    asked = first_places(find_spots(picture, DiceSettings().pips), DieSearchSettings())
    rows = rng.permutation(len(asked.side))[:MOST_NEAR]
    smaller, camera, kept = halved(picture), table.scene.camera, []
    things = [t for t in table.scene.things if t.piece is not None and t.piece.kind == "die"]
    tops = [t.to_table(np.array([(0, 0, t.mesh.height_mm), (t.mesh.height_mm, 0, t.mesh.height_mm)])) for t in things]
    ends = [camera.project(top) for top in tops]
    for at, side in zip(asked.at[rows], asked.side[rows], strict=True):
        label: tuple[int, np.ndarray] | None = (0, np.full(2, np.nan))
        for thing, (middle, end) in zip(things, ends, strict=True):
            away, size = middle - at, float(np.hypot(*(end - middle))) / side
            if float(np.hypot(*away)) < SLIP_MM / DIE_MM * side and 1 / LIKE < size < LIKE and thing.piece is not None:
                label = (int(thing.piece.value or 0), away / (side * SPAN_MM / DIE_MM / 2))
                break
            if float(np.hypot(*away)) < (0.9 + 0.5 * size) * side:
                label = None
        if label is not None:
            kept.append((cut(smaller, at, float(side)), *label))
    if not kept:
        return None
    return {
        "patches": np.stack([patch for patch, _, _ in kept]),
        "face": np.array([face for _, face, _ in kept], np.int64),
        "off": np.array([off for _, _, off in kept], np.float32),
    }


def _slip(rng: np.random.Generator, most: float) -> np.ndarray:
    way, far = rng.uniform(0, 2 * math.pi), most * math.sqrt(rng.random())
    return far * np.array([math.cos(way), math.sin(way)])


def gathered(parts: Sequence[range], folder: Path) -> Arrays:
    """The lessons of these tables; those of each are kept in the folder."""
    found: list[Arrays] = []
    for seed in map(for_training, itertools.chain(*parts)):
        path = folder / f"{seed:07d}-dice.npz"
        near = NEAR <= seed < STREWN or seed >= STREWN_NEAR
        make = near_lessons if near else lambda seed: lessons_of(crowded_table(seed))
        if not path.exists() and (own := make(seed)) is not None:
            with whole(path) as half:
                np.savez(half, patches=own["patches"], face=own["face"], off=own["off"])
        if path.exists():
            found.append(dict(np.load(path)))
    return {name: np.concatenate([one[name] for one in found]) for name in found[0]}


def turned(x: torch.Tensor, off: torch.Tensor, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Patches turned by quarters and seen in a mirror, what they show stays; x of an offset to the right, y down."""
    quarters, mirrored = rng.integers((4, 2))
    for _ in range(quarters):
        x, off = torch.rot90(x, 1, (2, 3)), torch.stack([off[:, 1], -off[:, 0]], dim=1)
    return (x.flip(3), off * off.new_tensor([-1.0, 1.0])) if mirrored else (x, off)


def loss_of(
    network: nn.Module, data: Tensors, rows: torch.Tensor, noise: torch.Generator, rng: np.random.Generator
) -> torch.Tensor:
    """Of one batch."""
    x, off = turned(planes(data["patches"][rows], noise), data["off"][rows], rng)
    face = data["face"][rows]
    out = network(x.contiguous(memory_format=torch.channels_last)).float()
    there = face > 0
    loss = functional.cross_entropy(out[:, :FACES], face, label_smoothing=0.005)
    return loss + functional.smooth_l1_loss(out[there, FACES:], off[there]) * 4 if there.any() else loss


def train(arrays: Arrays, given: argparse.Namespace) -> PatchNetwork:
    """The network fitted to its lessons."""
    torch.manual_seed(given.seed)
    noise, turns = torch.Generator(given.device).manual_seed(given.seed), np.random.default_rng([given.seed, 1])
    network = PatchNetwork(SIDE_PX, WIDTHS, OUT)
    if given.start is not None:
        take_up(network.body, given.start / f"{NAME}.onnx")
        with torch.no_grad(), np.load(given.start / f"{NAME}.npz") as stored:
            network.head.weight.copy_(torch.from_numpy(stored["weight"]))
            network.head.bias.copy_(torch.from_numpy(stored["bias"]))
    network.to(given.device, memory_format=torch.channels_last)
    data = {key: torch.from_numpy(values).to(given.device) for key, values in arrays.items()}
    fit(network, len(data["face"]), given.batch, lambda rows: loss_of(network, data, rows, noise, turns), given)
    network.cpu()
    return network


def figures(network: PatchNetwork, data: Arrays) -> dict[str, float]:
    """On lessons kept apart, looked at from four sides."""
    network.eval()
    x = planes(torch.from_numpy(data["patches"]), None)
    with torch.no_grad():
        views = [torch.cat([network(torch.rot90(p, k, (2, 3))) for p in x.split(256)]) for k in range(4)]
    told, face = torch.stack(views).mean(dim=0)[:, :FACES], torch.from_numpy(data["face"])
    dice, best = face > 0, told.argmax(1)
    off = (views[0][:, FACES:] - torch.from_numpy(data["off"]))[dice] * SPAN_MM / 2
    return {
        "dice": int(dice.sum()),
        "read": round(float((best == face)[dice].float().mean()), 4),
        "wrong": round(float(((best != face) & (best > 0))[dice].float().mean()), 4),
        "others": int((~dice).sum()),
        "false": round(float((best > 0)[~dice].float().mean()), 4),
        "off_mm": round(float(off.norm(dim=1).median()), 2),
        "temperature": round(temperature(told, face), 4),
    }


def export(network: PatchNetwork, out: Path) -> None:
    """ONNX of the body, the last layer as arrays."""
    network.eval()
    np.savez(out / f"{NAME}.npz", weight=network.head.weight.detach().numpy(), bias=network.head.bias.detach().numpy())
    example = torch.zeros(AT_ONCE, 3, SIDE_PX, SIDE_PX)
    write(network.body, example, out / f"{NAME}.onnx", input_names=["patches"])


def main() -> None:
    """Make lessons, train, measure, export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--seeds", type=first_to_last, nargs="+", required=True, help="of tables to learn from: FIRST-LAST"
    )
    parser.add_argument("--apart", type=first_to_last, nargs="+", required=True, help="of tables to be measured on")
    parser.add_argument("--seed", type=int, default=1, help="of chance")
    parser.add_argument("--lessons", type=made_folder, required=True, help="folder where they are kept")
    arguments(parser, epochs=14, rate=4e-3)
    parser.add_argument("--batch", type=int, default=BATCH_OF_LESSONS, help="lessons of one step")
    parser.add_argument("--start", type=Path, help="folder of weights to go on from")
    parser.add_argument("--out", type=made_folder, default=WEIGHTS)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    held, data = gathered(given.apart, given.lessons), gathered(given.seeds, given.lessons)
    network = train(data, given)
    told = figures(network, held)
    write_about(given.out / f"{NAME}.json", made_by("pip_dice", held_out=told, lessons=len(data["face"])))
    export(network, given.out)
    print(told)


if __name__ == "__main__":
    main()
