/* Refuses devices in child processes: see `fork.h`. */
#include "fork.h"
#include <pthread.h>
#include <stdlib.h>

typedef struct opened opened;

struct opened {
    weft_device *device;
    opened *next;
};

static opened *all; /* changed under the interpreter's lock only, which a fork from Python holds */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int allocate(const weft_device *device, size_t bytes, uint64_t *buffer) {
    (void)device, (void)bytes, (void)buffer;
    return WEFT_FORKED;
}

static int release(const weft_device *device, uint64_t buffer) {
    (void)device, (void)buffer;
    return WEFT_FORKED;
}

static int copy_in(const weft_device *device, uint64_t buffer, size_t offset, const void *host, size_t bytes) {
    (void)device, (void)buffer, (void)offset, (void)host, (void)bytes;
    return WEFT_FORKED;
}

static int copy_out(const weft_device *device, void *host, uint64_t buffer, size_t offset, size_t bytes) {
    (void)device, (void)host, (void)buffer, (void)offset, (void)bytes;
    return WEFT_FORKED;
}

static int launch(const weft_device *device, void *kernel, const size_t grid[3], const size_t group[3],
                  const weft_argument *arguments, int count) {
    (void)device, (void)kernel, (void)grid, (void)group, (void)arguments, (void)count;
    return WEFT_FORKED;
}

static int wait(const weft_device *device) {
    (void)device;
    return WEFT_FORKED;
}

static int take_flag(const weft_device *device, uint64_t *flag) {
    (void)device, (void)flag;
    return WEFT_FORKED;
}

static int give_flag(const weft_device *device, uint64_t flag, int *raised) {
    (void)device, (void)flag, (void)raised;
    return WEFT_FORKED;
}

static void refuse(void) {
    for (opened *item = all; item; item = item->next)
        *item->device = (weft_device){NULL, allocate, release, copy_in, copy_out, launch, wait, take_flag, give_flag};
}

static void watch(void) { pthread_atfork(NULL, NULL, refuse); }

void weft_refuse_after_fork(weft_device *device) {
    opened *item = malloc(sizeof *item);
    if (!item) return;
    *item = (opened){device, all};
    all = item;
    pthread_once(&once, watch);
}
