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
} weft_pool;

void weft_pool_init(weft_pool *pool, const weft_driver *driver, void *state);

/* Memory of at least `bytes` bytes; `fresh` tells how many bytes the driver was asked for, 0 where none. */
int weft_pool_take(weft_pool *pool, size_t bytes, uint64_t *address, size_t *fresh);

/* Takes memory back. It may be given out at once: work in a queue comes one after the other. */
int weft_pool_give(weft_pool *pool, uint64_t address);

/* Gives all that is free back to the driver; `freed` tells how many bytes. */
int weft_pool_trim(weft_pool *pool, size_t *freed);

/* The block that an address is in; 0 where it is in none. */
int weft_pool_block(weft_pool *pool, uint64_t address, weft_memory *memory, size_t *bytes);

/* The driver's name of an address; memory that is not of the pool has its address for a handle. */
weft_place weft_pool_place(weft_pool *pool, uint64_t address);
#endif
