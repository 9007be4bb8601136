"""Reads from pictures what lies on the table; knows pieces, not rules. `pipeline` is where to begin reading.

From a picture to a view, whatever lies there
    pipeline reader readers settings errors stages report drawing label_places files picture picture_files jpeg_files
    channels
Whether it can be seen: motion, hands, a camera or a board that was moved
    stillness hands arms table_watch board_watch find_watch
A board and its cells
    board board_* pattern_finder cells cell_* above
Readers of cells
    khet_* disc_* hexagon_reader
Free tables: what the bare table looks like, and where something lies on it
    finders kaxxt_finder chaos_finder kdak_finder dice_finder foreground first_look without_pattern woven pattern_*
    connected several_looks choice convex
Pyramids
    pyramids pyramid_*
A piecepack
    piecepack piecepack_*
Dice with pips
    pip_* pips die_* loose_*
The robot's card of Kaxxt
    robot_card card_*
Trained networks, and what a set was taught
    plans attention taught_looks
"""
