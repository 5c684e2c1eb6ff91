"""A function as tasks of a cluster: its loops in pieces that workers run."""
