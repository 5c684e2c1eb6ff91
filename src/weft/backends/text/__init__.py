"""Pieces of C that all printers share."""
