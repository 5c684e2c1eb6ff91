#ifndef WEFT_CUDA_DEVICE_H
#define WEFT_CUDA_DEVICE_H
#include "device.h"
#include "lanes.h"

/* A table that works in a CUDA context, on a stream for each lane; it lives as long as the process. NULL without a driver. */
weft_device *weft_cuda_device(void *context, void *const streams[WEFT_LANES]);
#endif
