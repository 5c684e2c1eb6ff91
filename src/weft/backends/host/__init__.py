"""The host part of a program with kernels."""
