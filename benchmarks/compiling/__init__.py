"""What a first call takes of the processor, on a bare store, beside Numba: `python -m benchmarks.compiling`."""
