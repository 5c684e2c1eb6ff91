/* Stands before the OpenCL library: counts copies for which the caller waits, and lets waits fail. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static void *library;
static int blocking, queued, failing;

int watched_blocking(void) { return blocking; }
int watched_queued(void) { return queued; }
void watched_fail(int status) { failing = status; }

__attribute__((constructor)) static void load(void) { library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL); }

static void find(const char *name, void *function) {
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

static void note(uint32_t waits) {
    blocking += waits != 0;
    queued += waits == 0;
}

int32_t clFinish(void *queue) {
    static int32_t (*real)(void *);
    if (!real) find("clFinish", &real);
    return real(queue);
}

int32_t clEnqueueWriteBuffer(void *queue, void *memory, uint32_t waits, size_t offset, size_t bytes, const void *host,
                             uint32_t count, void *events, void *event) {
    static int32_t (*real)(void *, void *, uint32_t, size_t, size_t, const void *, uint32_t, void *, void *);
    if (!real) find("clEnqueueWriteBuffer", &real);
    note(waits);
    return real(queue, memory, waits, offset, bytes, host, count, events, event);
}

int32_t clEnqueueWriteBufferRect(void *queue, void *memory, uint32_t waits, const size_t *origin, const size_t *host_origin,
                                 const size_t *region, size_t pitch, size_t slice, size_t host_pitch, size_t host_slice,
                                 const void *host, uint32_t count, void *events, void *event) {
    static int32_t (*real)(void *, void *, uint32_t, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t,
                           size_t, const void *, uint32_t, void *, void *);
    if (!real) find("clEnqueueWriteBufferRect", &real);
    note(waits);
    return real(queue, memory, waits, origin, host_origin, region, pitch, slice, host_pitch, host_slice, host, count, events,
                event);
}

int32_t clWaitForEvents(uint32_t count, void *const *events) {
    static int32_t (*real)(uint32_t, void *const *);
    if (!real) find("clWaitForEvents", &real);
    int32_t status = real(count, events);
    return failing ? failing : status;
}
