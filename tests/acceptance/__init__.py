"""Small loop programs of our own, each held against CPython for its answer and for its verdicts."""
