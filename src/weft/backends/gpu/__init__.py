"""What CUDA C++ and OpenCL C have in common."""
