#!/usr/bin/env bash
# Settles anew which packages install.sh installs, each with its version and hashes, for each Raspberry Pi OS.
# Before a release: `make lock`, then all tests, then look at what changed. Needs uv.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# suite, its python, a glibc that it has
lock() {
  uv pip compile --quiet --no-config --no-annotate --no-header --generate-hashes --only-binary :all: --upgrade \
    --python-version "$2" --python-platform "aarch64-manylinux_$3" \
    --constraint "$here/constraints-$1.txt" "$here/../pyproject.toml" --output-file "$here/requirements-$1.txt"
}

lock bookworm 3.11 2_36
lock trixie 3.13 2_40
