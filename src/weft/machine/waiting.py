"""What waiting for devices costs a processor: estimates, where nothing was measured."""

SMALL = 1 << 16
"""Statements that a processor runs while it would launch a kernel and wait for it: some 25 microseconds."""

SEVERAL_DEVICES = 5e-5
"""Seconds of a call on several devices beside its pieces."""

WORTH_SPLITTING = 4 * SEVERAL_DEVICES
"""Seconds that a call takes whole before a split is predicted, which compiles its pieces."""

WORTH_TRYING = 0.1
"""Seconds that calls in pieces have taken in all before one runs whole, which is compiled for that."""
