"""One game as the fold of its events: what was played, by whom, and what hands have still to do."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from companion.errors import CompanionError, UnreadableText
from companion.events import Event, GameOver, Hit
from companion.games import game as game_named
from companion.games.base import Game, Layout, Move, Position
from companion.games.extras import extras
from companion.referee.draw_offer import DrawOffer
from companion.referee.evidence.layout import changed
from companion.referee.happenings import (
    BY_HAND,
    CERTAIN,
    TABLE,
    Allowed,
    Cleared,
    Corrected,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    Joined,
    OptionSet,
    Plied,
    PutBack,
    QuietSet,
    Reset,
    Ruled,
    SetUp,
    Started,
    TakenBack,
    TakenUp,
    Value,
    Withdrew,
)
from companion.texts import read_json

GOING_ON = ("set-up", "play")  # phases of a game that is on
BY_HOST = "the host began the game as the table lay"


@dataclass(frozen=True, slots=True)
class Past:
    """One ply as it was played."""

    seat: int
    move: str
    text: str
    before: Position
    after: Position
    standing: Layout  # the table right after the hand let go
    events: tuple[Event, ...] = ()
    source: str = TABLE

    @property
    def hits(self) -> tuple[str, ...]:
        """The cells that were hit."""
        return tuple(e.cell for e in self.events if isinstance(e, Hit) and e.cell is not None)


@dataclass(frozen=True)
class State:
    """Everything that survives a restart. `standing` is the last confirmed table, `awaiting` hands' work."""

    name: str = ""
    game: Game | None = None
    options: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))
    asked: Mapping[str, Value] = field(
        default_factory=lambda: MappingProxyType({})
    )  # options before the table told one
    table: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))
    chosen_anew: tuple[str, ...] = ()  # of these, while the game is on; the newest last
    started_at: str = ""
    phase: str = "idle"  # idle, set-up, play, over
    first: Position = None
    begun: str = ""  # how play came to begin other than by a set-up that was seen whole, before any ply
    position: Position = None
    plies: tuple[Past, ...] = ()
    standing: Layout | None = None
    awaiting: bool = False
    undone: tuple[Past, ...] = ()  # what was taken back and hands have to put back
    ruling: Ruled | None = None
    players: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    waiting: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))  # for a game with such a seat
    draw: DrawOffer = field(default_factory=DrawOffer)
    over: GameOver | None = None
    quiet: bool = False
    overrides: Mapping[str, Corrected] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def module(self) -> Game:
        """The game that is on; only to be asked for when there is one."""
        if self.game is None:
            raise UnreadableText("no game is on")
        return self.game

    def at(self, ply: int) -> Position:
        """The position after that many plies."""
        return self.first if ply == 0 else self.plies[ply - 1].after


def fold(state: State, event: Event) -> State:
    """The state after one more event. Events that only tell (beam, hit, turn ...) change nothing."""
    step = _STEPS.get(type(event))
    return state if step is None else step(state, event)


def fold_all(events: Iterable[Event], state: State | None = None) -> State:
    """The state after all of these events."""
    result = State() if state is None else state
    for event in events:
        result = fold(result, event)
    return result


def _started(state: State, event: Started) -> State:
    module = game_named(event.game)
    options, table = dict(event.options), dict(event.table)
    position = module.start(options)
    usual = {option.name: option.default for option in module.OPTIONS}
    options |= {name: value for name, value in extras(module).in_force(position).items() if value != usual[name]}
    before = state if state.phase == "set-up" else State()  # in the midst of a set-up the table tells a choice
    return State(
        name=event.game,
        game=module,
        options=MappingProxyType(options),
        asked=before.asked if before is state else MappingProxyType(dict(event.options)),
        table=MappingProxyType(table),
        chosen_anew=before.chosen_anew,
        started_at=event.at,
        phase="set-up",
        first=position,
        position=position,
        standing=module.layout(position),
        quiet=before.quiet if before is state else bool(table.get("quiet", state.quiet)),
        players=before.players,
        waiting=before.waiting,
        overrides=before.overrides,
    )


def _set_up(state: State, event: SetUp) -> State:
    begun = BY_HOST if event.by_host else state.begun
    return replace(state, phase="play", begun=begun, awaiting=False, standing=state.module.layout(state.position))


def _plied(state: State, event: Plied) -> State:
    module = state.module
    move = module.read_move(state.position, event.move)
    return with_ply(state, move, event)


def with_ply(state: State, move: Move, event: Plied) -> State:
    """The state after a lawful move."""
    module = state.module
    turn = module.play(state.position, move)
    after = module.layout(turn.position)
    during = module.during(state.position, move)
    standing = _at_rest(during.lasting if event.source in BY_HAND else (state.standing or after), after)
    past = Past(
        event.seat,
        event.move,
        module.describe(state.position, move),
        state.position,
        turn.position,
        during,
        turn.events,
        event.source,
    )
    return replace(
        state,
        position=turn.position,
        plies=(*state.plies, past),
        standing=standing,
        awaiting=changed(standing, after),
        undone=state.undone if changed(standing, after) else (),
        ruling=None,
        draw=state.draw if event.source == CERTAIN else state.draw.after_action(event.seat),
        overrides=MappingProxyType({}),
    )


def _at_rest(standing: Layout, wanted: Layout) -> Layout:
    """What is wanted where the table shows it already: the plan that goes with it tells what hands may show beside."""
    return standing if changed(standing, wanted) else wanted


def _cleared(state: State, event: Cleared) -> State:
    laid = state.module.layout(state.position)
    return replace(state, awaiting=False, undone=(), standing=laid, ruling=None, overrides=MappingProxyType({}))


def with_cells(layout: Layout, other: Layout, cells: Collection[str]) -> Layout:
    """The layout with these cells as the other has them."""
    kept = tuple(lying for lying in layout.pieces if lying.cell not in cells)
    return replace(layout, pieces=(*kept, *(lying for lying in other.pieces if lying.cell in cells)))


def _taken_back(state: State, event: TakenBack) -> State:
    ply = max(0, min(event.ply, len(state.plies)))
    position = state.at(ply)
    layout = state.module.layout(position)
    standing = layout if event.on_table else (state.standing or layout)
    if event.done:
        standing = with_cells(standing, state.module.layout(state.position), event.done)
    standing = _at_rest(standing, layout)
    return replace(
        state,
        phase="play",
        position=position,
        plies=state.plies[:ply],
        standing=standing,
        awaiting=changed(standing, layout),
        undone=(*state.plies[ply:], *state.undone) if changed(standing, layout) else (),
        ruling=None,
        over=None,
        draw=state.draw.after_undo(ply),
        overrides=MappingProxyType({}),
    )


def _allowed(state: State, event: Allowed) -> State:
    module = state.module
    position = module.from_json(read_json(event.position))
    move = module.read_move(state.position, event.move)
    standing, followed = module.during(state.position, move), _followed(module, state.position, move)
    past = Past(event.seat, event.move, event.text, state.position, position, standing, followed)
    return replace(
        state,
        position=position,
        plies=(*state.plies, past),
        standing=standing,
        awaiting=changed(standing, module.layout(position)),
        ruling=None,
        draw=state.draw.after_action(event.seat),
        overrides=MappingProxyType({}),
    )


def _followed(game: Game, position: Position, move: Move) -> tuple[Event, ...]:
    """What followed from an unlawful action that was let stand, and why."""
    carry_out = extras(game).carry_out
    if carry_out is None:
        return ()
    try:
        return carry_out(position, move).events
    except CompanionError:  # let stand under other rules: where it led is recorded, and that is enough to go on
        return ()


def _taken_up(state: State, event: TakenUp) -> State:
    module = state.module
    position = module.from_json(read_json(event.position))
    led = tuple(
        replace(past, after=position, text=f"{past.text.rstrip('.')}; {event.text}.") for past in state.plies[-1:]
    )
    plies = (*state.plies[:-1], *led)
    return replace(
        state,
        first=state.first if plies else position,
        begun=state.begun if plies else "; ".join(text for text in (state.begun, event.text) if text),
        position=position,
        plies=plies,
        standing=module.layout(position),
        awaiting=False,
        undone=(),
        ruling=None,
        draw=state.draw.after_action(None),
        overrides=MappingProxyType({}),
    )


def _joined(state: State, event: Joined) -> State:
    if event.seat >= len(state.module.seats(state.position)):
        return replace(state, waiting=MappingProxyType({**state.waiting, event.seat: event.player}))
    return replace(state, players=MappingProxyType({**state.players, event.seat: event.player}))


def _withdrew(state: State, event: Withdrew) -> State:
    return replace(state, players=MappingProxyType({s: p for s, p in state.players.items() if s != event.seat}))


def _corrected(state: State, event: Corrected) -> State:
    name = event.cell if event.x_mm is None else f"{event.x_mm},{event.y_mm}"
    kept = {other: told for other, told in state.overrides.items() if other != name}
    return replace(state, overrides=MappingProxyType({**kept, name: event}))


def _option_set(state: State, event: OptionSet) -> State:
    others = (name for name in state.chosen_anew if name != event.option)
    table = MappingProxyType({**state.table, event.option: event.value})
    return replace(state, table=table, chosen_anew=(*others, event.option))


_STEPS: dict[type[Event], Callable[[State, Any], State]] = {
    Started: _started,
    SetUp: _set_up,
    Plied: _plied,
    Cleared: _cleared,
    Ruled: lambda s, e: replace(s, ruling=e),
    PutBack: lambda s, e: replace(s, ruling=None, overrides=MappingProxyType({})),
    TakenBack: _taken_back,
    Allowed: _allowed,
    TakenUp: _taken_up,
    Corrected: _corrected,
    Joined: _joined,
    Withdrew: _withdrew,
    DrawOffered: lambda s, e: replace(s, draw=DrawOffer(by=e.seat, plies=len(s.plies))),
    DrawAccepted: lambda s, e: replace(s, draw=replace(s.draw, accepted=(*s.draw.accepted, e.seat))),
    DrawDeclined: lambda s, e: replace(s, draw=DrawOffer(declined_by=e.seat)),
    GameOver: lambda s, e: replace(s, phase="over", over=e, ruling=None, draw=DrawOffer()),
    Reset: lambda s, e: State(players=s.players, waiting=s.waiting, quiet=s.quiet, table=s.table),
    OptionSet: _option_set,
    QuietSet: lambda s, e: replace(s, quiet=e.on, table=MappingProxyType({**s.table, "quiet": e.on})),
}


def sound(events: Iterable[Event]) -> tuple[State, int]:
    """The fold of a recorded game as far as the rules agree with it, and how many events that took."""
    state, count = State(), 0
    for reached in states(events):
        state, count = reached, count + 1
    return state, count


def states(events: Iterable[Event]) -> Iterator[State]:
    """The state after each event of a recorded game.

    A record written under other rules stops where today's rules disagree: nothing is guessed.
    """
    state = State()
    for event in events:
        try:
            state = fold(state, event)
        except CompanionError:
            return
        yield state
