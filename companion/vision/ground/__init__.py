"""What the bare table looks like, and what differs from it: what all finders of free pieces share."""
