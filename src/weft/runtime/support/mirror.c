/* Buffers of a device for arrays of the host, and launches: see `mirror.h`. */
#include "mirror.h"
#include <stdlib.h>
#include <string.h>

enum { TOO_MANY_ARGUMENTS = 10001 };

static _Thread_local weft_failure failure;

/* Remembers why a call fails, for the exception that Python raises; gives the status back. */
static int failed(int status) {
    if (status && !failure.status) failure.status = status;
    return status;
}

weft_failure weft_take_failure(void) {
    weft_failure last = failure;
    failure = (weft_failure){0, 0};
    return last;
}

/* The bytes [*low, *high) that an array spans; 0 where it has no elements. */
static int array_span(const weft_array *array, char **low, char **high) {
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

static weft_held *find(const weft_mirror *mirror, const char *low, const char *high) {
    for (int k = 0; k < mirror->count; k++)
        if (mirror->items[k].low < high && low < mirror->items[k].high) return &mirror->items[k];
    return NULL;
}

static int release(weft_mirror *mirror, weft_held *item) {
    int status = mirror->device->release(mirror->device, item->buffer);
    *item = mirror->items[--mirror->count];
    return failed(status);
}

static int wait(weft_mirror *mirror) { return failed(mirror->device->wait(mirror->device)); }

/* Where in its buffer a host address is. Buffers keep the distance to a multiple of 64 bytes, and so the alignment. */
static size_t offset_of(const weft_held *item, const char *address) {
    return (size_t)item->low % 64 + (size_t)(address - item->low);
}

static int send(const weft_mirror *mirror, const weft_held *item, const char *low, size_t bytes) {
    return failed(mirror->device->copy_in(mirror->device, item->buffer, offset_of(item, low), low, bytes));
}

static int fetch(const weft_mirror *mirror, const weft_held *item, char *host, const char *low, size_t bytes) {
    return failed(mirror->device->copy_out(mirror->device, host, item->buffer, offset_of(item, low), bytes));
}

/* Moves what a buffer holds into a temporary that stands for the host's bytes from `start` on, and drops the buffer. */
static int take(weft_mirror *mirror, weft_held *item, char *temporary, const char *start) {
    size_t bytes = (size_t)(item->high - item->low);
    int status = fetch(mirror, item, temporary + (item->low - start), item->low, bytes);
    if (!status) status = wait(mirror);
    int dropped = release(mirror, item);
    return status ? status : dropped;
}

static int add(weft_mirror *mirror, char *low, char *high) {
    if (mirror->count == mirror->room) {
        int room = mirror->room ? 2 * mirror->room : 16;
        weft_held *items = realloc(mirror->items, (size_t)room * sizeof *items);
        if (!items) return failed(WEFT_NO_HOST_MEMORY);
        mirror->items = items;
        mirror->room = room;
    }
    weft_held item = {low, high, 0};
    size_t bytes = offset_of(&item, high);
    int status = mirror->device->allocate(mirror->device, bytes, &item.buffer);
    if (!status) mirror->items[mirror->count++] = item;
    else failure.bytes = bytes;
    return failed(status);
}

/* Replaces the buffers that [low, high) overlaps by one that spans them all and keeps what they hold. */
static int merge(weft_mirror *mirror, char *low, char *high) {
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
    char *temporary = malloc(bytes);
    if (!temporary) return failed(WEFT_NO_HOST_MEMORY);
    memcpy(temporary, start, bytes);
    int status = 0;
    for (weft_held *item; !status && (item = find(mirror, start, end));)
        status = take(mirror, item, temporary, start);
    if (!status) status = add(mirror, start, end);
    if (!status) {
        weft_held *item = &mirror->items[mirror->count - 1];
        size_t offset = offset_of(item, start);
        status = failed(mirror->device->copy_in(mirror->device, item->buffer, offset, temporary, bytes));
    }
    if (!status) status = wait(mirror);
    free(temporary);
    return status;
}

/* Makes sure that one buffer spans [low, high). */
static int hold_bytes(weft_mirror *mirror, char *low, char *high) {
    weft_held *item = find(mirror, low, high);
    if (!item) return add(mirror, low, high);
    return item->low <= low && high <= item->high ? 0 : merge(mirror, low, high);
}

static int in(weft_mirror *mirror, const weft_array *array) {
    char *low, *high;
    if (!array_span(array, &low, &high)) return 0;
    int status = hold_bytes(mirror, low, high);
    return status ? status : send(mirror, find(mirror, low, high), low, (size_t)(high - low));
}

/* Whether the elements of an array are all the bytes that it spans. */
static int array_is_dense(const weft_array *array) {
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

static void scatter(const weft_array *array, int axis, char *host, const char *copy) {
    if (axis == array->dimensions) {
        memcpy(host, copy, (size_t)array->size);
        return;
    }
    int64_t stride = array->strides[axis];
    if (axis == array->dimensions - 1 && stride == array->size) {
        memcpy(host, copy, (size_t)(array->shape[axis] * array->size));
        return;
    }
    for (int64_t k = 0; k < array->shape[axis]; k++) scatter(array, axis + 1, host + k * stride, copy + k * stride);
}

static int out(weft_mirror *mirror, const weft_array *array) {
    char *low, *high;
    if (!array_span(array, &low, &high)) return 0;
    weft_held *item = find(mirror, low, high);
    if (!item || item->low > low || item->high < high) return 1;
    size_t bytes = (size_t)(high - low);
    if (array_is_dense(array)) return fetch(mirror, item, low, low, bytes);
    char *temporary = malloc(bytes);
    if (!temporary) return failed(WEFT_NO_HOST_MEMORY);
    int status = fetch(mirror, item, temporary, low, bytes);
    if (!status) status = wait(mirror);
    if (!status) scatter(array, 0, array->data, temporary + (array->data - low));
    free(temporary);
    return status;
}

static int drop(weft_mirror *mirror, const weft_array *array) {
    char *low, *high;
    if (!array_span(array, &low, &high)) return 0;
    weft_held *item = find(mirror, low, high);
    return item ? release(mirror, item) : 0;
}

static void close_mirror(weft_mirror *mirror) {
    if (mirror->count) wait(mirror);
    while (mirror->count) release(mirror, &mirror->items[0]);
    free(mirror->items);
}

/* -------------------------------------------------------------------------------------------------- launches */

enum { MAX_BLOCKS_X = 2147483647, MAX_BLOCKS = 65535 };

static void pass_value(weft_arguments *arguments, const void *value, size_t size, int is_buffer) {
    if (arguments->count == WEFT_MAX_ARGUMENTS) {
        arguments->status = failed(TOO_MANY_ARGUMENTS);
        return;
    }
    int k = arguments->count++;
    memcpy(&arguments->values[k], value, size);
    arguments->items[k] = (weft_argument){&arguments->values[k], size, is_buffer};
}

static void pass(weft_arguments *arguments, const void *value, size_t size) { pass_value(arguments, value, size, 0); }

static void pass_integer(weft_arguments *arguments, int64_t value) {
    pass_value(arguments, &value, sizeof value, 0);
}

static void pass_array(weft_arguments *arguments, weft_mirror *mirror, const weft_array *array, int strides) {
    char *low, *high;
    uint64_t buffer = 0;
    int64_t offset = 0;
    if (array_span(array, &low, &high)) {
        int status = hold_bytes(mirror, low, high);
        if (status) {
            arguments->status = status;
            return;
        }
        weft_held *item = find(mirror, low, high);
        buffer = item->buffer;
        offset = (int64_t)offset_of(item, array->data);
    }
    pass_value(arguments, &buffer, sizeof buffer, 1);
    pass_integer(arguments, offset);
    for (int k = 0; k < array->dimensions; k++) pass_integer(arguments, array->shape[k]);
    for (int k = 0; k < strides; k++) pass_integer(arguments, array->strides[k]);
}

static void pass_device_array(weft_arguments *arguments, const weft_array *array, int strides) {
    uint64_t buffer = (uint64_t)(size_t)array->data;
    pass_value(arguments, &buffer, sizeof buffer, 1);
    pass_integer(arguments, 0);
    for (int k = 0; k < array->dimensions; k++) pass_integer(arguments, array->shape[k]);
    for (int k = 0; k < strides; k++) pass_integer(arguments, array->strides[k]);
}

static void hold(weft_arguments *arguments, weft_mirror *mirror, const weft_array *array) {
    char *low, *high;
    if (array_span(array, &low, &high) && !arguments->status)
        arguments->status = hold_bytes(mirror, low, high);
}

/* The launches of a grid: a piece of each axis at a time. */
static int launch_pieces(const weft_device *device, void *kernel, weft_arguments *arguments, const int64_t blocks[3],
                         const size_t group[3], const int offsets[3]) {
    static const int64_t limits[3] = {MAX_BLOCKS_X, MAX_BLOCKS, MAX_BLOCKS};
    int64_t first[3] = {0, 0, 0}, done[3];
    int status = 0;
    for (int k = 0; k < 3; k++)
        if (offsets[k] >= 0) first[k] = arguments->values[offsets[k]].integer;
    for (done[2] = 0; !status && done[2] < blocks[2]; done[2] += limits[2])
        for (done[1] = 0; !status && done[1] < blocks[1]; done[1] += limits[1])
            for (done[0] = 0; !status && done[0] < blocks[0]; done[0] += limits[0]) {
                size_t grid[3];
                for (int k = 0; k < 3; k++) {
                    int64_t left = blocks[k] - done[k];
                    grid[k] = (size_t)(left < limits[k] ? left : limits[k]);
                    if (offsets[k] >= 0) arguments->values[offsets[k]].integer = first[k] + done[k] * (int64_t)group[k];
                }
                status = device->launch(device, kernel, grid, group, arguments->items, arguments->count);
            }
    return status;
}

static int launch(weft_mirror *mirror, void *kernel, weft_arguments *arguments, const int64_t blocks[3],
                  const size_t group[3], const int offsets[3], int *raised) {
    const weft_device *device = mirror->device;
    if (raised) *raised = 0;
    if (arguments->status || blocks[0] <= 0 || blocks[1] <= 0 || blocks[2] <= 0) return arguments->status;
    if (!raised) return failed(launch_pieces(device, kernel, arguments, blocks, group, offsets));
    uint64_t flag;
    int status = device->take_flag(device, &flag);
    if (status) return failed(status);
    pass_value(arguments, &flag, sizeof flag, 1);
    status = arguments->status ? arguments->status : launch_pieces(device, kernel, arguments, blocks, group, offsets);
    int given = device->give_flag(device, flag, raised);
    return failed(status ? status : given);
}

const weft_mirrors weft_mirror_functions = {in, out, drop, wait, close_mirror, hold, pass, pass_array, pass_device_array,
                                            launch};
