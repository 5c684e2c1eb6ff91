/* OpenCL, whose loader library is found at run time. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "opencl_device.h"
#include "driver.h"
#include "mirror.h"
#include "stops.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static struct {
    void *(*create)(void *, uint64_t, size_t, void *, int32_t *);
    int32_t (*release)(void *);
    int32_t (*write)(void *, void *, uint32_t, size_t, size_t, const void *, uint32_t, void *, void *);
    int32_t (*read)(void *, void *, uint32_t, size_t, size_t, void *, uint32_t, void *, void *);
    int32_t (*write_rows)(void *, void *, uint32_t, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t,
                          size_t, const void *, uint32_t, void *, void *);
    int32_t (*read_rows)(void *, void *, uint32_t, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t,
                         size_t, void *, uint32_t, void *, void *);
    int32_t (*copy)(void *, void *, void *, size_t, size_t, size_t, uint32_t, void *, void *);
    int32_t (*fill)(void *, void *, const void *, size_t, size_t, size_t, uint32_t, void *, void *);
    int32_t (*argument)(void *, uint32_t, size_t, const void *);
    int32_t (*launch)(void *, void *, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, void *, void *);
    int32_t (*flush)(void *);
    int32_t (*wait)(void *);
    int32_t (*marker)(void *, uint32_t, void *, void **);
    int32_t (*wait_events)(uint32_t, void *const *);
    int32_t (*ask_event)(void *, uint32_t, size_t, void *, size_t *);
    int32_t (*ask_context)(void *, uint32_t, size_t, void *, size_t *);
    int32_t (*ask_device)(void *, uint32_t, size_t, void *, size_t *);
    int32_t (*profile)(void *, uint32_t, size_t, void *, size_t *);
    int32_t (*keep_event)(void *);
    int32_t (*drop_event)(void *);
    int32_t (*barrier)(void *, uint32_t, void *const *, void **);
    int32_t (*keep_context)(void *);
    int32_t (*keep_queue)(void *);
} opencl;

static const weft_symbol symbols[] = {
    {"clCreateBuffer", &opencl.create},
    {"clReleaseMemObject", &opencl.release},
    {"clEnqueueWriteBuffer", &opencl.write},
    {"clEnqueueReadBuffer", &opencl.read},
    {"clEnqueueWriteBufferRect", &opencl.write_rows},
    {"clEnqueueReadBufferRect", &opencl.read_rows},
    {"clEnqueueCopyBuffer", &opencl.copy},
    {"clEnqueueFillBuffer", &opencl.fill},
    {"clSetKernelArg", &opencl.argument},
    {"clEnqueueNDRangeKernel", &opencl.launch},
    {"clFlush", &opencl.flush},
    {"clFinish", &opencl.wait},
    {"clEnqueueMarkerWithWaitList", &opencl.marker},
    {"clWaitForEvents", &opencl.wait_events},
    {"clGetEventInfo", &opencl.ask_event},
    {"clGetContextInfo", &opencl.ask_context},
    {"clGetDeviceInfo", &opencl.ask_device},
    {"clGetEventProfilingInfo", &opencl.profile},
    {"clRetainEvent", &opencl.keep_event},
    {"clReleaseEvent", &opencl.drop_event},
    {"clEnqueueBarrierWithWaitList", &opencl.barrier},
    {"clRetainContext", &opencl.keep_context},
    {"clRetainCommandQueue", &opencl.keep_queue},
};

typedef struct {
    void *context, *queues[WEFT_LANES];
    void *stops[WEFT_STOPS];   /* buffers for the flags of `stops.h`, as far as kernels read them */
    int32_t told[WEFT_STOPS];  /* what is in them, where the device does not read the host's memory in place */
    int is_apart;              /* whether it does not */
    pthread_mutex_t arguments; /* a kernel object holds its arguments: setting them and queueing is one step */
} opencl_state;

static int load_driver(void) {
    static int loaded;
    if (loaded) return 0;
    /* The loader library that Python uses, where it made that one visible; else the system's. */
    void *library = RTLD_DEFAULT;
    if (!dlsym(library, "clFinish")) library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL);
    int missing = weft_load_symbols(library, symbols, sizeof symbols / sizeof *symbols);
    loaded = !missing;
    return missing;
}

static void *memory_of(uint64_t handle) { return (void *)(size_t)handle; }

/* Addresses that nobody else has, and that nobody can read: the system reserves them. */
static int allocate(void *given, size_t bytes, weft_memory *made) {
    opencl_state *state = given;
    int32_t status = 0;
    void *reserved = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) return WEFT_NO_HOST_MEMORY;
    void *buffer = opencl.create(state->context, 1 /* CL_MEM_READ_WRITE */, bytes, NULL, &status);
    if (status) munmap(reserved, bytes);
    *made = (weft_memory){(uint64_t)(size_t)buffer, (uint64_t)(size_t)reserved};
    return status;
}

static int release(void *state, weft_memory memory, size_t bytes) {
    (void)state;
    munmap((void *)(size_t)memory.address, bytes);
    return opencl.release(memory_of(memory.handle));
}

static int copy_in(void *given, int lane, weft_place to, const void *host, size_t bytes) {
    opencl_state *state = given;
    return opencl.write(state->queues[lane], memory_of(to.handle), 0, to.offset, bytes, host, 0, NULL, NULL);
}

/* ------------------------------------------------------------------------------------------------------ stopping */

enum { READ_WRITE = 1 << 0, IN_PLACE = 1 << 3, STATUS_OF_EVENT = 0x11D3, DEVICES = 0x1081, TYPE = 0x1000, CPU = 1 << 1 };

static volatile int *flag_at(size_t place) { return weft_stop((int)place); }

/* Brings a flag to its buffer, beside the kernels that read it. */
static int tell(opencl_state *state, size_t place) {
    int32_t value = *flag_at(place);
    if (!state->is_apart || value == state->told[place]) return 0;
    state->told[place] = value;
    return opencl.write(state->queues[WEFT_IN], state->stops[place], 1, 0, sizeof value, &value, 0, NULL, NULL);
}

static int make_stop(opencl_state *state, size_t place) {
    int32_t status = 0;
    void *memory = state->is_apart ? NULL : (void *)(size_t)flag_at(place);
    state->told[place] = -1;
    state->stops[place] =
        opencl.create(state->context, state->is_apart ? READ_WRITE : READ_WRITE | IN_PLACE, sizeof(int32_t), memory, &status);
    return status;
}

/* Others than the flags of `stops.h` are never seen. */
static int stop_flag(void *given, const volatile int *flag, uint64_t *handle) {
    opencl_state *state = given;
    size_t bytes, place = (size_t)((const volatile char *)flag - (char *)weft_stop_memory(&bytes)) / WEFT_STOP_BYTES;
    if (place >= WEFT_STOPS) place = WEFT_NEVER;
    pthread_mutex_lock(&state->arguments);
    int status = state->stops[place] ? 0 : make_stop(state, place);
    if (!status) status = tell(state, place);
    *handle = (uint64_t)(size_t)state->stops[place];
    pthread_mutex_unlock(&state->arguments);
    return status;
}

static int tell_all(opencl_state *state) {
    int status = 0;
    pthread_mutex_lock(&state->arguments);
    for (size_t k = 0; !status && k < WEFT_STOPS; k++)
        if (state->stops[k]) status = tell(state, k);
    pthread_mutex_unlock(&state->arguments);
    return status;
}

static int has_stops(const opencl_state *state) {
    for (int k = 0; k < WEFT_STOPS; k++)
        if (state->stops[k]) return 1;
    return 0;
}

/* Waits for an event; for kernels that look whether they are to stop, and cannot look here, in small steps. */
static int await(opencl_state *state, void *event) {
    static const struct timespec step = {0, 20000}; /* nanoseconds */
    int32_t going = 1;
    int status = 0;
    if (!state->is_apart || !has_stops(state)) return opencl.wait_events(1, &event);
    while (!status && going > 0) {
        status = opencl.ask_event(event, STATUS_OF_EVENT, sizeof going, &going, NULL);
        if (!status && going > 0) status = tell_all(state);
        if (!status && going > 0) nanosleep(&step, NULL);
    }
    return status ? status : opencl.wait_events(1, &event);
}

static int reach(void *state, uint64_t mark) {
    void *event = memory_of(mark);
    int status = await(state, event);
    opencl.drop_event(event);
    return status;
}

static int is_apart(void *context) {
    void *devices[16];
    uint64_t type = 0;
    size_t size = 0;
    if (opencl.ask_context(context, DEVICES, sizeof devices, devices, &size) || !size) return 1;
    return opencl.ask_device(devices[0], TYPE, sizeof type, &type, NULL) || !(type & CPU);
}

/* --------------------------------------------------------------------------------------------------------- copies */

/* Among the kernels, only what is wanted at once is copied. */
static int copy_out(void *given, int lane, void *host, weft_place from, size_t bytes) {
    opencl_state *state = given;
    void *queue = state->queues[lane], *memory = memory_of(from.handle), *done;
    if (lane != WEFT_KERNELS) return opencl.read(queue, memory, 0, from.offset, bytes, host, 0, NULL, NULL);
    int status = opencl.read(queue, memory, 0, from.offset, bytes, host, 0, NULL, &done);
    if (!status) status = opencl.flush(queue);
    return status ? status : reach(state, (uint64_t)(size_t)done);
}

static int copy_rows(void *given, int lane, weft_place place, const weft_rows *rows, int out) {
    opencl_state *state = given;
    size_t origin[3] = {place.offset, 0, 0}, host[3] = {0, 0, 0}, region[3] = {rows->width, rows->rows, rows->more + 1};
    void *memory = memory_of(place.handle);
    if (out)
        return opencl.read_rows(state->queues[lane], memory, 0, origin, host, region, rows->pitch, rows->plane,
                                rows->host_pitch, rows->host_plane, rows->host, 0, NULL, NULL);
    return opencl.write_rows(state->queues[lane], memory, 0, origin, host, region, rows->pitch, rows->plane, rows->host_pitch,
                             rows->host_plane, rows->host, 0, NULL, NULL);
}

static int copy_within(void *given, weft_place to, weft_place from, size_t bytes) {
    opencl_state *state = given;
    return opencl.copy(state->queues[WEFT_KERNELS], memory_of(from.handle), memory_of(to.handle), from.offset, to.offset, bytes, 0, NULL,
                       NULL);
}

static int clear(void *given, weft_place place, size_t bytes) {
    opencl_state *state = given;
    const unsigned char zero = 0;
    return opencl.fill(state->queues[WEFT_KERNELS], memory_of(place.handle), &zero, 1, place.offset, bytes, 0, NULL, NULL);
}

static int set_arguments(void *kernel, const weft_argument *arguments, int count) {
    for (int k = 0; k < count; k++) {
        int32_t status;
        if (arguments[k].kind) {
            void *memory = memory_of(*(const uint64_t *)arguments[k].value);
            status = opencl.argument(kernel, (uint32_t)k, sizeof memory, &memory);
        } else status = opencl.argument(kernel, (uint32_t)k, arguments[k].size, arguments[k].value);
        if (status) return status;
    }
    return 0;
}

static int launch(void *given, const weft_launch *launch) {
    opencl_state *state = given;
    const size_t *grid = launch->grid, *group = launch->group;
    size_t items[3] = {grid[0] * group[0], grid[1] * group[1], grid[2] * group[2]};
    pthread_mutex_lock(&state->arguments);
    int status = set_arguments(launch->kernel, launch->arguments, launch->count);
    if (!status) status = opencl.launch(state->queues[WEFT_KERNELS], launch->kernel, 3, NULL, items, group, 0, NULL, NULL);
    pthread_mutex_unlock(&state->arguments);
    return status ? status : opencl.flush(state->queues[WEFT_KERNELS]);
}

/* An event is flushed with its queue: another queue that waits for it would wait forever otherwise. */
static int record(void *given, int lane, uint64_t *event) {
    void *queue = ((opencl_state *)given)->queues[lane], *made;
    int status = opencl.marker(queue, 0, NULL, &made);
    if (status) return status;
    if (*event) opencl.drop_event(memory_of(*event));
    *event = (uint64_t)(size_t)made;
    return opencl.flush(queue);
}

static int order_lane(void *given, int lane, uint64_t event) {
    void *awaited = memory_of(event);
    return opencl.barrier(((opencl_state *)given)->queues[lane], 1, &awaited, NULL);
}

static int keep(void *state, uint64_t event) {
    (void)state;
    return opencl.keep_event(memory_of(event));
}

static int wait(void *given) { return opencl.wait(((opencl_state *)given)->queues[WEFT_KERNELS]); }

static int settle(void *given) {
    int status = 0;
    for (int lane = 0; !status && lane < WEFT_LANES; lane++) status = opencl.wait(((opencl_state *)given)->queues[lane]);
    return status;
}

/* Contexts are not shared with other libraries, so nobody else's work can touch what is here. */
static int order(void *state, void *stream) {
    (void)state, (void)stream;
    return WEFT_NOT_ORDERED;
}

static int mark(void *given, int lane, uint64_t *made) {
    void *event;
    int status = opencl.marker(((opencl_state *)given)->queues[lane], 0, NULL, &event);
    if (!status) *made = (uint64_t)(size_t)event;
    return status;
}

enum { PROFILING_END = 0x1283 };

static int between(void *state, uint64_t first, uint64_t second, double *seconds) {
    (void)state;
    void *events[2] = {memory_of(first), memory_of(second)};
    uint64_t times[2] = {0, 0};
    int status = opencl.wait_events(2, events);
    for (int k = 0; k < 2; k++) {
        if (!status) status = opencl.profile(events[k], PROFILING_END, sizeof times[k], &times[k], NULL);
        opencl.drop_event(events[k]);
    }
    *seconds = 1e-9 * (double)(times[1] - times[0]);
    return status;
}

static const weft_driver functions = {
    .borrows = 1,
    .no_memory = {-4, -6, -61}, /* no memory for an object; none of the host; an impossible size */
    .allocate = allocate,
    .release = release,
    .copy_in = copy_in,
    .copy_out = copy_out,
    .copy_rows = copy_rows,
    .copy_within = copy_within,
    .clear = clear,
    .launch = launch,
    .stop_flag = stop_flag,
    .record = record,
    .order = order_lane,
    .keep = keep,
    .finish = reach,
    .wait = wait,
    .settle = settle,
    .follow = order,
    .lead = order,
    .mark = mark,
    .between = between,
    .reach = reach,
};

weft_device *weft_opencl_device(void *context, void *const queues[WEFT_LANES]) {
    opencl_state *state = load_driver() ? NULL : calloc(1, sizeof *state);
    if (!state) return NULL;
    state->context = context;
    state->is_apart = is_apart(context);
    pthread_mutex_init(&state->arguments, NULL);
    /* Arrays may be freed after Python has dropped its own references, at the end of the process. */
    opencl.keep_context(context);
    for (int lane = 0; lane < WEFT_LANES; lane++) opencl.keep_queue(state->queues[lane] = queues[lane]);
    return weft_make_device(&functions, state);
}
