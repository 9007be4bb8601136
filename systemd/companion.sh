#!/bin/sh
# The companion's command line with the service's own user, games and configuration.
exec sudo -u companion env STATE_DIRECTORY=/var/lib/companion CONFIGURATION_DIRECTORY=/etc/companion \
  /opt/companion/venv/bin/companion "$@"
