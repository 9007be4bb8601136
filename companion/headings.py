"""Headings in degrees, counter-clockwise."""


def turn_deg(to_deg: float, from_deg: float, period_deg: float = 360.0) -> float:
    """The shortest turn from one heading to another, from -period_deg / 2 on and below period_deg / 2.

    `period_deg` is the turn after which a thing looks the same: 90 for a square.
    """
    return (to_deg - from_deg + period_deg / 2) % period_deg - period_deg / 2
