"""What waitress refuses before the application hears of it, in the same form as all that is refused."""

from flask import json
from waitress.channel import HTTPChannel
from waitress.task import ErrorTask

from companion.referee.words import sentence
from companion.web.security import HEADERS, WORDS


class Refusal(ErrorTask):  # type: ignore[misc]  # waitress brings no types
    """Answers {"error", "text"} where waitress would answer with plain text."""

    def execute(self) -> None:
        error = self.request.error
        answer = {"error": error.reason.lower().replace(" ", "-"), "text": sentence(WORDS[error.code])}
        body = json.dumps(answer).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers += [("Content-Type", "application/json"), ("Cache-Control", "no-store"), *HEADERS.items()]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class Channel(HTTPChannel):  # type: ignore[misc]  # as above
    """A connection of waitress with our words for what is refused."""

    error_task_class = Refusal
