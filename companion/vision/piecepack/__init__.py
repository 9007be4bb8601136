"""Pieces of a piecepack, anywhere on a table: tiles, coins, pawns and dice; `finder` is where to begin reading."""
