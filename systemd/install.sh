#!/usr/bin/env bash
# Installs or updates the Tabletop Companion as a service on Raspberry Pi OS (bookworm or trixie).
#
#   sudo systemd/install.sh              install this version, or update to it
#   sudo systemd/install.sh --undo       go back to the version before
#   systemd/install.sh --dry-run         only say what would be done
#
# Safe to run again. A new version is built beside the old one, must pass `companion check`, and only then is a
# link switched: whatever interrupts this script before that leaves the old version in place.
set -euo pipefail
umask 022          # the service's user reads what root makes here, whatever root's own umask is

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(dirname "$here")
root=""            # prepended to every path that is written; for tests and images
suite=""
dry_run=no
undo=no

usage() { sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }
say() { printf '%s\n' "$*"; }
fail() { printf 'install: %s\n' "$*" >&2; exit 1; }
run() {
  say "+ $*"
  if [[ $dry_run == no ]]; then "$@"; fi
}

while [[ $# -gt 0 ]]; do
  case $1 in
    --dry-run) dry_run=yes ;;
    --undo) undo=yes ;;
    --root) [[ $# -ge 2 ]] || fail "--root needs a folder"; root=$2; shift ;;
    --suite) [[ $# -ge 2 ]] || fail "--suite needs bookworm or trixie"; suite=$2; shift ;;
    -h | --help) usage; exit 0 ;;
    *) fail "unknown option $1 (see --help)" ;;
  esac
  shift
done

home=$root/opt/companion
link=$home/venv

# A link replaced by rename is either the old or the new one, never none.
switch_to() {
  run ln -sfn "$1" "$home/venv.next"
  run mv -T "$home/venv.next" "$link"
}

restart() {
  run systemctl daemon-reload
  run systemctl enable companion.service
  run systemctl restart companion.service
}

need_root() {
  [[ $dry_run == yes || -n $root || $(id -u) -eq 0 ]] || fail "please run it with sudo"
}

find_suite() {
  if [[ -z $suite ]]; then
    # shellcheck disable=SC1091
    suite=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
  fi
  locked=$here/requirements-$suite.txt
  [[ -f $locked ]] || fail "this is '$suite'; made for Raspberry Pi OS bookworm and trixie (--suite chooses one)"
}

find_python() {
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "python3 is older than 3.11"
}

find_version() {
  version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$source/pyproject.toml")
  [[ -n $version ]] || fail "no version in $source/pyproject.toml"
  build=1
  while [[ -e $home/venvs/$version-$build ]]; do build=$((build + 1)); done
  venv=$home/venvs/$version-$build
}

install_packages() {
  run apt-get update
  run apt-get install --yes --no-install-recommends python3-picamera2 python3-lgpio python3-venv \
    avahi-daemon avahi-utils
}

build_environment() {
  run mkdir -p "$home/venvs"
  run rm -rf "$source/build" # or pip would install modules that no longer exist
  run python3 -m venv --system-site-packages "$venv"
  # every package in the version and with the hash that was tested (systemd/lock.sh); then the companion itself
  run "$venv/bin/python" -m pip install --quiet --require-hashes --only-binary :all: --requirement "$locked"
  run "$venv/bin/python" -m pip install --quiet --no-index --no-deps --no-build-isolation "$source"
}

# Each version keeps what it puts into the system, so that an older one brings back its own.
keep_files() {
  run install -D -m 644 -t "$venv/systemd" "$here/companion.sysusers" "$here/companion.service" \
    "$here/companion.toml" "$here/companion.sh"
}

install_files() {
  local kept=$1/systemd
  run install -D -m 644 "$kept/companion.sysusers" "$root/usr/lib/sysusers.d/companion.conf"
  run systemd-sysusers "$root/usr/lib/sysusers.d/companion.conf"
  run install -D -m 644 "$kept/companion.service" "$root/etc/systemd/system/companion.service"
  if [[ ! -e $root/etc/companion/companion.toml ]]; then
    run install -D -m 644 "$kept/companion.toml" "$root/etc/companion/companion.toml"
  fi
  run install -D -m 755 "$kept/companion.sh" "$root/usr/local/bin/companion"
  # the first versions were announced by a file; this one announces itself, by the port that it is served on
  if [[ -e $kept/companion-avahi.service ]]; then
    run install -D -m 644 "$kept/companion-avahi.service" "$root/etc/avahi/services/companion.service"
  else
    run rm -f "$root/etc/avahi/services/companion.service"
  fi
}

# With the service's games and configuration.
new_companion() {
  run env "STATE_DIRECTORY=$root/var/lib/companion" "CONFIGURATION_DIRECTORY=$root/etc/companion" \
    "$venv/bin/companion" "$@"
}

# While a version runs, the camera is its own.
check_new_version() {
  local camera=()
  if [[ -L $link ]]; then camera=(--no-camera); fi
  if ! new_companion check "${camera[@]}"; then
    run rm -rf "$venv"
    fail "the new version did not pass its check; the old one was left as it is"
  fi
}

remember_old_version() {
  if [[ -L $link ]]; then run ln -sfn "$(readlink "$link")" "$home/previous"; fi
}

remove_older_versions() {
  local keep_new keep_old folder
  keep_new=$(readlink -f "$link" || true)
  keep_old=$(readlink -f "$home/previous" || true)
  for folder in "$home"/venvs/*/; do
    folder=${folder%/}
    [[ -d $folder ]] || continue
    [[ $(readlink -f "$folder") == "$keep_new" || $(readlink -f "$folder") == "$keep_old" ]] && continue
    run rm -rf "$folder"
  done
}

# Where the configuration puts the page; the check tells it.
page() {
  local told
  told=$(new_companion check --no-camera | sed -n 's/^.*  page: *//p')
  printf '%s' "${told:-as \`companion check\` says}"
}

go_back() {
  [[ -L $home/previous ]] || fail "there is no version before this one"
  local old new
  old=$(readlink "$home/previous")
  new=$(readlink "$link")
  switch_to "$old"
  run ln -sfn "$new" "$home/previous"
  if [[ -d $old/systemd ]]; then install_files "$old"; fi # the first versions kept none
  restart
  say "back to $(basename "$old")"
}

need_root
if [[ $undo == yes ]]; then
  go_back
  exit 0
fi
find_suite
find_python
find_version
install_packages
build_environment
keep_files
check_new_version
remember_old_version
switch_to "$venv"
install_files "$venv"
restart
if [[ $dry_run == no ]]; then remove_older_versions; fi
say "installed $version; the page: $(page)   the host's PIN: companion pin"
