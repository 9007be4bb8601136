"""What a board may show when play went on without the referee: unseen plies, and a ply before hands were done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.games.base import Game, Layout
from companion.referee.evidence import Cells, Evidence, cells_of
from companion.referee.outlook import Hypothesis, Outlook
from companion.referee.state import with_cells
from companion.view import TableView

if TYPE_CHECKING:
    from companion.referee.explain import Explainer
    from companion.referee.explanation import Scene


Firsts = Sequence[tuple[Hypothesis, Outlook]]  # plies that nobody saw, with what may come next


def first_plies(explainer: Explainer, game: Game, scene: Scene, view: TableView, seen: Evidence) -> Firsts:
    """The plies that explain part of the view."""
    base, found = seen.score(scene.outlook.layout), []
    for first in scene.outlook.likely(view):
        if first.settled:
            continue
        following = game.play(scene.outlook.position, first.moves[0]).position
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
    """The next ply made on a board before hands have done what the last one asked for."""
    if not scene.awaiting or scene.stop or scene.standing.board is None:
        return []
    wanted = scene.outlook.layout
    return [
        Hypothesis("early", _on_top(scene.standing, wanted, ply), ply.cost, ply.moves, after=ply.layout)
        for ply in scene.outlook.likely(view)
        if not ply.settled
    ]


def _on_top(standing: Layout, wanted: Layout, ply: Hypothesis) -> Layout:
    """The table after a ply that was made while hands had not yet turned what stands into what is wanted."""
    old, new, made = cells_of(standing), cells_of(wanted), cells_of(ply.layout)
    return with_cells(ply.layout, standing, _differing(old, new) - _differing(new, made))


def _differing(one: Cells, other: Cells) -> frozenset[str]:
    return frozenset(cell for cell in one.keys() | other.keys() if one.get(cell) != other.get(cell))
