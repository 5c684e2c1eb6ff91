"""Transformations that make programs smaller and keep every bit."""
