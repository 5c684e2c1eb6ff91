"""Kernels that were written by hand, cut along their grid for several devices."""
