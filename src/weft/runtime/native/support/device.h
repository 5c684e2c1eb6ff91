/* Devices with memory of their own, as generated host code sees them: a table of functions. All return 0 when done.

   Memory of a device has addresses on every device. Where a driver has handles instead, an address stands for the handle
   and a place in it; the host cannot read there. An address inside an allocation serves wherever a buffer is asked for. */
#ifndef WEFT_DEVICE_H
#define WEFT_DEVICE_H
#include <stddef.h>
#include <stdint.h>

/* What a kernel argument is: a number, a buffer that the kernel only reads, or that it may write, or what `stop_flag` gave. */
enum { WEFT_NUMBER, WEFT_READ, WEFT_WRITTEN, WEFT_HANDLE };

/* One kernel argument: `size` bytes at `value`. For a buffer, `value` points to its uint64_t address; the argument after it
   is the int64_t offset from there. */
typedef struct {
    const void *value;
    size_t size;
    int kind;
} weft_argument;

/* Rows of `width` bytes, each `pitch` bytes after the one before it: in a buffer from `offset` on, and on the host. With
   `more`, the same so often again, each time `plane` bytes further on, which are a whole number of pitches. */
typedef struct {
    uint64_t buffer;
    size_t offset, pitch;
    char *host;
    size_t host_pitch, width, rows;
    size_t more, plane, host_plane;
} weft_rows;

typedef struct weft_device weft_device;

/* Marks of a launch: the kernel waits for those before by itself, so it may be started while they run; and, times this number,
   1 + which argument is a buffer that is best kept in the second-level cache. */
enum { WEFT_EARLY = 1, WEFT_KEPT = 2 };

/* How much of a product of matrices may differ from what its loops say: nothing; the order in which each sum is added; and
   besides, factors of float32 may be rounded to tf32. */
enum { WEFT_EXACT, WEFT_ANY_ORDER, WEFT_TF32 };

/* A product of matrices of float32 or float64 that a kernel computes: result[i, j] becomes the sum of left[i, k] * right[k, j].
   Matrices are given as the result, the left and the right one. */
typedef struct {
    int64_t size;          /* bytes of an element */
    int64_t extents[3];    /* of i, j and k */
    int64_t strides[3][2]; /* bytes between rows, and between columns */
    uint64_t places[3];    /* addresses of the first elements */
    void *kernel;
    int freedom;
} weft_product;

/* Runs the kernel that computes a product. */
typedef int (*weft_own_way)(void *given);

struct weft_device {
    void *state;
    /* From a pool: memory that was released is given out again, and what is queued for it next runs after what was. */
    int (*allocate)(const weft_device *device, size_t bytes, uint64_t *buffer);
    int (*release)(const weft_device *device, uint64_t buffer);
    /* `offset` is where in the buffer the bytes start. */
    int (*copy_in)(const weft_device *device, uint64_t buffer, size_t offset, const void *host, size_t bytes);
    int (*copy_out)(const weft_device *device, void *host, uint64_t buffer, size_t offset, size_t bytes);
    /* `grid` counts groups of `group` work items, along x, y and z; then come the bytes of shared memory of a group that
       its kernel does not say itself. */
    int (*launch)(const weft_device *device, void *kernel, const size_t grid[3], const size_t group[4],
                  const weft_argument *arguments, int count, int marks);
    /* Waits for all that was queued here: kernels and copies. */
    int (*wait)(const weft_device *device);
    /* An int32_t on the device that is 0: kernels set it where the program would raise. */
    int (*take_flag)(const weft_device *device, uint64_t *flag);
    /* Waits for the kernels and for the copies to the device, tells whether the flag was set, and takes it back. */
    int (*give_flag)(const weft_device *device, uint64_t flag, int *raised);
    /* Sets all bytes to 0. */
    int (*clear)(const weft_device *device, uint64_t buffer, size_t bytes);
    /* Waits for all that anybody queued on the hardware, other libraries included. */
    int (*settle)(const weft_device *device);
    /* What is queued here from now on runs after what was queued on another library's stream; and the other way round. */
    int (*follow)(const weft_device *device, void *stream);
    int (*lead)(const weft_device *device, void *stream);
    /* The stream on which the calling thread works; NULL where streams are not shared with other libraries. */
    void *(*stream)(const weft_device *device);
    /* Copies rows to the device, or to the host where `out` is set. */
    int (*copy_rows)(const weft_device *device, const weft_rows *rows, int out);
    /* Copies bytes of one buffer to another. */
    int (*copy_within)(const weft_device *device, uint64_t to, uint64_t from, size_t from_offset, size_t bytes);
    /* Waits for the copies so far, and not for kernels that none of them needs. */
    int (*finish_copies)(const weft_device *device);
    /* The number of the last copy to the device, and a wait for the one of a number. */
    uint64_t (*sent)(const weft_device *device);
    int (*finish_sent)(const weft_device *device, uint64_t number);
    /* Waits for the copies so far from or to the host's bytes between two addresses, and for no others than come before. */
    int (*finish_host)(const weft_device *device, const void *low, const void *high);
    /* What others put behind the kernels comes after the copies so far, too. */
    int (*join)(const weft_device *device);
    /* Whether memory of another library is that of this device. */
    int (*is_here)(const weft_device *device, const void *memory);
    /* Copies bytes from the memory of another device, which the host does not touch; WEFT_NOT_DIRECT where there is no way. */
    int (*copy_across)(const weft_device *device, uint64_t buffer, const weft_device *from, uint64_t from_buffer,
                       size_t bytes);
    /* Launches of the calling thread until the matching end may be held back, and be queued together: a loop queues the same
       kernels again and again. Whatever else is asked of the device comes after them all the same. */
    int (*repeat)(const weft_device *device, int begins);
    /* Another iteration of that loop begins. The host does not run ahead of the device for long. */
    int (*next_turn)(const weft_device *device);
    /* Where kernels read a flag of `stops.h`. */
    int (*stop_flag)(const weft_device *device, const volatile int *flag, uint64_t *handle);
    /* A product of matrices, by the vendor's library where that was found to be better, else in its own way. */
    int (*multiply)(const weft_device *device, const weft_product *product, weft_own_way own, void *given);
};
#endif
