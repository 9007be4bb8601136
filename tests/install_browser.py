"""Sees to a Chromium for the browser tests: `make browser`. Never fails: without one those tests are skipped."""

import os
import shutil
import subprocess
import sys

SHELL = "chromium-headless-shell"  # Chromium without windows: shows the same pages for half the work
PACKAGE = "chromium"
NAMES = (SHELL, PACKAGE, "chromium-browser", "google-chrome")
LONGEST_S = 240


def browser() -> str | None:
    """The browser's program, where there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def prefix() -> list[str] | None:
    """What apt has to be called with to be allowed to install; None when it is not allowed."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None


def apt(allowed: list[str], *words: str) -> str:
    """Empty when apt did it, else what it said."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = [*allowed, "apt-get", "-q", "-y", "-o", "Acquire::http::Timeout=20", *words]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return (done.stderr or done.stdout).strip() if done.returncode else ""


def install(allowed: list[str]) -> str:
    """Empty when there is a browser then, else why there is none."""
    said = ""
    for words in (["update"], *(["install", "--no-install-recommends", package] for package in (SHELL, PACKAGE))):
        said = apt(allowed, *words) or said
        if browser():
            return ""
    return (said.splitlines() or ["apt-get installed no browser"])[-1]


def main() -> int:
    """Always 0: the other tests need no browser."""
    if shutil.which(SHELL):
        return 0
    allowed = prefix()
    if browser():
        if allowed is not None:
            apt(allowed, "install", "--no-install-recommends", SHELL)  # if it is on apt's lists; else it goes without
        return 0
    why = "apt with root or sudo is not to be had here" if allowed is None else install(allowed)
    if why:
        print(f"browser tests will be skipped: the package {PACKAGE} is missing ({why})", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
