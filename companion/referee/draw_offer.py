"""The draw that is offered, and what became of the last offer. It changes nothing on the table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DrawOffer:
    """Seats: who offers a draw and who has accepted it; or who declined it, or whose offer an action passed over."""

    by: int | None = None
    accepted: tuple[int, ...] = ()
    declined_by: int | None = None  # until the next action, or offer
    lapsed_of: int | None = None  # until another seat acts: what happens by itself belongs to the same action
    passed_by: int | None = None  # with whose action it lapsed; None where something was taken back

    def after_action(self, seat: int | None) -> "DrawOffer":
        """An offer lapses with any action."""
        if self.by is not None:
            return DrawOffer(lapsed_of=self.by, passed_by=seat)
        kept = self.lapsed_of is not None and self.passed_by in (seat, None)
        return DrawOffer(lapsed_of=self.lapsed_of, passed_by=seat) if kept else DrawOffer()
