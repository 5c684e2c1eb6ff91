/* What a device holds of the host's memory while a program runs, for generated host code.

   Arrays are mirrored by the bytes between their first and last element. Arrays whose bytes overlap share one buffer, so
   a kernel that writes through one view and reads through another sees one memory, as on the host. Where the device has no
   room for what is needed now, buffers that are not give theirs up, least recently used first; what they hold waits beside the
   host's memory, whose bytes may be others. Every function that may fail returns 0 when done; whatever happens, `close` gives
   all buffers back. */
#ifndef WEFT_MIRROR_H
#define WEFT_MIRROR_H
#include "weft.h"

typedef struct weft_held weft_held;
typedef struct weft_debt weft_debt;

typedef struct {
    weft_held *items;
    int count, room;
} weft_places;

/* `places` are the buffers of arrays, `saved` what is kept beside them; `debts` are elements that the host is owed. */
typedef struct {
    const weft_device *device;
    weft_places places, saved;
    weft_debt *debts;
    int owed, room;
    int line; /* of the program, for the ledger: what caused what comes next */
    int repeats; /* within a loop that only launches */
    int watches; /* some kernel looks whether it is to stop */
    int never;   /* what kernels look at that will end soon */
    int is_flagged; /* a kernel was launched with `flag`, and nobody was told yet whether it is set */
    uint64_t flag;
    uint64_t turn; /* the number of what is done now: a copy, or a launch */
} weft_mirror;

/* An array as the host sees it. */
typedef struct {
    char *data;
    int64_t size; /* bytes of an element */
    int dimensions;
    int64_t shape[WEFT_MAX_DIMS], strides[WEFT_MAX_DIMS];
} weft_array;

enum { WEFT_MAX_ARGUMENTS = 400 };

typedef struct {
    weft_argument items[WEFT_MAX_ARGUMENTS];
    union {
        int64_t integer;
        uint64_t buffer;
        char bytes[16];
    } values[WEFT_MAX_ARGUMENTS];
    int count, status;
} weft_arguments;

/* The functions live in the runtime and not in generated code, which would compile them again for every program. */
struct weft_mirrors {
    /* Makes sure that an array has a place on the device. */
    int (*reserve)(weft_mirror *mirror, const weft_array *array);
    /* The same for an array that one kernel only writes, before the host reads it: where it is small, the kernel may do so in
       memory of the host. */
    int (*lend)(weft_mirror *mirror, const weft_array *array);
    /* The elements of an array, and no byte between them, become current on the device. */
    int (*in)(weft_mirror *mirror, const weft_array *array);
    /* The same on the host, once the device was waited for; they are owed no longer. */
    int (*out)(weft_mirror *mirror, const weft_array *array);
    /* The elements of an array of the host become those of another one of the same shape, which has a place on the device;
       and those of the one on the device become the other's on the host. */
    int (*fill)(weft_mirror *mirror, const weft_array *from, const weft_array *held);
    int (*empty)(weft_mirror *mirror, const weft_array *held, const weft_array *to);
    /* Gives the buffer of an array back; nothing where another array that shares it was freed. */
    int (*drop)(weft_mirror *mirror, const weft_array *array);
    /* Keeps what the device has of an array beside it; brings that to the host; forgets all that was kept of an array. */
    int (*save)(weft_mirror *mirror, const weft_array *array);
    int (*restore)(weft_mirror *mirror, const weft_array *array);
    int (*forget)(weft_mirror *mirror, const weft_array *array);
    /* Remembers that the host is owed the elements of an array of the caller, and pays when the program fails. */
    int (*owe)(weft_mirror *mirror, const weft_array *array);
    /* The same for elements of a guest that the host is about to write, and the device has to get. */
    int (*owe_back)(weft_mirror *mirror, const weft_array *array);
    void (*settle)(weft_mirror *mirror);
    int (*wait)(weft_mirror *mirror);
    /* Waits for copies of the elements of an array, in either direction. */
    int (*wait_for)(weft_mirror *mirror, const weft_array *array);
    void (*close)(weft_mirror *mirror);
    /* Makes sure that an array of a launch has a place: of all arrays, before the first is passed, since holding one may
       move another. */
    void (*hold)(weft_arguments *arguments, weft_mirror *mirror, const weft_array *array);
    void (*pass)(weft_arguments *arguments, const void *value, size_t size);
    /* An array, which the kernel reads (WEFT_READ) or may write (WEFT_WRITTEN): its buffer, the place of its first element in
       it, its extents, and its first `strides` strides. An array without elements has no buffer. */
    void (*pass_array)(weft_arguments *arguments, weft_mirror *mirror, const weft_array *array, int strides, int kind);
    /* The same for an array that is on the device already. */
    void (*pass_device_array)(weft_arguments *arguments, const weft_array *array, int strides, int kind);
    /* The same for an array of which the device holds the part in a window; nothing where that has no elements. */
    void (*pass_part)(weft_arguments *arguments, weft_mirror *mirror, const weft_array *array, const weft_array *window,
                      int strides, int kind);
    /* How many more bytes the device takes. */
    int64_t (*room)(const weft_mirror *mirror);
    /* Runs a kernel over `blocks` blocks along x, y and z, in as many launches as the limits of the grid need. `group` is
       the work items of a block along these, the bytes of shared memory as for the device's launch, then the iterations
       that a block runs. `offsets` says which arguments the offsets along x, y and z are; -1 where there is none. Where
       `raised` is given, the kernel takes a flag as its last argument; this waits for the kernel and tells whether it was
       set. */
    int (*launch)(weft_mirror *mirror, void *kernel, weft_arguments *arguments, const int64_t blocks[3],
                  const size_t group[7], const int offsets[3], int marks,
                  const volatile int *stop, int *raised);
    /* A loop that only launches kernels begins, or ends; and each of its iterations begins: see `device.h`. */
    int (*repeat)(weft_mirror *mirror, int begins);
    int (*next_turn)(weft_mirror *mirror);
    /* Waits for kernels that look whether they are to stop; the status of the program, whose own one is given. */
    int (*finish)(weft_mirror *mirror, int status, const volatile int *stop);
    /* The same as `launch`, for a kernel that computes a product of matrices and cannot fail. `positions` says which arguments
       the three matrices are; their places are given as distances from their first elements. */
    int (*launch_product)(weft_mirror *mirror, void *kernel, weft_arguments *arguments, const int64_t blocks[3],
                          const size_t group[7], const int offsets[3], int marks, weft_product *product,
                          const int positions[3]);
    /* A `launch` whose kernel takes a flag, without waiting for it; `tell` waits, and tells whether the flag was set. */
    int (*launch_flagged)(weft_mirror *mirror, void *kernel, weft_arguments *arguments, const int64_t blocks[3],
                          const size_t group[7], const int offsets[3], int marks, const volatile int *stop);
    int (*tell)(weft_mirror *mirror, int *raised);
    /* The memory of an array, for a kernel that a user wrote: its buffer and the place of the first element in it, or
       `joined` their sum. Without a mirror the array is on the device already. */
    void (*pass_memory)(weft_arguments *arguments, weft_mirror *mirror, const weft_array *array, int kind, int joined);
    /* Room for each group, as an argument of such a kernel. */
    void (*pass_room)(weft_arguments *arguments, int64_t bytes);
    /* Runs such a kernel: `start` is the kernel, the groups along x, y and z, the work items of a group along these, and its
       bytes of shared memory that are no argument. */
    int (*launch_foreign)(weft_mirror *mirror, const int64_t start[8], weft_arguments *arguments);
};

/* Why the device refused: its own status, and the bytes that were asked for where it was memory. */
typedef struct {
    int status;
    size_t bytes;
} weft_failure;

enum { WEFT_NO_HOST_MEMORY = 10000 };

/* Memory of the host that stands for an array which is on the device already: bytes from `low` to `high`, of which the first
   is at `address` there. Nothing of it is on the host but what was copied. */
typedef struct {
    char *low, *high;
    uint64_t address;
    int is_fresh;   /* the host has what the device has, until a kernel writes there */
    int is_home;    /* it is on the host, and on no device: nothing is copied, and no kernel touches it */
    int is_foreign; /* memory of another library, with which the lanes of a device keep no order: the host waits */
} weft_guest;

typedef struct {
    weft_guest *items;
    int count;
} weft_guests;

/* Of the program that runs on the calling thread; what it calls has others. */
extern _Thread_local weft_guests weft_present_guests;

extern const weft_mirrors weft_mirror_functions;

/* Of the calling thread, once. */
weft_failure weft_take_failure(void);
#endif
