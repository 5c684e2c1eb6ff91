"""NVIDIA GPUs: kernels in CUDA C++ through NVRTC and the CUDA driver."""
