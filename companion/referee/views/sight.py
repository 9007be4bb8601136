"""How well the referee sees, in one word and one sentence: the sooner it says so, the less it is mistrusted."""

from companion.referee.happenings import Sight
from companion.view import BoardShape, TableView

# obstacle -> (state, what to do about it); the first of these that is there is told
OBSTACLES = {
    "frozen": ("frozen", "The camera sends the same picture again and again: it is being restarted"),
    "dark": ("dark", "It is too dark to see the table: more light, please"),
    "bright": ("dark", "The picture is blown out: less light, please"),
    "grey": ("lost", "The picture has no colour: switch the camera to colour"),
    "blurred": ("lost", "The picture is blurred: focus the camera, or hold it still"),
    "blank": ("dark", "The picture shows one tone only: is the lens covered?"),
    "picture": ("lost", "The picture cannot be used: check the camera"),
    "moved": ("moved", "The camera or the table has moved: finding it again"),
    "markers": ("lost", "Not all four corner markers are in view: uncover them"),
    "board": ("lost", "The board is not found: lay it between the markers, or drag its corners on the page"),
    "hand": ("hand", "A hand is in view: waiting until it is gone"),
    "moving": ("hand", "Something is moving: waiting until the table is still"),
    "settling": ("hand", "Waiting until the table is still"),
    "weights": ("lost", "A file of the companion is damaged (`companion check` names it): install the companion again"),
    "fault": ("lost", "A picture was not read, through a fault of the companion that its log names: it looks anew"),
}
SEEING = Sight("seeing", "The table is seen")
STARTING = Sight("starting", "Waiting for the first picture")
NO_CAMERA = Sight("no camera", "No camera: the page, manual entry and the record work on")
TOLD_BY_CAMERA = ("no camera", "starting", "frozen")  # states that say why there is no picture
BLIND = Sight("lost", "No picture for some time: is the camera connected?")
UNLOOKED = (*TOLD_BY_CAMERA, "dark", "moved")  # states after which the first pictures seem to move without a hand


def sight_of(view: TableView, board: BoardShape | None = None) -> Sight:
    """What one view says about seeing; `board` is the one that is played on."""
    if view.clear:
        if board is not None and view.shape is not None and not alike(view.shape, board):
            return other_board(view.shape, board)
        return SEEING
    for obstacle, (state, text) in OBSTACLES.items():
        if obstacle in view.obstacles:
            return Sight(state, text)
    return Sight("lost", f"The table cannot be read: {', '.join(view.obstacles)}. Check light and camera")


def nobody_looks(sight: Sight) -> bool:
    """True if of the pictures there are none can show whether a hand is at the table."""
    return sight.state in UNLOOKED or sight == BLIND


def alike(one: BoardShape, other: BoardShape) -> bool:
    """True if both boards have the same cells, of whatever size."""
    return (one.kind, one.cols, one.rows) == (other.kind, other.cols, other.rows)


def other_board(seen: BoardShape, played: BoardShape) -> Sight:
    """The eye was told of a board on which this game cannot be played."""
    cells = f"{seen.cols}x{seen.rows} cells, and this game is played on {played.cols}x{played.rows}"
    return Sight("lost", f"The board is said to have {cells}: name the right board file, or choose another game")
