"""The demonstration: hands play a scripted game on the virtual table, and the referee sees it through frames alone."""
