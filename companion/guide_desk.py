"""What the page of camera and table reads and asks for: the guided steps, lessons, and the sets that are kept."""

from typing import Any

from companion.guide import Guide
from companion.referee.commands import Command
from companion.referee.readmodel import Desk
from companion.referee.words import sentence
from companion.service.vision_loop import VisionLoop
from companion.sets.lessons import FORGET, LEARN, Lessons
from companion.sets.stored_eyes import StoredEyes
from companion.sets.taught_sets import TaughtSets
from companion.view import BoardShape


def board_of(desk: Desk) -> BoardShape | None:
    """The board of the game that is on."""
    state = desk.table.state
    return state.game.layout(state.position).board if state.game is not None else None


def asked_step(command: Command) -> tuple[str, str]:
    """What is to be done in the guided steps, and at which of them the page was."""
    return str(command.arguments.get("step")), str(command.arguments.get("at") or "")


def connect_guide(
    desk: Desk, loop: VisionLoop, guide: Guide, lessons: Lessons, eyes: StoredEyes, sets: TaughtSets
) -> None:
    """For a table with a camera, which could be set up."""

    def state() -> dict[str, Any]:
        game = desk.snapshot().game
        usual = "not learned; it is read as usual sets look"
        known = "unknown while no game is on" if game is None else "learned" if eyes.knows(game) else usual
        shown = eyes.taught(game) if game is not None else None
        pictures = {"learned": shown.date, "pictures": sorted(shown.pictures)} if shown else {}
        amiss = sentence(eyes.left_aside(game)) if game is not None else ""
        lesson = {
            "lesson": lessons.said_of(game) or amiss,
            "waits": lessons.waits(game),
            "forgets": game is not None and eyes.stores(game),
            "keeps": game is not None and eyes.knows(game),
            "sets": sets.listed(game),
        }
        corners = game is None or board_of(desk) is not None  # a free table has none
        return {**guide.state(), "set": known, "corners": corners, **lesson, **pictures}

    def taught(name: str) -> bytes | None:
        game = desk.snapshot().game
        picture = eyes.taught(game).pictures.get(name) if game is not None else None
        try:
            return None if picture is None else picture.read_bytes()
        except OSError:  # taught anew in this moment
            return None

    def keep_sets(command: Command) -> None:
        step, number, name = (str(command.arguments.get(key) or "") for key in ("step", "set", "name"))
        sets.act(desk.snapshot().game, step, number, name)
        if step == "use":
            lessons.unsay()
            loop.look_anew()

    desk.guide(state, taught)
    desk.outside("calibrate", lambda command: guide.act(*asked_step(command)))
    desk.outside("learn_set", lambda command: lessons.ask(LEARN, desk.snapshot().game))
    desk.outside("call_off_lesson", lambda command: lessons.call_off())
    desk.outside("forget_set", lambda command: lessons.ask(FORGET, desk.snapshot().game))
    desk.outside("keep_sets", keep_sets)
