/* The device table over the CUDA driver, which is loaded at run time: a machine without it can still build this. */
#include "cuda_device.h"
#include "flags.h"
#include "fork.h"
#include <dlfcn.h>
#include <stdlib.h>

typedef int (*context_fn)(void *);
typedef int (*allocate_fn)(uint64_t *, size_t, void *);
typedef int (*release_fn)(uint64_t, void *);
typedef int (*copy_in_fn)(uint64_t, const void *, size_t, void *);
typedef int (*copy_out_fn)(void *, uint64_t, size_t, void *);
typedef int (*launch_fn)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                         void **);
typedef int (*wait_fn)(void *);
typedef int (*pin_fn)(void **, size_t, unsigned);
typedef int (*address_fn)(uint64_t *, void *, unsigned);

/* Addresses of driver functions are process-wide; a context and a stream belong to one device. */
static struct {
    context_fn set_context;
    allocate_fn allocate;
    release_fn release;
    copy_in_fn copy_in;
    copy_out_fn copy_out;
    launch_fn launch;
    pin_fn pin;
    address_fn address;
    wait_fn wait;
} driver;

typedef struct {
    void *context, *stream;
    weft_flags flags;
} cuda_state;

static void *find(void *library, const char *name, int *missing) {
    void *address = dlsym(library, name);
    if (!address) *missing = 1;
    return address;
}

static int load_driver(void) {
    if (driver.wait) return 0;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!library) return 1;
    int missing = 0;
    driver.set_context = (context_fn)(size_t)find(library, "cuCtxSetCurrent", &missing);
    driver.allocate = (allocate_fn)(size_t)find(library, "cuMemAllocAsync", &missing);
    driver.release = (release_fn)(size_t)find(library, "cuMemFreeAsync", &missing);
    driver.copy_in = (copy_in_fn)(size_t)find(library, "cuMemcpyHtoDAsync_v2", &missing);
    driver.copy_out = (copy_out_fn)(size_t)find(library, "cuMemcpyDtoHAsync_v2", &missing);
    driver.launch = (launch_fn)(size_t)find(library, "cuLaunchKernel", &missing);
    driver.pin = (pin_fn)(size_t)find(library, "cuMemHostAlloc", &missing);
    driver.address = (address_fn)(size_t)find(library, "cuMemHostGetDevicePointer_v2", &missing);
    wait_fn wait = (wait_fn)(size_t)find(library, "cuStreamSynchronize", &missing);
    if (!missing) driver.wait = wait;
    return missing;
}

/* A Python thread that comes for the first time has no current context. */
static cuda_state *enter(const weft_device *device) {
    cuda_state *state = device->state;
    driver.set_context(state->context);
    return state;
}

static int allocate(const weft_device *device, size_t bytes, uint64_t *buffer) {
    return driver.allocate(buffer, bytes ? bytes : 1, enter(device)->stream);
}

static int release(const weft_device *device, uint64_t buffer) {
    return driver.release(buffer, enter(device)->stream);
}

static int copy_in(const weft_device *device, uint64_t buffer, size_t offset, const void *host, size_t bytes) {
    return bytes ? driver.copy_in(buffer + offset, host, bytes, enter(device)->stream) : 0;
}

static int copy_out(const weft_device *device, void *host, uint64_t buffer, size_t offset, size_t bytes) {
    return bytes ? driver.copy_out(host, buffer + offset, bytes, enter(device)->stream) : 0;
}

enum { MAX_ARGUMENTS = 512 };

static int launch(const weft_device *device, void *kernel, const size_t grid[3], const size_t group[3],
                  const weft_argument *arguments, int count) {
    void *pointers[MAX_ARGUMENTS];
    if (count > MAX_ARGUMENTS) return 1;
    for (int k = 0; k < count; k++) pointers[k] = (void *)(size_t)arguments[k].value;
    return driver.launch(kernel, (unsigned)grid[0], (unsigned)grid[1], (unsigned)grid[2], (unsigned)group[0],
                         (unsigned)group[1], (unsigned)group[2], 0, enter(device)->stream, pointers, NULL);
}

static int wait(const weft_device *device) { return driver.wait(enter(device)->stream); }

enum { PORTABLE = 1, MAPPED = 2 };

/* In the host's memory, where kernels can write: no copy is needed to set or to read it. */
static int make_flag(void *given, weft_kept_flag *made) {
    (void)given;
    int status = driver.pin(&made->host, sizeof(int32_t), PORTABLE | MAPPED);
    if (status) return status;
    *(volatile int32_t *)made->host = 0;
    return driver.address(&made->flag, made->host, 0);
}

static int take_flag(const weft_device *device, uint64_t *flag) {
    cuda_state *state = enter(device);
    weft_kept_flag taken;
    int status = weft_flags_take(&state->flags, make_flag, state, &taken);
    if (!status) *flag = taken.flag;
    return status;
}

static int give_flag(const weft_device *device, uint64_t flag, int *raised) {
    cuda_state *state = device->state;
    int status = wait(device);
    if (status) return status;
    volatile int32_t *value = weft_flags_find(&state->flags, flag).host;
    *raised = *value != 0;
    *value = 0;
    weft_flags_give(&state->flags, flag);
    return 0;
}

weft_device *weft_cuda_device(void *context, void *stream) {
    if (load_driver()) return NULL;
    weft_device *device = malloc(sizeof *device);
    cuda_state *state = malloc(sizeof *state);
    if (!device || !state) return NULL;
    *state = (cuda_state){.context = context, .stream = stream};
    pthread_mutex_init(&state->flags.lock, NULL);
    *device = (weft_device){state, allocate, release, copy_in, copy_out, launch, wait, take_flag, give_flag};
    weft_refuse_after_fork(device);
    return device;
}
