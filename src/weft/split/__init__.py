"""Loops cut into pieces: over several devices, and over the workers of a cluster."""
