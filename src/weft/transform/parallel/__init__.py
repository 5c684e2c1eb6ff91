"""Transformations that make loops parallel."""
