"""The sheets that every table needs: markers, lens board, colour card."""

from calibration.sheets import colour_pages, lens_pages, marker_pages
from companion.prints.base import Sheet, SheetOption

SIDE = SheetOption("side", 40.0, "side of a marker's black square, mm", 10, 180)

SHEETS = (
    Sheet("markers", "the four table markers", lambda paper, chosen: marker_pages(paper, chosen["side"]), (SIDE,)),
    Sheet("lens", "the board for measuring the lens", lambda paper, chosen: lens_pages(paper)),
    Sheet("colours", "the colour card", lambda paper, chosen: colour_pages(paper)),
)
