"""Iterations of host loops that overlap."""
