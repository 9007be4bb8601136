"""The pages. Each is a frame; what it shows comes as JSON and is drawn by the scripts in `static`."""

import segno
from flask import Blueprint, render_template, request
from markupsafe import Markup

from companion.errors import CommandRefused
from companion.referee.state import GOING_ON
from companion.web.parts import parts
from companion.web.roles import Role
from companion.web.security import visitor_role

pages = Blueprint("pages", __name__)


@pages.get("/")
def start() -> str:
    """The address and its QR code, for the screen beside the table."""
    base = (parts().settings.address() or request.host_url).rstrip("/")
    return render_template("start.html", address=base, qr=qr_svg(f"{base}/game"))


@pages.get("/game")
def table() -> str:
    """The running game."""
    return render_template("table.html")


@pages.get("/new")
def new_game() -> str:
    """Choose a game and its options."""
    return render_template("new.html")


@pages.get("/games")
def games() -> str:
    """Games played here."""
    return render_template("games.html", games=parts().read_model.games(), is_host=visitor_role() == Role.HOST)


@pages.get("/games/<int:game_id>")
def recorded(game_id: int) -> str:
    """A game played here, ply by ply."""
    snapshot = parts().read_model.recorded(game_id)
    if snapshot is None:
        raise CommandRefused("no-game", "there is no such game in the journal", 404)
    host = visitor_role() == Role.HOST
    withheld = not host and parts().read_model.withholds(game_id)
    on_table = parts().read_model.on_table(game_id)
    shown = {"on_table": on_table, "open_ended": snapshot.phase in GOING_ON and not on_table}
    return render_template("replay.html", game_id=game_id, recorded=snapshot, is_host=host, withheld=withheld, **shown)


@pages.get("/host")
def host() -> str:
    """Set the PIN, log in, log out."""
    return render_template("host.html", pin_set=parts().pins.is_set())


@pages.get("/calibrate")
def calibrate() -> str:
    """Drag the playing field's corners over the camera's picture."""
    return render_template("calibrate.html")


def qr_svg(url: str) -> Markup:
    """A QR code as inline SVG that takes its size from the page."""
    code = segno.make(url, error="m", micro=False)
    # "url" holds only what segno encodes into a path: nothing of it is markup
    return Markup(code.svg_inline(border=2, omitsize=True, svgclass="qr", lineclass="qr-dark", light="white"))
