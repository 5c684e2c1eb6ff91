"""Tuning: spaces of parameters, searches in them, kernels written by hand, and the processes that measure them."""
