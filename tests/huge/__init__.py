"""Loops and arrays beyond 2^31."""
