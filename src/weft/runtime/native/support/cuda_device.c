/* The CUDA driver, which is loaded at run time: a machine without it can still build this. */
#include "cuda_device.h"
#include "driver.h"
#include "mirror.h"
#include "stops.h"
#include "vendor.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Functions of the driver's library; process-wide, while a context and a stream belong to one device. */
static struct {
    int (*set_context)(void *);
    int (*allocate)(uint64_t *, size_t, void *);
    int (*release)(uint64_t, void *);
    int (*copy_in)(uint64_t, const void *, size_t, void *);
    int (*copy_out)(void *, uint64_t, size_t, void *);
    int (*copy_rows)(const void *, void *);
    int (*copy_planes)(const void *, void *);
    int (*copy_within)(uint64_t, uint64_t, size_t, void *);
    int (*copy_across)(uint64_t, void *, uint64_t, void *, size_t, void *);
    int (*clear)(uint64_t, unsigned char, size_t, void *);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
    int (*launch_with)(const void *, void *, void **, void **);
    int (*fact)(int *, int, int);
    int (*limit)(int, size_t);
    int (*range)(uint64_t *, size_t *, uint64_t);
    int (*make_graph)(void **, unsigned);
    int (*add_kernel)(void **, void *, void *const *, size_t, const void *);
    int (*make_executable)(void **, void *, unsigned long long);
    int (*add_edge)(void *, void *const *, void *const *, const void *, size_t);
    int (*set_kernel)(void *, void *, const void *);
    int (*run_graph)(void *, void *);
    int (*drop_executable)(void *);
    int (*drop_graph)(void *);
    int (*permit)(void *, int, int);
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
    int (*count)(int *);
    int (*ordinal)(int *);
    int (*attribute)(void *, int, uint64_t);
} cuda;

typedef struct {
    void *context, *streams[WEFT_LANES];
    int starts_early; /* kernels may be started before the one before is done, for which they wait themselves */
    int ordinal, is_alone; /* its number among the devices; whether there are no others */
    pthread_mutex_t lock; /* of the event, by which streams wait for one another */
    void *event;
    uint64_t stops; /* the flags of `stops.h`, as kernels see them */
    void *library;  /* what the vendor's library has of this device */
    uint64_t workspace; /* memory that it may use */
    size_t window;      /* bytes of memory that the second-level cache may keep, once that was asked for */
} cuda_state;

static const weft_symbol symbols[] = {
    {"cuCtxSetCurrent", &cuda.set_context},
    {"cuMemAllocAsync", &cuda.allocate},
    {"cuMemFreeAsync", &cuda.release},
    {"cuMemcpyHtoDAsync_v2", &cuda.copy_in},
    {"cuMemcpyDtoHAsync_v2", &cuda.copy_out},
    {"cuMemcpy2DAsync_v2", &cuda.copy_rows},
    {"cuMemcpy3DAsync_v2", &cuda.copy_planes},
    {"cuMemcpyDtoDAsync_v2", &cuda.copy_within},
    {"cuMemcpyPeerAsync", &cuda.copy_across},
    {"cuMemsetD8Async", &cuda.clear},
    {"cuLaunchKernel", &cuda.launch},
    {"cuDeviceGetAttribute", &cuda.fact},
    {"cuGraphCreate", &cuda.make_graph},
    {"cuGraphAddKernelNode", &cuda.add_kernel},
    {"cuGraphInstantiateWithFlags", &cuda.make_executable},
    {"cuGraphExecKernelNodeSetParams", &cuda.set_kernel},
    {"cuGraphLaunch", &cuda.run_graph},
    {"cuGraphExecDestroy", &cuda.drop_executable},
    {"cuGraphDestroy", &cuda.drop_graph},
    {"cuFuncSetAttribute", &cuda.permit},
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
    {"cuDeviceGetCount", &cuda.count},
    {"cuCtxGetDevice", &cuda.ordinal},
    {"cuPointerGetAttribute", &cuda.attribute},
};

/* Of newer drivers: to start kernels before the one before is done. */
static const weft_symbol early_symbols[] = {
    {"cuLaunchKernelEx", &cuda.launch_with},
    {"cuGraphAddDependencies_v2", &cuda.add_edge},
};

/* To keep memory in the second-level cache. */
static const weft_symbol window_symbols[] = {
    {"cuLaunchKernelEx", &cuda.launch_with},
    {"cuCtxSetLimit", &cuda.limit},
    {"cuMemGetAddressRange_v2", &cuda.range},
};

static int knows_early, knows_windows;

static int load_driver(void) {
    static int loaded;
    if (loaded) return 0;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    int missing = !library || weft_load_symbols(library, symbols, sizeof symbols / sizeof *symbols);
    knows_early = !missing && !weft_load_symbols(library, early_symbols, sizeof early_symbols / sizeof *early_symbols);
    knows_windows =
        !missing && !weft_load_symbols(library, window_symbols, sizeof window_symbols / sizeof *window_symbols);
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

/* CUDA_MEMCPY3D. */
typedef struct {
    size_t x, y, z, level;
    unsigned kind;
    const void *host;
    uint64_t device;
    void *array, *reserved;
    size_t pitch, rows;
} cuda_box_side;

typedef struct {
    cuda_box_side from, to;
    size_t width, rows, planes;
} cuda_box;

enum { MEMORY_OF_HOST = 1, MEMORY_OF_DEVICE = 2, LARGEST_PITCH = 2147483647 /* bytes, of all drivers */ };

static int copy_planes(void *state, int lane, weft_place place, const weft_rows *rows, int out) {
    cuda_box_side host = {
        .kind = MEMORY_OF_HOST, .host = rows->host, .pitch = rows->host_pitch, .rows = rows->host_plane / rows->host_pitch};
    cuda_box_side device = {
        .kind = MEMORY_OF_DEVICE, .device = place.handle, .pitch = rows->pitch, .rows = rows->plane / rows->pitch};
    cuda_box copy = {out ? device : host, out ? host : device, rows->width, rows->rows, rows->more + 1};
    return cuda.copy_planes(&copy, stream_of_lane(state, lane));
}

/* Rows so far apart that the driver refuses to copy them at once: there is memory for few of these. */
static int copy_each(void *state, int lane, weft_place place, const weft_rows *rows, int out) {
    int status = 0;
    for (size_t k = 0; !status && k < (rows->more + 1) * rows->rows; k++) {
        size_t plane = k / rows->rows, row = k % rows->rows;
        char *host = rows->host + plane * rows->host_plane + row * rows->host_pitch;
        weft_place there = place;
        there.handle += plane * rows->plane + row * rows->pitch;
        status = out ? copy_out(state, lane, host, there, rows->width) : copy_in(state, lane, there, host, rows->width);
    }
    return status;
}

static int copy_rows(void *state, int lane, weft_place place, const weft_rows *rows, int out) {
    if (rows->pitch > LARGEST_PITCH || rows->host_pitch > LARGEST_PITCH) return copy_each(state, lane, place, rows, out);
    if (rows->more) return copy_planes(state, lane, place, rows, out);
    cuda_side host = {.kind = MEMORY_OF_HOST, .host = rows->host, .pitch = rows->host_pitch};
    cuda_side device = {.kind = MEMORY_OF_DEVICE, .device = place.handle, .pitch = rows->pitch};
    cuda_rows copy = {out ? device : host, out ? host : device, rows->width, rows->rows};
    return cuda.copy_rows(&copy, stream_of_lane(state, lane));
}

static int copy_within(void *state, weft_place to, weft_place from, size_t bytes) {
    return cuda.copy_within(to.handle, from.handle, bytes, enter(state));
}

static int copy_across(void *state, int lane, weft_place to, void *from_state, weft_place from, size_t bytes) {
    void *context = ((cuda_state *)state)->context, *other = ((cuda_state *)from_state)->context;
    return cuda.copy_across(to.handle, context, from.handle, other, bytes, stream_of_lane(state, lane));
}

static int clear(void *state, weft_place place, size_t bytes) { return cuda.clear(place.handle, 0, bytes, enter(state)); }

enum { MOST_SHARED_BYTES = 8 };

/* Blocks may share more memory than all drivers give unasked. */
static int permit(const weft_launch *launch) {
    return launch->group[3] ? cuda.permit(launch->kernel, MOST_SHARED_BYTES, (int)launch->group[3]) : 0;
}

static void point_to(const weft_launch *launch, void *pointers[WEFT_MOST_ARGUMENTS]) {
    for (int k = 0; k < launch->count; k++) pointers[k] = (void *)(size_t)launch->arguments[k].value;
}

/* CUlaunchConfig and CUlaunchAttribute of the driver's interface. */
typedef struct {
    int id;
    char padding[4];
    union {
        char bytes[64];
        int on;
        struct {
            uint64_t first;
            size_t bytes;
            float part;
            int inside, outside;
        } window;
    } value;
} cuda_attribute;

typedef struct {
    unsigned grid[3], group[3], shared;
    void *stream;
    cuda_attribute *attributes;
    unsigned count;
} cuda_launch;

enum { STARTS_EARLY = 6, KEEPS_WINDOW = 1, PERSISTING = 2, STREAMING = 1 };

enum { PERSISTING_BYTES = 6 /* a limit */, MOST_PERSISTING = 108, LARGEST_WINDOW = 109 };

/* How much of the second-level cache may hold windows; found, and set, when the first kernel wants one. */
static size_t window_bytes(cuda_state *state) {
    int device, most, largest;
    if (!state->window && knows_windows && !cuda.ordinal(&device) && !cuda.fact(&most, MOST_PERSISTING, device) &&
        !cuda.fact(&largest, LARGEST_WINDOW, device) && !cuda.limit(PERSISTING_BYTES, (size_t)most))
        state->window = (size_t)largest;
    return state->window;
}

/* Whether a kernel gets a window over the memory of one of its arguments. */
static int set_window(cuda_state *state, const weft_launch *launch, cuda_attribute *attribute) {
    const int argument = launch->marks / WEFT_KEPT - 1;
    const size_t most = argument < 0 ? 0 : window_bytes(state);
    uint64_t base;
    size_t bytes;
    if (!most) return 0;
    const uint64_t first = *(const uint64_t *)launch->arguments[argument].value +
                           (uint64_t) * (const int64_t *)launch->arguments[argument + 1].value;
    if (cuda.range(&base, &bytes, first)) return 0;
    const size_t rest = (size_t)(base + bytes - first), span = rest < most ? rest : most;
    *attribute = (cuda_attribute){.id = KEEPS_WINDOW, .value.window = {first, span, 1.0f, PERSISTING, STREAMING}};
    return 1;
}

static int launch(void *given, const weft_launch *launch) {
    cuda_state *state = given;
    cuda_attribute attributes[2];
    cuda_launch how = {.shared = (unsigned)launch->group[3], .stream = enter(state), .attributes = attributes};
    void *pointers[WEFT_MOST_ARGUMENTS];
    int status = permit(launch);
    if (status) return status;
    for (int k = 0; k < 3; k++) {
        how.grid[k] = (unsigned)launch->grid[k];
        how.group[k] = (unsigned)launch->group[k];
    }
    point_to(launch, pointers);
    how.count += (unsigned)set_window(state, launch, attributes);
    if (state->starts_early && launch->marks & WEFT_EARLY)
        attributes[how.count++] = (cuda_attribute){.id = STARTS_EARLY, .value.on = 1};
    if (how.count) return cuda.launch_with(&how, launch->kernel, pointers, NULL);
    return cuda.launch(launch->kernel, how.grid[0], how.grid[1], how.grid[2], how.group[0], how.group[1], how.group[2],
                       how.shared, how.stream, pointers, NULL);
}

/* ------------------------------------------------------------------------------------------------------ graphs */

/* CUDA_KERNEL_NODE_PARAMS of the driver's interface. */
typedef struct {
    void *function;
    unsigned grid[3], group[3], shared;
    void **arguments, **extra;
} cuda_kernel;

/* A graph of kernels, each after the one before: the graph, what is run of it, and its nodes. */
typedef struct {
    void *graph, *executable, *nodes[];
} cuda_sequence;

static cuda_kernel kernel_of(const weft_launch *launch, void *pointers[WEFT_MOST_ARGUMENTS]) {
    cuda_kernel kernel = {.function = launch->kernel, .shared = (unsigned)launch->group[3], .arguments = pointers};
    for (int k = 0; k < 3; k++) {
        kernel.grid[k] = (unsigned)launch->grid[k];
        kernel.group[k] = (unsigned)launch->group[k];
    }
    point_to(launch, pointers);
    return kernel;
}

/* CUgraphEdgeData of the driver's interface. */
typedef struct {
    unsigned char from, to, kind, reserved[5];
} cuda_edge;

static const cuda_edge early = {.from = 1, .kind = 1}; /* behind the point where a kernel lets others start */

static int add_node(const cuda_state *state, cuda_sequence *sequence, int position, const weft_launch *launch) {
    void *pointers[WEFT_MOST_ARGUMENTS], **node = &sequence->nodes[position], **before = position ? node - 1 : NULL;
    cuda_kernel kernel = kernel_of(launch, pointers);
    int status = permit(launch);
    if (status) return status;
    if (!state->starts_early || !(launch->marks & WEFT_EARLY)) return cuda.add_kernel(node, sequence->graph, before, before != NULL, &kernel);
    status = cuda.add_kernel(node, sequence->graph, NULL, 0, &kernel);
    return status || !before ? status : cuda.add_edge(sequence->graph, before, node, &early, 1);
}

static void drop_sequence(void *state, void *given) {
    cuda_sequence *sequence = given;
    enter(state);
    if (sequence->executable) cuda.drop_executable(sequence->executable);
    if (sequence->graph) cuda.drop_graph(sequence->graph);
    free(sequence);
}

static int make_sequence(void *state, const weft_launch *const *launches, int count, void **made) {
    cuda_sequence *sequence = calloc(1, sizeof *sequence + (size_t)count * sizeof(void *));
    if (!sequence) return WEFT_NO_HOST_MEMORY;
    enter(state);
    int status = cuda.make_graph(&sequence->graph, 0);
    for (int k = 0; !status && k < count; k++) status = add_node(state, sequence, k, launches[k]);
    if (!status) status = cuda.make_executable(&sequence->executable, sequence->graph, 0);
    if (status) drop_sequence(state, sequence);
    else *made = sequence;
    return status;
}

/* Runs of the graph that are queued already keep what they were given. */
static int set_in_sequence(void *state, void *given, int position, const weft_launch *launch) {
    cuda_sequence *sequence = given;
    void *pointers[WEFT_MOST_ARGUMENTS];
    cuda_kernel kernel = kernel_of(launch, pointers);
    enter(state);
    return cuda.set_kernel(sequence->executable, sequence->nodes[position], &kernel);
}

static int run_sequence(void *state, void *sequence) {
    return cuda.run_graph(((cuda_sequence *)sequence)->executable, enter(state));
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

static int share(void *state, size_t bytes, weft_kept_flag *made) {
    enter(state);
    int status = cuda.pin(&made->host, bytes, PORTABLE | MAPPED);
    if (status) return status;
    memset(made->host, 0, bytes);
    return cuda.address(&made->flag, made->host, 0);
}

static int read_flag(void *state, weft_kept_flag flag, int *raised) {
    (void)state;
    volatile int32_t *value = flag.host;
    *raised = *value != 0;
    *value = 0;
    return 0;
}

enum { IS_KNOWN = 712 };

/* The flags are in memory of the host that all devices read. Others than these are never seen. */
static int stop_flag(void *given, const volatile int *flag, uint64_t *handle) {
    cuda_state *state = given;
    size_t bytes, place;
    char *memory = weft_stop_memory(&bytes);
    int status = 0;
    enter(state);
    pthread_mutex_lock(&state->lock);
    if (!state->stops) {
        status = cuda.known(memory, bytes, PORTABLE | MAPPED);
        if (!status || status == IS_KNOWN) status = cuda.address(&state->stops, memory, 0);
    }
    pthread_mutex_unlock(&state->lock);
    place = (size_t)((const volatile char *)flag - memory);
    *handle = state->stops + (place < bytes ? place : 0);
    return status;
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

static int find_algorithms(void *given, const weft_product *product, weft_algorithm *found, int most, int *count) {
    cuda_state *state = given;
    enter(state);
    pthread_mutex_lock(&state->lock);
    int status = weft_vendor_algorithms(&state->library, product, found, most, count);
    pthread_mutex_unlock(&state->lock);
    return status;
}

/* Products run one after the other, also where threads work on other streams: one workspace serves all. */
static int make_workspace(cuda_state *state) {
    if (state->workspace) return 0;
    int status = cuda.allocate(&state->workspace, WEFT_WORKSPACE, state->streams[WEFT_KERNELS]);
    return status ? status : cuda.wait(state->streams[WEFT_KERNELS]);
}

static int prepare(void *given, const weft_product *product, const weft_algorithm *algorithm, void **prepared) {
    cuda_state *state = given;
    enter(state);
    pthread_mutex_lock(&state->lock);
    int status = weft_vendor_prepare(&state->library, product, algorithm, prepared);
    if (!status && weft_vendor_needs(*prepared) && (status = make_workspace(state))) weft_vendor_forget(*prepared);
    pthread_mutex_unlock(&state->lock);
    return status;
}

static int multiply(void *given, void *prepared, const uint64_t places[3]) {
    cuda_state *state = given;
    void *stream = enter(state);
    return weft_vendor_multiply(state->library, prepared, places, state->workspace, stream);
}

static void forget(void *given, void *prepared) {
    enter(given);
    weft_vendor_forget(prepared);
}

enum { ORDINAL_OF_POINTER = 9 };

static int is_here(void *given, const void *memory) {
    cuda_state *state = given;
    int ordinal = state->ordinal;
    if (state->is_alone || !memory) return 1;
    return !cuda.attribute(&ordinal, ORDINAL_OF_POINTER, (uint64_t)(size_t)memory) && ordinal == state->ordinal;
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
    .is_here = is_here,
    .copy_across = copy_across,
    .clear = clear,
    .launch = launch,
    .stop_flag = stop_flag,
    .make_sequence = make_sequence,
    .set_in_sequence = set_in_sequence,
    .run_sequence = run_sequence,
    .drop_sequence = drop_sequence,
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
    .share = share,
    .read_flag = read_flag,
    .mark = mark,
    .between = between,
    .reach = reach,
    .pin = pin_memory,
    .unpin = unpin_memory,
    .find_algorithms = find_algorithms,
    .prepare = prepare,
    .multiply = multiply,
    .forget = forget,
};

enum { MAJOR = 75 /* of the compute capability */, EARLY_MAJOR = 9 };

/* Kernels of later hardware begin with a wait for the kernels before: see ``device.cuh``. */
static int starts_early(void) {
    int device, major;
    return knows_early && !cuda.ordinal(&device) && !cuda.fact(&major, MAJOR, device) && major >= EARLY_MAJOR;
}

weft_device *weft_cuda_device(void *context, void *const streams[WEFT_LANES]) {
    cuda_state *state = load_driver() ? NULL : calloc(1, sizeof *state);
    if (!state) return NULL;
    state->context = context;
    for (int lane = 0; lane < WEFT_LANES; lane++) state->streams[lane] = streams[lane];
    pthread_mutex_init(&state->lock, NULL);
    int count = 0;
    cuda.set_context(context);
    state->starts_early = starts_early();
    state->is_alone = cuda.count(&count) || count < 2 || cuda.ordinal(&state->ordinal);
    return weft_make_device(&functions, state);
}
