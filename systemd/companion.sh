#!/bin/sh
# The companion's command line with the service's games and configuration.
# What changes them runs as the service's user, all else as whoever calls. Where both are needed either may read what is
# the other's: an export writes your files from the service's games, a restore the service's games from your files.
name=${1:-}
set -- env STATE_DIRECTORY=/var/lib/companion CONFIGURATION_DIRECTORY=/etc/companion \
  /opt/companion/venv/bin/companion "$@"

case $name in
  run | games | restore | sets | calibrate | check | pin | erase) user=companion group=companion ;;
  replay | export | look | teach) user=$(id -un) group=$(id -gn) ;;
  *) exec "$@" ;;
esac
exec sudo setpriv --reuid "$user" --regid "$group" --init-groups \
  --inh-caps +dac_read_search --ambient-caps +dac_read_search "$@"
