"""The sub-commands of `companion`, one file each, loaded only when called."""
