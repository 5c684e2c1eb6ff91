/* Memory of the host that a driver knows: copies from and to it run at the full rate and beside the host's work. */
#ifndef WEFT_PINNED_H
#define WEFT_PINNED_H
#include "driver.h"

/* Tells the driver of memory of the host; the status of the driver where it refuses. */
int weft_pin(const weft_driver *driver, void *state, void *memory, size_t bytes);

/* Ends what `weft_pin` began; nothing where it did not. */
void weft_unpin(void *memory);

/* Whether all of these bytes are in memory that a driver knows. */
int weft_is_pinned(const void *memory, size_t bytes);
#endif
