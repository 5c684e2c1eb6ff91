/* Devices with memory of their own, as generated host code sees them: a table of functions. All return 0 when done. */
#ifndef WEFT_DEVICE_H
#define WEFT_DEVICE_H
#include <stddef.h>
#include <stdint.h>

/* One kernel argument: `size` bytes at `value`; for a buffer, `value` points to its uint64_t handle. */
typedef struct {
    const void *value;
    size_t size;
    int is_buffer;
} weft_argument;

typedef struct weft_device weft_device;

struct weft_device {
    void *state;
    int (*allocate)(const weft_device *device, size_t bytes, uint64_t *buffer);
    int (*release)(const weft_device *device, uint64_t buffer);
    /* `offset` is where in the buffer the bytes start. */
    int (*copy_in)(const weft_device *device, uint64_t buffer, size_t offset, const void *host, size_t bytes);
    int (*copy_out)(const weft_device *device, void *host, uint64_t buffer, size_t offset, size_t bytes);
    /* `grid` counts groups of `group` work items, along x, y and z. */
    int (*launch)(const weft_device *device, void *kernel, const size_t grid[3], const size_t group[3],
                  const weft_argument *arguments, int count);
    /* Waits for all that was queued here. */
    int (*wait)(const weft_device *device);
    /* An int32_t on the device that is 0: kernels set it where the program would raise. */
    int (*take_flag)(const weft_device *device, uint64_t *flag);
    /* Waits for all that was queued here, tells whether the flag was set, and takes it back. */
    int (*give_flag)(const weft_device *device, uint64_t flag, int *raised);
};
#endif
