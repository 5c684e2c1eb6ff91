/* What the table of a device has behind it, for the files that make it: `device.c`, `launches.c` and `products.c`. */
#ifndef WEFT_DEVICE_STATE_H
#define WEFT_DEVICE_STATE_H
#include "driver.h"
#include "ledger.h"
#include "pool.h"
#include "products.h"
#include "sequences.h"
#include "staging.h"

typedef struct device_state device_state;
typedef struct weft_repetition weft_repetition; /* in `launches.c` */

struct device_state {
    const weft_driver *driver;
    void *state;
    int forked; /* this process is a child of the one that opened the device: the driver's threads do not exist here */
    weft_pool pool;
    weft_lanes lanes;
    weft_launched launched[WEFT_LANES][WEFT_LAUNCHED]; /* by their numbers; under the lock of the lanes */
    weft_flags flags, lent;
    weft_staging staging;
    weft_policy policy;
    weft_sequences sequences;
    weft_products products;
    weft_repetition *idle; /* under the lock of the sequences */
    device_state *next;
};

/* Before anything is queued, given back or waited for: launches that were held back are queued. WEFT_FORKED in a child. */
int weft_device_ready(device_state *self);

/* The event of what is about to be queued; and its end, which gives the status back. */
weft_event weft_begin_event(const weft_device *device, weft_event_kind kind, uint64_t address, const void *host, size_t bytes);
int weft_end_event(const weft_device *device, weft_event *event, int status);

/* After a kernel or a copy was queued: gives it its number, and remembers who queued it, for the error if it fails. */
int weft_note_work(device_state *self, weft_work *work, const void *kernel);

/* Functions of the table: see `device.h`. */
int weft_launch_kernel(const weft_device *device, void *kernel, const size_t grid[3], const size_t group[4],
                       const weft_argument *arguments, int count, int marks);
int weft_repeat(const weft_device *device, int begins);
int weft_next_turn(const weft_device *device);
int weft_multiply(const weft_device *device, const weft_product *product, weft_own_way own, void *given);
#endif
