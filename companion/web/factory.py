"""Builds the Flask application."""

from flask import Flask

from companion.referee.commands import CommandPort, ReadModel
from companion.web import security
from companion.web.api import api
from companion.web.files import secret_key
from companion.web.logins import logins
from companion.web.pages import pages
from companion.web.parts import Parts
from companion.web.pin import PinStore, Throttle, new_setup_code
from companion.web.roles import CHANGING, READING, Role
from companion.web.sessions import Sessions
from companion.web.settings import ExtraPages, WebSettings
from companion.web.stream import Encoder, Streams

PIN_FILE = "pin.json"
KEY_FILE = "secret.key"
SESSIONS_FILE = "sessions.json"


def build_app(read_model: ReadModel, commands: CommandPort, settings: WebSettings) -> Flask:
    """The page over a read model and a command port. Shows a set-up code when no PIN is set yet."""
    app = Flask(__name__)
    key = secret_key(settings.state_dir / KEY_FILE)
    app.config.update(
        SECRET_KEY=key,
        MAX_CONTENT_LENGTH=settings.max_body_bytes,
        MAX_FORM_MEMORY_SIZE=settings.max_form_memory_bytes,
        MAX_FORM_PARTS=settings.max_form_parts,
    )
    app.jinja_options = {"autoescape": True}
    web = Parts(
        read_model=read_model,
        commands=commands,
        settings=settings,
        pins=PinStore(settings.state_dir / PIN_FILE),
        throttle=Throttle(settings.pin_tries, settings.pin_lock_s, settings.pin_lock_max_s),
        sessions=Sessions(settings.state_dir / SESSIONS_FILE, key, settings.session_days),
        encoder=Encoder(),
        streams=Streams(settings.streams_per_visitor, settings.streams_in_all),
        open_blueprints=tuple(f"{e.blueprint.name}." for e in settings.extra if e.changes_by == "anyone"),
    )
    web.keep(app)
    links = [(f"{e.blueprint.url_prefix or ''}/", e.title) for e in settings.extra if e.title]
    app.context_processor(lambda: {"extra_links": links})
    app.register_blueprint(pages)
    app.register_blueprint(api)
    app.register_blueprint(logins)
    reading, changing = _roles_with(app, settings.extra)
    security.install(app, changing, reading)
    if not web.pins.is_set():
        web.setup_code = new_setup_code()
        if settings.show_setup_code is not None:
            settings.show_setup_code(web.setup_code)
    return app


def _roles_with(app: Flask, extra: tuple[ExtraPages, ...]) -> tuple[dict[str, Role], dict[str, Role]]:
    """The tables of roles, the extra pages' routes added; ValueError for a route without a role."""
    for pages_of_others in extra:
        app.register_blueprint(pages_of_others.blueprint)
    reading, changing = dict(READING), dict(CHANGING)
    for rule in app.url_map.iter_rules():
        owner = next((e for e in extra if rule.endpoint.startswith(f"{e.blueprint.name}.")), None)
        posts = "POST" in (rule.methods or ())
        if owner is not None:
            role = Role.WATCHER if owner.changes_by == "anyone" else Role.HOST
            (changing if posts else reading)[rule.endpoint] = role if posts else Role.WATCHER
        elif rule.endpoint not in (changing if posts else reading):
            raise ValueError(f"{rule.endpoint} is in no table of roles")
    return reading, changing
