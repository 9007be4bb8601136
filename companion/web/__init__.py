"""The page: what phones see and may ask for. It is given a read model and a command port, and computes no position.

`factory` is where to begin reading.

How it is built and served
    factory parts settings server refusals
What phones may ask
    pages api logins stream uploads replay_file shapes openapi
Who may ask it
    security hosts roles sessions seats pin files
"""

from companion.web.factory import build_app
from companion.web.server import Server, serve
from companion.web.settings import ExtraPages, WebSettings

__all__ = ["ExtraPages", "Server", "WebSettings", "build_app", "serve"]
