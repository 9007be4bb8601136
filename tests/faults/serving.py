"""Runs the service, each time in a process of its own: for each folder that it reads it forks one, imports paid once.

A service says "begun" once it hears signals, before anything is open, and at its end which lamps it has left burning.
"""

import contextlib
import os
import signal
import sys
from pathlib import Path

from companion import app
from companion.outputs import devices

make_factory, stopped_by_signals = devices.make_factory, app.stopped_by_signals
factories = []


def kept(kind):
    factories.append(make_factory(kind))
    return factories[-1]


def lit():
    """The pins that are still on."""
    return [number for factory in factories for number, pin in sorted(factory.pins.items()) if pin.state]


def live(folder):
    os.environ["STATE_DIRECTORY"] = str(folder)
    devices.make_factory = kept
    said = os.dup(1)
    with (folder / "log").open("w") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)

    @contextlib.contextmanager
    def heard(houses):
        with stopped_by_signals(houses) as asked:
            os.write(said, f"begun {os.getpid()}\n".encode())
            yield asked
            ends = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
            signal.pthread_sigmask(signal.SIG_BLOCK, ends)  # what comes after the end hits nothing

    app.stopped_by_signals = heard
    app.serve(folder / "companion.toml", "khet", {}, "none", {})
    os.write(said, f"ended {len(factories)} {lit()}\n".encode())
    os._exit(0)


def main():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup and cron have it ignored, and children inherit that
    signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a shell's background job
    for folder in sys.stdin:
        service = os.fork()
        if service == 0:
            live(Path(folder.strip()))
        _, status = os.waitpid(service, 0)
        print("left", os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
