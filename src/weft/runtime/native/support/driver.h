/* What the driver of a kind of device must be able to do; `weft_make_device` makes the table of `device.h` of it. */
#ifndef WEFT_DRIVER_H
#define WEFT_DRIVER_H
#include "device.h"
#include "flags.h"
#include "lanes.h"

enum { WEFT_MOST_ARGUMENTS = 512 };

/* Memory as the driver made it: what it calls it, and the address under which Weft knows it. */
typedef struct {
    uint64_t handle, address;
} weft_memory;

/* A place in memory: `handle` plus `offset`. Drivers whose handles are addresses get offset 0. */
typedef struct {
    uint64_t handle;
    size_t offset;
} weft_place;

/* A kernel as it is queued: `grid` counts groups of `group` work items, along x, y and z; behind these are the bytes that a
   group shares beyond what the kernel declares. */
typedef struct {
    void *kernel;
    size_t grid[3], group[4];
    const weft_argument *arguments;
    int count;
    int marks;
} weft_launch;

/* A way in which the vendor's library computes a product: its own description, which stays valid for one version of it. */
typedef struct {
    uint64_t words[8];
} weft_algorithm;

/* Fewer kernels are not worth a sequence. */
enum { WEFT_SHORTEST_SEQUENCE = 16 };

struct weft_driver {
    int has_addresses; /* handles are addresses, also those of memory that others made */
    int no_memory[3];  /* the statuses that say so; 0 at the end */
    int allocates_in_order; /* memory may be used behind what is queued in the lane of copies to the device */
    int borrows; /* copies to the device read any memory of the host after they were queued; else only what is pinned */
    int (*allocate)(void *state, size_t bytes, weft_memory *made);
    /* Behind the kernels so far. */
    int (*release)(void *state, weft_memory memory, size_t bytes);
    int (*copy_in)(void *state, int lane, weft_place to, const void *host, size_t bytes);
    int (*copy_out)(void *state, int lane, void *host, weft_place from, size_t bytes);
    int (*copy_rows)(void *state, int lane, weft_place place, const weft_rows *rows, int out);
    /* Among the kernels, as are those that follow. */
    int (*copy_within)(void *state, weft_place to, weft_place from, size_t bytes);
    /* Whether memory that others made is that of this device; NULL where no others can. */
    int (*is_here)(void *state, const void *memory);
    /* From the memory of another device of this driver; NULL where there is no way but over the host. */
    int (*copy_across)(void *state, int lane, weft_place to, void *from_state, weft_place from, size_t bytes);
    int (*clear)(void *state, weft_place place, size_t bytes);
    /* Buffers among the arguments point to handles. */
    int (*launch)(void *state, const weft_launch *launch);
    /* Where kernels read a flag of `stops.h`, while the host may set it. */
    int (*stop_flag)(void *state, const volatile int *flag, uint64_t *handle);
    /* Kernels that are queued as one, each after the one before: makes such a sequence, sets what one of its kernels is to
       be from now on, whose function stays, queues it, and gives it back, also while it runs. NULL where there are none. */
    int (*make_sequence)(void *state, const weft_launch *const *launches, int count, void **made);
    int (*set_in_sequence)(void *state, void *sequence, int position, const weft_launch *launch);
    int (*run_sequence)(void *state, void *sequence);
    void (*drop_sequence)(void *state, void *sequence);
    /* An event behind all that is queued in a lane; it takes the place of the one that is given, if any. */
    int (*record)(void *state, int lane, uint64_t *event);
    /* What is queued in a lane later runs after an event. */
    int (*order)(void *state, int lane, uint64_t event);
    /* Waits for an event, which `keep` has kept from being replaced, and gives it back. */
    int (*keep)(void *state, uint64_t event);
    int (*finish)(void *state, uint64_t event);
    /* Waits for the kernels so far. */
    int (*wait)(void *state);
    int (*settle)(void *state);
    int (*follow)(void *state, void *stream);
    int (*lead)(void *state, void *stream);
    /* The stream on which the calling thread works; and from now on, one of another library's, or its own again. NULL where
       streams are not shared. */
    void *(*stream)(void *state);
    void (*adopt)(void *state, void *stream);
    int (*is_adopted)(void *state);
    /* Where the calling thread works on another library's stream: lets that one and its own wait for one another, before
       memory goes from one to the other. */
    int (*meet)(void *state);
    /* Memory of the host, full of zeros, where kernels can write; NULL where they cannot. Reading a flag there, when the
       kernels are done, tells whether it is set, and sets it to 0. */
    int (*share)(void *state, size_t bytes, weft_kept_flag *made);
    int (*read_flag)(void *state, weft_kept_flag flag, int *raised);
    /* A point in a lane, and the seconds between two of them, which waits for the second. Both are given back. */
    int (*mark)(void *state, int lane, uint64_t *mark);
    int (*between)(void *state, uint64_t first, uint64_t second, double *seconds);
    /* Waits for a point in a lane, and gives it back. */
    int (*reach)(void *state, uint64_t mark);
    /* Makes memory of the host known to the driver, so that copies need no detour; NULL where that is not possible. */
    int (*pin)(void *state, void *memory, size_t bytes);
    int (*unpin)(void *state, void *memory);
    /* Ways in which the vendor's library would compute a product, the one first that it holds for the best; what it has to
       know of one of these, made once; the product, among the kernels; and that given back. NULL where there is no library. */
    int (*find_algorithms)(void *state, const weft_product *product, weft_algorithm *found, int most, int *count);
    int (*prepare)(void *state, const weft_product *product, const weft_algorithm *algorithm, void **prepared);
    int (*multiply)(void *state, void *prepared, const uint64_t places[3]);
    void (*forget)(void *state, void *prepared);
};

/* A device that lives as long as the process; NULL without memory. */
weft_device *weft_make_device(const weft_driver *driver, void *state);

/* Gives memory that is in the pool and not in use back to the driver. */
int weft_device_trim(const weft_device *device);

/* From how many bytes on something is done: copies go through slots, in each direction, where the driver does not know the
   host's memory; arrays that come again are made known to the driver. SIZE_MAX: never. */
typedef struct {
    size_t stage_in, stage_out, pin;
} weft_policy;

/* Lets the calling thread work on a stream of another library; NULL: on its own again. */
int weft_device_adopt(const weft_device *device, void *stream);

weft_policy *weft_device_policy(const weft_device *device);

/* Makes memory of the host known to the driver of a device; its status, or WEFT_NOT_PINNED where it has no such thing. */
int weft_device_pin(const weft_device *device, void *memory, size_t bytes);

/* Whether copies of the host's memory go on while the host does something else. */
int weft_device_is_apart(const weft_device *device);

/* Waits until what the calling thread has queued reads no more memory of the host that the caller may change. */
int weft_device_finish_sends(const weft_device *device);

/* Results of so many bytes may be written to memory of the host by their kernels: no copy is queued, and the host waits for
   these kernels alone. */
enum { WEFT_LENT_BYTES = 1 << 14 };

/* Lends such memory until it is taken back; WEFT_NOT_PINNED where there is none. */
int weft_device_lend(const weft_device *device, weft_kept_flag *lent);
void weft_device_take_back(const weft_device *device, const weft_kept_flag *lent);

/* The number of the last kernel so far, for which somebody is going to wait. */
int weft_device_mark(const weft_device *device, uint64_t *number);

/* Waits for a kernel; then brings what it wrote, from `offset` on, to its place on the host. */
int weft_device_collect(const weft_device *device, uint64_t number, const weft_kept_flag *lent, size_t offset, void *host,
                        size_t bytes);

/* Bytes that are in use, and bytes that the pool keeps. */
void weft_device_memory(const weft_device *device, size_t *used, size_t *kept);

/* How many more bytes calls of this thread can have in use, once others made room: less than a limit that is set, and than
   the driver is taken to have. */
size_t weft_device_room(const weft_device *device);
int weft_device_has_room(const weft_device *device, size_t bytes);

/* Whether a status says that there is no memory left; and the ledger's note that something gave its memory up. */
int weft_device_lacks(const weft_device *device, int status);
void weft_device_note_freed(const weft_device *device, size_t bytes);

/* Says how many bytes the driver has. */
void weft_device_has(const weft_device *device, size_t bytes);

/* A kernel or a copy that was queued: its lane and its number there, and the call that did. Copies have no kernel. */
typedef struct {
    uint64_t number;
    int lane;
    const void *kernel;
    const char *program, *file;
    int line, program_line;
} weft_launched;

enum { WEFT_LAUNCHED = 8 };

/* The last kernels and copies that are not known to be done, lane by lane in their order; how many. */
int weft_device_running(const weft_device *device, weft_launched running[WEFT_LANES * WEFT_LAUNCHED]);

/* A function of a driver's library, and the pointer that is to point to it. */
typedef struct {
    const char *name;
    void *pointer;
} weft_symbol;

/* Sets all pointers; 1 where a function is missing. */
int weft_load_symbols(void *library, const weft_symbol *symbols, size_t count);

/* What Weft itself refuses, beside the drivers' own numbers. */
enum { WEFT_TOO_MANY_ARGUMENTS = 10001, WEFT_FORKED = 10002, WEFT_NOT_ORDERED = 10003, WEFT_NOT_OURS = 10004,
       WEFT_NOT_PINNED = 10006, WEFT_NOT_DIRECT = 10007, WEFT_NO_PLACE = 10009, WEFT_TOO_FAR = 10010 };
#endif
