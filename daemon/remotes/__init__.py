"""Remotes: where the memory of a space is pushed, and what people pushed there is taken from."""
