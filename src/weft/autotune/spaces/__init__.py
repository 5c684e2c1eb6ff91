"""Spaces of points: parameters, constraints, and files that describe them."""
