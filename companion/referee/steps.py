"""What hands have still to do: the differences between the last confirmed table and the one wanted, ticked off."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from companion.games.base import Game, Layout, Lying
from companion.games.extras import extras
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.cells import CellEvidence
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.layout import Evidence, cells_of, changed, differing, place_key
from companion.referee.snapshot import Step
from companion.referee.state import Past, State
from companion.referee.words import (
    FACING_WORDS,
    Palette,
    compass,
    piece_words,
    place_words,
    turned_over,
    turned_words,
    upside_down,
)
from companion.texts import join


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to be done. On a board, every one of `cells` must show `after` for it to count as done."""

    text: str
    cells: tuple[str, ...]
    before: dict[str, Piece] = field(default_factory=dict)
    after: dict[str, Piece] = field(default_factory=dict)
    many: str = ""  # how several of the kind are said at once, {} for their cells
    lying: Lying | None = None  # on a free table: the piece, as it is to lie ...
    away: bool = False  # ... or to be taken away


def tasks(before: Layout, after: Layout, colours: Palette) -> tuple[Task, ...]:
    """What turns one table into the other, in words; a piece that only changes its place is one task."""
    if not before.celled:
        return tuple(_free_tasks(before, after, colours))
    old, new = cells_of(before), cells_of(after)
    words = {lying.cell: lying.words for lying in (*after.pieces, *before.pieces) if lying.cell and lying.words}
    left = {c: p for c, p in old.items() if new.get(c, EMPTY) != p}
    due = {c: p for c, p in new.items() if old.get(c, EMPTY) != p}
    found = []
    for cell in sorted(left.keys() & due.keys()):
        if (turning := _turning(left[cell], due[cell], colours)) is not None:
            one, many = turning
            found.append(replace(_task(one.format(cell), (cell,), old, new), many=many))
            del left[cell], due[cell]
    for cell in sorted(due):
        origin = next((c for c in sorted(left) if left[c] == due[cell] and c not in due), None)
        if origin is not None:
            found.append(
                _task(f"move the {piece_words(due[cell], colours)} {_way(origin, cell)}", (origin, cell), old, new)
            )
            del left[origin]
        else:
            found.append(_task(f"put the {turned_words(due[cell], colours)} {place_words(cell)}", (cell,), old, new))
            left.pop(cell, None)
    for cell in sorted(left):
        named = colours.text(words.get(cell, "")) or f"the {piece_words(left[cell], colours)} on {cell}"
        found.append(_task(f"take {named} off the board", (cell,), old, new))
    return tuple(found)


def _turning(left: Piece, due: Piece, colours: Palette) -> tuple[str, str] | None:
    """How a piece becomes what is due on its own cell: said of one, and of several at once ("" where never), with {}
    for the cells. None where that takes another piece.
    """
    if over := turned_over(left, due):
        return f"turn the tile on {{}} {over}", f"turn the tiles on {{}} {over}"
    if (left.kind, left.colour) == (due.kind, due.colour):
        facing = FACING_WORDS.get(due.facing or "", due.facing)
        return f"turn the {piece_words(due, colours)} on {{}}: {facing}", ""
    if upside_down(left, due):
        noun, shows = piece_words(left, colours), colours.colour(due.colour)
        return f"turn the {noun} on {{}} over: {shows}", f"turn the {noun}s on {{}} over: {shows}"
    return None


def _way(origin: str, cell: str) -> str:
    """From where to where."""
    here, there = origin.partition("/")[0], place_words(cell)
    return f"from {here} to {there.removeprefix('on ')}" if there.startswith("on ") else f"from {here}, {there}"


def carried(text: str, before: Layout, after: Layout) -> tuple[Task, ...]:
    """One task in the game's own words for all that differs between two tables."""
    old, new = cells_of(before), cells_of(after)
    return (_task(text, tuple(sorted(differing(old, new))), old, new),)


def put_back(state: State, before: Layout, after: Layout, colours: Palette, half: str = "") -> tuple[Task, ...]:
    """What turns one table into the other; a game may have words of its own for undoing a move (`work_back`).

    `half`: its words where hands had done a part of what the first of these moves asked for (`under_way`).
    """
    found = tasks(before, after, colours)
    told: list[str] = []  # what comes before all that is undone next
    carried_out = False  # of what came before the last such move, everything was
    if (named := extras(state.module).work_back) is None:
        return found
    for number, past in reversed(tuple(enumerate(state.undone))):
        then = next((p.after for p in state.undone[number + 1 : number + 2] if p.before == past.after), None)
        text, places = named(past.before, state.module.read_move(past.before, past.move), then)
        is_half = bool(half) and past is state.undone[0]
        text = half if is_half else text
        own = [task for task in found if _belongs(task, state.module, past, places, told)]
        if not text:
            told += [task.text for task in own]
        elif own and (
            is_half or carried_out or len(places) == 1 or places[0] in cells_of(before)
        ):  # what lay above it, if anything, had come down already
            text = ", then ".join([*(task.text for task in own if task.text in told), text])
            found = (_together(text, own), *(task for task in found if task not in own))
            told.append(text)
        carried_out = carried_out or bool(text and places[1:])
    return found


def work_due(state: State, standing: Layout, wanted: Layout, colours: Palette) -> tuple[Task, ...]:
    """What hands have to do now; a game may have words of its own for what follows a move (`work`)."""
    past = state.plies[-1] if state.plies else None
    text = ""
    if past is not None:
        move, begun = state.module.read_move(past.before, past.move), past.standing.lasting == standing
        if begun or not changed(state.module.layout(past.before).lasting, standing):
            text = extras(state.module).work(past.before, move, begun)
    return carried(text, standing, wanted) if text else put_back(state, standing, wanted, colours)


def work_left(state: State, shown: Layout, wanted: Layout, colours: Palette) -> tuple[Task, ...]:
    """What hands have to do where a part of it is done; of a ply that is undone as the game says it (`under_way`)."""
    assert state.standing is not None
    back = next((words for laid, words in half_undone(state) if not changed(laid, shown)), "")
    if back:
        return put_back(state, shown, wanted, colours, back)
    return work_due(state, state.standing, wanted, colours)


def redone(state: State, ply: int, before: Layout, after: Layout, colours: Palette) -> tuple[Task, ...]:
    """What makes the plies since once more; a game may have words of its own for what follows a move (`work`)."""
    found = tasks(before, after, colours)
    for past in state.plies[ply:]:
        move = state.module.read_move(past.before, past.move)
        if text := extras(state.module).work(past.before, move, False):
            old, new = (cells_of(state.module.layout(at)) for at in (past.before, past.after))
            if own := [task for task in found if all(old.get(cell) != new.get(cell) for cell in task.cells)]:
                found = (_together(text, own), *(task for task in found if task not in own))
    return found


def _belongs(task: Task, game: Game, past: Past, places: Collection[str], told: Collection[str]) -> bool:
    """True for what is done while a move is undone that concerns these places.

    Who stands there since goes away by itself, and so does who fell out of them.
    """
    heads = {cell.partition("/")[0] for cell in task.cells}
    if task.text in told:
        return bool(heads & set(places))
    old, new = cells_of(game.layout(past.before)), cells_of(game.layout(past.after))
    carried = all(old.get(cell) != new.get(cell) for cell in task.cells if "/" in cell)
    return carried and heads <= set(places)


def _together(text: str, work: Sequence[Task]) -> Task:
    """Several tasks as one."""
    before = {cell: piece for task in work for cell, piece in task.before.items()}
    after = {cell: piece for task in work for cell, piece in task.after.items()}
    return Task(text, tuple(sorted(before)), before, after)


def listed(work: Iterable[Task]) -> str:
    """The tasks in one sentence, those of a kind together."""
    grouped: dict[str, list[Task]] = {}
    for task in work:
        grouped.setdefault(task.many or task.text, []).append(task)
    return join(
        [
            many.format(join([c for task in of_kind for c in task.cells])) if len(of_kind) > 1 else of_kind[0].text
            for many, of_kind in grouped.items()
        ]
    )


def undone(work: Iterable[Task], seen: Evidence | None) -> tuple[Task, ...]:
    """The tasks that the view does not show done."""
    return tuple(task for task in work if not is_done(task, seen))


def still_due(
    work: Iterable[Task], standing: Layout, wanted: Layout, seen: Evidence | None
) -> set[tuple[str | None, float | None, float | None]]:
    """The places, bare on the table as it stands, to which hands have still to bring something: cell, x_mm, y_mm."""
    here, there = ({(p.cell, p.x_mm, p.y_mm) for p in layout.pieces} for layout in (standing, wanted))
    asked = undone(work, seen)
    cells = {cell for task in asked for cell in task.cells}
    free = {(None, task.lying.x_mm, task.lying.y_mm) for task in asked if task.lying is not None and not task.away}
    return {place for place in there - here if place[0] in cells or place in free}


def carried_out(work: Iterable[Task], seen: Evidence | None) -> tuple[str, ...]:
    """The cells of the tasks that the view shows done."""
    return tuple(sorted(cell for task in work if is_done(task, seen) for cell in task.cells))


def ticked(work: tuple[Task, ...], seen: Evidence | None) -> tuple[Step, ...]:
    """The tasks with a tick where the view shows them done."""
    return tuple(Step(t.text, is_done(t, seen), t.cells[-1] if t.cells else None) for t in work)


def is_done(task: Task, seen: Evidence | None) -> bool:
    """True if every cell of the task shows what it should rather than what it showed."""
    if isinstance(seen, FreeEvidence) and task.lying is not None:
        return seen.shows(task.lying) != task.away
    if not isinstance(seen, CellEvidence):
        return False
    return all(
        seen.log_p(cell, task.after.get(cell, EMPTY)) > seen.log_p(cell, task.before.get(cell, EMPTY))
        for cell in task.cells
    )


def half_way(before: Layout, after: Layout, seen: Evidence) -> Layout:
    """The table between the two that fits the view best: each change of it carried out or not."""
    if isinstance(seen, CellEvidence):
        return _half_way_cells(before, after, seen)
    old, new = set(map(place_key, before.pieces)), set(map(place_key, after.pieces))
    shown = seen.shows if isinstance(seen, FreeEvidence) else lambda lying: False
    wanted = part(after, lambda lying: place_key(lying) in old or shown(lying))
    still = part(before, lambda lying: place_key(lying) not in new and shown(lying), len(wanted))
    return replace(after, pieces=(*wanted, *still))


def without_lifted(layout: Layout, places: Collection[str], seen: Evidence) -> Layout:
    """The table without what is rather not there than there, of the cells that hands move one after the other."""
    if not isinstance(seen, CellEvidence) or not places:
        return layout
    there = {cell: piece for cell, piece in cells_of(layout).items() if cell in places}
    lifted = {cell for cell, piece in there.items() if seen.log_p(cell, EMPTY) > seen.log_p(cell, piece)}
    return replace(layout, pieces=tuple(p for p in layout.pieces if p.cell not in lifted))


def moving(state: State) -> frozenset[str]:
    """The cells whose pieces hands are to move one after the other, as the game tells (`work_back`)."""
    named = extras(state.module).work_back
    if named is None or not state.awaiting:
        return frozenset()
    plies = (*state.plies[-1:], *state.undone)
    worked = (named(past.before, state.module.read_move(past.before, past.move), None)[1] for past in plies)
    return frozenset(place for places in worked for place in places)


def half_undone(state: State) -> tuple[tuple[Layout, str], ...]:
    """The tables that hands may have left while they did what the undone ply asked for, each with the way back."""
    offered = extras(state.module).under_way
    if offered is None or not state.undone or (first := state.undone[0]).before != state.position:
        return ()
    return tuple(offered(first.before, state.module.read_move(first.before, first.move)))


def part(layout: Layout, chosen: Callable[[Lying], bool], first: int = 0) -> tuple[Lying, ...]:
    """Some pieces of a free layout, numbered from `first`; what stood on one that is left out stands by itself."""
    kept = [number for number, lying in enumerate(layout.pieces) if chosen(lying)]
    new = {number: first + at for at, number in enumerate(kept)}
    pieces = (layout.pieces[number] for number in kept)
    return tuple(replace(p, nested_on=None if p.nested_on is None else new.get(p.nested_on)) for p in pieces)


def _half_way_cells(before: Layout, after: Layout, seen: CellEvidence) -> Layout:
    old, new = cells_of(before), cells_of(after)
    mixed = dict(new)
    for cell in sorted(differing(old, new)):
        was, wanted = old.get(cell, EMPTY), new.get(cell, EMPTY)
        if seen.log_p(cell, was) > seen.log_p(cell, wanted):
            mixed[cell] = was
    return Layout(tuple(Lying(p, c) for c, p in mixed.items() if p != EMPTY), after.board, after.marked, after.plan)


def _task(text: str, cells: tuple[str, ...], old: dict[str, Piece], new: dict[str, Piece]) -> Task:
    return Task(text, cells, {c: old.get(c, EMPTY) for c in cells}, {c: new.get(c, EMPTY) for c in cells})


def _free_tasks(before: Layout, after: Layout, colours: Palette) -> list[Task]:
    old, new = set(map(place_key, before.pieces)), set(map(place_key, after.pieces))
    gone = [p for p in before.pieces if place_key(p) not in new]
    due = [p for p in after.pieces if place_key(p) not in old]
    found = []
    for lying in due:
        alike = [p for p in gone if p.piece == lying.piece]
        was = next((p for p in alike if (p.x_mm, p.y_mm) == (lying.x_mm, lying.y_mm)), next(iter(alike), None))
        named, where = _named(lying, colours), _where(lying, after, colours)
        if was is None:
            text = f"put {named} {where}"
        elif (was.x_mm, was.y_mm) == (lying.x_mm, lying.y_mm):
            text = f"turn {named} to the {compass(lying.heading_deg or 0.0)}"
        else:  # one and the same, as far as anybody can tell
            text = f"move {named}: it belongs {where}"
        if was is not None:
            gone.remove(was)
        found.append(Task(text, (), lying=lying))
    return [*(Task(f"take {_named(p, colours)} off the table", (), lying=p, away=True) for p in gone), *found]


def _where(lying: Lying, layout: Layout, colours: Palette) -> str:
    """Where a piece of a free table belongs, and how it lies there where its name does not say so."""
    where = place_words(lying.cell, lying.x_mm, lying.y_mm)
    if lying.nested_on is not None:
        where = f"on {_named(layout.pieces[lying.nested_on], colours)}"
    if lying.piece.pose == "lying" and lying.heading_deg is not None:
        return f"{where}, its tip to the {compass(lying.heading_deg)}"
    return f"{where}, upright" if lying.piece.pose == "upright" and lying.words else where


def _named(lying: Lying, colours: Palette) -> str:
    return colours.text(lying.words) or f"the {piece_words(lying.piece, colours)}"
