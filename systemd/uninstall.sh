#!/usr/bin/env bash
# Removes the Tabletop Companion's service.
#
#   sudo systemd/uninstall.sh            games, calibration and configuration stay
#   sudo systemd/uninstall.sh --purge    remove those too
#   systemd/uninstall.sh --dry-run       only say what would be done
#
# Safe to run again. Packages from apt stay: other programs may use them.
set -euo pipefail

root=""            # prepended to every path; for tests and images
dry_run=no
purge=no

usage() { sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }
fail() { printf 'uninstall: %s\n' "$*" >&2; exit 1; }
run() {
  printf '+ %s\n' "$*"
  if [[ $dry_run == no ]]; then "$@"; fi
}

while [[ $# -gt 0 ]]; do
  case $1 in
    --dry-run) dry_run=yes ;;
    --purge) purge=yes ;;
    --root) [[ $# -ge 2 ]] || fail "--root needs a folder"; root=$2; shift ;;
    -h | --help) usage; exit 0 ;;
    *) fail "unknown option $1 (see --help)" ;;
  esac
  shift
done

[[ $dry_run == yes || -n $root || $(id -u) -eq 0 ]] || fail "please run it with sudo"

if [[ -e $root/etc/systemd/system/companion.service || $dry_run == yes ]]; then
  run systemctl disable --now companion.service
fi
run rm -f "$root/etc/systemd/system/companion.service" "$root/etc/avahi/services/companion.service"
run rm -f "$root/usr/local/bin/companion"
run systemctl daemon-reload
run rm -rf "$root/opt/companion"
if [[ $purge == yes ]]; then
  run rm -rf "$root/var/lib/companion" "$root/etc/companion"
  run rm -f "$root/usr/lib/sysusers.d/companion.conf"
  if id companion > /dev/null 2>&1; then run userdel companion; fi
else
  printf 'kept: %s/var/lib/companion (games, calibration) and %s/etc/companion (configuration)\n' "$root" "$root"
fi
