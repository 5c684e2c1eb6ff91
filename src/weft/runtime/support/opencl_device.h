#ifndef WEFT_OPENCL_DEVICE_H
#define WEFT_OPENCL_DEVICE_H
#include "device.h"

/* A table that works in an OpenCL context through one in-order queue; it lives as long as the process. NULL without a
   loader library. */
weft_device *weft_opencl_device(void *context, void *queue);
#endif
