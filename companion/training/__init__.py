"""Makes the training pictures of the vision networks and trains them; no part of the running companion.

Needs its own environment: see `companion/training/README.md`. Everything is seeded.
"""
