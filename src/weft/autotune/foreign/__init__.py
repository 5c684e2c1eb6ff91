"""Kernels that were written by hand, in C, OpenCL C and CUDA C++."""
