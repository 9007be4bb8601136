"""What hands are asked for while play goes on: what lies otherwise than it should, or cannot be seen."""

from companion.games.base import Game, Lying
from companion.games.extras import extras
from companion.pieces import spoken
from companion.referee.evidence.cells import covered
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.free_matching import BYSTANDERS
from companion.referee.evidence.plan_poses import point_of
from companion.referee.snapshot import Step
from companion.referee.state import Past
from companion.referee.table import Table
from companion.referee.views.asides import Aside
from companion.referee.words import piece_words, place_words, uncover_words


def reminders(table: Table) -> tuple[Step, ...]:
    """What is asked for while play goes on: what belongs elsewhere, or nowhere, and what hides where it looks."""
    return (*uncover(table), *astray(table), *_strangers(table), *_turned_unseen(table), *_top_ones(table))


def uncover(table: Table) -> tuple[Step, ...]:
    """What is to be taken off the board: nothing is seen of what it lies over."""
    under = covered(table.seen)
    return (Step(uncover_words(under)),) if under else ()


def _strangers(table: Table) -> tuple[Step, ...]:
    plan, laid = table.layout.plan, table.views.laid
    if plan is None or not laid.poses:
        return ()
    told = []
    for one in table.views.strangers.seen:
        cell, piece = laid.spot_at(plan, point_of(one.seen)), one.seen.piece
        if one.again:
            named = spoken(piece.kind) if piece.kind in BYSTANDERS else piece_words(piece, table.colours)
            told.append(Step(f"take one {named} away: there is one too many"))
        else:
            text = f"take the {piece_words(piece, table.colours)} {place_words(cell)} away: it does not belong there"
            told.append(Step(text, cell=cell))
    return tuple(told)


def _top_ones(table: Table) -> tuple[Step, ...]:
    """What is to be taken off stacks that look the same without it, or put back: no camera sees whether it is."""
    state, colours = table.state, table.colours
    off = [lying for past in state.plies[-1:] for lying in _lower(state.module, past)]
    lowered = {lying.cell for past in state.undone for lying in _lower(state.module, past)}
    back = [lying for lying in table.layout.pieces if lying.cell in lowered and lying.count > 1]
    told = [(f"take the top {piece_words(p.piece, colours)} on {p.cell} off: {p.count} stays", p.cell) for p in off]
    told += [
        (f"put the top {piece_words(p.piece, colours)} back on {p.cell}: {p.count} stand there", p.cell) for p in back
    ]
    return tuple(Step(text, cell=cell) for text, cell in told)


def _lower(game: Game, past: Past) -> list[Lying]:
    """The stacks, as they are after an action that made them lower."""
    left = {p.cell: p for p in game.layout(past.after).pieces}
    pairs = [(p, left[p.cell]) for p in past.standing.pieces if p.cell in left]
    return [q for p, q in pairs if p.piece == q.piece and q.count < p.count]


def _turned_unseen(table: Table) -> tuple[Step, ...]:
    if not isinstance(table.seen, FreeEvidence):
        return ()
    return tuple(
        Step(f"where {lying.words} looks cannot be seen: less light on it, or say it by a tap on its drawing")
        for lying in table.seen.unturned(table.layout)
    )


def astray(table: Table) -> tuple[Step, ...]:
    """What belongs on the sheet of somebody, and lies elsewhere; () once all of it lies right."""
    asides = [a for a in table.views.asides.seen if a.lying.sheet and table.views.asides.knows(a.lying.sheet)]
    if all(aside.done for aside in asides):
        return ()
    return tuple(Step(table.colours.text(_aside_words(table, a)), a.done, a.lying.cell) for a in asides)


def _aside_words(table: Table, aside: Aside) -> str:
    """Where a piece belongs and, if the game can tell it, where on the sheet it is seen instead."""
    if aside.at is None:
        return aside.lying.words
    place = extras(table.state.module).on_sheet(aside.lying.sheet, aside.at.real, aside.at.imag)
    return f"{aside.lying.words}, not on {place}" if place else aside.lying.words
