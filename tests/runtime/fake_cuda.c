/* A CUDA driver without a GPU: memory is the host's, work is done when it is queued, and every call is counted. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel of the tests is given its arguments, its grid and its group. */
typedef int (*kernel)(void **, const unsigned *);

static char calls[1 << 20];

static int quiet;

void fake_quiet(int on) { quiet = on; }

/* Calls that begin with some text fail. */
static char failing[64];
static int failure;

void fake_fail(const char *text, int status) {
    snprintf(failing, sizeof failing, "%s", text);
    failure = status;
}

static int status_of(const char *text) { return failure && !strncmp(text, failing, strlen(failing)) ? failure : 0; }

static int note(const char *text) {
    if (quiet) return 0;
    if (status_of(text)) return status_of(text);
    strncat(calls, text, sizeof calls - strlen(calls) - 2);
    strcat(calls, "\n");
    return 0;
}

static int note_stream(const char *what, void *stream) {
    char text[64];
    if (quiet) return 0;
    snprintf(text, sizeof text, "%s %ld", what, (long)(size_t)stream);
    return note(text);
}

/* One stream waits for another. */
static int note_streams(const char *what, void *stream, void *other) {
    char text[64];
    if (quiet) return 0;
    snprintf(text, sizeof text, "%s %ld %ld", what, (long)(size_t)stream, (long)(size_t)other);
    return note(text);
}

const char *fake_calls(void) { return calls; }
void fake_forget(void) { calls[0] = 0; }

static size_t capacity = SIZE_MAX, used;
void fake_capacity(size_t bytes) { capacity = bytes; }

/* Contexts are numbered from 1 on; memory of others belongs to the device that a test says. */
static int present, owner;
void fake_owner(int ordinal) { owner = ordinal; }

int cuCtxSetCurrent(void *context) { return present = (int)(size_t)context - 1, 0; }
int cuCtxGetDevice(int *ordinal) { return *ordinal = present, 0; }
int cuDeviceGetCount(int *count) { return *count = 2, 0; }
int cuPointerGetAttribute(void *value, int attribute, uint64_t pointer) { return *(int *)value = owner, 0; }
int cuMemAllocAsync(uint64_t *made, size_t bytes, void *stream) {
    size_t *block;
    if (used + bytes > capacity) return 2;
    if (status_of("allocate")) return status_of("allocate");
    block = malloc(bytes + 64);
    *block = bytes;
    used += bytes;
    *made = (uint64_t)(size_t)block + 64;
    return note("allocate");
}
int cuMemFreeAsync(uint64_t memory, void *stream) {
    size_t *block = (size_t *)(size_t)(memory - 64);
    used -= *block;
    free(block);
    return note("free");
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
    memcpy((void *)(size_t)to, from, bytes);
    return note_stream("in", stream);
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
    memcpy(to, (void *)(size_t)from, bytes);
    return note_stream("out", stream);
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream) {
    memcpy((void *)(size_t)to, (void *)(size_t)from, bytes);
    return note("within");
}

int cuMemcpyPeerAsync(uint64_t to, void *context, uint64_t from, void *other, size_t bytes, void *stream) {
    memcpy((void *)(size_t)to, (void *)(size_t)from, bytes);
    return note_stream("across", stream);
}

typedef struct {
    size_t x, y;
    int kind;
    char *host;
    char *device;
    void *array;
    size_t pitch;
} side;

typedef struct {
    side from, to;
    size_t width, rows;
} rows;

enum { LARGEST_PITCH = 2147483647 };
int cuMemcpy2DAsync_v2(const rows *copy, void *stream) {
    if (copy->from.pitch > LARGEST_PITCH || copy->to.pitch > LARGEST_PITCH) return 1;
    char *from = copy->from.kind == 1 ? copy->from.host : copy->from.device;
    char *to = copy->to.kind == 1 ? copy->to.host : copy->to.device;
    for (size_t k = 0; k < copy->rows; k++) memcpy(to + k * copy->to.pitch, from + k * copy->from.pitch, copy->width);
    return note_stream(copy->from.kind == 1 ? "in" : "out", stream);
}

typedef struct {
    size_t x, y, z, level;
    unsigned kind;
    char *host, *device;
    void *array, *reserved;
    size_t pitch, rows;
} box_side;

typedef struct {
    box_side from, to;
    size_t width, rows, planes;
} box;

int cuMemcpy3DAsync_v2(const box *copy, void *stream) {
    if (copy->from.pitch > LARGEST_PITCH || copy->to.pitch > LARGEST_PITCH) return 1;
    char *from = copy->from.kind == 1 ? copy->from.host : copy->from.device;
    char *to = copy->to.kind == 1 ? copy->to.host : copy->to.device;
    for (size_t z = 0; z < copy->planes; z++)
        for (size_t k = 0; k < copy->rows; k++)
            memcpy(to + (z * copy->to.rows + k) * copy->to.pitch, from + (z * copy->from.rows + k) * copy->from.pitch, copy->width);
    return note_stream(copy->from.kind == 1 ? "in" : "out", stream);
}

int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void *stream) {
    memset((void *)(size_t)to, value, bytes);
    return note("clear");
}
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **arguments, void **extra) {
    int status = note_stream("launch", stream);
    if (status) return status;
    const unsigned how[] = {gx, gy, gz, bx, by, bz};
    return f ? ((kernel)f)(arguments, how) : 0;
}
/* Graphs of kernels. A node has copies of its arguments, whose sizes nobody tells: eight bytes each, as many as a kernel has. */
enum { MOST = 64 };

typedef struct {
    void *function;
    unsigned grid[3], group[3], shared;
    void **arguments, **extra;
} kernel_node;

typedef struct {
    int count;
    kernel_node nodes[MOST];
} graph;

static int arguments_of_nodes = 0; /* below zero: kernels say it themselves */
void fake_arguments(int count) { arguments_of_nodes = count; }

static void set_node(kernel_node *node, const kernel_node *given) {
    int count = arguments_of_nodes < 0 ? ((kernel)given->function)(0, 0) : arguments_of_nodes;
    uint64_t *values = calloc((size_t)count + 1, sizeof *values);
    void **pointers = calloc((size_t)count + 1, sizeof *pointers);
    *node = *given;
    for (int k = 0; k < count; k++) {
        values[k] = *(uint64_t *)given->arguments[k];
        pointers[k] = &values[k];
    }
    node->arguments = pointers;
}

int cuGraphCreate(void **made, unsigned flags) { return (*made = calloc(1, sizeof(graph))) ? 0 : 2; }
int cuGraphAddKernelNode(void **node, graph *to, void *const *before, size_t count, const kernel_node *given) {
    if (to->count == MOST || count > 1 || (count && before[0] != &to->nodes[to->count - 1])) return 1;
    set_node(&to->nodes[to->count], given);
    *node = &to->nodes[to->count++];
    return 0;
}
typedef struct {
    unsigned char from, to, kind, reserved[5];
} edge;
int cuGraphAddDependencies_v2(graph *in, void *const *from, void *const *to, const edge *data, size_t count) {
    if (count != 1 || data->from != 1 || data->kind != 1) return 1;
    return (kernel_node *)to[0] == (kernel_node *)from[0] + 1 ? 0 : 1;
}
int cuGraphInstantiateWithFlags(void **made, graph *from, unsigned long long flags) {
    int status = note("instantiate");
    if (status) return status;
    *made = memcpy(malloc(sizeof *from), from, sizeof *from);
    return 0;
}
int cuGraphExecKernelNodeSetParams(graph *in, kernel_node *node, const kernel_node *given) {
    int place = -1;
    for (int k = 0; k < MOST && place < 0; k++)
        if (in->nodes[k].arguments == node->arguments) place = k;
    if (place < 0) return 1;
    set_node(&in->nodes[place], given);
    node->arguments = in->nodes[place].arguments;
    return note("set node");
}
int cuGraphLaunch(graph *run, void *stream) {
    int status = note_stream("graph", stream);
    for (int k = 0; !status && k < run->count; k++) {
        const kernel_node *node = &run->nodes[k]; /* its grid and its group lie beside one another */
        if (node->function) status = ((kernel)node->function)(node->arguments, node->grid);
    }
    return status;
}
int cuGraphExecDestroy(void *executable) { free(executable); return note("drop graph"); }
int cuGraphDestroy(void *graph) { free(graph); return 0; }
int cuFuncSetAttribute(void *f, int attribute, int value) { return note("permit"); }
int cuDeviceGetAttribute(int *value, int attribute, int device) { return *value = 9, 0; }

typedef struct {
    unsigned grid[3], group[3], shared;
    void *stream;
    int *attributes;
    unsigned count;
} launch_how;
/* A window over memory that the second-level cache is to keep, and a start before the kernel before is done. */
enum { ATTRIBUTE = 18, KEEPS_WINDOW = 1, STARTS_EARLY = 6 };
int cuCtxSetLimit(int limit, size_t bytes) { return note("limit"); }
int cuMemGetAddressRange_v2(uint64_t *base, size_t *bytes, uint64_t place) {
    *base = place;
    *bytes = 1 << 20;
    return 0;
}
int cuLaunchKernelEx(const launch_how *how, void *f, void **arguments, void **extra) {
    for (unsigned k = 0; k < how->count; k++) {
        const int *attribute = how->attributes + k * ATTRIBUTE;
        if (attribute[0] == KEEPS_WINDOW) note("window");
        else if (attribute[0] != STARTS_EARLY || attribute[2] != 1) return 1;
    }
    const unsigned *grid = how->grid, *group = how->group;
    return cuLaunchKernel(f, grid[0], grid[1], grid[2], group[0], group[1], group[2], how->shared, how->stream, arguments,
                          extra);
}
int cuMemHostAlloc(void **made, size_t bytes, unsigned flags) {
    if (status_of("memory of the host")) return status_of("memory of the host");
    return (*made = calloc(1, bytes)) ? 0 : 2;
}
int cuMemHostGetDevicePointer_v2(uint64_t *address, void *host, unsigned flags) {
    *address = (uint64_t)(size_t)host;
    return 0;
}
int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags) { return note("register"); }
int cuMemHostUnregister(void *memory) { return note("unregister"); }
int cuStreamSynchronize(void *stream) { return note_stream("wait for all of", stream); }
int cuCtxSynchronize(void) { return note("settle"); }
int cuEventCreate(void **event, unsigned flags) { return (*event = malloc(sizeof(void *))) ? 0 : 2; }
int cuEventDestroy_v2(void *event) { free(event); return 0; }
int cuEventRecord(void *event, void *stream) {
    *(void **)event = stream;
    return note_stream("record", stream);
}
int cuStreamWaitEvent(void *stream, void *event, unsigned flags) { return note_streams("await", stream, *(void **)event); }
int cuEventSynchronize(void *event) { return note_stream("finish", *(void **)event); }
int cuEventElapsedTime(float *milliseconds, void *first, void *second) { return *milliseconds = 1, 0; }
