"""Names of cells and the columns and rows that they stand for."""


def cell_at(name: str, kind: str = "grid") -> tuple[int, int]:
    """(column, row) of a cell name, (0, 0) for a1. On a hexagon the letter names the row."""
    letter, number = ord(name[0]) - ord("a"), int(name[1:]) - 1
    return (number, letter) if kind == "hex" else (letter, number)


def cell_name(col: int, row: int, kind: str = "grid") -> str:
    """The name of a cell, a1 bottom left."""
    return f"{chr(ord('a') + row)}{col + 1}" if kind == "hex" else f"{chr(ord('a') + col)}{row + 1}"
