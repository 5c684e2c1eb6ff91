"""A module with a global of its own."""

SCALE = 2.5


def scaled(x):
    return x * SCALE
