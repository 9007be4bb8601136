"""Who is the host: the first PIN, logging in and out, another PIN."""

import hmac
import logging
from collections.abc import Callable

from flask import Blueprint, Response, g, jsonify, request

from companion.errors import CommandRefused
from companion.web.parts import Parts, parts
from companion.web.seats import stand_up
from companion.web.security import set_cookie
from companion.web.shapes import ChangePinBody, LoginBody, NoArguments, SetupBody, read_body

log = logging.getLogger(__name__)
logins = Blueprint("logins", __name__, url_prefix="/api")


@logins.post("/setup")
def setup() -> Response:
    """The first PIN, by whoever reads the code at the device."""
    web = parts()
    body = read_body(SetupBody, request.get_data())
    if web.pins.is_set() or web.setup_code is None:
        raise CommandRefused("pin-set", "a PIN is set already: log in with it", 409)
    code = web.setup_code
    if not _tried(web, lambda: hmac.compare_digest(body.code.encode(), code.encode())):
        log.warning("wrong set-up code from %s", request.remote_addr)
        raise CommandRefused("wrong-code", "this is not the code shown at the device", 403)
    web.pins.set(body.pin)
    web.setup_code = None
    return _new_session(web)


@logins.post("/login")
def login() -> Response:
    """The PIN makes this phone the host's."""
    web = parts()
    need_pin(web, read_body(LoginBody, request.get_data()).pin)
    return _new_session(web)


@logins.post("/logout")
def logout() -> Response:
    """This phone is a watcher's again."""
    web = parts()
    read_body(NoArguments, request.get_data())
    stand_up(web)
    web.sessions.take(g.token)
    response = jsonify({"role": "watcher"})
    set_cookie(response, web, web.sessions.new_token())
    return response


@logins.post("/logout-all")
def logout_all() -> Response:
    """Every phone, hosts' and seats', has to ask again."""
    web = parts()
    read_body(NoArguments, request.get_data())
    web.sessions.take_all()
    log.warning("all phones were logged out")
    return jsonify({"role": "watcher"})


@logins.post("/pin")
def change_pin() -> Response:
    """Another PIN; logs all other phones out."""
    web = parts()
    body = read_body(ChangePinBody, request.get_data())
    need_pin(web, body.old)
    web.pins.set(body.new)
    web.sessions.take_all()
    return _new_session(web)


def need_pin(web: Parts, pin: str) -> None:
    """CommandRefused unless this is the PIN."""
    if not _tried(web, lambda: web.pins.fits(pin)):
        log.warning("wrong PIN from %s", request.remote_addr)
        raise CommandRefused("wrong-pin", "this is not the PIN", 403)


def _tried(web: Parts, check: Callable[[], bool]) -> bool:
    return web.throttle.attempt(check, request.remote_addr or "")


def _new_session(web: Parts) -> Response:
    """A new token at each login makes this phone the host's; its seat stays with it."""
    seat = g.grant.seat
    web.sessions.take(g.token)
    token = web.sessions.new_token()
    web.sessions.give(token, host=True, seat=seat)
    response = jsonify({"role": "host", "seat": seat})
    set_cookie(response, web, token)
    return response
