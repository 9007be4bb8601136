"""The draw that is offered, and what became of the last offer. It changes nothing on the table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DrawOffer:
    """Seats: who offers a draw and who has accepted it; or who declined it, or whose offer an action passed over."""

    by: int | None = None
    accepted: tuple[int, ...] = ()
    plies: int = 0  # that were played when it was offered
    declined_by: int | None = None  # until the next action, or offer
    lapsed_of: int | None = None  # until another seat acts: what happens by itself belongs to the same action
    passed_by: int | None = None  # with whose action it lapsed; None where something was taken back

    def after_action(self, seat: int | None) -> "DrawOffer":
        """An offer lapses with the action of a seat that could still answer it: who made or accepted it plays on."""
        if self.by is not None:
            return self if seat in (self.by, *self.accepted) else DrawOffer(lapsed_of=self.by, passed_by=seat)
        kept = self.lapsed_of is not None and self.passed_by in (seat, None)
        return DrawOffer(lapsed_of=self.lapsed_of, passed_by=seat) if kept else DrawOffer()

    def after_undo(self, ply: int) -> "DrawOffer":
        """An offer lapses where play goes back behind it; it stands where only what came after it is taken back."""
        return self if self.by is not None and ply >= self.plies else self.after_action(None)
