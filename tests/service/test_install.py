"""The installer, in a folder of its own with stand-ins for apt, systemctl and pip."""

import os
import re
import shutil
import signal
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from companion import __file__ as package
from companion.outputs.wiring import HEADER

HERE = Path(package).parent.parent
SYSTEMD = HERE / "systemd"
Script = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")

# python3 -m venv FOLDER makes an environment whose pip succeeds and whose companion answers; PYTHON_FAILS breaks it
PYTHON = """#!/bin/sh
echo "python3 $*" >> "$LOG"
case "$1 $2" in
  "-m venv")
    for last; do :; done
    mkdir -p "$last/bin"
    printf '#!/bin/sh\\nexit 0\\n' > "$last/bin/python"
    printf '#!/bin/sh\\necho "%s $*"\\necho "ok    page: http://pi.local:8123"\\n' "$last" > "$last/bin/companion"
    echo 'exit ${CHECK_STATUS:-0}' >> "$last/bin/companion"
    chmod +x "$last/bin/python" "$last/bin/companion" ;;
esac
"""
INSTALLED = (
    "etc/systemd/system/companion.service",
    "usr/lib/sysusers.d/companion.conf",
    "usr/local/bin/companion",
)
RECORDER = '#!/bin/sh\necho "$(basename "$0") $*" >> "$LOG"\n'


@pytest.fixture
def install(tmp_path: Path) -> Script:
    """Runs a script of systemd/ with --root; `killed_at` ends it right before the n-th command that it prints."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("apt-get", "systemctl", "systemd-sysusers", "userdel"):
        (tools / name).write_text(RECORDER)
    (tools / "python3").write_text(PYTHON)
    for tool in tools.iterdir():
        tool.chmod(0o755)
    source = tmp_path / "source"
    shutil.copytree(SYSTEMD, source / "systemd")
    shutil.copy(HERE / "pyproject.toml", source)

    def run(*options: str, script: str = "install.sh", killed_at: int = 0, **extra: str):
        environment = {**os.environ, **extra, "LOG": str(tmp_path / "log"), "PATH": f"{tools}:{os.environ['PATH']}"}
        root = [] if "--dry-run" in options else ["--root", str(tmp_path / "root")]
        suite = ["--suite", "trixie"] if script == "install.sh" else []
        command = [str(source / "systemd" / script), *root, *suite, *options]
        if killed_at:
            text = Path(command[0]).read_text()
            counted = text.replace(
                '  say "+ $*"\n',
                f'  say "+ $*"\n  steps=$((${{steps:-0}} + 1)); [[ $steps != {killed_at} ]] || kill -9 $$\n',
            )
            assert counted != text
            killing = source / "systemd" / "killed.sh"
            killing.write_text(counted)
            killing.chmod(0o755)
            command[0] = str(killing)
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30)

    return run


def answer(tmp_path: Path) -> str:
    """The installed companion's answer; it names the environment that it comes from."""
    program = tmp_path / "root/opt/companion/venv/bin/companion"
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout


def test_a_dry_run_says_everything_and_does_nothing(install: Script, tmp_path: Path) -> None:
    done = install("--dry-run")
    assert done.returncode == 0, done.stderr
    steps = [
        "apt-get install --yes --no-install-recommends python3-picamera2 python3-lgpio python3-venv "
        "avahi-daemon avahi-utils",
        "python3 -m venv --system-site-packages /opt/companion/venvs/",
        "pip install --quiet --require-hashes --only-binary :all: --requirement",
        "requirements-trixie.txt",
        "pip install --quiet --no-index --no-deps --no-build-isolation",
        "bin/companion check",
        "mv -T /opt/companion/venv.next /opt/companion/venv",
        "systemctl restart companion.service",
    ]
    places = [done.stdout.index(step) for step in steps]
    assert places == sorted(places)
    assert not (tmp_path / "root").exists()
    assert "apt-get" not in (tmp_path / "log").read_text()


def test_it_installs_updates_and_goes_back(install: Script, tmp_path: Path) -> None:
    root = tmp_path / "root"
    for build in (1, 2, 3):
        done = install()
        assert done.returncode == 0, done.stderr
        assert f"-{build} --version" in answer(tmp_path)
    assert len(list((root / "opt/companion/venvs").iterdir())) == 2, "this version and the one before are kept"
    for path in INSTALLED:
        assert (root / path).is_file()
    (root / "etc/companion/companion.toml").write_text("# mine")
    assert install("--undo").returncode == 0
    assert "-2 --version" in answer(tmp_path)
    assert install("--undo").returncode == 0
    assert "-3 --version" in answer(tmp_path)
    assert install().returncode == 0
    assert (root / "etc/companion/companion.toml").read_text() == "# mine"


def test_whatever_umask_root_has_the_service_can_read_what_is_installed(install: Script, tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        assert install().returncode == 0
    finally:
        os.umask(before)
    root = tmp_path / "root"
    folders = [path for path in root.rglob("*") if path.is_dir() and not path.is_symlink()]
    assert len(folders) > 10
    assert all(path.stat().st_mode & 0o005 == 0o005 for path in folders)
    assert (root / "opt/companion/venv/bin/companion").stat().st_mode & 0o005 == 0o005


def test_a_version_is_checked_with_the_services_configuration_and_takes_no_camera_from_another(
    install: Script, tmp_path: Path
) -> None:
    first, second = install().stdout, install().stdout
    for said, camera in ((first, ""), (second, " --no-camera")):
        (asked,) = (line for line in said.splitlines() if line.startswith("+ env "))
        assert f"CONFIGURATION_DIRECTORY={tmp_path}/root/etc/companion " in asked
        assert f"STATE_DIRECTORY={tmp_path}/root/var/lib/companion " in asked
        assert asked.endswith(f"/bin/companion check{camera}")


def test_going_back_brings_back_what_the_older_version_put_into_the_system(install: Script, tmp_path: Path) -> None:
    def installed() -> list[str]:
        return [(tmp_path / "root" / path).read_text() for path in INSTALLED]

    install()
    before = installed()
    for name in ("companion.service", "companion.sysusers", "companion.sh"):
        with (tmp_path / "source/systemd" / name).open("a") as file:
            file.write("# of a later version\n")
    install()
    after = installed()
    assert all(text.endswith("# of a later version\n") for text in after)
    for expected in (before, after):
        done = install("--undo")
        assert done.returncode == 0, done.stderr
        assert installed() == expected
    assert (tmp_path / "root/usr/local/bin/companion").stat().st_mode & 0o111


def test_the_port_is_the_configurations_and_written_into_no_file_of_avahis(install: Script, tmp_path: Path) -> None:
    announced = tmp_path / "root/etc/avahi/services/companion.service"
    install()
    (older,) = (tmp_path / "root/opt/companion/venvs").iterdir()
    (older / "systemd/companion-avahi.service").write_text("8080")  # as the first versions kept it
    announced.parent.mkdir(parents=True)
    announced.write_text("8080")
    assert "the page: http://pi.local:8123 " in install().stdout
    assert not announced.exists(), "it would tell of a port that need not be the page's"
    assert install("--undo").returncode == 0
    assert announced.read_text() == "8080"


def test_going_back_to_a_version_that_kept_no_files_of_its_own(install: Script, tmp_path: Path) -> None:
    install()
    (older,) = (tmp_path / "root/opt/companion/venvs").iterdir()
    shutil.rmtree(older / "systemd")
    install()
    done = install("--undo")
    assert done.returncode == 0, done.stderr
    assert "-1 --version" in answer(tmp_path)
    assert "restart" in (tmp_path / "log").read_text().splitlines()[-1]


def test_a_version_that_fails_its_check_is_removed_and_the_old_one_runs_on(install: Script, tmp_path: Path) -> None:
    install()
    done = install(CHECK_STATUS="1")
    assert done.returncode == 1
    assert "did not pass its check" in done.stderr
    assert "-1 --version" in answer(tmp_path)
    assert [path.name.rpartition("-")[2] for path in (tmp_path / "root/opt/companion/venvs").iterdir()] == ["1"]


def test_killed_at_every_step_a_companion_still_answers_and_the_next_run_repairs(
    install: Script, tmp_path: Path
) -> None:
    install()
    steps = install("--dry-run").stdout.count("\n+ ") + 3
    killed = 0
    for step in range(1, steps):
        done = install(killed_at=step)
        killed += done.returncode == -signal.SIGKILL
        assert "--version" in answer(tmp_path)
    assert killed >= 15
    assert install().returncode == 0
    assert len(list((tmp_path / "root/opt/companion/venvs").iterdir())) == 2


def test_uninstalling_keeps_the_games_unless_told_otherwise(install: Script, tmp_path: Path) -> None:
    root = tmp_path / "root"
    install()
    games = root / "var/lib/companion/journal.sqlite3"
    games.parent.mkdir(parents=True)
    games.write_text("games")
    for _ in range(2):
        done = install(script="uninstall.sh")
        assert done.returncode == 0, done.stderr
    assert "kept: " in done.stdout
    assert games.exists()
    assert not (root / "opt/companion").exists()
    assert not (root / "etc/systemd/system/companion.service").exists()
    assert install("--purge", script="uninstall.sh").returncode == 0
    assert not games.parent.exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [(("--suite", "bullseye"), "made for Raspberry Pi OS bookworm and trixie"), (("--fast",), "unknown option --fast")],
)
def test_what_cannot_be_done_is_said(install: Script, options: tuple[str, ...], words: str) -> None:
    done = install("--dry-run", *options)
    assert done.returncode == 1
    assert words in done.stderr


def requirements(file: str) -> list[Requirement]:
    """What a requirements file asks for; hashes left out."""
    lines = (SYSTEMD / file).read_text().replace("\\\n", "").splitlines()
    return [Requirement(line.partition("--hash")[0]) for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize(("suite", "numpy"), [("bookworm", "1.24.2"), ("trixie", "2.2.4")])
def test_every_package_is_locked_by_version_and_hash(suite: str, numpy: str) -> None:
    locked = {found.name: str(found.specifier) for found in requirements(f"requirements-{suite}.txt")}
    assert locked["numpy"] == f"=={numpy}", "apt's picamera2 was built against this one"
    text = (SYSTEMD / f"requirements-{suite}.txt").read_text().replace("\\\n", "")
    for line in text.splitlines():
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+( +--hash=sha256:[0-9a-f]{64})+", line.strip()), line
    project = tomllib.loads((HERE / "pyproject.toml").read_text())
    wanted = [Requirement(text) for text in (*project["project"]["dependencies"], *project["build-system"]["requires"])]
    for asked in (*wanted, *requirements(f"constraints-{suite}.txt")):
        assert asked.specifier.contains(locked[asked.name].removeprefix("==")), f"{asked}: run `make lock`"


def test_what_comes_from_apt_is_never_asked_of_pip() -> None:
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["pi"]]
    assert not [name for name in wanted if re.match(r"(?i)(picamera2|lgpio|rpi|libcamera)", name)]


def test_whoever_calls_a_command_as_the_services_user_has_the_services_groups() -> None:
    service = re.findall(r"^SupplementaryGroups=(.+)$", (SYSTEMD / "companion.service").read_text(), re.MULTILINE)
    user = re.findall(r"^m companion (\w+)$", (SYSTEMD / "companion.sysusers").read_text(), re.MULTILINE)
    assert sorted(user) == sorted(service[0].split())


def test_the_header_is_the_pis() -> None:
    assert len(HEADER) == 40
    assert sorted(int(what[4:]) for what in HEADER if what.startswith("GPIO")) == list(range(28))
    grounds = {number for number, what in enumerate(HEADER, start=1) if what == "GND"}
    assert grounds == {6, 9, 14, 20, 25, 30, 34, 39}
    assert (HEADER[0], HEADER[1], HEADER[16]) == ("3V3", "5V", "3V3")
