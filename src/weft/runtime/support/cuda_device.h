#ifndef WEFT_CUDA_DEVICE_H
#define WEFT_CUDA_DEVICE_H
#include "device.h"

/* A table that works in a CUDA context on one stream; it lives as long as the process. NULL without a driver. */
weft_device *weft_cuda_device(void *context, void *stream);
#endif
