"""Rewrites of nests before they are placed on a device."""
