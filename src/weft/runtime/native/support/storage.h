/* Bytes that are in several memories, and where they are current: behind every coherent array.

   A memory is *current* if nothing newer was written elsewhere. Whoever wants the bytes somewhere gets them copied there
   first. What was lent to somebody who may write at any time is the truth until the loan ends: copies elsewhere are not
   trusted, and what Weft writes elsewhere is copied back at once. A place is a device, or NULL for the host. Memory on a
   device that nobody holds is given up where something else needs it (`eviction.h`). */
#ifndef WEFT_STORAGE_H
#define WEFT_STORAGE_H
#include "device.h"
#include "eviction.h"
#include "parts.h"
#include <pthread.h>

typedef struct {
    const weft_device *device;
    uint64_t address;
    int current;
    int loans;   /* exports through which others may write */
    int foreign; /* others may still have work on it in queues of their own */
    uint64_t sending; /* the number of a copy from the host that may still be reading there; 0: none */
    weft_resident *resident;
} weft_copy;

struct weft_storage {
    size_t bytes;
    pthread_mutex_t lock;
    char *host;
    int host_current;
    int views, loans; /* of the host's memory: arrays of NumPy that are alive, and those of them that may be written */
    int zeros;        /* nobody has written yet, and all bytes count as 0 */
    weft_copy *copies;
    int count;
    int passed; /* through a device, and not kept there, since the host looked at them: 1 read, 2 written there */
    const weft_device *failed; /* the device that made the last change of places fail; NULL for none */
    int holders;      /* who have its addresses: as long as there are any, it stays where it is */
    const char *name; /* of the argument that it was last; NULL: none */
    weft_part parts[WEFT_PARTS]; /* which the host has of what a device has written; those without data are none */
    int next_part;
    double spent; /* seconds that copies of parts are taken to have cost since a device wrote last */
};

enum { WEFT_LENT = 10005 };

void weft_storage_init(weft_storage *storage, size_t bytes, int zeros);
void weft_storage_free(weft_storage *storage);

/* Whoever is going to use an address on a device holds the storage from before it asks for it until it is done. */
void weft_storage_hold(weft_storage *storage);
void weft_storage_let_go(weft_storage *storage);

/* The memory on a device is given back, where nobody holds the storage, and `freed` says how many bytes that are; what only
   the device has goes home before. It stays where that fails. The storage is locked. */
int weft_storage_give_up(weft_storage *storage, const weft_device *device, size_t *freed);

/* Makes the bytes current in a place; `writes` says that they are going to be changed there. All functions return 0 when
   done. */
int weft_storage_acquire(weft_storage *storage, const weft_device *place, int writes, uint64_t *address);

/* Where they are current, as a number that is the same whenever that is the same places. */
uint64_t weft_storage_places(weft_storage *storage);

/* The same, if that takes no waiting. */
int weft_storage_places_now(weft_storage *storage, uint64_t *places);

/* They were changed there; WEFT_LENT where somebody else may write elsewhere at the same time. */
int weft_storage_wrote(weft_storage *storage, const weft_device *place);

/* The same on a device, where that is so already, or takes nothing but to note it; they wait for nobody, and may be asked with
   Python's lock held. 0: the others have to be asked. */
int weft_storage_is_there(weft_storage *storage, const weft_device *place, uint64_t *address);
int weft_storage_has_written(weft_storage *storage, const weft_device *place);

/* Where the copy on a device is, current or not; 0: nowhere. */
uint64_t weft_storage_address(weft_storage *storage, const weft_device *device);

/* Whether a device has no copy; and whether it is worth that it keeps none of bytes that a program sends there: no device has
   them, and they did not pass through one before without being looked at or changed since. */
int weft_storage_is_away(weft_storage *storage, const weft_device *device);
int weft_storage_may_pass(weft_storage *storage);

/* They went through a device that keeps nothing of them; and a device gives its copy back where nobody holds the storage. */
void weft_storage_passed(weft_storage *storage, int written);
int weft_storage_leave(weft_storage *storage, const weft_device *device);

/* Keeps the bytes as they are on a device, where they are current, beside themselves; and ends that: `restores` makes them
   what they were. */
int weft_storage_save(weft_storage *storage, const weft_device *device, uint64_t *saved);
int weft_storage_unsave(weft_storage *storage, const weft_device *device, uint64_t saved, int restores);

/* The device failed while it may have been writing: its copy is worth nothing if there is another. */
void weft_storage_spoiled(weft_storage *storage, const weft_device *device);

/* An export: `writes` says that it may be written through. WEFT_LENT where it was lent for that elsewhere. */
int weft_storage_lend(weft_storage *storage, const weft_device *place, int writes, uint64_t *address);

/* The host's part of a loan that may be written ends; what was lent may still be looked at. */
void weft_storage_end_writing(weft_storage *storage);
void weft_storage_end_loan(weft_storage *storage, const weft_device *place, int writes);
#endif
