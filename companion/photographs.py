"""A game refereed from photographs: every picture means something, and nobody can be asked."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.folder_run import FolderRun
from companion.referee.settings import Settings
from companion.sets.teaching import SetTeacher
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings

ONE_TABLE = EyeSettings(one_table=True)
CONTRADICT = 0.12  # share of cells in which an untaught eye may misread a photographed set-up
FAIR = 0.6  # nobody can be asked: the better one of two actions is taken at this much
NOTHING = 2.5  # a photograph is taken because something happened
SEEN = 0.04  # ... so that a colour that is hardly believed is weighed against all that speaks for it
CLEARED = 1.0  # it may well show an action with all that follows from it, as it may show the action alone
CATCH_UP = 1.5  # between two of them any two plies may have been made, or one of them cannot be read
TAKEN_BACK = 4.5  # nobody puts the last action back between two photographs more than an earlier one
UNSURE = 6  # pieces of a photographed set-up that need not be told for sure


def photograph_settings() -> Settings:
    """The referee over photographs: nobody can be asked, and every picture means something."""
    return Settings(
        unsure_at_start=UNSURE,
        fair=FAIR,
        nothing_cost=NOTHING,
        least_seen=SEEN,
        cleared_cost=CLEARED,
        catch_up_cost=CATCH_UP,
        taken_back_cost=TAKEN_BACK,
        take_the_best=True,
    )


def photographed_run(
    eye: Callable[[], Eye], game: str, options: Mapping[str, Any], taught: bool = False, note: str = ""
) -> FolderRun:
    """What referees a folder with new eyes; where the set was not `taught`, the picture of its set-up teaches it.

    `note`: what is to be said until play has begun.
    """
    settings = photograph_settings()
    teacher = None if taught else SetTeacher(eye, settings, CONTRADICT)
    return FolderRun(eye(), game, options, teacher, settings, note)
