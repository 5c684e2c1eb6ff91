"""Statements, branches and loops."""
