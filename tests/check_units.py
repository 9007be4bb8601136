"""Checks the service's files as far as a machine without a Raspberry Pi can; run by `make check`."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "systemd"
UNIT = FOLDER / "companion.service"
WORST_EXPOSURE = 25  # tenths, of systemd-analyze security


def output_of(*command: str | Path) -> tuple[int, str]:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout.strip()


def verify(tool: str) -> Iterator[str]:
    """A unit without a fault makes systemd-analyze print nothing."""
    status, text = output_of(tool, "verify", UNIT)
    if status or text:
        yield text or f"systemd-analyze verify ended with {status}"


def harden(tool: str) -> Iterator[str]:
    status, text = output_of(tool, "security", "--offline=true", f"--threshold={WORST_EXPOSURE}", UNIT)
    if status:
        yield text.splitlines()[-1] if text else f"systemd-analyze security ended with {status}"


def declare_user(tool: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as root:
        status, text = output_of(tool, "--dry-run", f"--root={root}", FOLDER / "companion.sysusers")
    if status or "Creating user 'companion'" not in text:
        yield f"companion.sysusers: {text}"


def shell_syntax(tool: str) -> Iterator[str]:
    for script in sorted(FOLDER.glob("*.sh")):
        status, text = output_of(tool, "-n", script)
        if status:
            yield text


def shell_habits(tool: str) -> Iterator[str]:
    status, text = output_of(tool, *sorted(FOLDER.glob("*.sh")))
    if status:
        yield text


CHECKS: tuple[tuple[str, Callable[[str], Iterator[str]]], ...] = (
    ("systemd-analyze", verify),
    ("systemd-analyze", harden),
    ("systemd-sysusers", declare_user),
    ("bash", shell_syntax),
    ("shellcheck", shell_habits),
)


def main() -> int:
    """Print what is wrong, and which tools are missing; 1 when something is wrong."""
    faults = []
    for name, check in CHECKS:
        tool = shutil.which(name)
        if tool is None:
            print(f"units: no {name} here: {check.__name__} was not checked")
            continue
        faults += list(check(tool))
    for fault in faults:
        print(f"units: {fault}")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
