"""What waiting for devices costs a processor: estimates, where nothing was measured."""

SMALL = 1 << 16
"""Statements that a processor runs while it would launch a kernel and wait for it: some 25 microseconds."""

SEVERAL_DEVICES = 5e-5
"""Seconds of a call on several devices beside its pieces."""
