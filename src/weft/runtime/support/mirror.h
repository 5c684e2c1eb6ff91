/* What a device holds of the host's memory while a program runs, for generated host code.

   Arrays are mirrored by the bytes between their first and last element. Arrays whose bytes overlap share one buffer, so
   a kernel that writes through one view and reads through another sees one memory, as on the host. Every function that
   may fail returns 0 when done; whatever happens, `weft_mirror_close` gives all buffers back. */
#ifndef WEFT_MIRROR_H
#define WEFT_MIRROR_H
#include "weft.h"

typedef struct {
    char *low, *high;
    uint64_t buffer;
} weft_held;

typedef struct {
    const weft_device *device;
    weft_held *items;
    int count, room;
} weft_mirror;

/* An array as the host sees it. */
typedef struct {
    char *data;
    int64_t size; /* bytes of an element */
    int dimensions;
    int64_t shape[WEFT_MAX_DIMS], strides[WEFT_MAX_DIMS];
} weft_array;

/* The bytes [*low, *high) that an array spans; 0 where it has no elements. */
static inline int weft_array_span(const weft_array *array, char **low, char **high) {
    *low = *high = array->data;
    for (int k = 0; k < array->dimensions; k++) {
        if (array->shape[k] <= 0) return 0;
        int64_t reach = (array->shape[k] - 1) * array->strides[k];
        if (reach < 0) *low += reach;
        else *high += reach;
    }
    *high += array->size;
    return 1;
}

static inline weft_held *weft_mirror_find(const weft_mirror *mirror, const char *low, const char *high) {
    for (int k = 0; k < mirror->count; k++)
        if (mirror->items[k].low < high && low < mirror->items[k].high) return &mirror->items[k];
    return NULL;
}

static inline int weft_mirror_drop(weft_mirror *mirror, weft_held *item) {
    int status = mirror->device->release(mirror->device, item->buffer);
    *item = mirror->items[--mirror->count];
    return status;
}

/* Where in its buffer a host address is. Buffers keep the distance to a multiple of 64 bytes, and so the alignment. */
static inline size_t weft_held_offset(const weft_held *item, const char *address) {
    return (size_t)item->low % 64 + (size_t)(address - item->low);
}

static inline int weft_mirror_send(const weft_mirror *mirror, const weft_held *item, const char *low, size_t bytes) {
    return mirror->device->copy_in(mirror->device, item->buffer, weft_held_offset(item, low), low, bytes);
}

static inline int weft_mirror_fetch(const weft_mirror *mirror, const weft_held *item, char *host, const char *low,
                                    size_t bytes) {
    return mirror->device->copy_out(mirror->device, host, item->buffer, weft_held_offset(item, low), bytes);
}

/* Moves what a buffer holds into a temporary that stands for the host's bytes from `start` on, and drops the buffer. */
static inline int weft_mirror_take(weft_mirror *mirror, weft_held *item, char *temporary, const char *start) {
    size_t bytes = (size_t)(item->high - item->low);
    int status = weft_mirror_fetch(mirror, item, temporary + (item->low - start), item->low, bytes);
    if (!status) status = mirror->device->wait(mirror->device);
    int dropped = weft_mirror_drop(mirror, item);
    return status ? status : dropped;
}

static inline int weft_mirror_add(weft_mirror *mirror, char *low, char *high) {
    if (mirror->count == mirror->room) {
        int room = mirror->room ? 2 * mirror->room : 16;
        weft_held *items = (weft_held *)__builtin_realloc(mirror->items, (size_t)room * sizeof *items);
        if (!items) return 1;
        mirror->items = items;
        mirror->room = room;
    }
    weft_held item = {low, high, 0};
    int status = mirror->device->allocate(mirror->device, weft_held_offset(&item, high), &item.buffer);
    if (!status) mirror->items[mirror->count++] = item;
    return status;
}

/* Replaces the buffers that [low, high) overlaps by one that spans them all and keeps what they hold. */
static inline int weft_mirror_merge(weft_mirror *mirror, char *low, char *high) {
    char *start = low, *end = high;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int k = 0; k < mirror->count; k++) {
            weft_held *item = &mirror->items[k];
            if (item->low >= end || start >= item->high) continue;
            if (item->low < start) start = item->low, changed = 1;
            if (item->high > end) end = item->high, changed = 1;
        }
    }
    /* The host's bytes first: those of no buffer are copied in, or written, before anything reads them. */
    size_t bytes = (size_t)(end - start);
    char *temporary = (char *)__builtin_malloc(bytes);
    if (!temporary) return 1;
    __builtin_memcpy(temporary, start, bytes);
    int status = 0;
    for (weft_held *item; !status && (item = weft_mirror_find(mirror, start, end));)
        status = weft_mirror_take(mirror, item, temporary, start);
    if (!status) status = weft_mirror_add(mirror, start, end);
    if (!status) {
        weft_held *item = &mirror->items[mirror->count - 1];
        size_t offset = weft_held_offset(item, start);
        status = mirror->device->copy_in(mirror->device, item->buffer, offset, temporary, bytes);
    }
    if (!status) status = mirror->device->wait(mirror->device);
    __builtin_free(temporary);
    return status;
}

/* Makes sure that one buffer spans [low, high). */
static inline int weft_mirror_hold(weft_mirror *mirror, char *low, char *high) {
    weft_held *item = weft_mirror_find(mirror, low, high);
    if (!item) return weft_mirror_add(mirror, low, high);
    return item->low <= low && high <= item->high ? 0 : weft_mirror_merge(mirror, low, high);
}

/* The elements of an array become current on the device. */
static inline int weft_mirror_in(weft_mirror *mirror, weft_array array) {
    char *low, *high;
    if (!weft_array_span(&array, &low, &high)) return 0;
    int status = weft_mirror_hold(mirror, low, high);
    return status ? status : weft_mirror_send(mirror, weft_mirror_find(mirror, low, high), low, (size_t)(high - low));
}

/* Whether the elements of an array are all the bytes that it spans. */
static inline int weft_array_is_dense(const weft_array *array) {
    int64_t expected = array->size;
    char done[WEFT_MAX_DIMS] = {0};
    for (int round = 0; round < array->dimensions; round++) {
        int next = -1;
        for (int k = 0; k < array->dimensions && next < 0; k++) {
            int64_t stride = array->strides[k] < 0 ? -array->strides[k] : array->strides[k];
            if (!done[k] && (array->shape[k] == 1 || stride == expected)) next = k;
        }
        if (next < 0) return 0;
        done[next] = 1;
        if (array->shape[next] > 1) expected *= array->shape[next];
    }
    return 1;
}

static inline void weft_scatter(const weft_array *array, int axis, char *host, const char *copy) {
    if (axis == array->dimensions) {
        __builtin_memcpy(host, copy, (size_t)array->size);
        return;
    }
    int64_t stride = array->strides[axis];
    if (axis == array->dimensions - 1 && stride == array->size) {
        __builtin_memcpy(host, copy, (size_t)(array->shape[axis] * array->size));
        return;
    }
    for (int64_t k = 0; k < array->shape[axis]; k++) weft_scatter(array, axis + 1, host + k * stride, copy + k * stride);
}

/* The elements of an array, and no byte between them, become current on the host once the device was waited for. */
static inline int weft_mirror_out(weft_mirror *mirror, weft_array array) {
    char *low, *high;
    if (!weft_array_span(&array, &low, &high)) return 0;
    weft_held *item = weft_mirror_find(mirror, low, high);
    if (!item || item->low > low || item->high < high) return 1;
    size_t bytes = (size_t)(high - low);
    if (weft_array_is_dense(&array)) return weft_mirror_fetch(mirror, item, low, low, bytes);
    char *temporary = (char *)__builtin_malloc(bytes);
    if (!temporary) return 1;
    int status = weft_mirror_fetch(mirror, item, temporary, low, bytes);
    if (!status) status = mirror->device->wait(mirror->device);
    if (!status) weft_scatter(&array, 0, array.data, temporary + (array.data - low));
    __builtin_free(temporary);
    return status;
}

/* Gives the buffer of an array back; nothing where another array that shares it was freed. */
static inline int weft_mirror_free(weft_mirror *mirror, weft_array array) {
    char *low, *high;
    if (!weft_array_span(&array, &low, &high)) return 0;
    weft_held *item = weft_mirror_find(mirror, low, high);
    return item ? weft_mirror_drop(mirror, item) : 0;
}

static inline void weft_mirror_close(weft_mirror *mirror) {
    if (mirror->count) mirror->device->wait(mirror->device);
    while (mirror->count) weft_mirror_drop(mirror, &mirror->items[0]);
    __builtin_free(mirror->items);
}

/* -------------------------------------------------------------------------------------------------- launches */

enum { WEFT_MAX_ARGUMENTS = 400, WEFT_MAX_BLOCKS_X = 2147483647, WEFT_MAX_BLOCKS = 65535 };

typedef struct {
    weft_argument items[WEFT_MAX_ARGUMENTS];
    union {
        int64_t integer;
        uint64_t buffer;
        char bytes[16];
    } values[WEFT_MAX_ARGUMENTS];
    int count, status;
} weft_arguments;

static inline int weft_pass(weft_arguments *arguments, const void *value, size_t size, int is_buffer) {
    if (arguments->count == WEFT_MAX_ARGUMENTS) return arguments->status = 1;
    int k = arguments->count++;
    __builtin_memcpy(&arguments->values[k], value, size);
    arguments->items[k] = (weft_argument){&arguments->values[k], size, is_buffer};
    return 0;
}

static inline void weft_pass_integer(weft_arguments *arguments, int64_t value) {
    weft_pass(arguments, &value, sizeof value, 0);
}

/* An array: its buffer, the place of its first element in it, its extents, and its first `strides` strides. An array
   without elements has no buffer. */
static inline void weft_pass_array(weft_arguments *arguments, weft_mirror *mirror, weft_array array, int strides) {
    char *low, *high;
    uint64_t buffer = 0;
    int64_t offset = 0;
    if (weft_array_span(&array, &low, &high)) {
        int status = weft_mirror_hold(mirror, low, high);
        if (status) {
            arguments->status = status;
            return;
        }
        weft_held *item = weft_mirror_find(mirror, low, high);
        buffer = item->buffer;
        offset = (int64_t)weft_held_offset(item, array.data);
    }
    weft_pass(arguments, &buffer, sizeof buffer, 1);
    weft_pass_integer(arguments, offset);
    for (int k = 0; k < array.dimensions; k++) weft_pass_integer(arguments, array.shape[k]);
    for (int k = 0; k < strides; k++) weft_pass_integer(arguments, array.strides[k]);
}

/* The same for an array that is on the device already. */
static inline void weft_pass_device_array(weft_arguments *arguments, weft_array array, int strides) {
    uint64_t buffer = (uint64_t)(size_t)array.data;
    weft_pass(arguments, &buffer, sizeof buffer, 1);
    weft_pass_integer(arguments, 0);
    for (int k = 0; k < array.dimensions; k++) weft_pass_integer(arguments, array.shape[k]);
    for (int k = 0; k < strides; k++) weft_pass_integer(arguments, array.strides[k]);
}

/* Makes sure that an array of a launch has a place: of all arrays, before the first is passed, since holding one may move
   another. */
static inline void weft_hold(weft_arguments *arguments, weft_mirror *mirror, weft_array array) {
    char *low, *high;
    if (weft_array_span(&array, &low, &high) && !arguments->status)
        arguments->status = weft_mirror_hold(mirror, low, high);
}

/* Runs a kernel over `blocks` blocks of `group` work items along x, y and z, in as many launches as the limits of the grid
   need. `offsets` says which arguments the offsets along x, y and z are; -1 where there is none. */
static inline int weft_launch(const weft_device *device, void *kernel, weft_arguments *arguments,
                              const int64_t blocks[3], const size_t group[3], const int offsets[3]) {
    static const int64_t limits[3] = {WEFT_MAX_BLOCKS_X, WEFT_MAX_BLOCKS, WEFT_MAX_BLOCKS};
    int64_t first[3] = {0, 0, 0}, done[3];
    int status = arguments->status;
    for (int k = 0; k < 3; k++) {
        if (blocks[k] <= 0) return status;
        if (offsets[k] >= 0) first[k] = arguments->values[offsets[k]].integer;
    }
    for (done[2] = 0; !status && done[2] < blocks[2]; done[2] += limits[2])
        for (done[1] = 0; !status && done[1] < blocks[1]; done[1] += limits[1])
            for (done[0] = 0; !status && done[0] < blocks[0]; done[0] += limits[0]) {
                size_t grid[3];
                for (int k = 0; k < 3; k++) {
                    int64_t left = blocks[k] - done[k];
                    grid[k] = (size_t)(left < limits[k] ? left : limits[k]);
                    if (offsets[k] >= 0)
                        arguments->values[offsets[k]].integer = first[k] + done[k] * (int64_t)group[k];
                }
                status = device->launch(device, kernel, grid, group, arguments->items, arguments->count);
            }
    return status;
}

/* A flag on the device that kernels set where the program would raise. */
static inline int weft_flag_new(const weft_device *device, uint64_t *flag) {
    static const int32_t zero = 0;
    int status = device->allocate(device, sizeof zero, flag);
    if (status) return status;
    status = device->copy_in(device, *flag, 0, &zero, sizeof zero);
    if (status) device->release(device, *flag);
    return status;
}

/* Waits for the kernel, tells whether it set the flag, and gives the flag back. */
static inline int weft_flag_take(const weft_device *device, uint64_t flag, int *raised) {
    int32_t value = 0;
    int status = device->copy_out(device, &value, flag, 0, sizeof value);
    if (!status) status = device->wait(device);
    int released = device->release(device, flag);
    *raised = value != 0;
    return status ? status : released;
}
#endif
