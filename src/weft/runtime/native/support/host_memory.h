/* Memory of the host for arrays that travel: from a pool, so that what the drivers know of it lasts. */
#ifndef WEFT_HOST_MEMORY_H
#define WEFT_HOST_MEMORY_H
#include "driver.h"

/* NULL where there is none; aligned to a page. What is in it is unspecified. */
void *weft_host_allocate(size_t bytes);

/* WEFT_NOT_OURS where the memory is not from here. */
int weft_host_release(void *memory);

/* Whether an address is in such memory: who has it knows which copies read it. */
int weft_host_has(const void *address);

/* Smaller memory is not worth being made known to a driver. */
enum { WEFT_TRAVELS = 1 << 16 };

/* Makes the block known to the driver in which an address is, as long as the block is kept; 1 where it is in no block, or in a
   small one, the driver's status where it refuses. */
int weft_host_pin(const weft_driver *driver, void *state, const void *address);
#endif
