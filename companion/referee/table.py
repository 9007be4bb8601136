"""One game in progress: views and orders come in, events go out; the state is the fold of the journalled events."""

import secrets
from collections.abc import Callable, Hashable, Mapping, Sequence

from companion.events import Event, Told
from companion.games.base import Layout, Move
from companion.games.extras import extras
from companion.pace import Pace
from companion.pieces import Piece
from companion.referee import chance
from companion.referee import happenings as h
from companion.referee.beginning import look_at_set_up
from companion.referee.button import Button
from companion.referee.consequences import acted_out
from companion.referee.denied import Denied
from companion.referee.dice import Dice, rolls, throws
from companion.referee.endings import lapse_words
from companion.referee.evidence.cells import CellEvidence
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.free_layouts import Odd
from companion.referee.evidence.layout import Evidence
from companion.referee.evidence.weighing import evidence
from companion.referee.explanations.another_table import shows_another
from companion.referee.explanations.explain import Explainer
from companion.referee.explanations.explanation import Explanation, Scene
from companion.referee.explanations.hardly_seen import HardlySeen
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.explanations.seen_otherwise import SeenOtherwise
from companion.referee.explanations.taken_back import earlier_tables
from companion.referee.explanations.wavering import Wavering
from companion.referee.photographs.misread import Photographs
from companion.referee.photographs.read_anew import ReadAnew
from companion.referee.photographs.second_thoughts import SecondThoughts
from companion.referee.reading import Reading
from companion.referee.recorder import NoRecorder, Recorder
from companion.referee.responses import look_at_play
from companion.referee.settings import Settings
from companion.referee.setup import Fault
from companion.referee.sitting import seated
from companion.referee.snapshot import Question
from companion.referee.state import GOING_ON, Past, State, fold, fold_all
from companion.referee.steps import Task, half_undone, listed, moving, undone, work_due
from companion.referee.turn_words import seat_name, who_moves
from companion.referee.upshot import reported
from companion.referee.views.debounce import Debouncer
from companion.referee.views.flickers import Flickers
from companion.referee.views.known import Known
from companion.referee.views.ready_views import ReadyViews
from companion.referee.views.sight import BLIND, STARTING, TOLD_BY_CAMERA, nobody_looks, sight_of
from companion.referee.views.touch import Touch
from companion.referee.words import Palette, palette, sentence
from companion.view import TableView


class Table:
    """One table. Not thread-safe: `readmodel.Desk` is the door for threads.

    `publish` hears of events only after the recorder has them.
    """

    def __init__(
        self,
        recorder: Recorder,
        clock: Callable[[], float],
        publish: Callable[[Sequence[Event]], None] = lambda events: None,
        settings: Settings | None = None,
        draw: Callable[[], float] | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.state = State()
        self.game_id = 0
        self.number = 0  # of the last event written ...
        self.lies_since = 0  # ... of the last that was not beside the table ...
        self.confirmed_since = 0  # ... and of the last by which it was settled what lies there
        self.sight = STARTING
        self.question: Question | None = None
        self.asked: Mapping[str, Hypothesis] = {}  # what the answers to the question mean ...
        self.asked_of: Hashable = None  # ... and the explanation that it is about
        self.pending: Hypothesis | None = None  # a lawful action that is not final yet
        self.faults: tuple[Fault, ...] | None = None  # of the set-up; None before the first look
        self.amiss: tuple[Fault, ...] = ()  # what lies otherwise than it should while something is refused ...
        self.forbidden: Hypothesis | None = None  # ... by this action, if one is known
        self.overlooked: tuple[Piece, ...] = ()  # walkers that the set-up lacks, and nothing else: they may be there
        self.steps: tuple[Task, ...] = ()  # what hands have to do
        self.seen: Evidence | None = None  # the last clear view
        self.hint = ""  # what is unclear or half done, in words
        self.wavering, self.hardly_seen, self.seen_otherwise = Wavering(self.settings), HardlySeen(), SeenOtherwise()
        self.last: Explanation | None = None
        self.refused: Hypothesis | None = None  # the action that the ruling is about
        self.instead: tuple[tuple[float, Hypothesis], ...] = ()  # lawful ones that it may have been, and their log-odds
        self.odd: Odd | None = None  # what the last look showed that nothing explained
        self.unexplained: CellEvidence | FreeEvidence | None = None  # a look that nothing explained ...
        self.unexplained_still: TableView | None = None  # ... and one that shows no action made from there
        self.allowed: tuple[tuple[object, ...], str] | None = None  # what a host may let stand, and of what it was told
        self.stepped: Hashable = None  # the last step that was told
        self.known = Known(self.settings)  # how the table looked when last known
        self.denied = Denied()  # what people have said no to
        self.views, self.flickers = ReadyViews(self.settings), Flickers(self.settings)
        self.second_thoughts = SecondThoughts()  # of what was taken although something else fitted as well
        self.read_anew = ReadAnew()  # where the last action was hardly seen
        self.photographs = Photographs()  # the last few, of which one may have been misread
        self.mended = ""  # what they led to, in words that no decided reading has carried yet ...
        self.added: tuple[Past, ...] = ()  # ... and the actions that the record has more for it
        self._raw: TableView | None = None  # the last view as the eye gave it
        self.touch = Touch(watched=not self.settings.take_the_best)
        self.explainer = Explainer(self.settings)
        self._clock, self._recorder, self._publish = clock, recorder, publish
        self.dice, self.button = Dice(draw or secrets.SystemRandom().random), Button()
        self._debouncer, self._pace = Debouncer(), Pace()
        self._last_sight_s = self._last_move_s = clock()

    @classmethod
    def of_record(cls, state: State, number: int) -> "Table":
        """A recorded game to look at: nothing can be written to it."""
        table = cls(NoRecorder(), lambda: 0.0)
        table.state, table.number = state, number
        table._settle()
        return table

    # --- the record ---------------------------------------------------------------------------------------------

    def restore(self, game_id: int, events: Sequence[Event], number: int) -> None:
        """Go on with a recorded game: the next view is read against it."""
        self.game_id = game_id
        self.number = self.lies_since = self.confirmed_since = number
        self.state = fold_all(events)
        self._forget_others()
        self._settle()
        self._last_move_s = self._clock()
        self.touch.resumed()
        self.hardly_seen.visited = True
        if self.state.phase == "play" and self.state.standing is not None:
            self.known.resumed(self.state.standing)

    def rest_after(self, game_id: int, state: State) -> None:
        """No game is on; who sits there and that the host wants it quiet still holds, as is written of that game."""
        self.game_id, self.state = game_id, fold(state, h.Reset(""))

    def erased(self, game_id: int, newest: int, number: int) -> None:
        """A recorded game is gone, and events bear other numbers; what is said with no game on goes behind `newest`."""
        self.number = self.lies_since = self.confirmed_since = number
        if self.game_id == game_id:
            self.game_id = newest

    def record(self, *events: Event) -> None:
        """Write down, then believe, then tell: in this order, and all or nothing. What happens by itself happens."""
        state = fold_all(events, self.state)  # a fault shows before anything is written
        followed = chance.certain(state)
        events, state = (*events, *followed), fold_all(followed, state)
        if self.state.draw.by is not None and state.draw.lapsed_of == self.state.draw.by:
            events = (*events, Told(lapse_words(seat_name(self.state, self.state.draw.by))))
        self.number = self._recorder.append(self.game_id, events)
        self.state = state
        if any(isinstance(e, h.MOVED) for e in events):
            self._last_move_s = self._clock()
        if any(isinstance(e, h.CONFIRMED) for e in events):
            self.confirmed_since = self.number
        if not all(isinstance(e, h.BESIDE_THE_TABLE) for e in events):
            self.lies_since = self.number
            self._settle()
        self._publish(events)

    def tell(self, *events: Event) -> None:
        """Events of the moment, which no record keeps."""
        self._publish(events)

    def open_game(self, event: h.Started) -> None:
        """A new game with a number of its own; one that was on is closed first."""
        fold(State(), event)  # unreadable options show before anything is written
        if self.state.phase in GOING_ON:
            self.record(h.Reset("another game was started"))
        self.game_id = self._recorder.next_game()
        self._forget_others()
        self.record(event, *seated(self.state))

    def _forget_others(self) -> None:
        """What was seen and thrown in the game before means nothing in this one."""
        self.seen = None
        self.known.forget()
        self.views.forget()
        self.dice.forget()

    def _settle(self) -> None:
        """Whatever was thought of the moment before is out of date."""
        self.question, self.asked, self.pending, self.hint = None, {}, None, ""
        self.last, self.faults, self.stepped, self.denied = None, None, None, Denied()
        self.overlooked, self.refused, self.instead, self.odd, self.unexplained = (), None, (), None, None
        self.unexplained_still, self.amiss, self.forbidden = None, (), None
        self.touch.known()
        self.button.settle()
        self._debouncer.forget()
        self.wavering.forget()
        standing = self.state.standing if self.state.awaiting else None
        self.steps = () if standing is None else work_due(self.state, standing, self.layout, self.colours)

    # --- time and sight -----------------------------------------------------------------------------------------

    @property
    def now_s(self) -> float:
        """The time, in seconds of a clock that never goes back."""
        return self._clock()

    def tick(self) -> None:
        """Called every second or so: loss of sight, and the hour without a move."""
        now = self._clock()
        blind = now - self._last_sight_s > self._pace.late_s(self.settings.blind_after_s)
        if blind and self.sight.state not in TOLD_BY_CAMERA:
            self.set_sight(BLIND)
        idle = now - self._last_move_s > self.settings.timeout_s
        if idle and self.state.phase == "play" and self.state.table.get("timeout"):
            self.record(h.Reset("an hour without a move"))

    def set_sight(self, sight: h.Sight) -> None:
        """A change of sight is told at once and never journalled."""
        self._last_sight_s = self._clock()
        if sight.state != "seeing":
            self._debouncer.forget()
            self.wavering.forget()
            self.touch.unseen(sight.state == "hand", nobody_looks(sight))
            self.hardly_seen.visited = self.hardly_seen.visited or self.touch.hand
            if sight.state == "hand":
                self.denied.hand()
        if sight != self.sight:
            self.sight = sight
            self._publish([sight])

    # --- looking ------------------------------------------------------------------------------------------------

    def observe(self, view: TableView) -> Reading:
        """One more view. Nothing is ruled on one with obstacles."""
        state = self.state
        self._pace.next(self._clock())
        self.set_sight(sight_of(view, state.standing.board if state.standing is not None else None))
        if self.sight.state != "seeing":
            self.views.unseen()
            return Reading("unclear", self.sight.text)
        if state.game is None or state.standing is None:
            return Reading("nothing new", "No game is on.")
        self._raw, view = view, self.views.read(view, state)
        seen = self._weigh(view)
        if state.phase == "set-up":
            self.flickers.note(seen, self.layout, self._clock())
            return look_at_set_up(self, seen, self.views.as_begun(self._raw, state) if self.overlooked else None)
        due = bool(throws(state))
        reading = self.dice.look(self, view) or self._look_at_play(view, seen)
        if reading.decided and reading.kind != "unclear" and not due:  # a hand may hide a die
            self.dice.rest(view)
        return reading

    def _look_at_play(self, view: TableView, seen: Evidence) -> Reading:
        another = self.settings.take_the_best and shows_another(self.scene(), seen)
        mended = None if another else self.second_thoughts.look(self, self._raw, seen)
        if mended is not None:
            self.known.doubt(mended.places)
            seen, self.mended = self._weigh(view), f"{self.mended} {mended.text}".strip()
            self.added += mended.added
        if self._raw is not None:
            self.photographs.note(self._raw, view, len(self.state.plies), self.known.looks)
        reading = look_at_play(self, view, seen)
        if reading.decided and self.mended:
            reading, self.mended, self.added = reading.mended(self.mended, self.added), "", ()
        self.hint = self.dice.unreadable(self.state) or self.hint
        return reading

    def _weigh(self, view: TableView) -> Evidence:
        assert self.state.standing is not None
        self.seen = evidence(view, self.state.standing, self.settings, self.views.overrides, self.known.looks)
        return self.seen

    def scene(self, state: State | None = None) -> Scene:
        """What the next view is weighed against, now or in another state."""
        state = state or self.state
        assert state.standing is not None
        earlier = earlier_tables(state, self.settings.history_plies, half=not self.settings.take_the_best)
        outlook = self.explainer.outlook(state.module, state.position)
        refused, stop = state.ruling is not None, state.phase == "over"
        implied = state.table.get("dice") == chance.CAMERA
        in_work, undoing = moving(state), bool(state.undone)
        half = tuple(laid for laid, _ in half_undone(state))
        return Scene(state.standing, outlook, state.awaiting, earlier, refused, stop, implied, in_work, undoing, half)

    def agreed(self, key: Hashable, patient: bool = False, says_nothing: bool = False, held: bool = False) -> bool:
        """One more reading: True once equal ones came often enough and, where patience is due, for long enough."""
        self._debouncer.offer(key, self._clock(), says_nothing)
        apart = self.settings.patience_s if patient else self.settings.readings_apart_s
        apart = self.settings.held_s if held else apart
        return self._debouncer.agreed(self.settings.readings_needed, apart)

    # --- an action becomes final --------------------------------------------------------------------------------

    def commit(self, chosen: Hypothesis, seen: Evidence | None = None, source: str = h.TABLE) -> Reading:
        """The action is final: the laser fires, and what follows is asked for."""
        on_table, before = source in h.BY_HAND, len(self.state.plies)
        events = acted_out(self.state, chosen.moves, chosen.settled, source)
        standing, pressed_early, told = self.state.standing, self.button.pressed_early, self.state.overrides
        self.record(*events)
        if on_table and pressed_early:
            self.button.heed(self.now_s)
        if on_table and standing is not None:
            self.read_anew.note(standing, chosen.layout, (before, len(self.state.plies)), seen)
        if on_table:
            self.known.rest(seen, self.state, chosen.layout)
            self.touch.fresh = not told  # what the host said is no misreading
        new = self.state.plies[before:]
        text = " ".join([*reported(new, self.colours), self._aftermath()])
        hits = tuple(cell for past in new for cell in past.hits)
        made = tuple(past.move for past in new[: len(chosen.moves)])  # what happens by itself is told, not read
        return Reading("move", self.colours.text(text), made, hits)

    # --- moves that the table does not show -------------------------------------------------------------------------

    def enter(self, move: Move, source: str = h.ENTERED) -> Reading:
        """A lawful move that was not read from the table."""
        during = self.state.module.during(self.state.position, move)
        return self.commit(Hypothesis("move", during, 0.0, (move,)), self.seen, source)

    @property
    def settled(self) -> bool:
        """True where nothing is to be put right, answered or made final first."""
        return self.state.ruling is None and self.question is None and self.pending is None

    def unshown(self) -> tuple[Move, ...]:
        """The lawful moves of which a camera sees nothing: draw, stay, end the turn, a throw by other people's dice."""
        if self.state.phase != "play" or rolls(self.state):
            return ()
        return self.explainer.outlook(self.state.module, self.state.position).unshown

    def _aftermath(self) -> str:
        if self.state.over is not None:
            return sentence(self.state.over.text)
        if self.steps:
            return sentence(f"please {listed(undone(self.steps, self.seen) or self.steps)}")
        return sentence(who_moves(self.state))

    # --- words and small things ---------------------------------------------------------------------------------

    @property
    def colours(self) -> Palette:
        """The set's own names for its colours."""
        return palette(self.state.options)

    @property
    def layout(self) -> Layout:
        """What the table should show."""
        return self.state.module.layout(self.state.position)

    def rule_of(self, what: str) -> str:
        """The game's own rule for something that every table knows: removal, final, one-action, turned, askew."""
        return extras(self.state.module).TABLE_RULES.get(what, "")
