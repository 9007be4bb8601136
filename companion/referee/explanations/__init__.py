"""Which action explains what is seen, or why none does; begin with `explain`."""
