"""Searches: strategies, the loop that tries candidates, and replays of measured spaces."""
