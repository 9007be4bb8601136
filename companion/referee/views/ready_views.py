"""Views made ready to be weighed: on the cells of a plan, in the set's own colours, with what the host said."""

from companion.pieces import Piece
from companion.referee.evidence.laid import Laid
from companion.referee.evidence.layout import Evidence
from companion.referee.evidence.weighing import evidence
from companion.referee.settings import Settings
from companion.referee.state import State
from companion.referee.views.asides import Asides
from companion.referee.views.corrected import corrected_places, corrections
from companion.referee.views.held import Held
from companion.referee.views.own_colours import of_the_set, once, unstacked
from companion.referee.views.strangers import Strangers
from companion.referee.views.told import Lasting, corrected_view, told_view
from companion.referee.views.twins import like_its_twins
from companion.view import Sighting, TableView


class ReadyViews:
    """What a game's views need before they are weighed, kept from view to view."""

    def __init__(self, settings: Settings) -> None:
        self.laid, self.asides = Laid(), Asides()  # where a plan lies, for games without a board
        self.strangers = Strangers()  # what lies there and is of no game
        self._beside: tuple[Sighting, ...] = ()  # what lay beside the plan when the table was last known
        self._held, self._settings = Held(settings), settings
        self._said = Lasting(settings.sure_seen, settings.told_mm)
        self.overrides: dict[str, Piece] = {}  # of what the host said of cells, what holds in the last view

    def forget(self) -> None:
        """Another game is laid out."""
        self.laid.forget()
        self.asides.forget()
        self.strangers.forget()
        self._beside = ()
        self._said.forget()

    def put_away(self) -> bool:
        """The table is known as it lies: True if what lies beside its plan lies otherwise than when it last was."""
        otherwise = self.strangers.otherwise(self._beside)
        self._beside = self.strangers.beside
        return otherwise

    def unseen(self) -> None:
        """The table could not be seen: what was held is of before."""
        self._held.forget()
        self.asides.unseen()
        self._said.unseen()

    def read(self, view: TableView, state: State) -> TableView:
        """One more view of a game that is on."""
        standing = state.standing
        assert standing is not None
        settled = state.phase != "set-up"
        raw, view = view, self.laid.read(view, standing, settled)
        self.strangers.look(raw, view, state.module.layout(state.position), settled)
        if not state.overrides:
            self._said.forget()
        self.overrides = self._said.cells(view, corrections(state))
        view = corrected_view(view, self.overrides)
        self.asides.look(view, state.module.layout(state.position), self.laid.poses, settled)
        if standing.celled:
            return view
        view = once(view, standing.singles) if standing.stacks else unstacked(view)
        view = of_the_set(view, standing.looks, standing.stacks)
        view = like_its_twins(view, standing.pieces)
        view = self._held.hold(view)
        return told_view(view, self._said.places(view, corrected_places(state)), self._settings.told_mm)

    def as_begun(self, view: TableView, state: State) -> tuple[TableView, Evidence]:
        """A view of the set-up as it is weighed in a game, where walkers that nobody sees may stand where they did."""
        assert state.standing is not None
        overrides = corrections(state)
        read = corrected_view(self.laid.read(view, state.standing, settled=True), overrides)
        return read, evidence(read, state.standing, self._settings, overrides, {})
