"""Reads from pictures what lies on the table; knows pieces, not rules. `pipeline` is where to begin reading.

From a picture to a view, whatever lies there
    pipeline reader readers settings errors stages report drawing label_places files picture picture_files jpeg_files
    channels above
Whether it can be seen: motion, hands, a camera that was moved
    stillness resting hands arms table_watch find_watch
Boards, and readers of their cells
    boards khet discs
Free tables: the bare table, what a game's finder looks for there, each family of pieces
    ground found finders kaxxt_finder chaos_finder kdak_finder dice_finder several_looks choice convex connected
    pyramids piecepack dice card
Trained networks, and what a set was taught
    weights plans attention chances taught_looks
"""
