"""OpenCL devices: kernels in OpenCL C through PyOpenCL."""
