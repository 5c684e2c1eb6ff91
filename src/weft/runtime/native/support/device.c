/* The table of `device.h` over any driver: memory from the pool, flags, the ledger, and no work in a forked child. */
#define _GNU_SOURCE
#include "device_state.h"
#include "eviction.h"
#include "host_memory.h"
#include "pinned.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

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

static int lane_of(weft_event_kind kind) {
    return kind == WEFT_COPY_IN ? WEFT_IN : kind == WEFT_COPY_OUT ? WEFT_OUT : WEFT_KERNELS;
}

weft_event weft_begin_event(const weft_device *device, weft_event_kind kind, uint64_t address, const void *host, size_t bytes) {
    weft_event event = {kind, device, address, host, bytes, 0, 0, {0, 0}, weft_present_cause, NULL, 0, NULL};
    const weft_listener *listener = weft_listens;
    if (listener) {
        weft_name_array(&event);
        event.told = listener;
        listener->opened(&event);
    }
    if (!weft_ledger_on) return event;
    device_state *self = device->state;
    event.start = weft_now();
    if (kind != WEFT_WAIT && self->driver->mark(self->state, lane_of(kind), &event.marks[0])) event.marks[0] = 0;
    return event;
}

int weft_end_event(const weft_device *device, weft_event *event, int status) {
    if (event->told) event->told->closed();
    if (!event->start || status) {
        free(event->kernels);
        return status;
    }
    device_state *self = device->state;
    if (event->marks[0] && self->driver->mark(self->state, lane_of(event->kind), &event->marks[1])) event->marks[0] = 0;
    event->seconds = weft_now() - event->start;
    weft_ledger_add(event);
    return status;
}

/* What the calling thread does itself: asking the driver for memory, and giving it back. */
static void note(const weft_device *device, weft_event_kind kind, uint64_t address, size_t bytes, double start) {
    if (!start || !bytes) return;
    weft_event event = {kind, device, address, NULL, bytes, start, weft_now() - start, {0, 0}, weft_present_cause, NULL, 0,
                        NULL};
    weft_ledger_add(&event);
}

/* The same for bytes that a kernel has written to memory of the host. */
static void note_collected(const weft_device *device, uint64_t address, const void *host, size_t bytes, double start) {
    if (!start) return;
    weft_event event = {WEFT_COPY_OUT, device, address, host, bytes, start, weft_now() - start, {0, 0}, weft_present_cause,
                        NULL, 0, NULL};
    event.cause.reason = "it is read on the host, to which its kernel wrote it";
    weft_ledger_add(&event);
}

/* ---------------------------------------------------------------------------------------------------- the table */

/* Memory that the driver has just made may be touched behind what its lane has queued. */
static int order_fresh(device_state *self, uint64_t buffer) {
    weft_touch touch = {weft_pool_use(&self->pool, buffer), 1};
    weft_work work = {.lane = WEFT_IN, .touches = &touch, .count = 1};
    return self->driver->allocates_in_order ? weft_lanes_note(&self->lanes, &work) : 0;
}

/* Lets something else give up its memory. */
static int make_room(const weft_device *device, size_t *freed) {
    weft_cause cause = weft_present_cause;
    int status = weft_evict(device, freed);
    weft_device_note_freed(device, *freed);
    weft_present_cause = cause;
    return status;
}

/* From the pool; where it has no room, and others can make enough, once they did. */
static int take(const weft_device *device, size_t bytes, uint64_t *buffer, size_t *fresh) {
    device_state *self = device->state;
    int status = weft_pool_take(&self->pool, bytes, buffer, fresh);
    for (size_t freed = 1; freed && weft_pool_lacks(&self->pool, status) && weft_device_has_room(device, bytes);) {
        int failed = make_room(device, &freed);
        if (failed) return failed;
        status = weft_pool_take(&self->pool, bytes, buffer, fresh);
    }
    return status;
}

static int allocate(const weft_device *device, size_t bytes, uint64_t *buffer) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    double start = weft_ledger_on ? weft_now() : 0;
    size_t fresh;
    int status = take(device, bytes, buffer, &fresh);
    if (status) return status;
    if (fresh) status = order_fresh(self, *buffer);
    if (!status && self->driver->meet) status = self->driver->meet(self->state);
    if (status) weft_pool_give(&self->pool, *buffer);
    else note(device, WEFT_ALLOCATE, *buffer, fresh, start);
    return status;
}

static int release(const weft_device *device, uint64_t buffer) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    if (refused) return refused;
    int status = self->driver->meet ? self->driver->meet(self->state) : 0;
    int given = weft_pool_give(&self->pool, buffer);
    return status ? status : given;
}

/* What a copy touches: a block of the pool, or memory of others, which comes with an order of its own. */
static weft_touch touch_of(device_state *self, uint64_t address, int writes) {
    return (weft_touch){weft_pool_use(&self->pool, address), writes};
}

static weft_work copying(int lane, const weft_touch *touch, const void *host, size_t bytes) {
    const char *low = host;
    return (weft_work){.lane = lane, .touches = touch, .count = touch->use != NULL, .low = low, .high = low + bytes};
}

int weft_note_work(device_state *self, weft_work *work, const void *kernel) {
    const weft_cause *cause = &weft_present_cause;
    int status = weft_lanes_note(&self->lanes, work);
    pthread_mutex_lock(&self->lanes.lock);
    self->launched[work->lane][work->number % WEFT_LAUNCHED] = (weft_launched){
        work->number, work->lane, kernel, cause->program, cause->file, cause->line, cause->program_line};
    pthread_mutex_unlock(&self->lanes.lock);
    return status;
}

/* The device on which the calling thread has queued copies from memory of the caller's that they still may be reading, and
   the last of them. */
static _Thread_local struct {
    device_state *device;
    uint64_t number;
} sending;

static int finish_sending(void) {
    device_state *self = sending.device;
    sending.device = NULL;
    return self ? weft_lanes_reach(&self->lanes, WEFT_IN, sending.number) : 0;
}

/* Remembers a copy that reads the caller's memory after it was queued. */
static int still_sends(device_state *self, uint64_t number) {
    int status = sending.device == self ? 0 : finish_sending();
    sending.device = self;
    sending.number = number;
    return status;
}

/* `borrows`: the copy reads the caller's memory after this returns. */
static int send(device_state *self, weft_place to, const void *host, size_t bytes, int *borrows) {
    const weft_driver *driver = self->driver;
    *borrows = driver->borrows && !weft_host_has(host);
    if (driver->pin && weft_host_pin(driver, self->state, host)) {
        *borrows = weft_is_pinned(host, bytes);
        if (!*borrows && bytes >= self->policy.stage_in)
            return weft_stage_in(&self->staging, driver, self->state, to, host, bytes);
    }
    return driver->copy_in(self->state, WEFT_IN, to, host, bytes);
}

static int fetch(device_state *self, void *host, weft_place from, size_t bytes) {
    const weft_driver *driver = self->driver;
    int staged = driver->pin && weft_host_pin(driver, self->state, host) && bytes >= self->policy.stage_out &&
                 !weft_is_pinned(host, bytes);
    return staged ? weft_stage_out(&self->staging, driver, self->state, host, from, bytes)
                  : driver->copy_out(self->state, WEFT_OUT, host, from, bytes);
}

static int copy_in(const weft_device *device, uint64_t buffer, size_t offset, const void *host, size_t bytes) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    if (refused) return refused;
    if (!bytes) return 0;
    weft_touch touch = touch_of(self, buffer + offset, 1);
    weft_work work = copying(WEFT_IN, &touch, host, bytes);
    int borrows, status = weft_lanes_order(&self->lanes, &work);
    if (status) return status;
    weft_event event = weft_begin_event(device, WEFT_COPY_IN, buffer + offset, host, bytes);
    status = send(self, place(self, buffer, offset), host, bytes, &borrows);
    if (!status) status = weft_note_work(self, &work, NULL);
    if (!status && borrows) status = still_sends(self, work.number);
    return weft_end_event(device, &event, status);
}

static int copy_out(const weft_device *device, void *host, uint64_t buffer, size_t offset, size_t bytes) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    if (refused) return refused;
    if (!bytes) return 0;
    weft_touch touch = touch_of(self, buffer + offset, 0);
    weft_work work = copying(WEFT_OUT, &touch, host, bytes);
    int status = weft_lanes_order(&self->lanes, &work);
    if (status) return status;
    weft_event event = weft_begin_event(device, WEFT_COPY_OUT, buffer + offset, host, bytes);
    status = fetch(self, host, place(self, buffer, offset), bytes);
    return weft_end_event(device, &event, status ? status : weft_note_work(self, &work, NULL));
}

enum { FEW_ROWS = 8, MANY_ROWS = 32, THOUSANDS_OF_ROWS = 1 << 12, WIDE_ROW = 1 << 14, WORD = 16 };

/* The bytes of the host from the first of some rows to the end of the last one. */
static size_t span_of(const weft_rows *rows) {
    return rows->more * rows->host_plane + (rows->rows - 1) * rows->host_pitch + rows->width;
}

/* Whether rows are better packed on their way to memory that the driver does not know, or from there: where as many bytes in
   one piece would be staged, and where the driver takes a step for each: on the way out for all but long ones, on the way in
   for those that are longer than a word of 16 bytes and not of whole words, or thousands. Each plane waits for itself, so it
   needs more.
   The first copy of memory of ours makes it known to the driver. */
static int are_packed(device_state *self, const weft_rows *rows, int out) {
    const weft_driver *driver = self->driver;
    if (!driver->pin || !weft_host_pin(driver, self->state, rows->host)) return 0;
    int are_many = rows->rows >= (out && !rows->more ? FEW_ROWS : MANY_ROWS);
    int is_slow_in = rows->width > WORD && (rows->width % WORD || rows->rows >= THOUSANDS_OF_ROWS);
    int is_slow = are_many && rows->width < WIDE_ROW && (out || is_slow_in);
    int is_large = rows->rows * (rows->more + 1) * rows->width >= (out ? self->policy.stage_out : self->policy.stage_in);
    return rows->width <= WEFT_SLOT_BYTES && (is_slow || is_large) && !weft_is_pinned(rows->host, span_of(rows));
}

/* Rows through slots, plane by plane. */
static int stage_rows(device_state *self, const weft_rows *rows, int out) {
    int status = 0;
    for (size_t k = 0; !status && k <= rows->more; k++) {
        weft_rows plane = *rows;
        plane.more = 0;
        plane.offset += k * rows->plane;
        plane.host += k * rows->host_plane;
        weft_place there = place(self, plane.buffer, plane.offset);
        status = (out ? weft_stage_rows_out : weft_stage_rows_in)(&self->staging, self->driver, self->state, there, &plane);
    }
    return status;
}

static int copy_rows(const weft_device *device, const weft_rows *rows, int out) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    if (refused) return refused;
    if (!rows->rows || !rows->width) return 0;
    int lane = out ? WEFT_OUT : WEFT_IN;
    weft_touch touch = touch_of(self, rows->buffer + rows->offset, !out);
    weft_work work = copying(lane, &touch, rows->host, span_of(rows));
    int status = weft_lanes_order(&self->lanes, &work);
    if (status) return status;
    weft_event event = weft_begin_event(device, out ? WEFT_COPY_OUT : WEFT_COPY_IN, rows->buffer + rows->offset, rows->host,
                             rows->width * rows->rows * (rows->more + 1));
    int is_packed = are_packed(self, rows, out);
    if (is_packed) status = stage_rows(self, rows, out);
    else status = self->driver->copy_rows(self->state, lane, place(self, rows->buffer, rows->offset), rows, out);
    if (!status) status = weft_note_work(self, &work, NULL);
    if (!status && !out && !is_packed) status = still_sends(self, work.number);
    return weft_end_event(device, &event, status);
}

static int copy_within(const weft_device *device, uint64_t to, uint64_t from, size_t from_offset, size_t bytes) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    if (refused) return refused;
    weft_touch touches[2] = {touch_of(self, to, 1), touch_of(self, from + from_offset, 0)};
    if (!touches[0].use || !touches[1].use) return WEFT_NOT_OURS;
    weft_work work = {.lane = WEFT_KERNELS, .touches = touches, .count = 2};
    int status = weft_lanes_order(&self->lanes, &work);
    if (!status)
        status = self->driver->copy_within(self->state, place(self, to, 0), place(self, from, from_offset), bytes);
    return status ? status : weft_lanes_note(&self->lanes, &work);
}

/* Queued in this device's lane of arrivals, between what the other one has queued for its departures before and after. */
static int queue_across(device_state *self, weft_place to, device_state *other, weft_place from, size_t bytes) {
    int status = weft_lanes_follow(&self->lanes, WEFT_IN, &other->lanes, WEFT_OUT);
    if (!status) status = self->driver->copy_across(self->state, WEFT_IN, to, other->state, from, bytes);
    return status ? status : weft_lanes_follow(&other->lanes, WEFT_OUT, &self->lanes, WEFT_IN);
}

static int copy_across(const weft_device *device, uint64_t buffer, const weft_device *from, uint64_t from_buffer,
                       size_t bytes) {
    device_state *self = device->state, *other = from->state;
    int refused = weft_device_ready(self);
    if (refused) return refused;
    if (self->driver != other->driver || !self->driver->copy_across) return WEFT_NOT_DIRECT;
    if (!bytes || (refused = weft_device_ready(other))) return refused;
    weft_touch written = touch_of(self, buffer, 1), read = touch_of(other, from_buffer, 0);
    if (!written.use || !read.use) return WEFT_NOT_OURS;
    weft_work arrival = {.lane = WEFT_IN, .touches = &written, .count = 1};
    weft_work departure = {.lane = WEFT_OUT, .touches = &read, .count = 1};
    int status = weft_lanes_order(&self->lanes, &arrival);
    if (!status) status = weft_lanes_order(&other->lanes, &departure);
    if (status) return status;
    weft_event event = weft_begin_event(device, WEFT_COPY_IN, buffer, NULL, bytes);
    event.cause.reason = "it is current on another device, from which it comes directly";
    status = queue_across(self, place(self, buffer, 0), other, place(other, from_buffer, 0), bytes);
    if (!status) status = weft_lanes_note(&other->lanes, &departure);
    return weft_end_event(device, &event, status ? status : weft_lanes_note(&self->lanes, &arrival));
}

/* ------------------------------------------------------------------------------------------------------- waiting */

static const char *const awaited[WEFT_LANES] = {"kernels that were queued", "copies to the device",
                                                "copies to the host"};

/* Lets the host wait for some work of a lane; nothing where it is known to be done. */
static int reach(const weft_device *device, int lane, uint64_t number) {
    device_state *self = device->state;
    if (weft_lanes_is_done(&self->lanes, lane, number)) return 0;
    weft_event event = weft_begin_event(device, WEFT_WAIT, 0, NULL, 0);
    event.cause.reason = awaited[lane];
    return weft_end_event(device, &event, weft_lanes_reach(&self->lanes, lane, number));
}

static int reach_all(const weft_device *device, int lane) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    return refused ? refused : reach(device, lane, weft_lanes_queued(&self->lanes, lane));
}

static int finish_copies(const weft_device *device) {
    if (sending.device == device->state) sending.device = NULL;
    int status = reach_all(device, WEFT_OUT); /* which is after most others */
    return status ? status : reach_all(device, WEFT_IN);
}

static int wait(const weft_device *device) {
    int status = finish_copies(device);
    return status ? status : reach_all(device, WEFT_KERNELS);
}

static uint64_t sent(const weft_device *device) {
    device_state *self = device->state;
    return weft_lanes_queued(&self->lanes, WEFT_IN);
}

static int finish_sent(const weft_device *device, uint64_t number) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    return refused ? refused : reach(device, WEFT_IN, number);
}

static int finish_host(const weft_device *device, const void *low, const void *high) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    if (refused) return refused;
    int status = reach(device, WEFT_OUT, weft_lanes_meeting(&self->lanes, WEFT_OUT, low, high));
    return status ? status : reach(device, WEFT_IN, weft_lanes_meeting(&self->lanes, WEFT_IN, low, high));
}

static int join(const weft_device *device) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    return refused ? refused : weft_lanes_join(&self->lanes);
}

static const int32_t unset = 0;

/* Sets a flag of the device's memory to 0, among the kernels. */
static int unset_flag(device_state *self, uint64_t flag) {
    weft_touch touch = touch_of(self, flag, 1);
    weft_work work = {.lane = WEFT_KERNELS, .touches = &touch, .count = 1};
    int status = weft_lanes_order(&self->lanes, &work);
    if (!status) status = self->driver->copy_in(self->state, WEFT_KERNELS, place(self, flag, 0), &unset, sizeof unset);
    return status ? status : weft_lanes_note(&self->lanes, &work);
}

static int make_flag(void *given, weft_kept_flag *made) {
    const weft_device *device = given;
    device_state *self = device->state;
    if (self->driver->share) return self->driver->share(self->state, sizeof unset, made);
    size_t fresh;
    int status = take(device, sizeof unset, &made->flag, &fresh);
    return status ? status : unset_flag(self, made->flag);
}

static int read_flag(const weft_device *device, weft_kept_flag flag, int *raised) {
    device_state *self = device->state;
    int32_t value = 0;
    int status, is_copied = !self->driver->read_flag;
    if (is_copied) {
        weft_work work = {.lane = WEFT_KERNELS};
        status = self->driver->copy_out(self->state, WEFT_KERNELS, &value, place(self, flag.flag, 0), sizeof value);
        if (status || (status = weft_lanes_note(&self->lanes, &work))) return status;
    }
    status = weft_lanes_reach(&self->lanes, WEFT_KERNELS, weft_lanes_queued(&self->lanes, WEFT_KERNELS));
    if (status || !is_copied) return status ? status : self->driver->read_flag(self->state, flag, raised);
    *raised = value != 0;
    return value ? unset_flag(self, flag.flag) : 0;
}

static int take_flag(const weft_device *device, uint64_t *flag) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    weft_kept_flag taken;
    int status = weft_flags_take(&self->flags, make_flag, (void *)device, &taken);
    if (!status) *flag = taken.flag;
    return status;
}

static int give_flag(const weft_device *device, uint64_t flag, int *raised) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    if (refused) return refused;
    weft_event event = weft_begin_event(device, WEFT_WAIT, 0, NULL, 0);
    event.cause.reason = "the flag of a kernel that may raise";
    int status = read_flag(device, weft_flags_find(&self->flags, flag), raised);
    if (!status) weft_flags_give(&self->flags, flag);
    if (!status) status = weft_lanes_reach(&self->lanes, WEFT_IN, weft_lanes_queued(&self->lanes, WEFT_IN));
    return weft_end_event(device, &event, status);
}

static int make_lent(void *given, weft_kept_flag *made) {
    device_state *self = given;
    return self->driver->share(self->state, WEFT_LENT_BYTES, made);
}

int weft_device_lend(const weft_device *device, weft_kept_flag *lent) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    return self->driver->share ? weft_flags_take(&self->lent, make_lent, self, lent) : WEFT_NOT_PINNED;
}

void weft_device_take_back(const weft_device *device, const weft_kept_flag *lent) {
    device_state *self = device->state;
    if (!self->forked) weft_flags_give(&self->lent, lent->flag);
}

int weft_device_mark(const weft_device *device, uint64_t *number) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    return refused ? refused : weft_lanes_mark(&self->lanes, WEFT_KERNELS, number);
}

int weft_device_collect(const weft_device *device, uint64_t number, const weft_kept_flag *lent, size_t offset, void *host,
                        size_t bytes) {
    int status = reach(device, WEFT_KERNELS, number);
    if (status || !bytes) return status;
    double start = weft_ledger_on ? weft_now() : 0;
    memcpy(host, (const char *)lent->host + offset, bytes);
    note_collected(device, lent->flag + offset, host, bytes, start);
    return 0;
}

static int clear(const weft_device *device, uint64_t buffer, size_t bytes) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    if (refused) return refused;
    if (!bytes) return 0;
    weft_touch touch = touch_of(self, buffer, 1);
    weft_work work = {.lane = WEFT_KERNELS, .touches = &touch, .count = touch.use != NULL};
    int status = weft_lanes_order(&self->lanes, &work);
    if (!status) status = self->driver->clear(self->state, place(self, buffer, 0), bytes);
    return status ? status : weft_lanes_note(&self->lanes, &work);
}

static int settle(const weft_device *device) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    if (refused) return refused;
    weft_event event = weft_begin_event(device, WEFT_WAIT, 0, NULL, 0);
    event.cause.reason = "all work on the hardware, since the array is lent";
    return weft_end_event(device, &event, self->driver->settle(self->state));
}

static int follow(const weft_device *device, void *stream) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    return refused ? refused : self->driver->follow(self->state, stream);
}

static int lead(const weft_device *device, void *stream) {
    device_state *self = device->state;
    int status = join(device);
    return status ? status : self->driver->lead(self->state, stream);
}

static void *stream(const weft_device *device) {
    device_state *self = device->state;
    return weft_device_ready(self) || !self->driver->stream ? NULL : self->driver->stream(self->state);
}

static int is_here(const weft_device *device, const void *memory) {
    device_state *self = device->state;
    return !self->driver->is_here || self->driver->is_here(self->state, memory);
}

static int stop_flag(const weft_device *device, const volatile int *flag, uint64_t *handle) {
    device_state *self = device->state;
    return self->driver->stop_flag(self->state, flag, handle);
}

weft_device *weft_make_device(const weft_driver *driver, void *state) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    weft_device *device = malloc(sizeof *device);
    device_state *self = calloc(1, sizeof *self);
    if (!device || !self) return NULL;
    self->driver = driver;
    self->state = state;
    weft_lanes_init(&self->lanes, driver, state);
    weft_pool_init(&self->pool, driver, state, &self->lanes);
    pthread_mutex_init(&self->flags.lock, NULL);
    pthread_mutex_init(&self->lent.lock, NULL);
    pthread_mutex_init(&self->staging.lock, NULL);
    pthread_mutex_init(&self->sequences.lock, NULL);
    pthread_mutex_init(&self->products.lock, NULL);
    self->policy = (weft_policy){SIZE_MAX, SIZE_MAX, SIZE_MAX};
    *device = (weft_device){self, allocate, release, copy_in, copy_out, weft_launch_kernel, wait, take_flag, give_flag,
                            clear, settle, follow, lead, stream, copy_rows, copy_within, finish_copies, sent, finish_sent, finish_host, join,
                            is_here, copy_across, weft_repeat, weft_next_turn, stop_flag, weft_multiply};
    self->next = all;
    all = self;
    pthread_once(&once, watch);
    return device;
}

int weft_device_adopt(const weft_device *device, void *stream) {
    device_state *self = device->state;
    int refused = weft_device_ready(self);
    if (refused) return refused;
    if (!self->driver->adopt) return WEFT_NOT_ORDERED;
    int status = join(device);
    if (!status) status = stream ? self->driver->lead(self->state, stream) : self->driver->meet(self->state);
    if (!status) self->driver->adopt(self->state, stream);
    return status;
}

int weft_device_running(const weft_device *device, weft_launched running[WEFT_LANES * WEFT_LAUNCHED]) {
    device_state *self = device->state;
    int count = 0;
    pthread_mutex_lock(&self->lanes.lock);
    for (int lane = 0; lane < WEFT_LANES; lane++) {
        const weft_lane *given = &self->lanes.lanes[lane];
        uint64_t first = given->queued < WEFT_LAUNCHED ? 1 : given->queued - WEFT_LAUNCHED + 1;
        if (first <= given->done) first = given->done + 1;
        for (uint64_t number = first; number <= given->queued; number++) {
            const weft_launched *launched = &self->launched[lane][number % WEFT_LAUNCHED];
            if (launched->number == number) running[count++] = *launched;
        }
    }
    pthread_mutex_unlock(&self->lanes.lock);
    return count;
}

weft_policy *weft_device_policy(const weft_device *device) { return &((device_state *)device->state)->policy; }

int weft_device_is_apart(const weft_device *device) {
    const weft_driver *driver = ((device_state *)device->state)->driver;
    return driver->pin || driver->borrows;
}

int weft_device_pin(const weft_device *device, void *memory, size_t bytes) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    return self->driver->pin ? weft_pin(self->driver, self->state, memory, bytes) : WEFT_NOT_PINNED;
}

int weft_device_finish_sends(const weft_device *device) {
    if (sending.device != device->state) return 0;
    sending.device = NULL;
    return reach(device, WEFT_IN, sending.number);
}

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
    weft_pool_bytes(&self->pool, used, kept);
}

size_t weft_device_room(const weft_device *device) {
    return weft_pool_room(&((device_state *)device->state)->pool, weft_evictable(device));
}

int weft_device_lacks(const weft_device *device, int status) {
    return weft_pool_lacks(&((device_state *)device->state)->pool, status);
}

void weft_device_note_freed(const weft_device *device, size_t bytes) {
    note(device, WEFT_FREE, 0, bytes, weft_ledger_on ? weft_now() : 0);
}

/* Without asking what others hold where that need not be known. */
int weft_device_has_room(const weft_device *device, size_t bytes) {
    return bytes <= weft_pool_room(&((device_state *)device->state)->pool, 0) || bytes <= weft_device_room(device);
}

void weft_device_has(const weft_device *device, size_t bytes) { ((device_state *)device->state)->pool.there = bytes; }
