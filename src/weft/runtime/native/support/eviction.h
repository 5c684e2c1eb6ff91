/* Room on a device for what comes: coherent arrays that nobody holds give up their memory there, least recently used first.

   Who holds a storage has its address on a device, or is about to get it: a call whose argument it is, a loan. What only the
   device has is copied home before. */
#ifndef WEFT_EVICTION_H
#define WEFT_EVICTION_H
#include "device.h"

typedef struct weft_storage weft_storage;
typedef struct weft_resident weft_resident;

#define WEFT_EVICTED "evicted to make room" /* as the ledger says it */

/* Bytes of a storage that a device has. */
struct weft_resident {
    weft_storage *storage;
    const weft_device *device;
    size_t bytes;
    uint64_t last; /* when somebody asked for them: such questions are counted */
    weft_resident *next, *previous;
};

/* From now on they may have to make room; NULL without memory. And no longer. */
weft_resident *weft_reside(weft_storage *storage, const weft_device *device, size_t bytes);
void weft_leave(weft_resident *resident);

/* Somebody asks for them now. */
void weft_use_resident(weft_resident *resident);

/* Frees what was not asked for the longest time: how many bytes, 0 where nothing can be freed. The present cause is then
   that of what was done. Nobody who calls this has locked a storage that is not held. */
int weft_evict(const weft_device *device, size_t *freed);

/* How many bytes could be freed. */
size_t weft_evictable(const weft_device *device);
#endif
