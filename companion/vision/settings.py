"""Every threshold of the eye, by name and in one place."""

from dataclasses import dataclass, field

from calibration.colours import ColourSettings
from calibration.light import LightSettings
from calibration.markers import MarkerSettings
from calibration.table import TableSettings
from companion.vision.arms import ArmSettings
from companion.vision.boards.cell_corners import CornerSettings
from companion.vision.boards.cells import CellSettings
from companion.vision.boards.settings import BoardSettings
from companion.vision.hands import HandSettings
from companion.vision.resting import RestingSettings
from companion.vision.stillness import StillnessSettings


@dataclass(frozen=True, slots=True)
class EyeSettings:
    """What the eye may be told. `live` frames are judged by what happened before; others are still views each.

    `one_table`: they are at least pictures of one table that is played on, one after the other.
    """

    live: bool = False
    one_table: bool = False
    widest_px: int = 2200  # larger pictures are shrunk first
    frozen_frames: int = 8  # so many equal pictures in a row come from a camera that hangs
    keep_pose_px: float = 0.7  # markers that moved by less are noise: the camera's place is kept
    paper_share: float = 1.5  # side of a marker's paper in sides of the marker: no piece is looked for there
    board_slip_mm: float = 0.6  # a board that moved by more is fitted anew
    cell_scale_kept: float = 0.004  # cells that differ by more from the size given are cut at their measured size
    turned_log_odds: float = 5.0  # how sure the reader must be that the board lies the other way round
    changed_level: float = 7.0  # grey levels by which a part of a cell must change for it to be read again
    changed_block_px: int = 6  # such a part, in pixels of the patch
    read_all_share: float = 0.3  # when more cells changed, all are read
    read_all_s: float = 10.0  # ... and so they are after this time
    glare_share: float = 0.25  # of a cell, above which glare is told to people
    cell_blown: float = 0.98  # of a cell, above which not even the lines round it are seen: it may only seem empty
    cell_shown: float = 0.6  # of a cell that the picture has to show, or nothing is told of it
    corner_shown: float = 0.99  # of cells whose corners may be missed
    markers: MarkerSettings = field(default_factory=MarkerSettings)
    table: TableSettings = field(default_factory=TableSettings)
    corner_table: TableSettings = field(default_factory=lambda: TableSettings(bleed_passes=1, lens_corner_px=2.0))
    light: LightSettings = field(default_factory=LightSettings)
    colours: ColourSettings = field(default_factory=ColourSettings)
    stillness: StillnessSettings = field(default_factory=StillnessSettings)
    resting: RestingSettings = field(default_factory=RestingSettings)
    arms: ArmSettings = field(default_factory=ArmSettings)
    hands: HandSettings = field(default_factory=HandSettings)
    board: BoardSettings = field(default_factory=BoardSettings)
    cells: CellSettings = field(default_factory=CellSettings)
    corners: CornerSettings = field(default_factory=CornerSettings)
