/* The CUDA driver, which is loaded at run time: a machine without it can still build this. */
#include "cuda_device.h"
#include "driver.h"
#include <dlfcn.h>
#include <stdlib.h>

/* Functions of the driver's library; process-wide, while a context and a stream belong to one device. */
static struct {
    int (*set_context)(void *);
    int (*allocate)(uint64_t *, size_t, void *);
    int (*release)(uint64_t, void *);
    int (*copy_in)(uint64_t, const void *, size_t, void *);
    int (*copy_out)(void *, uint64_t, size_t, void *);
    int (*copy_rows)(const void *, void *);
    int (*copy_within)(uint64_t, uint64_t, size_t, void *);
    int (*clear)(uint64_t, unsigned char, size_t, void *);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
    int (*pin)(void **, size_t, unsigned);
    int (*address)(uint64_t *, void *, unsigned);
    int (*wait)(void *);
    int (*wait_for_all)(void);
    int (*make_event)(void **, unsigned);
    int (*drop_event)(void *);
    int (*record)(void *, void *);
    int (*wait_event)(void *, void *, unsigned);
    int (*finish_event)(void *);
    int (*elapsed)(float *, void *, void *);
    int (*known)(void *, size_t, unsigned);
    int (*forget)(void *);
} cuda;

typedef struct {
    void *context, *streams[WEFT_LANES];
    pthread_mutex_t lock; /* of the event, by which streams wait for one another */
    void *event;
} cuda_state;

static const weft_symbol symbols[] = {
    {"cuCtxSetCurrent", &cuda.set_context},
    {"cuMemAllocAsync", &cuda.allocate},
    {"cuMemFreeAsync", &cuda.release},
    {"cuMemcpyHtoDAsync_v2", &cuda.copy_in},
    {"cuMemcpyDtoHAsync_v2", &cuda.copy_out},
    {"cuMemcpy2DAsync_v2", &cuda.copy_rows},
    {"cuMemcpyDtoDAsync_v2", &cuda.copy_within},
    {"cuMemsetD8Async", &cuda.clear},
    {"cuLaunchKernel", &cuda.launch},
    {"cuMemHostAlloc", &cuda.pin},
    {"cuMemHostGetDevicePointer_v2", &cuda.address},
    {"cuStreamSynchronize", &cuda.wait},
    {"cuCtxSynchronize", &cuda.wait_for_all},
    {"cuEventCreate", &cuda.make_event},
    {"cuEventDestroy_v2", &cuda.drop_event},
    {"cuEventRecord", &cuda.record},
    {"cuStreamWaitEvent", &cuda.wait_event},
    {"cuEventSynchronize", &cuda.finish_event},
    {"cuEventElapsedTime", &cuda.elapsed},
    {"cuMemHostRegister_v2", &cuda.known},
    {"cuMemHostUnregister", &cuda.forget},
};

static int load_driver(void) {
    static int loaded;
    if (loaded) return 0;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    int missing = !library || weft_load_symbols(library, symbols, sizeof symbols / sizeof *symbols);
    loaded = !missing;
    return missing;
}

/* The stream of another library on which this thread works: see `weft.stream`. */
static _Thread_local struct {
    cuda_state *state;
    void *stream;
} adopted;

/* The stream of a lane. A Python thread that comes for the first time has no current context. */
static void *stream_of_lane(void *given, int lane) {
    cuda_state *state = given;
    cuda.set_context(state->context);
    return lane == WEFT_KERNELS && adopted.state == state ? adopted.stream : state->streams[lane];
}

static void *enter(void *state) { return stream_of_lane(state, WEFT_KERNELS); }

static int allocate(void *state, size_t bytes, weft_memory *made) {
    int status = cuda.allocate(&made->address, bytes, stream_of_lane(state, WEFT_IN));
    made->handle = made->address;
    return status;
}

static int release(void *state, weft_memory memory, size_t bytes) {
    (void)bytes;
    return cuda.release(memory.address, enter(state));
}

static int copy_in(void *state, int lane, weft_place to, const void *host, size_t bytes) {
    return cuda.copy_in(to.handle, host, bytes, stream_of_lane(state, lane));
}

static int copy_out(void *state, int lane, void *host, weft_place from, size_t bytes) {
    return cuda.copy_out(host, from.handle, bytes, stream_of_lane(state, lane));
}

/* CUDA_MEMCPY2D of the driver's interface. */
typedef struct {
    size_t x, y;
    unsigned kind;
    const void *host;
    uint64_t device;
    void *array;
    size_t pitch;
} cuda_side;

typedef struct {
    cuda_side from, to;
    size_t width, rows;
} cuda_rows;

enum { MEMORY_OF_HOST = 1, MEMORY_OF_DEVICE = 2 };

static int copy_rows(void *state, int lane, weft_place place, const weft_rows *rows, int out) {
    cuda_side host = {.kind = MEMORY_OF_HOST, .host = rows->host, .pitch = rows->host_pitch};
    cuda_side device = {.kind = MEMORY_OF_DEVICE, .device = place.handle, .pitch = rows->pitch};
    cuda_rows copy = {out ? device : host, out ? host : device, rows->width, rows->rows};
    return cuda.copy_rows(&copy, stream_of_lane(state, lane));
}

static int copy_within(void *state, weft_place to, weft_place from, size_t bytes) {
    return cuda.copy_within(to.handle, from.handle, bytes, enter(state));
}

static int clear(void *state, weft_place place, size_t bytes) { return cuda.clear(place.handle, 0, bytes, enter(state)); }

static int launch(void *state, void *kernel, const size_t grid[3], const size_t group[3], const weft_argument *arguments,
                  int count) {
    void *pointers[WEFT_MOST_ARGUMENTS];
    for (int k = 0; k < count; k++) pointers[k] = (void *)(size_t)arguments[k].value;
    return cuda.launch(kernel, (unsigned)grid[0], (unsigned)grid[1], (unsigned)grid[2], (unsigned)group[0],
                       (unsigned)group[1], (unsigned)group[2], 0, enter(state), pointers, NULL);
}

static int wait(void *state) { return cuda.wait(enter(state)); }

enum { NO_TIMING = 2 };

/* Of Weft's own stream, also where the thread works on another one: `meet` has put that one's work before. */
static int record(void *given, int lane, uint64_t *event) {
    cuda_state *state = given;
    void *made = (void *)(size_t)*event;
    enter(state);
    int status = made ? 0 : cuda.make_event(&made, NO_TIMING);
    *event = status ? 0 : (uint64_t)(size_t)made;
    return status ? status : cuda.record(made, state->streams[lane]);
}

static int order_lane(void *state, int lane, uint64_t event) {
    return cuda.wait_event(stream_of_lane(state, lane), (void *)(size_t)event, 0);
}

/* Events are never dropped, and one that is recorded anew is waited for all the same. */
static int keep(void *state, uint64_t event) {
    (void)state, (void)event;
    return 0;
}

static int finish(void *state, uint64_t event) {
    enter(state);
    return cuda.finish_event((void *)(size_t)event);
}

static int settle(void *state) {
    enter(state);
    return cuda.wait_for_all();
}

static void *stream_of(void *state) { return enter(state); }

/* Lets one stream wait for what was queued on another. */
static int order(cuda_state *state, void *after, void *before) {
    if (after == before) return 0;
    pthread_mutex_lock(&state->lock);
    int status = state->event ? 0 : cuda.make_event(&state->event, NO_TIMING);
    if (!status) status = cuda.record(state->event, before);
    if (!status) status = cuda.wait_event(after, state->event, 0);
    pthread_mutex_unlock(&state->lock);
    return status;
}

static int follow(void *state, void *stream) { return order(state, enter(state), stream); }

static int lead(void *state, void *stream) { return order(state, stream, enter(state)); }

static void adopt(void *state, void *stream) {
    adopted.state = stream ? state : NULL;
    adopted.stream = stream;
}

static int is_adopted(void *state) { return adopted.state == state; }

static int meet(void *given) {
    cuda_state *state = given;
    if (!is_adopted(state)) return 0;
    int status = order(state, adopted.stream, state->streams[WEFT_KERNELS]);
    return status ? status : order(state, state->streams[WEFT_KERNELS], adopted.stream);
}

enum { PORTABLE = 1, MAPPED = 2 };

/* In the host's memory, where kernels can write: no copy is needed to set or to read it. */
static int make_flag(void *state, weft_kept_flag *made) {
    enter(state);
    int status = cuda.pin(&made->host, sizeof(int32_t), PORTABLE | MAPPED);
    if (status) return status;
    *(volatile int32_t *)made->host = 0;
    return cuda.address(&made->flag, made->host, 0);
}

static int read_flag(void *state, weft_kept_flag flag, int *raised) {
    (void)state;
    volatile int32_t *value = flag.host;
    *raised = *value != 0;
    *value = 0;
    return 0;
}

static int mark(void *state, int lane, uint64_t *made) {
    void *stream = stream_of_lane(state, lane), *event;
    int status = cuda.make_event(&event, 0);
    if (!status) status = cuda.record(event, stream);
    if (!status) *made = (uint64_t)(size_t)event;
    return status;
}

static int between(void *state, uint64_t first, uint64_t second, double *seconds) {
    void *from = (void *)(size_t)first, *to = (void *)(size_t)second;
    float milliseconds = 0;
    enter(state);
    int status = cuda.finish_event(to);
    if (!status) status = cuda.elapsed(&milliseconds, from, to);
    *seconds = 1e-3 * (double)milliseconds;
    cuda.drop_event(from);
    cuda.drop_event(to);
    return status;
}

static int reach(void *state, uint64_t mark) {
    void *event = (void *)(size_t)mark;
    enter(state);
    int status = cuda.finish_event(event);
    cuda.drop_event(event);
    return status;
}

static int pin_memory(void *state, void *memory, size_t bytes) {
    enter(state);
    return cuda.known(memory, bytes, PORTABLE);
}

static int unpin_memory(void *state, void *memory) {
    enter(state);
    return cuda.forget(memory);
}

enum { OUT_OF_MEMORY = 2 };

static const weft_driver functions = {
    .has_addresses = 1,
    .allocates_in_order = 1,
    .no_memory = {OUT_OF_MEMORY},
    .allocate = allocate,
    .release = release,
    .copy_in = copy_in,
    .copy_out = copy_out,
    .copy_rows = copy_rows,
    .copy_within = copy_within,
    .clear = clear,
    .launch = launch,
    .record = record,
    .order = order_lane,
    .keep = keep,
    .finish = finish,
    .wait = wait,
    .settle = settle,
    .follow = follow,
    .lead = lead,
    .stream = stream_of,
    .adopt = adopt,
    .is_adopted = is_adopted,
    .meet = meet,
    .make_flag = make_flag,
    .read_flag = read_flag,
    .mark = mark,
    .between = between,
    .reach = reach,
    .pin = pin_memory,
    .unpin = unpin_memory,
};

weft_device *weft_cuda_device(void *context, void *const streams[WEFT_LANES]) {
    cuda_state *state = load_driver() ? NULL : calloc(1, sizeof *state);
    if (!state) return NULL;
    state->context = context;
    for (int lane = 0; lane < WEFT_LANES; lane++) state->streams[lane] = streams[lane];
    pthread_mutex_init(&state->lock, NULL);
    return weft_make_device(&functions, state);
}
