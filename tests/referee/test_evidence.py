"""What a board's cells say beside how they looked when last known."""

from referee_tables import shown

from companion.games import game
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.cells import CellEvidence
from companion.referee.settings import Settings

MISREAD = ((Piece("pyramid", "silver", facing="SE"), 0.99), (Piece("pyramid", "silver", facing="NW"), 0.01))
MUCH_THE_SAME = ((Piece("pyramid", "silver", facing="SE"), 0.96), (Piece("pyramid", "silver", facing="NW"), 0.04))
TURNED = ((Piece("pyramid", "silver", facing="NW"), 0.99),)


def test_a_piece_that_is_misread_as_ever_is_not_called_unseen() -> None:
    khet = game("khet")
    layout = khet.layout(khet.start({"layout": "classic-2.0"}))
    cell = next(p.cell for p in layout.pieces if (p.piece.kind, p.piece.colour) == ("pyramid", "red"))
    before = CellEvidence(shown(layout, doubts={cell: MISREAD}), Settings())
    assert [d.cell for d in before.unseen(layout)] == [cell]
    looks = before.looks(layout)
    for beliefs, unseen in ((MISREAD, []), (MUCH_THE_SAME, []), (TURNED, [cell]), ((), [cell])):
        seen = CellEvidence(shown(layout, doubts={cell: beliefs}), Settings(), remembered=looks)
        assert [d.cell for d in seen.unseen(layout)] == unseen


def test_a_piece_surely_told_that_is_gone_is_missed_though_the_eye_thought_of_that_before() -> None:
    khet = game("khet")
    layout = khet.layout(khet.start({"layout": "classic-2.0"}))
    lying = next(p for p in layout.pieces if (p.piece.kind, p.piece.colour) == ("pyramid", "red"))
    for second in (0.01, 0.06, 0.15):
        looked = ((lying.piece, 0.99 - second), (EMPTY, second))
        looks = CellEvidence(shown(layout, doubts={lying.cell: looked}), Settings()).looks(layout)
        gone = CellEvidence(shown(layout, changes={lying.cell: EMPTY}), Settings(), remembered=looks)
        assert [d.cell for d in gone.differences(layout)] == [lying.cell]


def test_a_piece_hardly_told_is_missed_where_another_one_is_surely_told_now() -> None:
    khet = game("khet")
    layout = khet.layout(khet.start({"layout": "classic-2.0"}))
    lying = next(p for p in layout.pieces if (p.piece.kind, p.piece.colour) == ("pyramid", "red"))
    other = Piece("pyramid", "red", facing={"NE": "SE", "SE": "SW", "SW": "NW", "NW": "NE"}[lying.piece.facing])
    looks = CellEvidence(shown(layout, doubts={lying.cell: ((lying.piece, 0.65), (other, 0.14))}), Settings()).looks(
        layout
    )
    turned = CellEvidence(shown(layout, changes={lying.cell: other}, sure=0.999), Settings(), remembered=looks)
    assert [d.cell for d in turned.differences(layout)] == [lying.cell]
