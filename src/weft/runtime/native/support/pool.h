/* Memory of a device that is kept when it is given back, and given out again: asking the driver costs a wait or worse. */
#ifndef WEFT_POOL_H
#define WEFT_POOL_H
#include "driver.h"
#include <pthread.h>

enum { WEFT_POOL_CLASSES = 16 * 64 };

typedef struct weft_block weft_block;

struct weft_block {
    weft_memory memory;
    size_t bytes;
    weft_use use;     /* stays when the block is given out again */
    weft_block *next; /* of those of its size that are free */
};

typedef struct {
    pthread_mutex_t lock;
    const weft_driver *driver;
    void *state;
    weft_block **blocks; /* by address */
    int count, room;
    weft_block *free[WEFT_POOL_CLASSES];
    size_t used, kept; /* bytes in use, and bytes that are free here */
    weft_lanes *lanes; /* of the device; what frees memory comes after all of them. NULL for the host's */
    size_t there;      /* bytes that the driver is taken to have; SIZE_MAX where nobody said */
} weft_pool;

void weft_pool_init(weft_pool *pool, const weft_driver *driver, void *state, weft_lanes *lanes);

/* Memory of at least `bytes` bytes; `fresh` tells how many bytes the driver was asked for, 0 where none. */
int weft_pool_take(weft_pool *pool, size_t bytes, uint64_t *address, size_t *fresh);

/* Takes memory back. It may be given out at once: whatever touches it next comes after what touched it. */
int weft_pool_give(weft_pool *pool, uint64_t address);

/* Gives all that is free back to the driver; `freed` tells how many bytes. */
int weft_pool_trim(weft_pool *pool, size_t *freed);

/* The most bytes that calls of this thread may have in use on any device; SIZE_MAX for no limit. Returns the one before. */
size_t weft_pool_limit(size_t bytes);

/* Whether calls of this thread have a limit; and whether a status says that there was no memory. */
int weft_pool_is_limited(void);
int weft_pool_lacks(const weft_pool *pool, int status);

/* How many more bytes can be in use, once so many were given back. */
size_t weft_pool_room(weft_pool *pool, size_t back);

/* How many bytes of it an array of so many takes at most. */
size_t weft_pool_size(size_t bytes);

/* Bytes that are in use, and bytes that are free here. */
void weft_pool_bytes(weft_pool *pool, size_t *used, size_t *kept);

/* The block that an address is in; 0 where it is in none. */
int weft_pool_block(weft_pool *pool, uint64_t address, weft_memory *memory, size_t *bytes);

/* What touched the block that an address is in; NULL where it is in none. It may be asked for while the block is in use. */
weft_use *weft_pool_use(weft_pool *pool, uint64_t address);

/* The driver's name of an address; memory that is not of the pool has its address for a handle. */
weft_place weft_pool_place(weft_pool *pool, uint64_t address);
#endif
