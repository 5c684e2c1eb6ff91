"""Coherent arrays."""
