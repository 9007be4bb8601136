"""The camel-wash score track: squares 0 to 60 in five rows, read like a plough goes (boustrophedon)."""

SQUARES = 61
COLUMNS = 13
SQUARE_MM = 21.0  # a 3/4 inch coin fits


def square_mm(number: int) -> tuple[float, float]:
    """The centre of a square, from the centre of the sheet: X right, Y up. ValueError outside 0..60."""
    if not 0 <= number < SQUARES:
        raise ValueError(f"the track has squares 0 to {SQUARES - 1}, not {number}")
    row, step = divmod(number, COLUMNS)
    column = step if row % 2 == 0 else COLUMNS - 1 - step
    rows = -(-SQUARES // COLUMNS)
    return (column - (COLUMNS - 1) / 2) * SQUARE_MM, ((rows - 1) / 2 - row) * SQUARE_MM


def square_at(x_mm: float, y_mm: float) -> int | None:
    """The square under a point of the sheet; None beside the track."""
    for number in range(SQUARES):
        x, y = square_mm(number)
        if max(abs(x_mm - x), abs(y_mm - y)) <= SQUARE_MM / 2:
            return number
    return None
