"""Synthetic views of free tables, as good and as bad as an eye can be: no picture is involved."""

import random
from dataclasses import dataclass, replace

from companion.games.base import Layout
from companion.pieces import PYRAMID_SIZES, Piece
from companion.view import Sighting, TableView

LIKE = {"red": "orange", "orange": "red", "blue": "cyan", "cyan": "blue", "white": "clear", "clear": "white"}


@dataclass(frozen=True)
class Eyesight:
    """Standard errors in millimetres and degrees, and how often something goes wrong with one piece."""

    mm: float = 0.0
    deg: float = 0.0
    unsure: float = 0.0  # the colour or the size is in doubt, the true one ahead
    missed: float = 0.0
    hidden: float = 0.5  # a piece under another of its size is not seen
    flat: float = 0.0  # what is stacked on what is not told
    false: float = 0.0  # in each view, a thing that looks a little like a pyramid


SHARP = Eyesight()
USUAL = Eyesight(mm=0.9, deg=1.5, unsure=0.03, flat=0.1, false=0.03)


def free_view(layout: Layout, rng: random.Random, sight: Eyesight = SHARP, bases=None) -> TableView:
    """The layout as it is seen; `bases` gives the turn of upright pieces by (x, y)."""
    numbers: dict[int, int] = {}
    sightings: list[Sighting] = []
    carriers = {p.nested_on: p for p in layout.pieces if p.nested_on is not None}
    for index, lying in enumerate(layout.pieces):
        top = carriers.get(index)
        under = top is not None and top.piece.size == lying.piece.size
        if (under and rng.random() < sight.hidden) or (lying.piece.kind == "pyramid" and rng.random() < sight.missed):
            continue
        on = numbers.get(lying.nested_on) if lying.nested_on is not None and rng.random() >= sight.flat else None
        told = lying.heading_deg is not None and lying.piece.pose != "upright"
        turned = (lying.heading_deg + rng.gauss(0, sight.deg)) % 360 if told else None
        base = (bases or {}).get((lying.x_mm, lying.y_mm), 0.0) + rng.gauss(0, sight.deg)
        numbers[index] = len(sightings)
        sightings.append(
            Sighting(
                looks(lying.piece, rng, sight),
                lying.x_mm + rng.gauss(0, sight.mm),
                lying.y_mm + rng.gauss(0, sight.mm),
                turned,
                nested_on=on,
                base_deg=base % 90 if lying.piece.pose == "upright" else None,
            )
        )
    if rng.random() < sight.false:
        piece = Piece("pyramid", colour="blue", size="small", pose="upright")
        sightings.append(Sighting(((piece, 0.3),), rng.uniform(-250, 250), 160.0, base_deg=10.0))
    return TableView(0.0, tuple(sightings))


def looks(piece: Piece, rng: random.Random, sight: Eyesight):
    """Beliefs in what a piece is: nearly always sure, now and then in two minds."""
    if piece.kind != "pyramid" or rng.random() >= sight.unsure:
        return ((piece, 0.99),)
    size = PYRAMID_SIZES[abs(PYRAMID_SIZES.index(piece.size) - 1)]
    other = replace(piece, colour=LIKE[piece.colour]) if piece.colour in LIKE else replace(piece, size=size)
    return ((piece, 0.7), (other, 0.28))
