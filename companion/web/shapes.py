"""The written shape of everything that a phone may send."""

from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError

from companion.errors import CommandRefused
from companion.texts import unprintable


class Shape(BaseModel):
    """Nothing unknown, nothing converted."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


def _printable(text: str) -> str:
    if unprintable(text):
        raise ValueError("contains characters that cannot be printed")
    if not text.strip():
        raise ValueError("is empty")
    return text.strip()


Word = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_.²-]+$")]
PlayerName = Annotated[str, Field(min_length=1, max_length=40), AfterValidator(_printable)]
Seat = Annotated[int, Field(ge=0, le=15)]
Pin = Annotated[str, Field(min_length=1, max_length=12, pattern=r"^[0-9]+$")]
Pixel = Annotated[float, Field(ge=-20000, le=20000)]
Corner = Annotated[list[Pixel], Field(min_length=2, max_length=2)]
_CELL = r"^([a-z][0-9]{1,2}|[0-9][a-z](/[a-z]+)?|[a-z ]+/[a-z]+)$"  # of a board, or of a plan: "2b", "2b/moons"
Cell = Annotated[str, Field(min_length=2, max_length=40, pattern=_CELL)]
Millimetres = Annotated[float, Field(ge=-5000, le=5000)]


class NoArguments(Shape):
    """A command that needs nothing more."""


Options = dict[Word, StrictBool | StrictInt | Annotated[StrictStr, Field(max_length=2000)]]


class NewGame(Shape):
    game: Word
    options: Options = Field(default_factory=dict, max_length=40)


class Join(Shape):
    """`pin` lets this phone claim the seat; `claim` False only names a player (host)."""

    seat: Seat
    player: PlayerName
    pin: Pin | None = None
    claim: bool = True


class OneSeat(Shape):
    seat: Seat


class AnswerDraw(Shape):
    seat: Seat
    accept: bool


class Undo(Shape):
    ply: Annotated[int, Field(ge=0, le=100000)] | None = None


class Answer(Shape):
    question: Annotated[str, Field(min_length=1, max_length=100)]
    choice: Annotated[str, Field(min_length=1, max_length=200)]


class PieceShape(Shape):
    kind: Word
    colour: Word | None = None
    size: Word | None = None
    pose: Word | None = None
    facing: Annotated[str, Field(max_length=4, pattern=r"^[NESW/\\]+$")] | None = None
    suit: Word | None = None
    value: Word | None = None
    face: Word | None = None


class Correct(Shape):
    """What stands on a cell, or at a place in millimetres."""

    cell: Cell | None = None
    x_mm: Millimetres | None = None
    y_mm: Millimetres | None = None
    heading_deg: Annotated[float, Field(ge=-360, le=360)] | None = None
    piece: PieceShape


MoveText = Annotated[str, Field(min_length=1, max_length=4000), AfterValidator(_printable)]


class EnterMove(Shape):
    move: MoveText


class SetCorners(Shape):
    """Without corners the board is found without help again."""

    corners: Annotated[list[Corner], Field(min_length=4, max_length=4)] | None = None


class Calibrate(Shape):
    """`at` is the step that this phone showed: what another one did meanwhile is not done again."""

    step: Literal["start", "next", "skip", "stop"]
    at: Literal["lens", "markers"] | None = None


class KeepSets(Shape):
    """`set` is one of those that are listed, `name` the new name of one that is kept or renamed."""

    step: Literal["keep", "use", "rename", "delete", "restore"]
    set: Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[0-9]+$")] | None = None
    name: PlayerName | None = None


class SetQuiet(Shape):
    on: bool


class SetOptions(Shape):
    options: Options = Field(min_length=1, max_length=40)


class OneGame(Shape):
    number: Annotated[int, Field(ge=1, le=2**53)]


ARGUMENTS: dict[str, type[Shape]] = {
    "new_game": NewGame,
    "begin": NoArguments,
    "reset": NoArguments,
    "join": Join,
    "withdraw": OneSeat,
    "end_turn": NoArguments,
    "resign": OneSeat,
    "offer_draw": OneSeat,
    "answer_draw": AnswerDraw,
    "claim_draw": OneSeat,
    "undo": Undo,
    "answer": Answer,
    "correct": Correct,
    "enter_move": EnterMove,
    "play_move": EnterMove,
    "roll": NoArguments,
    "allow": NoArguments,
    "take_up": OneSeat,
    "set_corners": SetCorners,
    "calibrate": Calibrate,
    "learn_set": NoArguments,
    "call_off_lesson": NoArguments,
    "forget_set": NoArguments,
    "keep_sets": KeepSets,
    "measure_light": NoArguments,
    "set_quiet": SetQuiet,
    "set_options": SetOptions,
    "go_on_with": OneGame,
    "erase_game": OneGame,
}


Key = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
PIECE_SIGNS = 16_000  # of a file that comes in pieces: each is a request like any other ...
MOST_PIECES = 500  # ... 8 million signs in all


class CommandBody(Shape):
    """`expects` is the snapshot number that the phone showed, `key` makes a repeated request harmless."""

    arguments: dict[str, Any] = Field(default_factory=dict)
    expects: Annotated[int, Field(ge=0, le=2**53)] | None = None
    key: Key | None = None


class RestoreBody(Shape):
    """A piece of an exported game: `part` of `parts`, from 0 on, in their order; `upload` is the file's own key."""

    upload: Key
    part: Annotated[int, Field(ge=0, lt=MOST_PIECES)]
    parts: Annotated[int, Field(ge=1, le=MOST_PIECES)]
    text: Annotated[str, Field(max_length=PIECE_SIGNS)]


class SetupBody(Shape):
    code: Pin
    pin: Pin


class LoginBody(Shape):
    pin: Pin


class ChangePinBody(Shape):
    old: Pin
    new: Pin


_S = TypeVar("_S", bound=BaseModel)


def read_body(shape: type[_S], body: bytes | dict[str, Any]) -> _S:
    """The body in this shape; CommandRefused (400) says which field is wrong, and never repeats its content."""
    try:
        return shape.model_validate(body) if isinstance(body, dict) else shape.model_validate_json(body)
    except ValidationError as error:
        wrong = [_words(e["loc"], e["msg"]) for e in error.errors()[:5]]
        raise CommandRefused("shape", "; ".join(wrong), 400) from None


def _words(where: tuple[int | str, ...], message: str) -> str:
    """What is wrong with a field; a validator of ours goes on from the field's name."""
    field, own = ".".join(map(str, where)) or "body", message.removeprefix("Value error, ")
    return f"{field}: {message}" if own == message else f"{field} {own}"


def plain(arguments: Shape) -> dict[str, Any]:
    """Arguments as plain values, unset ones left out."""
    return arguments.model_dump(exclude_none=True)
