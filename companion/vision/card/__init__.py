"""The robot's card of Kaxxt on Ice; `finder` is where to begin reading."""
