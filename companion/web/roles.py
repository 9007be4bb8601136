"""Who may do what: one table of roles and routes. A route that is not in it cannot be served."""

from enum import IntEnum

from companion.referee.commands import COMMANDS


class Role(IntEnum):
    """A higher role may do all that a lower one may."""

    WATCHER = 0  # anybody who opens the page
    SEAT = 1  # a phone that has claimed a seat
    HOST = 2  # a phone that knows the PIN


READING = {
    "pages.start": Role.WATCHER,
    "pages.table": Role.WATCHER,
    "pages.new_game": Role.WATCHER,
    "pages.games": Role.WATCHER,
    "pages.recorded": Role.WATCHER,
    "pages.host": Role.WATCHER,
    "pages.calibrate": Role.HOST,
    "static": Role.WATCHER,
    "api.me": Role.WATCHER,
    "api.state": Role.WATCHER,
    "api.stream": Role.WATCHER,
    "api.ply": Role.WATCHER,
    "api.choices": Role.WATCHER,
    "api.preview": Role.WATCHER,
    "api.rule": Role.WATCHER,
    "api.games": Role.WATCHER,
    "api.recorded": Role.WATCHER,
    "api.may_go_on": Role.HOST,
    "api.export": Role.WATCHER,
    "api.openapi": Role.WATCHER,
    "api.picture": Role.HOST,
    "api.table_picture": Role.HOST,
    "api.calibration": Role.HOST,
    "api.taught": Role.HOST,
}

# set-up and login check a code or PIN themselves
CHANGING = {
    "logins.setup": Role.WATCHER,
    "logins.login": Role.WATCHER,
    "logins.logout": Role.WATCHER,
    "logins.logout_all": Role.HOST,
    "logins.change_pin": Role.HOST,
    "api.restore": Role.HOST,
    "api.command": Role.WATCHER,  # by the command: `command_role`
}

WITHOUT_PIN = ("logins.setup",)  # the only change before a PIN is set

WHO_MAY = {
    Role.SEAT: "only who has a seat may do this: join as a player",
    Role.HOST: "only the host may do this: enter the PIN on the host page",
}

_ASKED = {"anyone": Role.WATCHER, "seat": Role.SEAT, "host": Role.HOST}


def command_role(name: str) -> Role:
    """The role that a command needs; KeyError when there is no such command."""
    return _ASKED[COMMANDS[name][0]]
