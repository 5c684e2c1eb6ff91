/* Random sequences of what a program may do with an array on a device, against a model: `debts SEED COUNT`.

   The device is memory of the process. `host` is what the mirror copies from and to; `truth` is what the program has
   computed. Kernels and the host write boxes of an array of one to three dimensions, strided and reversed ones among them;
   a program may end after any step, and everything it computed must be there then. Prints the first thing that is wrong. */
#include "mirror.c"
#include <assert.h>
#include <stdio.h>

enum { ELEMENTS = 4000, STEPS = 60 };

/* --- the parts of the runtime that this test has no use for --- */

_Thread_local weft_cause weft_present_cause;
void weft_name_array(weft_event *event) { (void)event; }
int weft_device_collect(const weft_device *device, uint64_t number, const weft_kept_flag *lent, size_t offset, void *host,
                        size_t bytes) {
    (void)device, (void)number, (void)lent, (void)offset, (void)host, (void)bytes;
    return 1;
}
int weft_device_mark(const weft_device *device, uint64_t *number) { return (void)device, *number = 1, 0; }
int weft_device_lend(const weft_device *device, weft_kept_flag *lent) { return (void)device, (void)lent, 1; }
void weft_device_take_back(const weft_device *device, const weft_kept_flag *lent) { (void)device, (void)lent; }
void *weft_host_allocate(size_t bytes) { return malloc(bytes); }
int weft_host_release(void *memory) { return free(memory), 0; }
size_t weft_device_room(const weft_device *device) { return (void)device, (size_t)1 << 30; }
int weft_device_lacks(const weft_device *device, int status) { return (void)device, (void)status, 0; }
void weft_device_note_freed(const weft_device *device, size_t bytes) { (void)device, (void)bytes; }

/* --- a device --- */

static char *at(uint64_t buffer) { return (char *)(size_t)buffer; }

static int allocate_bytes(const weft_device *device, size_t bytes, uint64_t *buffer) {
    (void)device;
    *buffer = (uint64_t)(size_t)malloc(bytes);
    memset(at(*buffer), 0x5a, bytes);
    return 0;
}

static int release_bytes(const weft_device *device, uint64_t buffer) { return (void)device, free(at(buffer)), 0; }

static int bytes_in(const weft_device *device, uint64_t to, size_t offset, const void *from, size_t bytes) {
    return (void)device, memcpy(at(to) + offset, from, bytes), 0;
}

static int bytes_out(const weft_device *device, void *to, uint64_t from, size_t offset, size_t bytes) {
    return (void)device, memcpy(to, at(from) + offset, bytes), 0;
}

static int bytes_within(const weft_device *device, uint64_t to, uint64_t from, size_t offset, size_t bytes) {
    return (void)device, memcpy(at(to), at(from) + offset, bytes), 0;
}

static int rows_across(const weft_device *device, const weft_rows *rows, int is_out) {
    (void)device;
    assert(rows->pitch >= rows->width && rows->host_pitch >= rows->width);
    for (size_t plane = 0; plane <= rows->more; plane++)
        for (size_t k = 0; k < rows->rows; k++) {
            char *own = at(rows->buffer) + rows->offset + plane * rows->plane + k * rows->pitch;
            char *theirs = rows->host + plane * rows->host_plane + k * rows->host_pitch;
            memcpy(is_out ? theirs : own, is_out ? own : theirs, rows->width);
        }
    return 0;
}

static int nothing_to_do(const weft_device *device) { return (void)device, 0; }

static int nothing_to_wait_for(const weft_device *device, const void *low, const void *high) {
    return (void)device, (void)low, (void)high, 0;
}

static const weft_device device = {
    .allocate = allocate_bytes, .release = release_bytes, .copy_in = bytes_in, .copy_out = bytes_out,
    .copy_rows = rows_across, .copy_within = bytes_within, .finish_copies = nothing_to_do, .wait = nothing_to_do,
    .finish_host = nothing_to_wait_for,
};

/* --- the program --- */

static int64_t host[ELEMENTS], truth[ELEMENTS], next_value = 1;
static char is_on_host[ELEMENTS], is_on_device[ELEMENTS]; /* where an element is current */
static weft_mirror mirror;
static weft_array whole;
static unsigned long long state;

static unsigned below(unsigned end) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)((state >> 33) % end);
}

static void set_up(unsigned long seed) {
    state = seed * 2862933555777941757ULL + 3037000493ULL;
    mirror = (weft_mirror){.device = &device};
    int axes = 1 + (int)below(3), inner = (int)below((unsigned)axes);
    int64_t step = below(8) ? 8 : 16, gap = (int64_t)below(2);
    whole = (weft_array){.data = (char *)host, .size = 8, .dimensions = axes};
    for (int k = 0; k < axes; k++) {
        int axis = (inner + k) % axes; /* the first of them has neighbours */
        whole.shape[axis] = axes == 1 ? 40 : 2 + below(9);
        whole.strides[axis] = step;
        step *= whole.shape[axis] + gap;
    }
    assert(step <= ELEMENTS * 8);
    for (int k = 0; k < axes; k++)
        if (!below(8)) {
            whole.data += (whole.shape[k] - 1) * whole.strides[k];
            whole.strides[k] *= -1;
        }
    for (int e = 0; e < ELEMENTS; e++) {
        host[e] = truth[e] = next_value++;
        is_on_host[e] = is_on_device[e] = 1;
    }
    reserve(&mirror, &whole);
    in(&mirror, &whole);
}

/* A part of the array, maybe with steps, reversed, or of fewer dimensions; rarely an empty one. */
static weft_array some_box(void) {
    weft_array box = whole;
    for (int k = 0; k < box.dimensions; k++) {
        int64_t extent = box.shape[k], low = below(3) ? below((unsigned)extent) : 0;
        int64_t high = below(3) ? low + 1 + below((unsigned)(extent - low)) : extent;
        box.data += low * box.strides[k];
        box.shape[k] = below(25) ? high - low : 0;
        int64_t step = below(12) ? 1 : 2;
        box.shape[k] = (box.shape[k] + step - 1) / step;
        box.strides[k] *= step;
        if (!below(15) && box.shape[k]) {
            box.data += (box.shape[k] - 1) * box.strides[k];
            box.strides[k] *= -1;
        }
    }
    if (!below(10) && box.shape[box.dimensions - 1]) box.dimensions -= box.dimensions > 1;
    return box;
}

/* Does something with each element of a box, as long as that says so; whether it said so to the end. */
static int each(const weft_array *box, int (*work)(int element)) {
    int64_t place[WEFT_MAX_DIMS] = {0};
    for (int k = 0; k < box->dimensions; k++)
        if (!box->shape[k]) return 1;
    for (;;) {
        const char *address = box->data;
        for (int k = 0; k < box->dimensions; k++) address += place[k] * box->strides[k];
        if (!work((int)((const int64_t *)address - host))) return 0;
        int axis = box->dimensions - 1;
        while (axis >= 0 && ++place[axis] == box->shape[axis]) place[axis--] = 0;
        if (axis < 0) return 1;
    }
}

static int64_t *on_device(int element) {
    char *address = (char *)&host[element];
    weft_held *held = find(&mirror.places, address, address + 8);
    assert(held);
    if (held->is_aside) need(&mirror, held);
    return (int64_t *)(at(held->buffer) + offset_of(held, address));
}

static int host_has(int element) { return is_on_host[element]; }
static int device_has(int element) { return is_on_device[element]; }
static int comes_in(int element) { return is_on_device[element] = 1; }
static int comes_out(int element) { return is_on_host[element] = 1; }

static int kernel_writes(int element) {
    *on_device(element) = truth[element] = next_value++;
    is_on_host[element] = 0;
    return is_on_device[element] = 1;
}

static int kernel_fails(int element) { return *on_device(element) = -next_value++, 1; }

static int host_alone_has(int element) {
    is_on_device[element] = 0;
    return is_on_host[element] = 1;
}

static int left;

/* An exception ends the loop before its last element. */
static int host_writes(int element) {
    if (!left--) return 0;
    host[element] = truth[element] = next_value++;
    is_on_device[element] = 0;
    return 1;
}

static void step(const weft_array *box) {
    switch (below(6)) {
    case 0:
        if (!each(box, device_has)) return;
        reserve(&mirror, box);
        each(box, kernel_writes);
        owe(&mirror, box);
        return;
    case 1:
        if (!each(box, device_has)) return;
        out(&mirror, box);
        each(box, comes_out);
        return;
    case 2:
        if (!each(box, host_has)) return;
        in(&mirror, box);
        each(box, comes_in);
        return;
    case 3:
        if (!each(box, host_has)) {
            if (!each(box, device_has)) return;
            out(&mirror, box);
            each(box, comes_out);
        }
        left = below(2) ? ELEMENTS : (int)below(10);
        each(box, host_writes);
        return;
    case 4: {
        weft_held *held = &mirror.places.items[below((unsigned)mirror.places.count)];
        if (!held->is_aside) set_aside(&mirror, held);
        return;
    }
    default:
        if (!each(box, device_has)) return;
        save(&mirror, box);
        each(box, kernel_fails);
        restore(&mirror, box);
        each(box, host_alone_has);
        forget(&mirror, box);
    }
}

/* What is wrong; NULL: nothing. */
static const char *run(unsigned long seed) {
    set_up(seed);
    int steps = 1 + (int)below(STEPS);
    for (int k = 0; k < steps; k++) {
        weft_array box = some_box();
        step(&box);
        for (int e = 0; e < ELEMENTS; e++)
            if (is_on_host[e] && host[e] != truth[e]) return "the host lost an element";
    }
    settle(&mirror);
    if (mirror.owed) return "something is owed at the end";
    for (int e = 0; e < ELEMENTS; e++)
        if (host[e] != truth[e]) return "the host lacks an element at the end";
    close_mirror(&mirror);
    return NULL;
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    unsigned long seed = strtoul(arguments[1], NULL, 10), end = seed + strtoul(arguments[2], NULL, 10);
    for (; seed < end; seed++) {
        const char *fault = run(seed);
        if (fault) return printf("seed %lu: %s\n", seed, fault), 1;
    }
    return 0;
}
