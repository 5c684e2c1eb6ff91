"""The breadth suite: many loops of many families, half of which nobody tunes for."""
