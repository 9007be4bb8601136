"""A board on the table, and its cells; `finder` is where to begin reading."""
