/* Copies through slots that the driver knows: see `staging.h`. */
#include "staging.h"
#include "host_memory.h"
#include "mirror.h"
#include "pinned.h"
#include "threads.h"
#include <string.h>

static const int64_t UNIT = 1 << 16;     /* bytes that one thread copies at least */
static const double NANOSECONDS = 0.1;   /* a byte, for one thread */

typedef struct {
    char *to;
    const char *from;
    size_t bytes;
} piece;

static int32_t copy_units(void *context, int64_t begin, int64_t end, int64_t part) {
    const piece *whole = context;
    size_t low = (size_t)(begin * UNIT), high = (size_t)(end * UNIT);
    (void)part;
    if (high > whole->bytes) high = whole->bytes;
    if (low < high) memcpy(whole->to + low, whole->from + low, high - low);
    return WEFT_OK;
}

static void copy_by_threads(char *to, const char *from, size_t bytes) {
    piece whole = {to, from, bytes};
    int64_t units = ((int64_t)bytes + UNIT - 1) / UNIT;
    weft_parallel(copy_units, &whole, 0, units, 0, NANOSECONDS * (double)bytes);
}

/* Makes the slots when they are first needed, and waits until one may be used. */
static int ready(weft_staging *staging, const weft_driver *driver, void *state, int slot) {
    int status = 0;
    if (!staging->slots[slot]) {
        char *memory = weft_host_allocate(WEFT_SLOT_BYTES);
        if (!memory) return WEFT_NO_HOST_MEMORY;
        if ((status = weft_host_pin(driver, state, memory))) weft_host_release(memory);
        else staging->slots[slot] = memory;
    }
    if (!status && staging->marks[slot]) status = driver->reach(state, staging->marks[slot]);
    staging->marks[slot] = 0;
    return status;
}

static weft_place after(const weft_driver *driver, weft_place place, size_t bytes) {
    if (driver->has_addresses) place.handle += bytes;
    else place.offset += bytes;
    return place;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

int weft_stage_in(weft_staging *staging, const weft_driver *driver, void *state, weft_place to, const char *host,
                  size_t bytes) {
    int status = 0, slot = 0;
    pthread_mutex_lock(&staging->lock);
    for (size_t done = 0; !status && done < bytes; done += WEFT_SLOT_BYTES, slot = (slot + 1) % WEFT_SLOTS) {
        size_t size = least(WEFT_SLOT_BYTES, bytes - done);
        if ((status = ready(staging, driver, state, slot))) break;
        copy_by_threads(staging->slots[slot], host + done, size);
        status = driver->copy_in(state, WEFT_IN, after(driver, to, done), staging->slots[slot], size);
        if (!status) status = driver->mark(state, WEFT_IN, &staging->marks[slot]);
    }
    pthread_mutex_unlock(&staging->lock);
    return status;
}

/* Queues the piece that starts at `done`. */
static int fetch_piece(weft_staging *staging, const weft_driver *driver, void *state, weft_place from, size_t done,
                       size_t bytes) {
    int slot = (int)(done / WEFT_SLOT_BYTES % WEFT_SLOTS);
    int status = ready(staging, driver, state, slot);
    if (!status)
        status = driver->copy_out(state, WEFT_OUT, staging->slots[slot], after(driver, from, done),
                                  least(WEFT_SLOT_BYTES, bytes - done));
    return status ? status : driver->mark(state, WEFT_OUT, &staging->marks[slot]);
}

int weft_stage_out(weft_staging *staging, const weft_driver *driver, void *state, char *host, weft_place from,
                   size_t bytes) {
    int status = 0;
    size_t queued = 0;
    pthread_mutex_lock(&staging->lock);
    for (size_t done = 0; !status && done < bytes; done += WEFT_SLOT_BYTES) {
        for (; !status && queued < bytes && queued < done + (WEFT_SLOTS - 1) * (size_t)WEFT_SLOT_BYTES;
             queued += WEFT_SLOT_BYTES)
            status = fetch_piece(staging, driver, state, from, queued, bytes);
        int slot = (int)(done / WEFT_SLOT_BYTES % WEFT_SLOTS);
        if (!status) status = ready(staging, driver, state, slot);
        if (!status) copy_by_threads(host + done, staging->slots[slot], least(WEFT_SLOT_BYTES, bytes - done));
    }
    pthread_mutex_unlock(&staging->lock);
    return status;
}

/* Rows that lie one behind the other in a slot, and where they belong on the host. */
typedef struct {
    const weft_rows *rows;
    char *slot;
    size_t first;
    int out;
} packed;

static int32_t move_rows(void *context, int64_t begin, int64_t end, int64_t part) {
    const packed *piece = context;
    const weft_rows *rows = piece->rows;
    (void)part;
    for (size_t k = (size_t)begin; k < (size_t)end; k++) {
        char *host = rows->host + (piece->first + k) * rows->host_pitch, *slot = piece->slot + k * rows->width;
        memcpy(piece->out ? host : slot, piece->out ? slot : host, rows->width);
    }
    return WEFT_OK;
}

static void move_by_threads(const weft_staging *staging, int slot, const weft_rows *rows, size_t first, size_t count, int out) {
    packed piece = {rows, staging->slots[slot], first, out};
    weft_parallel(move_rows, &piece, 0, (int64_t)count, 0, NANOSECONDS * (double)(count * rows->width));
}

/* Queues the copy of some rows between the device and a slot. */
static int cross_rows(weft_staging *staging, const weft_driver *driver, void *state, weft_place place, const weft_rows *rows,
                      int slot, size_t first, size_t count, int out) {
    weft_rows piece = *rows;
    piece.host = staging->slots[slot];
    piece.host_pitch = rows->width;
    piece.rows = count;
    int lane = out ? WEFT_OUT : WEFT_IN;
    int status = driver->copy_rows(state, lane, after(driver, place, first * rows->pitch), &piece, out);
    return status ? status : driver->mark(state, lane, &staging->marks[slot]);
}

int weft_stage_rows_in(weft_staging *staging, const weft_driver *driver, void *state, weft_place to, const weft_rows *rows) {
    int status = 0, slot = 0;
    size_t most = WEFT_SLOT_BYTES / rows->width;
    pthread_mutex_lock(&staging->lock);
    for (size_t done = 0; !status && done < rows->rows; done += most, slot = (slot + 1) % WEFT_SLOTS) {
        size_t count = least(most, rows->rows - done);
        if ((status = ready(staging, driver, state, slot))) break;
        move_by_threads(staging, slot, rows, done, count, 0);
        status = cross_rows(staging, driver, state, to, rows, slot, done, count, 0);
    }
    pthread_mutex_unlock(&staging->lock);
    return status;
}

int weft_stage_rows_out(weft_staging *staging, const weft_driver *driver, void *state, weft_place from,
                        const weft_rows *rows) {
    int status = 0;
    size_t queued = 0, most = WEFT_SLOT_BYTES / rows->width;
    pthread_mutex_lock(&staging->lock);
    for (size_t done = 0; !status && done < rows->rows; done += most) {
        for (; !status && queued < rows->rows && queued < done + (WEFT_SLOTS - 1) * most; queued += most) {
            int next = (int)(queued / most % WEFT_SLOTS);
            status = ready(staging, driver, state, next);
            if (!status)
                status = cross_rows(staging, driver, state, from, rows, next, queued, least(most, rows->rows - queued), 1);
        }
        int slot = (int)(done / most % WEFT_SLOTS);
        if (!status) status = ready(staging, driver, state, slot);
        if (!status) move_by_threads(staging, slot, rows, done, least(most, rows->rows - done), 1);
    }
    pthread_mutex_unlock(&staging->lock);
    return status;
}
