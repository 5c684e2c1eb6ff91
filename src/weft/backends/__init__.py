"""IR to C, CUDA C++ and OpenCL C by one printer with a dialect each, and their compilers."""
