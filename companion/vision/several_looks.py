"""Several looks at a table that rests: where they differ, and what most of them see."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.pieces import UNKNOWN, Piece
from companion.vision.found import Found


def differing(before: Sequence[Found], now: Sequence[Found], near_mm: float) -> list[Found]:
    """The pieces that one look saw clearly and the other did not, or took for something else."""
    left, new = ([f for f in seen if not f.sighting.faint] for seen in (before, now))
    for found in tuple(new):
        alike = next((f for f in left if f is found or same(f, found, near_mm)), None)
        if alike is not None:
            left.remove(alike)
            new.remove(found)
    return [*left, *new]


def agreed(looks: Sequence[Sequence[Found]], near_mm: float) -> Sequence[Found]:
    """What more than half of the looks see clearly, and what the last one does where they are even.

    What else the last look sees is faint, and gives way to all that stands: it is not surely there, and its place is
    not surely bare.
    """
    last = looks[-1]
    if len(looks) < 3:
        return last  # one look against another says nothing
    groups = _groups(looks, near_mm)
    kept: list[tuple[int, bool]] = []
    for number, group in enumerate(groups):
        clear = sum(not looks[n][i].sighting.faint for n, i in group.items())
        seen_last = len(looks) - 1 in group
        stands = 2 * clear > len(looks) or (2 * clear == len(looks) and seen_last)
        if stands or seen_last:
            kept.append((number, stands))
    place = {(n, i): k for k, (number, _) in enumerate(kept) for n, i in groups[number].items()}
    told: list[Found] = []
    for number, stands in kept:
        seen = max(n for n, i in groups[number].items() if not stands or not looks[n][i].sighting.faint)
        found = looks[seen][groups[number][seen]]
        on = None if found.on is None else place.get((seen, found.on))
        told.append(replace(found, on=on) if stands else _doubted(found, on))
    return told


def _doubted(found: Found, on: int | None) -> Found:
    return replace(found, sighting=replace(found.sighting, faint=True), sure=0.0, on=on)


def _groups(looks: Sequence[Sequence[Found]], near_mm: float) -> list[dict[int, int]]:
    """For each piece, which look has it as its how manieth."""
    groups: list[dict[int, int]] = []
    pieces: list[Piece] = []
    middles = np.zeros((0, 2))
    for n, look in enumerate(looks):
        for i, found in enumerate(look):
            middle, piece = found.outline_mm.mean(axis=0)[:2], found.sighting.likeliest
            near = np.flatnonzero(np.hypot(*(middles - middle).T) < near_mm).tolist()
            own = [g for g in near if n not in groups[g] and (UNKNOWN in (piece, pieces[g]) or pieces[g] == piece)]
            if own:
                nearest = min(own, key=lambda g: float(np.hypot(*(middles[g] - middle))))
                groups[nearest][n] = i
                pieces[nearest] = piece if pieces[nearest] == UNKNOWN else pieces[nearest]
            else:
                groups.append({n: i})
                pieces.append(piece)
                middles = np.vstack([middles, middle])
    return groups


def same(one: Found, other: Found, near_mm: float) -> bool:
    """True if they are so near each other and may be of one kind."""
    if math.dist(one.outline_mm.mean(axis=0), other.outline_mm.mean(axis=0)) >= near_mm:
        return False
    return len({one.sighting.likeliest, other.sighting.likeliest} - {UNKNOWN}) <= 1
