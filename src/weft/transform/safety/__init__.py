"""Transformations that prove checks superfluous, or move them out of loops."""
