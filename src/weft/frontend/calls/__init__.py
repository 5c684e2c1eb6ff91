"""Calls: inlined functions, builtins, math, steps in Python."""
