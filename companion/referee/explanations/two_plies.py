"""What a table may show when play went on without the referee: unseen plies, and a ply before hands were done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.games.base import Layout
from companion.referee.evidence.layout import Evidence, cells_of, differing, place_key
from companion.referee.explanations.explanation import Scene
from companion.referee.explanations.outlook import Hypothesis, Outlook
from companion.referee.state import with_cells
from companion.referee.steps import part
from companion.view import TableView

if TYPE_CHECKING:
    from companion.referee.explanations.explain import Explainer


Firsts = Sequence[tuple[Hypothesis, Outlook]]  # plies that nobody saw, with what may come next


def first_plies(explainer: Explainer, scene: Scene, view: TableView, seen: Evidence) -> Firsts:
    """The plies that explain part of the view."""
    game, position = scene.outlook.game, scene.outlook.position
    base, found = seen.score(scene.outlook.layout), []
    for first in scene.outlook.likely(view):
        if first.settled:
            continue
        following = game.play(position, first.moves[0]).position
        if seen.score(first.layout) > base or seen.score(game.layout(following)) > base:
            found.append((first, explainer.outlook(game, following)))
    return found


def pairs(firsts: Firsts, view: TableView, cost: float) -> list[Hypothesis]:
    """Two plies unseen in between, at so high a cost beside that of the second."""
    return [
        Hypothesis("move", second.layout, cost + second.cost, (*first.moves, *second.moves), second.settled)
        for first, outlook in firsts
        for second in outlook.likely(view)
    ]


def overtaken(firsts: Firsts, view: TableView, seen: Evidence, cost: float) -> list[Hypothesis]:
    """First plies that ask hands for something on a board, with the next ply made before that was done.

    What they name is the first ply alone: the next counts once the table shows what is asked for.
    """
    return [
        Hypothesis("move", _on_top(first.layout, outlook.layout, second), cost + second.cost, first.moves)
        for first, outlook in firsts
        if first.layout.board is not None
        and seen.score(first.layout) > seen.score(outlook.layout)  # it lies there still
        for second in outlook.likely(view)
        if not second.settled
    ]


def losses(scene: Scene, firsts: Firsts, cost: float) -> list[Hypothesis]:
    """Plies that end with a piece struck where it went and taken off, as if a hand held it: alone, or the second."""
    if scene.standing.board is None:
        return []
    return [*scene.outlook.losses] + [
        Hypothesis("move", second.layout, cost + second.cost, (*first.moves, *second.moves), settled=True)
        for first, outlook in firsts
        for second in outlook.losses
    ]


def too_early(scene: Scene, view: TableView) -> list[Hypothesis]:
    """The next ply made on a board, or on a free table, before hands have done what the last one asked for."""
    standing, wanted = scene.standing, scene.outlook.layout
    if not scene.awaiting or scene.stop or standing.plan is not None:
        return []
    plies = [ply for ply in scene.outlook.likely(view) if not ply.settled]
    if standing.board is not None:
        return [
            Hypothesis("early", _on_top(standing, wanted, ply), ply.cost, ply.moves, after=ply.layout) for ply in plies
        ]
    plies += [ply for ply in scene.outlook.sequences(view, scene.implied) if ply.kind == "move" and not ply.settled]
    return [Hypothesis("early", _beside(standing, wanted, ply), ply.cost, ply.moves) for ply in plies]


def _on_top(standing: Layout, wanted: Layout, ply: Hypothesis) -> Layout:
    """The table after a ply that was made while hands had not yet turned what stands into what is wanted."""
    old, new, made = cells_of(standing), cells_of(wanted), cells_of(ply.layout)
    return with_cells(ply.layout, standing, differing(old, new) - differing(new, made))


def _beside(standing: Layout, wanted: Layout, ply: Hypothesis) -> Layout:
    """The same on a free table: what is to be turned or taken off lies as it lay."""
    old, new = (set(map(place_key, layout.pieces)) for layout in (standing, wanted))
    made = part(ply.layout, lambda lying: place_key(lying) in old or place_key(lying) not in new)
    left = part(standing, lambda lying: place_key(lying) not in new, len(made))
    return replace(ply.layout, pieces=(*made, *left))
