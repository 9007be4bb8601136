"""Discs of two colours on the cells of a board; `reader` is where to begin reading."""
