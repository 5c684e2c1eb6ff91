/* Buffers of a device for arrays of the host, and launches: see `mirror.h`. */
#include "mirror.h"
#include "driver.h"
#include "eviction.h"
#include "host_memory.h"
#include "ledger.h"
#include <stdlib.h>
#include <string.h>


static _Thread_local weft_failure failure;

_Thread_local weft_guests weft_present_guests;

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

/* Bytes of the host, and where the device has them. What is `lent` is memory of the host: whether a kernel may be writing
   there, and the one whose results are to go to their place; 0: none. What gave its buffer up is in `aside`. */
struct weft_held {
    char *low, *high;
    uint64_t buffer;
    weft_kept_flag lent;
    int is_written;
    uint64_t wanted;
    weft_guest *guest; /* whose memory it is; NULL: the mirror's */
    char *aside;
    int is_aside;
    uint64_t used; /* the turn in which it was needed last */
};

/* Elements that the host is owed, or that it owes the device. */
struct weft_debt {
    weft_array array;
    int back;
};

static weft_held *find(const weft_places *places, const char *low, const char *high) {
    for (int k = 0; k < places->count; k++)
        if (places->items[k].low < high && low < places->items[k].high) return &places->items[k];
    return NULL;
}

/* Waits for the kernel whose results are wanted, and brings them to their place. */
static int collect(const weft_mirror *mirror, weft_held *item) {
    size_t bytes = (size_t)(item->high - item->low), offset = (size_t)item->low % 64;
    int status = weft_device_collect(mirror->device, item->wanted, &item->lent, offset, item->low, bytes);
    item->wanted = 0;
    item->is_written = 0;
    return status;
}

/* Takes lent memory back, when no kernel writes there any more. */
static int take_back(const weft_mirror *mirror, weft_held *item) {
    uint64_t last;
    int status = item->wanted ? collect(mirror, item) : 0;
    if (!status && item->is_written && !(status = weft_device_mark(mirror->device, &last)))
        status = weft_device_collect(mirror->device, last, &item->lent, 0, NULL, 0);
    if (!status) weft_device_take_back(mirror->device, &item->lent);
    return status;
}

/* Nothing reads there any more. */
static int drop_aside(const weft_mirror *mirror, weft_held *item) {
    if (!item->aside) return 0;
    int status = mirror->device->finish_host(mirror->device, item->aside, item->aside + (item->high - item->low));
    weft_host_release(item->aside);
    return status;
}

static int release(const weft_mirror *mirror, weft_places *places, weft_held *item) {
    int status = 0;
    if (item->lent.host) status = take_back(mirror, item);
    else if (!item->guest && !item->is_aside) status = mirror->device->release(mirror->device, item->buffer);
    int dropped = drop_aside(mirror, item);
    if (!status) status = dropped;
    *item = places->items[--places->count];
    return failed(status);
}

static int wait(weft_mirror *mirror) {
    weft_present_cause.program_line = mirror->line;
    int status = mirror->device->finish_copies(mirror->device);
    for (int k = 0; !status && k < mirror->places.count; k++)
        if (mirror->places.items[k].wanted) status = collect(mirror, &mirror->places.items[k]);
    return failed(status);
}

static int wait_for(weft_mirror *mirror, const weft_array *array) {
    char *low, *high;
    if (!array_span(array, &low, &high)) return 0;
    weft_present_cause.program_line = mirror->line;
    int status = mirror->device->finish_host(mirror->device, low, high);
    for (int k = 0; !status && k < mirror->places.count; k++) {
        weft_held *item = &mirror->places.items[k];
        if (item->wanted && item->low < high && low < item->high) status = collect(mirror, item);
    }
    return failed(status);
}

/* Where in its buffer a host address is. Buffers keep the distance to a multiple of 64 bytes, and so the alignment. */
static size_t offset_of(const weft_held *item, const char *address) {
    return (size_t)item->low % 64 + (size_t)(address - item->low);
}

/* Makes room for one more item of a growing array. */
static void *grown(void *items, int count, int *room, size_t size) {
    if (count < *room) return items;
    int more = *room ? 2 * *room : 16;
    void *made = realloc(items, (size_t)more * size);
    if (made) *room = more;
    else failed(WEFT_NO_HOST_MEMORY);
    return made;
}

static int make_room(weft_places *places) {
    weft_held *items = grown(places->items, places->count, &places->room, sizeof *items);
    if (items) places->items = items;
    return items ? 0 : WEFT_NO_HOST_MEMORY;
}

/* ------------------------------------------------------------------------------------- what gives its buffer up */

/* What was not needed for the longest time, and is not now. */
static weft_held *oldest(const weft_mirror *mirror, const weft_places *places, weft_held *found) {
    for (int k = 0; k < places->count; k++) {
        weft_held *item = &places->items[k];
        if (item->lent.host || item->guest || item->is_aside || item->used == mirror->turn) continue;
        if (!found || item->used < found->used) found = item;
    }
    return found;
}

/* Gives a buffer up, once what it holds is on the host. */
static int set_aside(const weft_mirror *mirror, weft_held *item) {
    const weft_device *device = mirror->device;
    size_t bytes = (size_t)(item->high - item->low);
    if (!item->aside && !(item->aside = weft_host_allocate(bytes))) return WEFT_NO_HOST_MEMORY;
    int status = device->copy_out(device, item->aside, item->buffer, offset_of(item, item->low), bytes);
    if (!status) status = device->finish_host(device, item->aside, item->aside + bytes);
    if (!status) status = device->release(device, item->buffer);
    if (status) return status;
    item->is_aside = 1;
    weft_device_note_freed(device, bytes);
    return 0;
}

/* What the ledger says of copies that follow. */
static void say(const weft_mirror *mirror, const weft_held *item, const char *reason) {
    weft_event event = {.host = item->low, .cause = weft_present_cause};
    event.cause.array = NULL;
    weft_name_array(&event);
    weft_present_cause.array = event.cause.array;
    weft_present_cause.program_line = mirror->line;
    weft_present_cause.reason = reason;
}

/* Memory for a buffer; where there is no room, once others gave theirs up. */
static int allocate(const weft_mirror *mirror, weft_held *item) {
    const weft_device *device = mirror->device;
    size_t bytes = offset_of(item, item->high);
    int status = device->allocate(device, bytes, &item->buffer), lacks = weft_device_lacks(device, status);
    for (weft_held *other; lacks && (other = oldest(mirror, &mirror->saved, oldest(mirror, &mirror->places, NULL)));) {
        weft_cause cause = weft_present_cause;
        say(mirror, other, WEFT_EVICTED);
        status = set_aside(mirror, other);
        weft_present_cause = cause;
        if (status) break;
        status = device->allocate(device, bytes, &item->buffer);
        lacks = weft_device_lacks(device, status);
    }
    if (status) failure.bytes = bytes;
    return failed(status);
}

static int add(const weft_mirror *mirror, weft_places *places, char *low, char *high) {
    if (make_room(places)) return WEFT_NO_HOST_MEMORY;
    weft_held item = {.low = low, .high = high, .used = mirror->turn};
    int status = allocate(mirror, &item);
    if (!status) places->items[places->count++] = item;
    return status;
}

/* It is needed now: on the device. */
static int need(const weft_mirror *mirror, weft_held *item) {
    item->used = mirror->turn;
    if (!item->is_aside) return 0;
    int status = allocate(mirror, item);
    if (status) return status;
    weft_cause cause = weft_present_cause;
    item->is_aside = 0;
    say(mirror, item, "it was evicted, and is needed again");
    status = mirror->device->copy_in(mirror->device, item->buffer, offset_of(item, item->low), item->aside,
                                     (size_t)(item->high - item->low));
    weft_present_cause = cause;
    return failed(status);
}

/* The same in lent memory. */
static int add_lent(const weft_mirror *mirror, weft_places *places, char *low, char *high) {
    if (make_room(places)) return WEFT_NO_HOST_MEMORY;
    weft_held item = {.low = low, .high = high};
    if (offset_of(&item, high) > WEFT_LENT_BYTES) return WEFT_NOT_PINNED;
    int status = weft_device_lend(mirror->device, &item.lent);
    item.buffer = item.lent.flag;
    if (!status) places->items[places->count++] = item;
    return status;
}

/* -------------------------------------------------------------------------------------------------- elements */

/* The elements of an array as rows: `outer` dimensions of rows of `width` bytes, the last one with the smallest stride. */
typedef struct {
    char *data;
    int64_t width;
    int outer;
    int64_t shape[WEFT_MAX_DIMS], strides[WEFT_MAX_DIMS];
} row_shape;

/* Dimensions by falling strides, none negative, those that lie in memory as one joined, the dense inner ones in `width`. */
static row_shape rows_of(const weft_array *array) {
    row_shape rows = {array->data, array->size, 0, {0}, {0}};
    for (int k = 0; k < array->dimensions; k++) {
        int64_t extent = array->shape[k], stride = array->strides[k];
        if (extent == 1 || stride == 0) continue;
        if (stride < 0) rows.data += (extent - 1) * stride, stride = -stride;
        int place = rows.outer++;
        for (; place && rows.strides[place - 1] < stride; place--) {
            rows.shape[place] = rows.shape[place - 1];
            rows.strides[place] = rows.strides[place - 1];
        }
        rows.shape[place] = extent;
        rows.strides[place] = stride;
    }
    for (int k = rows.outer - 1; k > 0; k--) {
        if (rows.strides[k - 1] != rows.shape[k] * rows.strides[k]) continue;
        rows.shape[k - 1] *= rows.shape[k];
        rows.strides[k - 1] = rows.strides[k];
        for (int later = k; later + 1 < rows.outer; later++) {
            rows.shape[later] = rows.shape[later + 1];
            rows.strides[later] = rows.strides[later + 1];
        }
        rows.outer--;
    }
    if (rows.outer && rows.strides[rows.outer - 1] == rows.width) rows.width *= rows.shape[--rows.outer];
    return rows;
}

/* Whether planes of rows are such as a device copies at once. */
static int are_planes(int64_t plane, int64_t pitch, int64_t rows, int64_t width) {
    return pitch >= width && plane >= rows * pitch && plane % pitch == 0;
}

/* Copies the rows from dimension `axis` on, which start at `host`. */
static int copy_rows(const weft_device *device, const weft_held *item, const row_shape *rows, int axis, char *host, int out) {
    size_t width = (size_t)rows->width, offset = offset_of(item, host);
    if (axis == rows->outer)
        return out ? device->copy_out(device, host, item->buffer, offset, width)
                   : device->copy_in(device, item->buffer, offset, host, width);
    size_t pitch = (size_t)rows->strides[axis];
    if (axis == rows->outer - 1 && pitch >= width) {
        weft_rows last = {item->buffer, offset, pitch, host, pitch, width, (size_t)rows->shape[axis], 0, 0, 0};
        return device->copy_rows(device, &last, out);
    }
    const int64_t *shape = rows->shape + axis, *strides = rows->strides + axis;
    if (axis == rows->outer - 2 && shape[0] > 0 && are_planes(strides[0], strides[1], shape[1], rows->width)) {
        size_t plane = (size_t)strides[0], inner = (size_t)strides[1], more = (size_t)shape[0] - 1;
        weft_rows all = {item->buffer, offset, inner, host, inner, width, (size_t)shape[1], more, plane, plane};
        return device->copy_rows(device, &all, out);
    }
    int status = 0;
    for (int64_t k = 0; !status && k < shape[0]; k++)
        status = copy_rows(device, item, rows, axis + 1, host + k * strides[0], out);
    return status;
}

static int copy_elements(weft_mirror *mirror, weft_held *item, const weft_array *array, int out) {
    const weft_device *device = mirror->device;
    const weft_guest *guest = item->guest;
    if (guest && (guest->is_home || (out && guest->is_fresh))) return 0;
    row_shape rows = rows_of(array);
    int waits = guest && guest->is_foreign, status = waits ? device->wait(device) : need(mirror, item);
    weft_present_cause.program_line = mirror->line;
    if (!status) status = copy_rows(device, item, &rows, 0, rows.data, out);
    if (!status && waits) status = device->finish_copies(device);
    mirror->turn++;
    return failed(status);
}

/* ---------------------------------------------------------------------------------------------------- places */

/* Moves what a buffer holds into a temporary that stands for the host's bytes from `start` on, and drops the buffer. */
static int take(weft_mirror *mirror, weft_held *item, char *temporary, const char *start) {
    size_t bytes = (size_t)(item->high - item->low);
    char *target = temporary + (item->low - start);
    int status = 0;
    if (item->is_aside) memcpy(target, item->aside, bytes);
    else status = mirror->device->copy_out(mirror->device, target, item->buffer, offset_of(item, item->low), bytes);
    if (!status) status = wait(mirror);
    int dropped = release(mirror, &mirror->places, item);
    return status ? failed(status) : dropped;
}

/* Replaces the buffers that [low, high) overlaps by one that spans them all and keeps what they hold. */
static int merge(weft_mirror *mirror, char *low, char *high) {
    const weft_device *device = mirror->device;
    char *start = low, *end = high;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int k = 0; k < mirror->places.count; k++) {
            weft_held *item = &mirror->places.items[k];
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
    for (weft_held *item; !status && (item = find(&mirror->places, start, end));)
        status = take(mirror, item, temporary, start);
    if (!status) status = add(mirror, &mirror->places, start, end);
    if (!status) {
        weft_held *item = &mirror->places.items[mirror->places.count - 1];
        status = failed(device->copy_in(device, item->buffer, offset_of(item, start), temporary, bytes));
    }
    if (!status) status = wait(mirror);
    free(temporary);
    return status;
}

/* The place of a guest that is on the device already. Its offset is that of the host's memory, so that both keep their
   distance to a multiple of 64 bytes. */
static int adopt(weft_mirror *mirror, const char *low, const char *high) {
    for (int k = 0; k < weft_present_guests.count; k++) {
        weft_guest *guest = &weft_present_guests.items[k];
        if (low < guest->low || guest->high < high) continue;
        if (make_room(&mirror->places)) return WEFT_NO_HOST_MEMORY;
        mirror->places.items[mirror->places.count++] = (weft_held){
            .low = guest->low, .high = guest->high, .buffer = guest->address - (size_t)guest->low % 64, .guest = guest};
        break;
    }
    return 0;
}

/* The place that some bytes meet; NULL where there is none. */
static weft_held *place_of(weft_mirror *mirror, const char *low, const char *high) {
    weft_held *item = find(&mirror->places, low, high);
    if (!item && !adopt(mirror, low, high)) item = find(&mirror->places, low, high);
    return item;
}

/* Makes sure that one buffer spans [low, high). */
static int hold_bytes(weft_mirror *mirror, char *low, char *high) {
    weft_held *item = place_of(mirror, low, high);
    if (!item) return add(mirror, &mirror->places, low, high);
    return item->low <= low && high <= item->high ? 0 : merge(mirror, low, high);
}

static int reserve(weft_mirror *mirror, const weft_array *array) {
    char *low, *high;
    return array_span(array, &low, &high) ? hold_bytes(mirror, low, high) : 0;
}

static int lend(weft_mirror *mirror, const weft_array *array) {
    char *low, *high;
    if (!array_span(array, &low, &high)) return 0;
    int is_lent = !place_of(mirror, low, high) && !add_lent(mirror, &mirror->places, low, high);
    return is_lent ? 0 : hold_bytes(mirror, low, high);
}

/* Whether all elements of an array are elements of another, as parts of one array with one step on every axis are; and
   where on each axis they begin. */
static int is_part(const weft_array *part, const weft_array *whole, int64_t begins[WEFT_MAX_DIMS]) {
    if (part->dimensions != whole->dimensions || part->size != whole->size) return 0;
    int64_t distance = part->data - whole->data;
    char done[WEFT_MAX_DIMS] = {0};
    for (int round = 0; round < whole->dimensions; round++) {
        int axis = -1;
        for (int k = 0; k < whole->dimensions; k++) {
            if (part->strides[k] != whole->strides[k]) return 0;
            if (!done[k] && (axis < 0 || llabs(whole->strides[k]) > llabs(whole->strides[axis]))) axis = k;
        }
        int64_t stride = whole->strides[axis], first = whole->shape[axis] > 1 && stride ? distance / stride : 0;
        if (first < 0 || first + part->shape[axis] > whole->shape[axis]) return 0;
        distance -= first * stride;
        begins[axis] = first;
        done[axis] = 1;
    }
    return distance == 0;
}

enum { MANY_DEBTS = 64 };

static int add_debt(weft_mirror *mirror, const weft_array *array, int back) {
    weft_debt *debts = grown(mirror->debts, mirror->owed, &mirror->room, sizeof *debts);
    if (!debts) return WEFT_NO_HOST_MEMORY;
    mirror->debts = debts;
    mirror->debts[mirror->owed++] = (weft_debt){*array, back};
    return 0;
}

/* What is left of a debt without a part of it: for each axis what lies before the part, and what behind. */
static int add_rest(weft_mirror *mirror, weft_debt debt, const weft_array *part, const int64_t begins[WEFT_MAX_DIMS]) {
    weft_array rest = debt.array;
    for (int axis = 0; axis < part->dimensions; axis++) {
        int64_t first = begins[axis], count = part->shape[axis], all = rest.shape[axis];
        char *data = rest.data;
        int status = 0;
        rest.shape[axis] = first;
        if (first > 0) status = add_debt(mirror, &rest, debt.back);
        rest.shape[axis] = all - first - count;
        rest.data = data + (first + count) * rest.strides[axis];
        if (!status && rest.shape[axis] > 0) status = add_debt(mirror, &rest, debt.back);
        if (status) return status;
        rest.shape[axis] = count;
        rest.data = data + first * rest.strides[axis];
    }
    return 0;
}

static int copy_in(weft_mirror *mirror, const weft_array *array) {
    char *low, *high;
    if (!array_span(array, &low, &high)) return 0;
    int status = hold_bytes(mirror, low, high);
    return status ? status : copy_elements(mirror, find(&mirror->places, low, high), array, 0);
}

static int copy_out(weft_mirror *mirror, const weft_array *array) {
    char *low, *high;
    if (!array_span(array, &low, &high)) return 0;
    weft_held *item = place_of(mirror, low, high);
    if (!item || item->low > low || item->high < high) return failed(WEFT_NO_PLACE);
    return item->lent.host ? failed(weft_device_mark(mirror->device, &item->wanted)) : copy_elements(mirror, item, array, 1);
}

/* Elements that cross now are owed no longer. Whoever has them may change them, so no debt may bring them once more: of
   a debt they are a part of, the rest is left; one that they lie in otherwise is paid now. */
static int pay(weft_mirror *mirror, const weft_array *array, int back) {
    char *low, *high, *begin, *end;
    int64_t begins[WEFT_MAX_DIMS];
    int status = 0;
    if (!array_span(array, &low, &high)) return 0;
    for (int k = mirror->owed; k-- > 0 && !status;) {
        weft_debt debt = mirror->debts[k];
        if (debt.back != back || !array_span(&debt.array, &begin, &end) || begin >= high || end <= low) continue;
        mirror->debts[k] = mirror->debts[--mirror->owed];
        if (is_part(&debt.array, array, begins)) continue;
        if (mirror->owed < MANY_DEBTS && is_part(array, &debt.array, begins)) status = add_rest(mirror, debt, array, begins);
        else status = back ? copy_in(mirror, &debt.array) : copy_out(mirror, &debt.array);
    }
    return status;
}

static int in(weft_mirror *mirror, const weft_array *array) {
    int status = copy_in(mirror, array);
    return status ? status : pay(mirror, array, 1);
}

static int out(weft_mirror *mirror, const weft_array *array) {
    int status = pay(mirror, array, 0);
    return status ? status : copy_out(mirror, array);
}

/* An array of the host beside one of the same shape that the device holds: rows of `width` bytes that lie together in both. */
typedef struct {
    const weft_array *host, *held;
    const weft_held *item;
    int64_t width;
    int outer, out;
} exchange_shape;

static int exchange_rows(const weft_device *device, const exchange_shape *shape, int axis, char *host, char *held) {
    size_t width = (size_t)shape->width, offset = offset_of(shape->item, held);
    if (axis == shape->outer)
        return shape->out ? device->copy_out(device, host, shape->item->buffer, offset, width)
                          : device->copy_in(device, shape->item->buffer, offset, host, width);
    int64_t pitch = shape->host->strides[axis], own = shape->held->strides[axis], count = shape->host->shape[axis];
    if (axis == shape->outer - 1 && pitch >= shape->width) {
        weft_rows rows = {shape->item->buffer, offset, (size_t)own, host, (size_t)pitch, width, (size_t)count, 0, 0, 0};
        return device->copy_rows(device, &rows, shape->out);
    }
    const int64_t *far = shape->host->strides + axis, *near = shape->held->strides + axis, *counts = shape->host->shape + axis;
    if (axis == shape->outer - 2 && count > 0 && are_planes(far[0], far[1], counts[1], shape->width) &&
        are_planes(near[0], near[1], counts[1], shape->width)) {
        weft_rows all = {shape->item->buffer, offset, (size_t)near[1], host, (size_t)far[1], width, (size_t)counts[1],
                         (size_t)count - 1, (size_t)near[0], (size_t)far[0]};
        return device->copy_rows(device, &all, shape->out);
    }
    int status = 0;
    for (int64_t k = 0; !status && k < count; k++)
        status = exchange_rows(device, shape, axis + 1, host + k * pitch, held + k * own);
    return status;
}

static int exchange(weft_mirror *mirror, const weft_array *host, const weft_array *held, int out) {
    char *low, *high;
    if (!array_span(host, &low, &high)) return 0;
    if (!array_span(held, &low, &high)) return failed(WEFT_NO_PLACE);
    weft_held *item = find(&mirror->places, low, high);
    if (!item || item->low > low || item->high < high) return failed(WEFT_NO_PLACE);
    int status = need(mirror, item);
    if (status) return status;
    exchange_shape shape = {host, held, item, host->size, host->dimensions, out};
    while (shape.outer && host->strides[shape.outer - 1] == shape.width && held->strides[shape.outer - 1] == shape.width)
        shape.width *= host->shape[--shape.outer];
    weft_present_cause.program_line = mirror->line;
    mirror->turn++;
    return failed(exchange_rows(mirror->device, &shape, 0, host->data, held->data));
}

static int fill(weft_mirror *mirror, const weft_array *from, const weft_array *held) {
    return exchange(mirror, from, held, 0);
}

static int empty(weft_mirror *mirror, const weft_array *held, const weft_array *to) {
    return exchange(mirror, to, held, 1);
}

static int drop_from(const weft_mirror *mirror, weft_places *places, const weft_array *array) {
    char *low, *high;
    int status = 0;
    if (!array_span(array, &low, &high)) return 0;
    for (weft_held *item; !status && (item = find(places, low, high));) status = release(mirror, places, item);
    return status;
}

static int drop(weft_mirror *mirror, const weft_array *array) { return drop_from(mirror, &mirror->places, array); }

/* ------------------------------------------------------------------------------------- what is kept, and what is owed */

static int save(weft_mirror *mirror, const weft_array *array) {
    char *low, *high;
    if (!array_span(array, &low, &high)) return 0;
    weft_held *item = place_of(mirror, low, high);
    if (!item || item->low > low || item->high < high) return failed(WEFT_NO_PLACE);
    int status = need(mirror, item);
    if (!status) status = add(mirror, &mirror->saved, low, high);
    if (status) return status;
    mirror->turn++;
    weft_held *kept = &mirror->saved.items[mirror->saved.count - 1];
    size_t before = offset_of(kept, low), bytes = (size_t)(high - low);
    return failed(mirror->device->copy_within(mirror->device, kept->buffer, item->buffer, offset_of(item, low) - before,
                                              before + bytes));
}

/* Parts of one array that were kept may span bytes of one another: only its own copy has all elements of a part. */
static int restore(weft_mirror *mirror, const weft_array *array) {
    char *low, *high;
    if (!array_span(array, &low, &high)) return 0;
    for (int k = 0; k < mirror->saved.count; k++) {
        weft_held *item = &mirror->saved.items[k];
        if (item->low != low || item->high != high) continue;
        int status = pay(mirror, array, 0);
        return status ? status : copy_elements(mirror, item, array, 1);
    }
    return failed(WEFT_NO_PLACE);
}

static int forget(weft_mirror *mirror, const weft_array *array) { return drop_from(mirror, &mirror->saved, array); }

static int note_debt(weft_mirror *mirror, const weft_array *array, int back) {
    char *low, *high;
    int64_t begins[WEFT_MAX_DIMS];
    if (!array_span(array, &low, &high)) return 0;
    for (int k = 0; k < mirror->owed; k++)
        if (mirror->debts[k].back == back && is_part(array, &mirror->debts[k].array, begins)) return 0;
    for (int k = mirror->owed; k-- > 0;)
        if (mirror->debts[k].back == back && is_part(&mirror->debts[k].array, array, begins))
            mirror->debts[k] = mirror->debts[--mirror->owed];
    return add_debt(mirror, array, back);
}

static int owe(weft_mirror *mirror, const weft_array *array) { return note_debt(mirror, array, 0); }

static int owe_back(weft_mirror *mirror, const weft_array *array) { return note_debt(mirror, array, 1); }

static void settle(weft_mirror *mirror) {
    while (mirror->owed) {
        weft_debt last = mirror->debts[mirror->owed - 1];
        if (last.back ? in(mirror, &last.array) : out(mirror, &last.array)) break;
    }
    wait(mirror);
}

static int repeat(weft_mirror *mirror, int begins) {
    mirror->repeats = begins;
    return failed(mirror->device->repeat(mirror->device, begins));
}

static int next_turn(weft_mirror *mirror) { return failed(mirror->device->next_turn(mirror->device)); }

static int finish(weft_mirror *mirror, int status, const volatile int *stop) {
    if (status == WEFT_DEVICE_FAILED || !mirror->watches) return status;
    if (failed(mirror->device->wait(mirror->device))) return WEFT_DEVICE_FAILED;
    return status == WEFT_OK && *stop ? WEFT_INTERRUPTED : status;
}

static int tell(weft_mirror *mirror, int *raised) {
    *raised = 0;
    if (!mirror->is_flagged) return 0;
    mirror->is_flagged = 0;
    return failed(mirror->device->give_flag(mirror->device, mirror->flag, raised));
}

/* The program has given its own arrays back by now: nothing more goes there. */
static void close_mirror(weft_mirror *mirror) {
    int raised;
    if (mirror->repeats) repeat(mirror, 0);
    tell(mirror, &raised);
    for (int k = 0; k < mirror->places.count; k++) mirror->places.items[k].wanted = 0;
    if (mirror->places.count) wait(mirror);
    while (mirror->places.count) release(mirror, &mirror->places, &mirror->places.items[0]);
    while (mirror->saved.count) release(mirror, &mirror->saved, &mirror->saved.items[0]);
    free(mirror->places.items);
    free(mirror->saved.items);
    free(mirror->debts);
}

/* -------------------------------------------------------------------------------------------------- launches */

enum { MAX_BLOCKS_X = 2147483647, MAX_BLOCKS = 65535 };

static void pass_value(weft_arguments *arguments, const void *value, size_t size, int kind) {
    if (arguments->count == WEFT_MAX_ARGUMENTS) {
        arguments->status = failed(WEFT_TOO_MANY_ARGUMENTS);
        return;
    }
    int k = arguments->count++;
    memcpy(&arguments->values[k], value, size);
    arguments->items[k] = (weft_argument){&arguments->values[k], size, kind};
}

static void pass(weft_arguments *arguments, const void *value, size_t size) {
    pass_value(arguments, value, size, WEFT_NUMBER);
}

static void pass_integer(weft_arguments *arguments, int64_t value) {
    pass_value(arguments, &value, sizeof value, WEFT_NUMBER);
}

/* Where the device has the first element of an array, of which a window is there: a buffer and the place in it. */
static int first_of(weft_mirror *mirror, const weft_array *array, const weft_array *window, int kind, uint64_t *buffer,
                    int64_t *offset) {
    char *low, *high;
    *buffer = 0;
    *offset = 0;
    if (!array_span(window, &low, &high)) return 0;
    int status = hold_bytes(mirror, low, high);
    if (status) return status;
    weft_held *item = find(&mirror->places, low, high);
    if ((status = need(mirror, item))) return status;
    *buffer = item->buffer;
    item->is_written = 1;
    if (item->guest && kind == WEFT_WRITTEN) item->guest->is_fresh = 0;
    *offset = (int64_t)offset_of(item, array->data);
    return 0;
}

/* Addresses outside of the window are computed and not used: the kernel's indices are those of the whole array. */
static void pass_part(weft_arguments *arguments, weft_mirror *mirror, const weft_array *array, const weft_array *window,
                      int strides, int kind) {
    uint64_t buffer;
    int64_t offset;
    int status = first_of(mirror, array, window, kind, &buffer, &offset);
    if (status) {
        arguments->status = status;
        return;
    }
    pass_value(arguments, &buffer, sizeof buffer, kind);
    pass_integer(arguments, offset);
    for (int k = 0; k < array->dimensions; k++) pass_integer(arguments, array->shape[k]);
    for (int k = 0; k < strides; k++) pass_integer(arguments, array->strides[k]);
}

static void pass_array(weft_arguments *arguments, weft_mirror *mirror, const weft_array *array, int strides, int kind) {
    pass_part(arguments, mirror, array, array, strides, kind);
}

static int64_t room(const weft_mirror *mirror) {
    size_t bytes = weft_device_room(mirror->device);
    return bytes < INT64_MAX / 2 ? (int64_t)bytes : INT64_MAX / 2;
}

static void pass_device_array(weft_arguments *arguments, const weft_array *array, int strides, int kind) {
    uint64_t buffer = (uint64_t)(size_t)array->data;
    pass_value(arguments, &buffer, sizeof buffer, kind);
    pass_integer(arguments, 0);
    for (int k = 0; k < array->dimensions; k++) pass_integer(arguments, array->shape[k]);
    for (int k = 0; k < strides; k++) pass_integer(arguments, array->strides[k]);
}

static void hold(weft_arguments *arguments, weft_mirror *mirror, const weft_array *array) {
    char *low, *high;
    if (!array_span(array, &low, &high) || arguments->status) return;
    arguments->status = hold_bytes(mirror, low, high);
    if (!arguments->status) arguments->status = need(mirror, find(&mirror->places, low, high));
}

static void pass_stop(weft_arguments *arguments, const weft_device *device, const volatile int *stop) {
    uint64_t handle;
    arguments->status = failed(device->stop_flag(device, stop, &handle));
    if (!arguments->status) pass_value(arguments, &handle, sizeof handle, WEFT_HANDLE);
}

/* The launches of a grid: a piece of each axis at a time. */
static int launch_pieces(const weft_device *device, void *kernel, weft_arguments *arguments, const int64_t blocks[3],
                         const size_t group[7], const int offsets[3], int marks) {
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
                    if (offsets[k] >= 0) arguments->values[offsets[k]].integer = first[k] + done[k] * (int64_t)group[4 + k];
                }
                status = device->launch(device, kernel, grid, group, arguments->items, arguments->count, marks);
            }
    for (int k = 0; k < 3; k++)
        if (offsets[k] >= 0) arguments->values[offsets[k]].integer = first[k];
    return status;
}

/* Whether nobody would see the end of so many blocks, or their number wrapped: ends that were read are too far apart. */
static int are_too_many(const int64_t blocks[3]) {
    static const int64_t most = (int64_t)1 << 46;
    return blocks[0] < 0 || blocks[1] < 0 || blocks[2] < 0 || blocks[0] > most || blocks[1] > most || blocks[2] > most;
}

static int begin_launch(weft_mirror *mirror, void *kernel, weft_arguments *arguments, const int64_t blocks[3],
                        const size_t group[7], const int offsets[3], int marks, const volatile int *stop, int takes_flag) {
    const weft_device *device = mirror->device;
    mirror->turn++;
    if (are_too_many(blocks)) return failed(WEFT_TOO_FAR);
    if (arguments->status || blocks[0] <= 0 || blocks[1] <= 0 || blocks[2] <= 0) return arguments->status;
    if (stop) pass_stop(arguments, device, stop);
    mirror->watches |= stop && stop != &mirror->never;
    if (arguments->status) return arguments->status;
    if (takes_flag) {
        int status = device->take_flag(device, &mirror->flag);
        if (status) return failed(status);
        mirror->is_flagged = 1;
        pass_value(arguments, &mirror->flag, sizeof mirror->flag, WEFT_WRITTEN);
        if (arguments->status) return arguments->status;
    }
    return failed(launch_pieces(device, kernel, arguments, blocks, group, offsets, marks));
}

static int launch_flagged(weft_mirror *mirror, void *kernel, weft_arguments *arguments, const int64_t blocks[3],
                          const size_t group[7], const int offsets[3], int marks, const volatile int *stop) {
    return begin_launch(mirror, kernel, arguments, blocks, group, offsets, marks, stop, 1);
}

static int launch(weft_mirror *mirror, void *kernel, weft_arguments *arguments, const int64_t blocks[3],
                  const size_t group[7], const int offsets[3], int marks, const volatile int *stop, int *raised) {
    int status = begin_launch(mirror, kernel, arguments, blocks, group, offsets, marks, stop, raised != NULL);
    int told = raised ? tell(mirror, raised) : 0;
    return status ? status : told;
}

typedef struct {
    const weft_device *device;
    void *kernel;
    weft_arguments *arguments;
    const int64_t *blocks;
    const size_t *group;
    const int *offsets;
    int marks;
} own_launch;

static int run_own(void *given) {
    own_launch *own = given;
    return launch_pieces(own->device, own->kernel, own->arguments, own->blocks, own->group, own->offsets, own->marks);
}

static int launch_product(weft_mirror *mirror, void *kernel, weft_arguments *arguments, const int64_t blocks[3],
                          const size_t group[7], const int offsets[3], int marks, weft_product *product,
                          const int positions[3]) {
    mirror->turn++;
    if (arguments->status || blocks[0] <= 0 || blocks[1] <= 0 || blocks[2] <= 0) return arguments->status;
    own_launch own = {mirror->device, kernel, arguments, blocks, group, offsets, marks};
    for (int k = 0; k < 3; k++) {
        const int at = positions[k];
        product->places[k] += arguments->values[at].buffer + (uint64_t)arguments->values[at + 1].integer;
    }
    product->kernel = kernel;
    return failed(mirror->device->multiply(mirror->device, product, run_own, &own));
}

/* ---------------------------------------------------------------------------------- kernels that users wrote */

static void pass_memory(weft_arguments *arguments, weft_mirror *mirror, const weft_array *array, int kind, int joined) {
    uint64_t buffer = (uint64_t)(size_t)array->data;
    int64_t offset = 0;
    int status = mirror ? first_of(mirror, array, array, kind, &buffer, &offset) : 0;
    if (status) {
        arguments->status = status;
        return;
    }
    if (joined) buffer += (uint64_t)offset;
    pass_value(arguments, &buffer, sizeof buffer, kind);
    if (!joined) pass_integer(arguments, offset);
}

/* Room has a size, and no value. */
static void pass_room(weft_arguments *arguments, int64_t bytes) {
    pass_integer(arguments, 0);
    if (!arguments->status) arguments->items[arguments->count - 1] = (weft_argument){NULL, (size_t)bytes, WEFT_NUMBER};
}

static int launch_foreign(weft_mirror *mirror, const int64_t start[8], weft_arguments *arguments) {
    const weft_device *device = mirror->device;
    const size_t grid[3] = {(size_t)start[1], (size_t)start[2], (size_t)start[3]};
    const size_t group[4] = {(size_t)start[4], (size_t)start[5], (size_t)start[6], (size_t)start[7]};
    mirror->turn++;
    if (arguments->status || !grid[0] || !grid[1] || !grid[2]) return arguments->status;
    void *kernel = (void *)(size_t)start[0];
    return failed(device->launch(device, kernel, grid, group, arguments->items, arguments->count, 0));
}

const weft_mirrors weft_mirror_functions = {reserve, lend, in,   out,    fill, empty, drop,  save, restore, forget, owe,
                                            owe_back, settle,  wait, wait_for, close_mirror, hold, pass, pass_array,
                                            pass_device_array, pass_part, room, launch, repeat, next_turn, finish,
                                            launch_product, launch_flagged, tell, pass_memory, pass_room, launch_foreign};
