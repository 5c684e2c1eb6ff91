"""How much work a processor does while it would wait for a device: an estimate, where nothing was measured."""

SMALL = 1 << 16
"""Statements that a processor runs while it would launch a kernel and wait for it: some 25 microseconds."""
