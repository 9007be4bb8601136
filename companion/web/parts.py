"""Everything that the views share, built once by `build_app` and kept in `app.extensions`."""

import threading
from dataclasses import dataclass, field

from flask import Flask, current_app

from companion.referee.commands import CommandPort, ReadModel
from companion.web.pin import PinStore, Throttle
from companion.web.sessions import Sessions
from companion.web.settings import WebSettings
from companion.web.stream import Encoder, Streams
from companion.web.uploads import Uploads

_KEY = "companion"


@dataclass(slots=True)
class Parts:
    """The page's parts. `setup_code` is None once a PIN is set; `closing` ends the streams."""

    read_model: ReadModel
    commands: CommandPort
    settings: WebSettings
    pins: PinStore
    throttle: Throttle
    sessions: Sessions
    encoder: Encoder
    streams: Streams
    uploads: Uploads = field(default_factory=Uploads)
    setup_code: str | None = None
    open_blueprints: tuple[str, ...] = ()  # prefixes of endpoints that need no PIN
    closing: threading.Event = field(default_factory=threading.Event)

    def keep(self, app: Flask) -> None:
        """Make the parts known to the app's views."""
        app.extensions[_KEY] = self


def parts(app: Flask | None = None) -> Parts:
    """The parts of this app, or of the one that serves the present request."""
    found = (app or current_app).extensions[_KEY]
    assert isinstance(found, Parts)
    return found
