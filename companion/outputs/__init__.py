"""Lamps, buzzer, strip and buttons: `outputs` listens to the referee, `devices` makes all that is connected."""
