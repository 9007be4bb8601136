"""What every request must satisfy before any view sees it, and what every answer carries."""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

from flask import Flask, Response, g, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from companion.errors import CommandRefused, CompanionError, RecordError
from companion.referee.words import sentence
from companion.web.hosts import host_allowed
from companion.web.parts import Parts, parts
from companion.web.roles import WHO_MAY, WITHOUT_PIN, Role
from companion.web.sessions import COOKIE, Grant

log = logging.getLogger(__name__)

# said of what is refused before any view sees it; Werkzeug's and waitress's own words speak of URLs and servers
WORDS = {
    400: "the request cannot be read",
    404: "there is nothing at this address",
    405: "this address is not there to be changed",
    413: "the request is too large",
    431: "the head of the request is too large",
    500: "the companion made a mistake; its log says more, and the game goes on",
    501: "requests of this form are not answered",
}
METHODS = ("GET", "HEAD", "POST")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; "
        "object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Bucket:
    """At most `per_s` changes a second for each visitor, a second's worth at once. Remembers 1000 visitors."""

    def __init__(self, per_s: float, clock: Callable[[], float] = time.monotonic, visitors: int = 1000) -> None:
        self._per_s, self._clock, self._visitors = per_s, clock, visitors
        self._levels: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._guard = threading.Lock()

    def take(self, visitor: tuple[str, str]) -> bool:
        """True if the visitor may make one more change now."""
        with self._guard:
            now = self._clock()
            level, then = self._levels.pop(visitor, (self._per_s, now))
            level = min(self._per_s, level + (now - then) * self._per_s)
            self._levels[visitor] = (level - 1.0 if level >= 1.0 else level, now)
            while len(self._levels) > self._visitors:
                self._levels.popitem(last=False)
            return level >= 1.0


def install(app: Flask, changing: dict[str, Role], reading: dict[str, Role]) -> None:
    """Put the checks before and the headers behind every view of `app`."""
    web = parts(app)
    bucket = Bucket(web.settings.changes_per_s)

    @app.before_request
    def check() -> None:
        if not host_allowed(request.environ.get("HTTP_HOST"), web.settings.hosts):
            raise CommandRefused("wrong-host", "this address does not belong to the companion", 421)
        if request.method not in METHODS:
            raise CommandRefused("method", f"only {', '.join(METHODS)} are answered", 405)
        token = request.cookies.get(COOKIE)
        g.token = token if web.sessions.genuine(token) else None
        g.grant = _held(web, web.sessions.grant(g.token))
        g.visitor = (request.remote_addr or "", g.token or "")
        endpoint = request.endpoint
        if endpoint is None:
            return  # 404 or 405 follows by itself
        if request.method == "POST":
            _check_origin()
            if not bucket.take(g.visitor):
                raise CommandRefused("too-fast", "too many changes at once: wait a second", 429)
            if endpoint not in WITHOUT_PIN and not endpoint.startswith(web.open_blueprints) and not web.pins.is_set():
                raise CommandRefused("pin-unset", "no PIN is set yet: open the host page beside the device", 403)
            _check_role(changing[endpoint])
        else:
            _check_role(reading[endpoint])

    @app.after_request
    def finish(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers[name] = value
        if request.endpoint != "static":
            response.headers["Cache-Control"] = "no-store"
        if response.mimetype == "text/html" and getattr(g, "token", "") is None and response.status_code == 200:
            set_cookie(response, web, web.sessions.new_token())
        return response

    _install_errors(app)


def set_cookie(response: Response, web: Parts, token: str) -> None:
    """Give the visitor a token."""
    life_s = web.settings.session_days * 86400
    secure = web.settings.secure_cookies
    response.set_cookie(COOKIE, token, max_age=life_s, httponly=True, samesite="Strict", secure=secure, path="/")


def _held(web: Parts, grant: Grant) -> Grant:
    """The grant without a seat that was freed elsewhere than on a page."""
    if grant.seat is None:
        return grant
    freed = [seat.seat for seat in web.read_model.snapshot().seats if seat.player is None]
    return replace(grant, seat=None) if grant.seat in freed else grant


def visitor_role() -> Role:
    """The role of this request's visitor."""
    return role_of(g.grant)


def role_of(grant: Grant) -> Role:
    """What such a grant makes of a phone."""
    if grant.host:
        return Role.HOST
    return Role.WATCHER if grant.seat is None else Role.SEAT


def _check_role(needed: Role) -> None:
    if visitor_role() < needed:
        raise CommandRefused("not-allowed", WHO_MAY[needed], 403)


def _check_origin() -> None:
    """A change comes from our own page: JSON, our header, and no foreign Origin. The browser enforces the rest."""
    if request.mimetype != "application/json":
        raise CommandRefused("content-type", "send the body as application/json", 415)
    if request.headers.get("X-Companion") != "1":
        raise CommandRefused("header", "the header X-Companion: 1 is missing", 403)
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"{request.scheme}://{request.host}":
        raise CommandRefused("origin", "this request comes from another page", 403)
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        raise CommandRefused("origin", "this request comes from another site", 403)


def _install_errors(app: Flask) -> None:
    @app.errorhandler(CommandRefused)
    def refused(error: CommandRefused) -> tuple[Response, int]:
        return _answer(error.name, error.text, error.status)

    @app.errorhandler(CompanionError)
    def unreadable(error: CompanionError) -> tuple[Response, int]:
        return _answer("unreadable", str(error), 400)

    @app.errorhandler(RecordError)
    def unwritten(error: RecordError) -> tuple[Response, int]:
        return _answer("record", str(error), 507)

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> tuple[Response, int]:
        text = WORDS.get(error.code or 500) or error.description or ""
        return _answer(error.name.lower().replace(" ", "-"), text, error.code or 500)

    @app.errorhandler(Exception)
    def unforeseen(error: Exception) -> tuple[Response, int]:
        log.error("%s %s failed", request.method, request.path, exc_info=error)
        return _answer("fault", WORDS[500], 500)


def _answer(name: str, text: str, status: int) -> tuple[Response, int]:
    text = sentence(text)
    # a request for a foreign host gets no page: its links could not even be built
    if request.path.startswith("/api/") or request.method == "POST" or status == 421:
        return jsonify({"error": name, "text": text}), status
    return Response(render_template("error.html", text=text, status=status), mimetype="text/html"), status
