/* Launches of kernels: which memory they touch, who queued them, and those that are held back to be queued together.

   A repetition belongs to the calling thread. What its loop launches is kept until the next iteration would make it more than
   a sequence has; then whole periods of the loop are queued, so that arrays that change places meet the same arguments again.
   Kernels that take long are queued a few at a time, since nothing can take back what is queued. */
#include "device_state.h"
#include <stdlib.h>
#include <string.h>

enum { AHEAD = 3 /* parts that are queued at a time */, FIRST_PACE = 16 };

struct weft_repetition {
    const weft_device *device;
    int depth;
    weft_kept_launch launches[WEFT_SEQUENCE];
    int count;
    int ends[WEFT_SEQUENCE], turns; /* how many launches there were at the end of each iteration */
    int pace, queued;               /* launches that are queued until the host waits for earlier ones; and so far */
    uint64_t marks[AHEAD];          /* the last kernel of each of the latest such parts */
    double start;
};

static _Thread_local weft_repetition *present;

static int is_buffer(const weft_argument *argument) {
    return argument->kind == WEFT_READ || argument->kind == WEFT_WRITTEN;
}

/* Arguments as a driver with handles takes them: the handle, and in the next argument the offset from its start. */
static void resolve(device_state *self, const weft_launch *given, weft_argument *items, weft_place *places, int64_t *offsets) {
    for (int k = 0; k < given->count; k++) {
        const weft_argument *argument = &given->arguments[k];
        items[k] = *argument;
        if (k && is_buffer(&argument[-1]) && places[k - 1].offset) {
            offsets[k] = *(const int64_t *)argument->value + (int64_t)places[k - 1].offset;
            items[k].value = &offsets[k];
        }
        if (!is_buffer(argument)) continue;
        uint64_t address = *(const uint64_t *)argument->value;
        places[k] = address ? weft_pool_place(&self->pool, address) : (weft_place){0, 0};
        items[k].value = &places[k].handle;
    }
}

static int run_kernel(device_state *self, const weft_launch *launch) {
    if (self->driver->has_addresses) return self->driver->launch(self->state, launch);
    weft_argument items[WEFT_MOST_ARGUMENTS];
    weft_place places[WEFT_MOST_ARGUMENTS];
    int64_t offsets[WEFT_MOST_ARGUMENTS];
    weft_launch resolved = *launch;
    resolve(self, launch, items, places, offsets);
    resolved.arguments = items;
    return self->driver->launch(self->state, &resolved);
}

/* ---------------------------------------------------------------------------------------------- order and names */

static weft_work work_of(device_state *self, const weft_launch *launch, weft_touch *touches) {
    weft_work work = {.lane = WEFT_KERNELS, .touches = touches};
    for (int k = 0; k < launch->count; k++) {
        const weft_argument *argument = &launch->arguments[k];
        if (!is_buffer(argument)) continue;
        uint64_t address = *(const uint64_t *)argument->value;
        weft_use *use = address ? weft_pool_use(&self->pool, address) : NULL;
        if (use) touches[work.count++] = (weft_touch){use, argument->kind == WEFT_WRITTEN};
    }
    return work;
}

/* Lets what is queued next come after what some launches touch. */
static int order(device_state *self, const weft_launch *launch) {
    weft_touch touches[WEFT_MOST_ARGUMENTS];
    weft_work work = work_of(self, launch, touches);
    return weft_lanes_order(&self->lanes, &work);
}

static int note(device_state *self, const weft_launch *launch) {
    weft_touch touches[WEFT_MOST_ARGUMENTS];
    weft_work work = work_of(self, launch, touches);
    return weft_note_work(self, &work, launch->kernel);
}

static int is_adopted(device_state *self) { return self->driver->is_adopted && self->driver->is_adopted(self->state); }

static int launch_now(const weft_device *device, const weft_launch *launch) {
    device_state *self = device->state;
    int meets = is_adopted(self), status = meets ? self->driver->meet(self->state) : 0;
    if (!status) status = order(self, launch);
    if (status) return status;
    weft_event event = weft_begin_event(device, WEFT_LAUNCH, 0, launch->kernel, 0);
    status = run_kernel(self, launch);
    if (!status && meets) status = self->driver->meet(self->state);
    return weft_end_event(device, &event, status ? status : note(self, launch));
}

/* ---------------------------------------------------------------------------------------------------- repetitions */

/* The kernels of an event, while somebody wants to know. */
static void name_kernels(weft_event *event, const weft_kept_launch *launches, int count) {
    event->kernels = event->start ? malloc((size_t)count * sizeof *event->kernels) : NULL;
    if (!event->kernels) return;
    for (int k = 0; k < count; k++) event->kernels[k] = launches[k].launch.kernel;
    event->count = count;
}

/* Forgets the first launches that are held back; their memory serves others. */
static void drop_first(weft_repetition *held, int count) {
    weft_kept_launch dropped[WEFT_SEQUENCE];
    int rest = held->count - count, past = 0;
    memcpy(dropped, held->launches, (size_t)count * sizeof *dropped);
    memmove(held->launches, held->launches + count, (size_t)rest * sizeof *dropped);
    memcpy(held->launches + rest, dropped, (size_t)count * sizeof *dropped);
    held->count = rest;
    while (past < held->turns && held->ends[past] <= count) past++;
    held->turns -= past;
    for (int k = 0; k < held->turns; k++) held->ends[k] = held->ends[k + past] - count;
}

/* Queues the first launches that are held back, and keeps the rest. */
static int queue_held(weft_repetition *held, int count) {
    const weft_device *device = held->device;
    device_state *self = device->state;
    int status = 0;
    for (int k = 0; !status && k < count; k++) status = order(self, &held->launches[k].launch);
    if (!status) {
        weft_event event = weft_begin_event(device, WEFT_LAUNCH, 0, held->launches[0].launch.kernel, 0);
        name_kernels(&event, held->launches, count);
        status = weft_queue_launches(&self->sequences, self->driver, self->state, held->launches, count);
        for (int k = 0; !status && k < count; k++) status = note(self, &held->launches[k].launch);
        weft_end_event(device, &event, status);
    }
    held->queued += count;
    drop_first(held, count);
    return status;
}

/* Whether the launches from some place on are the first ones again, as far as they go. */
static int repeats_from(const weft_repetition *held, int start) {
    for (int k = start; k < held->count; k++)
        if (!weft_same_launch(&held->launches[k], &held->launches[k - start])) return 0;
    return 1;
}

/* How many launches are whole periods of the loop; all where nothing comes again. */
static int whole_periods(const weft_repetition *held) {
    for (int period = 1; 2 * period <= held->turns; period++)
        if (repeats_from(held, held->ends[period - 1])) return held->ends[held->turns / period * period - 1];
    return held->count;
}

static int hold(weft_repetition *held, const weft_launch *launch) {
    int status = held->count == WEFT_SEQUENCE ? queue_held(held, held->count) : 0;
    return status ? status : weft_keep_launch(&held->launches[held->count++], launch);
}

static const double LONG = 0.1, SHORT = 0.02; /* seconds that a part takes */

/* Waits for the first of the parts that are queued, and makes the next one as large as that suggests. */
static int keep_pace(weft_repetition *held) {
    device_state *self = held->device->state;
    if (held->queued < held->pace) return 0;
    uint64_t first = held->marks[0];
    memmove(held->marks, held->marks + 1, sizeof held->marks - sizeof first);
    held->queued = 0;
    int status = weft_lanes_mark(&self->lanes, WEFT_KERNELS, &held->marks[AHEAD - 1]);
    if (status || !first) return status;
    status = weft_lanes_reach(&self->lanes, WEFT_KERNELS, first);
    double now = weft_now(), took = now - held->start;
    if (took > LONG && held->pace > 1) held->pace /= 2;
    else if (took < SHORT && held->pace < WEFT_SEQUENCE) held->pace *= 2;
    held->start = now;
    return status;
}

int weft_next_turn(const weft_device *device) {
    weft_repetition *held = present;
    if (!held || held->device != device) return 0;
    int before = held->turns ? held->ends[held->turns - 1] : 0, status = 0;
    if (held->count > before) held->ends[held->turns++] = held->count;
    if (held->count && held->count + held->count / held->turns > held->pace) status = queue_held(held, whole_periods(held));
    return status ? status : keep_pace(held);
}

/* A repetition that an earlier loop has left, or a new one; NULL where there is no memory. */
static weft_repetition *take_idle(device_state *self) {
    pthread_mutex_lock(&self->sequences.lock);
    weft_repetition *idle = self->idle;
    self->idle = NULL;
    pthread_mutex_unlock(&self->sequences.lock);
    return idle ? idle : calloc(1, sizeof *idle);
}

static void leave_idle(device_state *self, weft_repetition *idle) {
    pthread_mutex_lock(&self->sequences.lock);
    weft_repetition *other = self->idle;
    self->idle = idle;
    pthread_mutex_unlock(&self->sequences.lock);
    if (other) weft_forget_launches(other->launches, WEFT_SEQUENCE);
    free(other);
}

/* Without memory for it, or within a repetition of another device, nothing is held back. */
static int begin(const weft_device *device) {
    if (present) present->depth += present->device == device;
    else if ((present = take_idle(device->state))) {
        present->device = device;
        present->depth = 1;
        present->count = present->turns = present->queued = 0;
        present->pace = FIRST_PACE;
        present->start = weft_now();
        memset(present->marks, 0, sizeof present->marks);
    }
    return 0;
}

static int finish(weft_repetition *held) {
    if (--held->depth) return 0;
    int status = held->count ? queue_held(held, held->count) : 0;
    present = NULL;
    leave_idle(held->device->state, held);
    return status;
}

int weft_repeat(const weft_device *device, int begins) {
    if (begins) return begin(device);
    return present && present->device == device ? finish(present) : 0;
}

int weft_device_ready(device_state *self) {
    if (self->forked) return WEFT_FORKED;
    int is_held = present && present->count && present->device->state == self;
    return is_held ? queue_held(present, present->count) : 0;
}

int weft_launch_kernel(const weft_device *device, void *kernel, const size_t grid[3], const size_t group[4],
                       const weft_argument *arguments, int count, int marks) {
    device_state *self = device->state;
    if (self->forked) return WEFT_FORKED;
    if (count > WEFT_MOST_ARGUMENTS) return WEFT_TOO_MANY_ARGUMENTS;
    weft_launch given = {kernel, {grid[0], grid[1], grid[2]}, {group[0], group[1], group[2], group[3]}, arguments, count, marks};
    int is_repeated = present && present->device == device;
    if (is_repeated && self->driver->make_sequence && !is_adopted(self)) return hold(present, &given);
    if (is_repeated) present->queued++;
    return launch_now(device, &given);
}
