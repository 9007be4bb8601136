"""What is said where a hand has come and gone, and nothing is seen to have changed: what it did may be overlooked."""

from companion.referee.evidence.cells import covered
from companion.referee.evidence.laid import UNDER
from companion.referee.table import Table
from companion.referee.words import piece_words, place_words, sentence
from companion.texts import join

IN_VAIN = (
    "A hand was there, and nothing is seen to have changed. If a piece is not drawn here, move it a little, or let the "
    "host tap the table."
)


def in_vain(table: Table) -> str:
    """What is said where a hand has come and gone, or nobody looked, and nothing is seen to have changed."""
    views, touch = table.views, table.touch
    if (touch.in_vain or touch.found) and (gone := _gone(table)):
        return gone
    if not touch.in_vain or views.strangers.seen or views.asides.moved or covered(table.seen):
        return ""
    unseen = table.seen.unseen(table.layout) if table.seen is not None else ()
    under = [odd.cell for odd in unseen if odd.cell is not None and odd.why == UNDER]
    return _under_words(under) if under else IN_VAIN


def _gone(table: Table) -> str:
    """What is said of walkers that stand on the plan, and are seen nowhere."""
    plan = table.layout.plan
    if plan is None:
        return ""
    unseen = [walker.piece for walker in plan.walkers if walker.name in table.views.laid.unseen]
    standing = [p for p in table.layout.pieces if p.cell is not None and p.cell.partition("/")[0] != plan.away]
    gone = [p for p in standing if p.piece in unseen]
    told = join([f"the {piece_words(p.piece, table.colours)}" for p in gone])
    return _gone_words(told, [place_words(p.cell) for p in gone]) if gone else ""


def _under_words(cells: list[str]) -> str:
    """What is said where pawns hide what lies on these cells: hands may have taken it from under them."""
    one = len(cells) == 1
    under = f"the {'pawn' if one else 'pawns'} on {join(cells)}"
    put = "put the pawn" if one else "put each pawn"
    return sentence(f"what lies under {under} is not seen: if it was taken away, {put} where it comes to stand now")


def _gone_words(named: str, places: list[str]) -> str:
    """What is said of pawns that are seen nowhere: they may have been taken away, or lie where they are overlooked."""
    one = len(places) == 1
    are, taken, them = ("is", "it was", "it") if one else ("are", "they were", "them")
    lost = f"{named} {are} not seen {join(places)}: if {taken} taken away, put {them} back"
    return sentence(
        f"{lost}; else move {them} a little, or let the host tap where {'it stands' if one else 'they stand'}"
    )
