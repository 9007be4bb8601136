"""What hands have still to do: the differences between the last confirmed table and the one wanted, ticked off."""

from dataclasses import dataclass, field

from companion.games.base import Layout, Lying
from companion.pieces import EMPTY, Piece
from companion.referee.evidence import CellEvidence, Evidence, cells_of
from companion.referee.snapshot import Step
from companion.referee.words import FACING_WORDS, Palette, piece_words, place_words


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to be done on a cell; `done_cells` must show `after` for it to count as done."""

    text: str
    cells: tuple[str, ...]
    before: dict[str, Piece] = field(default_factory=dict)
    after: dict[str, Piece] = field(default_factory=dict)


def tasks(before: Layout, after: Layout, colours: Palette) -> tuple[Task, ...]:
    """What turns one table into the other, in words; a piece that only changes its place is one task."""
    if before.board is None:
        return tuple(_free_tasks(before, after, colours))
    old, new = cells_of(before), cells_of(after)
    words = {lying.cell: lying.words for lying in (*after.pieces, *before.pieces) if lying.cell and lying.words}
    left = {c: p for c, p in old.items() if new.get(c, EMPTY) != p}
    due = {c: p for c, p in new.items() if old.get(c, EMPTY) != p}
    found = []
    for cell in sorted(left.keys() & due.keys()):
        if (left[cell].kind, left[cell].colour) == (due[cell].kind, due[cell].colour):
            facing = FACING_WORDS.get(due[cell].facing or "", due[cell].facing)
            text = f"turn the {piece_words(due[cell], colours)} on {cell}: {facing}"
            found.append(_task(text, (cell,), old, new))
            del left[cell], due[cell]
    for cell in sorted(due):
        origin = next((c for c in sorted(left) if left[c] == due[cell] and c not in due), None)
        if origin is not None:
            found.append(
                _task(f"move the {piece_words(due[cell], colours)} from {origin} to {cell}", (origin, cell), old, new)
            )
            del left[origin]
        else:
            found.append(_task(f"put the {piece_words(due[cell], colours, facing=True)} on {cell}", (cell,), old, new))
            left.pop(cell, None)
    for cell in sorted(left):
        named = colours.text(words.get(cell, "")) or f"the {piece_words(left[cell], colours)} on {cell}"
        found.append(_task(f"take {named} off the board", (cell,), old, new))
    return tuple(found)


def ticked(work: tuple[Task, ...], seen: Evidence | None) -> tuple[Step, ...]:
    """The tasks with a tick where the view shows them done."""
    return tuple(Step(t.text, is_done(t, seen), t.cells[-1] if t.cells else None) for t in work)


def is_done(task: Task, seen: Evidence | None) -> bool:
    """True if every cell of the task shows what it should rather than what it showed."""
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
    kept = [p for p in after.pieces if p in before.pieces]
    gone = [p for p in before.pieces if p not in after.pieces]
    missing = {(d.x_mm, d.y_mm) for d in seen.differences(before) if d.seen == EMPTY}
    still = [p for p in gone if (p.x_mm, p.y_mm) not in missing]
    absent = {(d.x_mm, d.y_mm) for d in seen.differences(after) if d.seen == EMPTY}
    new = [p for p in after.pieces if p not in before.pieces and (p.x_mm, p.y_mm) not in absent]
    return Layout((*kept, *still, *new), after.board, after.marked)


def _half_way_cells(before: Layout, after: Layout, seen: CellEvidence) -> Layout:
    old, new = cells_of(before), cells_of(after)
    mixed = dict(new)
    for cell in old.keys() | new.keys():
        was, wanted = old.get(cell, EMPTY), new.get(cell, EMPTY)
        if was != wanted and seen.log_p(cell, was) > seen.log_p(cell, wanted):
            mixed[cell] = was
    return Layout(tuple(Lying(p, c) for c, p in mixed.items() if p != EMPTY), after.board, after.marked)


def _task(text: str, cells: tuple[str, ...], old: dict[str, Piece], new: dict[str, Piece]) -> Task:
    return Task(text, cells, {c: old.get(c, EMPTY) for c in cells}, {c: new.get(c, EMPTY) for c in cells})


def _free_tasks(before: Layout, after: Layout, colours: Palette) -> list[Task]:
    gone = [p for p in before.pieces if p not in after.pieces]
    new = [p for p in after.pieces if p not in before.pieces]
    return [Task(f"take {_named(p, colours)} off the table", ()) for p in gone] + [
        Task(f"put {_named(p, colours)} {place_words(p.cell, p.x_mm, p.y_mm)}", ()) for p in new
    ]


def _named(lying: Lying, colours: Palette) -> str:
    return colours.text(lying.words) or f"the {piece_words(lying.piece, colours)}"
