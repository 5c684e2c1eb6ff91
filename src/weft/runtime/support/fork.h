/* Devices do not survive a fork: the child has none of the driver's threads, and would wait for them forever. */
#ifndef WEFT_FORK_H
#define WEFT_FORK_H
#include "device.h"

enum { WEFT_FORKED = 10002 };

/* From now on, whatever a child process asks of this device is refused with WEFT_FORKED. */
void weft_refuse_after_fork(weft_device *device);
#endif
