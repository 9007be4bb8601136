"""Views made ready to be weighed: is it seen well, was it touched, what did the host say; begin with `ready_views`."""
