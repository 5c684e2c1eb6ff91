"""Planted faults: mistakes put into the compiler on purpose, each of which a named check must find."""
