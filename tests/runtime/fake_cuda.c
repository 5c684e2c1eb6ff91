/* A CUDA driver without a GPU: memory is the host's, work is done when it is queued, and every call is counted. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*kernel)(void **);

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

int cuCtxSetCurrent(void *context) { return 0; }
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

int cuMemcpy2DAsync_v2(const rows *copy, void *stream) {
    char *from = copy->from.kind == 1 ? copy->from.host : copy->from.device;
    char *to = copy->to.kind == 1 ? copy->to.host : copy->to.device;
    for (size_t k = 0; k < copy->rows; k++) memcpy(to + k * copy->to.pitch, from + k * copy->from.pitch, copy->width);
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
    return f ? ((kernel)f)(arguments) : 0;
}
int cuMemHostAlloc(void **made, size_t bytes, unsigned flags) { return (*made = calloc(1, bytes)) ? 0 : 2; }
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
