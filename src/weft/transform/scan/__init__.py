"""Loops that are cut into tiles: scans, packing, searches."""
