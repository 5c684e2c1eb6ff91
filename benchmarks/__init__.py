"""Benchmarks of Weft beside hand-written C, Numba and NumPy; `python -m benchmarks` runs them."""
