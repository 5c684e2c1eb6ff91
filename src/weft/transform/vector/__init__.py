"""Transformations for the processor: tiles, lanes, interchange."""
