"""A Pi boots in the past and its clock jumps: no waiting time may hang on the wall clock."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
WALL = {("time", "time"), ("time", "localtime"), ("time", "strftime"), ("datetime", "now"), ("date", "today")}
MAY = {  # what really means the date and the time of day
    "calibration/store.py",  # when a lens was measured
    "companion/outputs/devices.py",  # quiet hours
    "companion/referee/readmodel.py",  # when a game was begun
    "companion/start_counter.py",  # counts starts, whatever the clock says
    "companion/vision/disc_reader.py",  # when a set was learned
    "companion/vision/khet_reader.py",
    "companion/vision/piecepack.py",
    "companion/vision/pyramids.py",
    "companion/web/sessions.py",  # how many days a login is good for
}


def wall_clocks(path: Path) -> bool:
    """True if the file asks for the wall clock."""
    nodes = (n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Attribute))
    names = (
        (n.value.attr if isinstance(n.value, ast.Attribute) else getattr(n.value, "id", ""), n.attr) for n in nodes
    )
    return any(name in WALL for name in names)


def test_only_what_means_the_time_of_day_asks_for_it() -> None:
    files = [path for folder in ("companion", "hardware", "calibration") for path in (ROOT / folder).rglob("*.py")]
    asking = {str(path.relative_to(ROOT)) for path in files if "training" not in path.parts and wall_clocks(path)}
    assert asking == MAY
