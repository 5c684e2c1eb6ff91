/* The table of `device.h` over any driver: memory from the pool, flags, the ledger, and no work in a forked child. */
#define _GNU_SOURCE
#include "ledger.h"
#include "host_memory.h"
#include "pinned.h"
#include "pool.h"
#include "staging.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct device_state device_state;

struct device_state {
    const weft_driver *driver;
    void *state;
    int forked; /* this process is a child of the one that opened the device: the driver's threads do not exist here */
    weft_pool pool;
    weft_flags flags;
    weft_staging staging;
    weft_policy policy;
    device_state *next;
};

static device_state *all; /* changed under the interpreter's lock only, which a fork from Python holds */

static void refuse(void) {
    for (device_state *item = all; item; item = item->next) item->forked = 1;
}

static void watch(void) { pthread_atfork(NULL, NULL, refuse); }

int weft_load_symbols(void *library, const weft_symbol *symbols, size_t count) {
    for (size_t k = 0; k < count; k++) {
        void *address = dlsym(library, symbols[k].name);
        if (!address) return 1;
        memcpy(symbols[k].pointer, &address, sizeof address);
    }
    return 0;
}

static weft_place place(device_state *self, uint64_t buffer, size_t offset) {
    if (self->driver->has_addresses) return (weft_place){buffer + offset, 0};
    return weft_pool_place(&self->pool, buffer + offset);
}

/* -------------------------------------------------------------------------------------------------- the ledger */

static weft_event begin(const weft_device *device, weft_event_kind kind, uint64_t address, const void *host, size_t bytes) {
    weft_event event = {kind, device, address, host, bytes, 0, 0, {0, 0}, weft_present_cause};
    if (!weft_ledger_on) return event;
    device_state *self = device->state;
    event.start = weft_now();
    if (kind != WEFT_WAIT && self->driver->mark(self->state, &event.marks[0])) event.marks[0] = 0;
    return event;
}

static int end(const weft_device *device, weft_event *event, int status) {
    if (!event->start || status) return status;
    device_state *self = device->state;
    if (event->marks[0] && self->driver->mark(self->state, &event->marks[1])) event->marks[0] = 0;
    event->seconds = weft_now() - event->start;
    weft_ledger_add(event);
    return status;
}

/* What the calling thread does itself: asking the driver for memory, and giving it back. */
static void note(const weft_device *device, weft_event_kind kind, uint64_t address, size_t bytes, double start) {
    if (!start || !bytes) return;
    weft_event event = {kind, device, address, NULL, bytes, start, weft_now() - start, {0, 0}, weft_present_cause};
    weft_ledger_add(&event);
}

/* ---------------------------------------------------------------------------------------------------- the table */

static int allocate(const weft_device *device, size_t bytes, uint64_t *buffer) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    double start = weft_ledger_on ? weft_now() : 0;
    size_t fresh;
    int status = weft_pool_take(&self->pool, bytes, buffer, &fresh);
    if (!status && self->driver->meet) status = self->driver->meet(self->state);
    if (!status) note(device, WEFT_ALLOCATE, *buffer, fresh, start);
    return status;
}

static int release(const weft_device *device, uint64_t buffer) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    int status = self->driver->meet ? self->driver->meet(self->state) : 0;
    int given = weft_pool_give(&self->pool, buffer);
    return status ? status : given;
}

/* The device on which the calling thread has queued copies from memory of the caller's that they still may be reading. */
static _Thread_local const device_state *sending;

static int send(device_state *self, weft_place to, const void *host, size_t bytes) {
    const weft_driver *driver = self->driver;
    if (!driver->pin) return driver->copy_in(self->state, to, host, bytes);
    int ours = weft_host_pin(driver, self->state, host) == 0;
    if (!ours && !weft_is_pinned(host, bytes)) {
        if (bytes >= self->policy.stage_in) return weft_stage_in(&self->staging, driver, self->state, to, host, bytes);
    } else if (!ours) sending = self;
    return driver->copy_in(self->state, to, host, bytes);
}

static int fetch(device_state *self, void *host, weft_place from, size_t bytes) {
    const weft_driver *driver = self->driver;
    int staged = driver->pin && bytes >= self->policy.stage_out && weft_host_pin(driver, self->state, host) &&
                 !weft_is_pinned(host, bytes);
    return staged ? weft_stage_out(&self->staging, driver, self->state, host, from, bytes)
                  : driver->copy_out(self->state, host, from, bytes);
}

static int copy_in(const weft_device *device, uint64_t buffer, size_t offset, const void *host, size_t bytes) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    if (!bytes) return 0;
    weft_event event = begin(device, WEFT_COPY_IN, buffer + offset, host, bytes);
    return end(device, &event, send(self, place(self, buffer, offset), host, bytes));
}

static int copy_out(const weft_device *device, void *host, uint64_t buffer, size_t offset, size_t bytes) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    if (!bytes) return 0;
    weft_event event = begin(device, WEFT_COPY_OUT, buffer + offset, host, bytes);
    return end(device, &event, fetch(self, host, place(self, buffer, offset), bytes));
}

static int copy_rows(const weft_device *device, const weft_rows *rows, int out) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    if (!out && self->driver->pin) sending = self;
    weft_event event = begin(device, out ? WEFT_COPY_OUT : WEFT_COPY_IN, rows->buffer + rows->offset, rows->host,
                             rows->width * rows->rows);
    return end(device, &event, self->driver->copy_rows(self->state, place(self, rows->buffer, rows->offset), rows, out));
}

static int copy_within(const weft_device *device, uint64_t to, uint64_t from, size_t from_offset, size_t bytes) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    return self->driver->copy_within(self->state, place(self, to, 0), place(self, from, from_offset), bytes);
}

/* Arguments as a driver with handles takes them: the handle, and in the next argument the offset from its start. */
static void resolve(device_state *self, const weft_argument *given, int count, weft_argument *items, weft_place *places,
                    int64_t *offsets) {
    for (int k = 0; k < count; k++) {
        items[k] = given[k];
        if (k && given[k - 1].is_buffer && places[k - 1].offset) {
            offsets[k] = *(const int64_t *)given[k].value + (int64_t)places[k - 1].offset;
            items[k].value = &offsets[k];
        }
        if (!given[k].is_buffer) continue;
        uint64_t address = *(const uint64_t *)given[k].value;
        places[k] = address ? place(self, address, 0) : (weft_place){0, 0};
        items[k].value = &places[k].handle;
    }
}

static int launch(const weft_device *device, void *kernel, const size_t grid[3], const size_t group[3],
                  const weft_argument *arguments, int count) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    if (count > WEFT_MOST_ARGUMENTS) return WEFT_TOO_MANY_ARGUMENTS;
    weft_event event = begin(device, WEFT_LAUNCH, 0, kernel, 0);
    int status;
    if (self->driver->has_addresses) status = self->driver->launch(self->state, kernel, grid, group, arguments, count);
    else {
        weft_argument items[WEFT_MOST_ARGUMENTS];
        weft_place places[WEFT_MOST_ARGUMENTS];
        int64_t offsets[WEFT_MOST_ARGUMENTS];
        resolve(self, arguments, count, items, places, offsets);
        status = self->driver->launch(self->state, kernel, grid, group, items, count);
    }
    return end(device, &event, status);
}

static int wait(const weft_device *device) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    weft_event event = begin(device, WEFT_WAIT, 0, NULL, 0);
    if (sending == self) sending = NULL;
    return end(device, &event, self->driver->wait(self->state));
}

static const int32_t unset = 0;

static int make_flag(void *given, weft_kept_flag *made) {
    device_state *self = given;
    if (self->driver->make_flag) return self->driver->make_flag(self->state, made);
    size_t fresh;
    int status = weft_pool_take(&self->pool, sizeof unset, &made->flag, &fresh);
    return status ? status : self->driver->copy_in(self->state, place(self, made->flag, 0), &unset, sizeof unset);
}

static int read_flag(device_state *self, weft_kept_flag flag, int *raised) {
    if (self->driver->read_flag) return self->driver->read_flag(self->state, flag, raised);
    int32_t value = 0;
    int status = self->driver->copy_out(self->state, &value, place(self, flag.flag, 0), sizeof value);
    *raised = value != 0;
    return status || !value ? status : self->driver->copy_in(self->state, place(self, flag.flag, 0), &unset, sizeof unset);
}

static int take_flag(const weft_device *device, uint64_t *flag) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    weft_kept_flag taken;
    int status = weft_flags_take(&self->flags, make_flag, self, &taken);
    if (!status) *flag = taken.flag;
    return status;
}

static int give_flag(const weft_device *device, uint64_t flag, int *raised) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    weft_event event = begin(device, WEFT_WAIT, 0, NULL, 0);
    int status = read_flag(self, weft_flags_find(&self->flags, flag), raised);
    if (!status) weft_flags_give(&self->flags, flag);
    return end(device, &event, status);
}

static int clear(const weft_device *device, uint64_t buffer, size_t bytes) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    return bytes ? self->driver->clear(self->state, place(self, buffer, 0), bytes) : 0;
}

static int settle(const weft_device *device) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    weft_event event = begin(device, WEFT_WAIT, 0, NULL, 0);
    return end(device, &event, self->driver->settle(self->state));
}

static int follow(const weft_device *device, void *stream) {
    device_state *self = device->state;
    return self->forked ? WEFT_FORKED : self->driver->follow(self->state, stream);
}

static int lead(const weft_device *device, void *stream) {
    device_state *self = device->state;
    return self->forked ? WEFT_FORKED : self->driver->lead(self->state, stream);
}

static void *stream(const weft_device *device) {
    device_state *self = device->state;
    return self->forked || !self->driver->stream ? NULL : self->driver->stream(self->state);
}

weft_device *weft_make_device(const weft_driver *driver, void *state) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    weft_device *device = malloc(sizeof *device);
    device_state *self = calloc(1, sizeof *self);
    if (!device || !self) return NULL;
    self->driver = driver;
    self->state = state;
    weft_pool_init(&self->pool, driver, state);
    pthread_mutex_init(&self->flags.lock, NULL);
    pthread_mutex_init(&self->staging.lock, NULL);
    self->policy = (weft_policy){SIZE_MAX, SIZE_MAX, SIZE_MAX};
    *device = (weft_device){self, allocate, release, copy_in, copy_out, launch, wait, take_flag, give_flag,
                            clear, settle, follow, lead, stream, copy_rows, copy_within};
    self->next = all;
    all = self;
    pthread_once(&once, watch);
    return device;
}

int weft_device_adopt(const weft_device *device, void *stream) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    if (!self->driver->adopt) return WEFT_NOT_ORDERED;
    int status = stream ? self->driver->lead(self->state, stream) : self->driver->meet(self->state);
    if (!status) self->driver->adopt(self->state, stream);
    return status;
}

weft_policy *weft_device_policy(const weft_device *device) { return &((device_state *)device->state)->policy; }

int weft_device_pin(const weft_device *device, void *memory, size_t bytes) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    return self->driver->pin ? weft_pin(self->driver, self->state, memory, bytes) : WEFT_NOT_PINNED;
}

int weft_device_finish_sends(const weft_device *device) { return sending == device->state ? wait(device) : 0; }

double weft_event_seconds(const weft_event *event) {
    if (!event->marks[0]) return event->seconds;
    device_state *self = ((const weft_device *)event->device)->state;
    double seconds;
    return self->driver->between(self->state, event->marks[0], event->marks[1], &seconds) ? event->seconds : seconds;
}

int weft_device_trim(const weft_device *device) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    double start = weft_ledger_on ? weft_now() : 0;
    size_t freed;
    int status = weft_pool_trim(&self->pool, &freed);
    note(device, WEFT_FREE, 0, freed, start);
    return status;
}

void weft_device_memory(const weft_device *device, size_t *used, size_t *kept) {
    device_state *self = device->state;
    *used = self->pool.used;
    *kept = self->pool.kept;
}
