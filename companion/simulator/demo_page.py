"""The page of the demonstrations: every script of every game, to be played on the virtual table next."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from companion.errors import CommandRefused, UnreadableText
from companion.games import GAMES
from companion.games import game as game_named
from companion.simulator.playbook import Playbook, load, names

NAME = "demonstrations"


def demo_pages(playing: Playbook, play: Callable[[Playbook], None]) -> Blueprint:
    """A blueprint for /demo. `play` puts another script on the table: the whole demonstration starts again."""
    pages = Blueprint(NAME, __name__, url_prefix="/demo", static_folder="static", template_folder="templates")

    @pages.get("/")
    def page() -> str:
        return render_template("demonstrations.html", games=shelf(), playing=playing.name)

    @pages.get("/state")
    def state() -> Response:
        return jsonify({"playing": playing.name})

    @pages.post("/play")
    def chosen() -> tuple[Response, int]:
        body = request.get_json(silent=True)
        script = body.get("script") if isinstance(body, dict) else None
        if not isinstance(script, str):
            raise CommandRefused("unreadable", "send a JSON object with the name of a script", 400)
        try:
            book = load(script.partition("_")[0], script)
        except UnreadableText as error:
            raise CommandRefused("no-script", str(error), 404) from error
        play(book)
        return jsonify({}), 202

    return pages


def shelf() -> list[dict[str, Any]]:
    """Every game with its scripts: name and title of each."""
    return [
        {"title": game_named(game).TITLE, "scripts": [_entry(game, name) for name in names(game)]} for game in GAMES
    ]


def _entry(game: str, name: str) -> dict[str, str]:
    return {"name": name, "title": load(game, name).title}
