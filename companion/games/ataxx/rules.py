"""The numbered rules of Ataxx and Hexxagon in our own words, each with the function that enforces it."""

from companion.games.base import numbered

RULES = numbered(
    "companion.games.ataxx",
    ("A1", "The board is a square of any size from 3 to 26 cells; usually 8.", "board:square"),
    ("A2", "Hexxagon has the same rules on a hexagon of 61 cells, with three pieces each.", "setup:start_hexxagon"),
    ("A3", "Each side starts with two pieces in opposite corners.", "setup:_first_position"),
    ("A4", "The sides take turns, one action at a time.", "play:play"),
    ("A5", "A drop puts a new piece on an empty cell next to one of your own.", "play:check_drop"),
    ("A6", "A move takes one of your pieces to an empty cell exactly two cells away.", "play:check_jump"),
    ("A7", "Pieces in between do not hinder a move.", "play:check_jump"),
    ("A8", "A move leaves its starting cell empty; a drop takes nothing away.", "play:play"),
    ("A9", "All enemy pieces next to the arriving piece become yours; those set off nothing more.", "play:play"),
    ("A10", "One action can turn at most eight pieces (six on the hexagon).", "board:Board"),
    ("A11", "If you can act, you must.", "play:check_pass"),
    ("A12", "If you cannot act, your turn is skipped; you may be able to act again later.", "play:chance"),
    ("A13", "The game ends when the board is full, and the side with more pieces wins.", "play:outcome"),
    ("A14", "Equal numbers are a tie.", "play:outcome"),
    ("A15", "A side without pieces has lost at once.", "play:outcome"),
    ("A16", "On an open board somebody can always act, so two passes never follow each other.", "play:moves"),
    ("A17", "64 two-coloured pieces are enough for 8x8; a full hexagon of 61 cells cannot tie.", "play:outcome"),
    ("AA1", "x (black) begins, from the top left and the bottom right corner.", "setup:_first_position"),
    ("AA2", "On the hexagon x starts on a1, e9, i5 and o on a5, i9, e1.", "setup:_first_position"),
    ("AA3", "A drop next to several own pieces is one move, named by its cell.", "play:moves"),
    ("AA4", "A drop may be typed with a neighbour in front (a1b2); it is written b2.", "notation:read_move"),
    ("AA5", "Blocked cells are an option; then the game also ends when nobody can act.", "play:check_destination"),
    ("AA6", "After 50 moves each without a drop a draw may be offered.", "play:check_offer"),
    ("AA7", "A pass happens by itself and is recorded as 0000.", "play:chance"),
    ("AA8", "A full board on which one side has nothing is counted like any other.", "play:outcome"),
    ("AA9", "A piece that was not turned over, or wrongly so, is named until it is put right.", "play:check_turned"),
    ("AA10", "Files run from a to z, and numbers in FEN may have two digits.", "notation:read_fen"),
)
