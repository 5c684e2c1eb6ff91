"""The interpreter: the meaning of every node."""
