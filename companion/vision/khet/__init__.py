"""What stands on the cells of a Khet board; `reader` is where to begin reading."""
