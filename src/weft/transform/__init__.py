"""Transformations of programs, one a file; `pipeline` runs them in order."""
