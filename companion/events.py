"""Things that happened, as frozen values with stable names and JSON; the only words between the parts.

A game may add events of its own by the same decorator, in its own file.
"""

import contextlib
import dataclasses
import functools
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from companion.errors import UnreadableText

Point = tuple[float, float]
PLAIN: Mapping[Any, tuple[type, ...]] = {
    str: (str,),
    bool: (bool,),
    int: (int,),
    float: (float, int),
    types.NoneType: (types.NoneType,),
}  # what JSON has in each one's place


class Event:
    """Base of all events. `name` is the stable word in the journal and on the stream."""

    name: ClassVar[str] = ""

    @property
    def note(self) -> str:
        """What stands beside the action that led to it, in words of the game's own; "" for most."""
        return ""

    def to_json(self) -> dict[str, Any]:
        """A dict of plain JSON values, `event` first."""
        data: dict[str, Any] = _plain(self)
        return {"event": self.name, **data}


_REGISTRY: dict[str, type[Event]] = {}
_E = TypeVar("_E", bound=type[Event])


def event(name: str) -> typing.Callable[[_E], _E]:
    """Register a frozen dataclass under a stable name; a name taken twice is a programming error."""

    def register(cls: _E) -> _E:
        if name in _REGISTRY:
            raise ValueError(f"two events are called {name!r}")
        cls.name = name
        _REGISTRY[name] = cls
        return cls

    return register


def registered() -> Mapping[str, type[Event]]:
    """Every event by its name, as far as the files that hold them are imported."""
    return types.MappingProxyType(_REGISTRY)


def from_json(data: Mapping[str, Any]) -> Event:
    """The event that `to_json` wrote; UnreadableText when it is none."""
    try:
        cls = _REGISTRY[data["event"]]
        return cls(**_fields(cls, {name: value for name, value in data.items() if name != "event"}))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableText(f"not an event: {error}") from error


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(v) for v in value]
    return value


@functools.cache
def _hints(cls: type) -> Mapping[str, Any]:
    return typing.get_type_hints(cls)


def _fields(cls: type, data: Mapping[str, Any]) -> dict[str, Any]:
    hints = _hints(cls)
    return {name: _typed(hints[name], value) for name, value in data.items()}


def _typed(hint: Any, value: Any) -> Any:
    """The value as this type, which it has already but for tuples and dataclasses; TypeError for another."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        for inner in args:
            with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
                return _typed(inner, value)
    elif origin is tuple and isinstance(value, list | tuple):
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_typed(args[0], v) for v in value)
        return tuple(_typed(a, v) for a, v in zip(args, value, strict=True))
    elif isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return hint(**_fields(hint, value))
    elif type(value) in PLAIN.get(hint, ()):
        return value
    raise TypeError(f"{value!r} is no {getattr(hint, '__name__', hint)}")


# --- what the rules say ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BeamPath:
    """One unbroken beam of light: its corners, in board cells ("cell": file and rank counted from 0) or mm."""

    points: tuple[Point, ...]
    unit: str = "cell"
    end: str = ""  # edge, absorbed, hit, loop, lost ...
    colour: str | None = None
    power: float | None = None


@event("acted")
@dataclass(frozen=True)
class Acted(Event):
    """A seat made a move, in the game's notation and in words."""

    seat: int
    move: str
    text: str


@event("beam")
@dataclass(frozen=True)
class Beam(Event):
    """Light was fired; every path of it, so that it can be drawn hop by hop."""

    seat: int
    paths: tuple[BeamPath, ...]


def light_of(events: Iterable[Event]) -> tuple[BeamPath, ...]:
    """All beams of what happened."""
    return tuple(path for event in events if isinstance(event, Beam) for path in event.paths)


@event("hit")
@dataclass(frozen=True)
class Hit(Event):
    """A piece was struck; `removed` when it has to leave the table."""

    seat: int  # whose piece
    piece: str  # in words
    cell: str | None = None
    x_mm: float | None = None
    y_mm: float | None = None
    removed: bool = True
    rule: str = ""


@event("chance")
@dataclass(frozen=True)
class Chance(Event):
    """A die fell, a piece was drawn from the bag."""

    what: str
    value: str
    source: str = "table"  # read by the camera, rolled by the companion, entered


@event("scored")
@dataclass(frozen=True)
class Scored(Event):
    """A seat won or lost points."""

    seat: int
    points: float
    total: float
    why: str = ""
    rule: str = ""


@event("turn")
@dataclass(frozen=True)
class TurnBegan(Event):
    """It is this seat's turn."""

    seat: int


@event("told")
@dataclass(frozen=True)
class Told(Event):
    """Something the players should know: a rule that came up, a claim that may be made."""

    text: str
    rule: str = ""

    @property
    def note(self) -> str:
        """All of it."""
        return self.text


@event("over")
@dataclass(frozen=True)
class GameOver(Event):
    """The game ended. No winner = a draw, lost by all, or none of these: `companion.referee.endings` tells which."""

    reason: str
    winners: tuple[int, ...]
    text: str
    rule: str = ""
