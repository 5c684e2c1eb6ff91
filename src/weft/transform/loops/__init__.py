"""Transformations of loop nests: their order and their shape."""
