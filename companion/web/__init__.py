"""The page: what phones see and may ask for. It is given a read model and a command port, and computes no position."""

from companion.web.factory import build_app
from companion.web.server import Server, serve
from companion.web.settings import ExtraPages, WebSettings

__all__ = ["ExtraPages", "Server", "WebSettings", "build_app", "serve"]
