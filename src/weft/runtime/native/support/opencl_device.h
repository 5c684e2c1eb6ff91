#ifndef WEFT_OPENCL_DEVICE_H
#define WEFT_OPENCL_DEVICE_H
#include "device.h"
#include "lanes.h"

/* A table that works in an OpenCL context through an in-order queue for each lane; it lives as long as the process.
   NULL without a loader library. */
weft_device *weft_opencl_device(void *context, void *const queues[WEFT_LANES]);
#endif
