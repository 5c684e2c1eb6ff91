/* The device table over OpenCL, whose loader library is found at run time. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "opencl_device.h"
#include "flags.h"
#include "fork.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

typedef void *(*create_fn)(void *, uint64_t, size_t, void *, int32_t *);
typedef int32_t (*release_fn)(void *);
typedef int32_t (*write_fn)(void *, void *, uint32_t, size_t, size_t, const void *, uint32_t, void *, void *);
typedef int32_t (*read_fn)(void *, void *, uint32_t, size_t, size_t, void *, uint32_t, void *, void *);
typedef int32_t (*argument_fn)(void *, uint32_t, size_t, const void *);
typedef int32_t (*launch_fn)(void *, void *, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, void *,
                             void *);
typedef int32_t (*wait_fn)(void *);

static struct {
    create_fn create;
    release_fn release;
    write_fn write;
    read_fn read;
    argument_fn argument;
    launch_fn launch;
    wait_fn wait;
} driver;

typedef struct {
    void *context, *queue;
    pthread_mutex_t arguments; /* a kernel object holds its arguments: setting them and queueing is one step */
    weft_flags flags;
} opencl_state;

static void *find(void *library, const char *name, int *missing) {
    void *address = dlsym(library, name);
    if (!address) *missing = 1;
    return address;
}

static int load_driver(void) {
    if (driver.wait) return 0;
    /* The loader library that Python uses, where it made that one visible; else the system's. */
    void *library = RTLD_DEFAULT;
    if (!dlsym(library, "clFinish") && !(library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL))) return 1;
    int missing = 0;
    driver.create = (create_fn)(size_t)find(library, "clCreateBuffer", &missing);
    driver.release = (release_fn)(size_t)find(library, "clReleaseMemObject", &missing);
    driver.write = (write_fn)(size_t)find(library, "clEnqueueWriteBuffer", &missing);
    driver.read = (read_fn)(size_t)find(library, "clEnqueueReadBuffer", &missing);
    driver.argument = (argument_fn)(size_t)find(library, "clSetKernelArg", &missing);
    driver.launch = (launch_fn)(size_t)find(library, "clEnqueueNDRangeKernel", &missing);
    wait_fn wait = (wait_fn)(size_t)find(library, "clFinish", &missing);
    if (!missing) driver.wait = wait;
    return missing;
}

static int allocate(const weft_device *device, size_t bytes, uint64_t *buffer) {
    int32_t status = 0;
    *buffer = (uint64_t)(size_t)driver.create(((opencl_state *)device->state)->context, 1 /* CL_MEM_READ_WRITE */,
                                              bytes ? bytes : 1, NULL, &status);
    return status;
}

static int release(const weft_device *device, uint64_t buffer) { return driver.release((void *)(size_t)buffer); }

static int copy_in(const weft_device *device, uint64_t buffer, size_t offset, const void *host, size_t bytes) {
    opencl_state *state = device->state;
    return bytes ? driver.write(state->queue, (void *)(size_t)buffer, 1, offset, bytes, host, 0, NULL, NULL) : 0;
}

static int copy_out(const weft_device *device, void *host, uint64_t buffer, size_t offset, size_t bytes) {
    opencl_state *state = device->state;
    return bytes ? driver.read(state->queue, (void *)(size_t)buffer, 1, offset, bytes, host, 0, NULL, NULL) : 0;
}

static int set_arguments(void *kernel, const weft_argument *arguments, int count) {
    for (int k = 0; k < count; k++) {
        int32_t status;
        if (arguments[k].is_buffer) {
            void *memory = (void *)(size_t)(*(const uint64_t *)arguments[k].value);
            status = driver.argument(kernel, (uint32_t)k, sizeof memory, &memory);
        } else status = driver.argument(kernel, (uint32_t)k, arguments[k].size, arguments[k].value);
        if (status) return status;
    }
    return 0;
}

static int launch(const weft_device *device, void *kernel, const size_t grid[3], const size_t group[3],
                  const weft_argument *arguments, int count) {
    opencl_state *state = device->state;
    size_t items[3] = {grid[0] * group[0], grid[1] * group[1], grid[2] * group[2]};
    pthread_mutex_lock(&state->arguments);
    int status = set_arguments(kernel, arguments, count);
    if (!status) status = driver.launch(state->queue, kernel, 3, NULL, items, group, 0, NULL, NULL);
    pthread_mutex_unlock(&state->arguments);
    return status;
}

static int wait(const weft_device *device) { return driver.wait(((opencl_state *)device->state)->queue); }

static const int32_t zero = 0;

static int make_flag(void *given, weft_kept_flag *made) {
    opencl_state *state = given;
    int32_t status = 0;
    void *buffer = driver.create(state->context, 1 /* CL_MEM_READ_WRITE */, sizeof zero, NULL, &status);
    if (status) return status;
    *made = (weft_kept_flag){.flag = (uint64_t)(size_t)buffer};
    return driver.write(state->queue, buffer, 1, 0, sizeof zero, &zero, 0, NULL, NULL);
}

static int take_flag(const weft_device *device, uint64_t *flag) {
    opencl_state *state = device->state;
    weft_kept_flag taken;
    int status = weft_flags_take(&state->flags, make_flag, state, &taken);
    if (!status) *flag = taken.flag;
    return status;
}

/* Reading waits for all that was queued before it. */
static int give_flag(const weft_device *device, uint64_t flag, int *raised) {
    opencl_state *state = device->state;
    int32_t value = 0;
    int status = copy_out(device, &value, flag, 0, sizeof value);
    *raised = value != 0;
    if (!status && value) status = copy_in(device, flag, 0, &zero, sizeof zero);
    if (!status) weft_flags_give(&state->flags, flag);
    return status;
}

weft_device *weft_opencl_device(void *context, void *queue) {
    if (load_driver()) return NULL;
    weft_device *device = malloc(sizeof *device);
    opencl_state *state = malloc(sizeof *state);
    if (!device || !state) return NULL;
    *state = (opencl_state){.context = context, .queue = queue};
    pthread_mutex_init(&state->arguments, NULL);
    pthread_mutex_init(&state->flags.lock, NULL);
    *device = (weft_device){state, allocate, release, copy_in, copy_out, launch, wait, take_flag, give_flag};
    weft_refuse_after_fork(device);
    return device;
}
