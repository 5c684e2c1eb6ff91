/* Room on a device for what comes: see `eviction.h`. */
#include "eviction.h"
#include "ledger.h"
#include "storage.h"
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list; storages are locked before it, or tried */
static weft_resident *all;
static uint64_t questions;

static void lock_list(void) { pthread_mutex_lock(&lock); }
static void unlock_list(void) { pthread_mutex_unlock(&lock); }
static void watch_forks(void) { pthread_atfork(lock_list, unlock_list, unlock_list); }

void weft_use_resident(weft_resident *resident) {
    __atomic_store_n(&resident->last, __atomic_add_fetch(&questions, 1, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

weft_resident *weft_reside(weft_storage *storage, const weft_device *device, size_t bytes) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    weft_resident *made = malloc(sizeof *made);
    pthread_once(&once, watch_forks);
    if (!made) return NULL;
    *made = (weft_resident){.storage = storage, .device = device, .bytes = bytes};
    weft_use_resident(made);
    lock_list();
    made->next = all;
    if (all) all->previous = made;
    all = made;
    unlock_list();
    return made;
}

void weft_leave(weft_resident *resident) {
    lock_list();
    if (resident->next) resident->next->previous = resident->previous;
    if (resident->previous) resident->previous->next = resident->next;
    else all = resident->next;
    unlock_list();
    free(resident);
}

static int may_go(const weft_resident *resident, const weft_device *device) {
    return resident->device == device && !__atomic_load_n(&resident->storage->holders, __ATOMIC_ACQUIRE);
}

/* The storage whose bytes were not asked for the longest time. */
static weft_storage *oldest(const weft_device *device) {
    const weft_resident *found = NULL;
    for (const weft_resident *item = all; item; item = item->next)
        if (may_go(item, device) && (!found || item->last < found->last)) found = item;
    return found ? found->storage : NULL;
}

/* The same, locked. Nobody who has locked it, and does not hold it, waits for memory: so this comes to an end. */
static weft_storage *take_oldest(const weft_device *device) {
    for (;;) {
        lock_list();
        weft_storage *storage = oldest(device);
        int is_busy = storage && pthread_mutex_trylock(&storage->lock);
        unlock_list();
        if (!is_busy) return storage;
        nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    }
}

int weft_evict(const weft_device *device, size_t *freed) {
    int status = 0;
    for (*freed = 0; !status && !*freed;) {
        weft_storage *storage = take_oldest(device);
        if (!storage) break;
        weft_present_cause.array = storage->name;
        weft_present_cause.arrays = NULL;
        weft_present_cause.count = 0;
        weft_present_cause.reason = WEFT_EVICTED;
        status = weft_storage_give_up(storage, device, freed);
        pthread_mutex_unlock(&storage->lock);
    }
    return status;
}

size_t weft_evictable(const weft_device *device) {
    size_t bytes = 0;
    lock_list();
    for (const weft_resident *item = all; item; item = item->next)
        if (may_go(item, device)) bytes += item->bytes;
    unlock_list();
    return bytes;
}
