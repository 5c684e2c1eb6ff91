/* The contract between generated code and the runtime. Both sides include this file and nothing else of each other. */
#ifndef WEFT_H
#define WEFT_H
#include <stdint.h>
#include <stddef.h>
#include "device.h"

#define WEFT_MAX_DIMS 8

/* An array argument or result. `base` is what must be freed once a result is dropped; NULL for borrowed memory. */
typedef struct {
    char *data;
    void *base;
    int64_t shape[WEFT_MAX_DIMS];
    int64_t strides[WEFT_MAX_DIMS];
} weft_view;

/* A scalar or a pointer to a view: integers and Booleans in `i` (uint64 bit for bit), real numbers of any width in
   `f`, complex ones in `c`. */
typedef union {
    int64_t i;
    double f;
    double c[2];
    weft_view *view;
} weft_value;

#define WEFT_FAULT_OPERANDS 6

/* What went wrong: `site` indexes the table of sites that was written beside the code; 0 is none. In parallel loops the
   fault of the lowest `iteration` wins. */
typedef struct {
    int32_t site;
    int32_t lock;
    int64_t iteration;
    weft_value operands[WEFT_FAULT_OPERANDS];
} weft_fault;

/* What an entry function returns; positive numbers are fault sites. */
enum { WEFT_OK = 0, WEFT_OTHER_VARIANT = -1, WEFT_NO_MEMORY = -2, WEFT_INTERRUPTED = -3, WEFT_DEVICE_FAILED = -4,
       WEFT_TOO_LARGE = -5, WEFT_RAISED = -6, WEFT_LAID_ANEW = -7, WEFT_NO_ROOM = -8, WEFT_FULL = -9 };

/* Runs iterations [begin, end) of a parallel loop; `part` is the number of the piece, for partial results. WEFT_OK; or any
   other status, after which no iteration behind these need run. */
typedef int32_t (*weft_body)(void *context, int64_t begin, int64_t end, int64_t part);

/* The same for iterations that may fail, which gives a status; what they overwrite goes to `saved`. The other one puts it
   back. WEFT_FULL: `saved` has no room for what is to come. */
typedef int32_t (*weft_tentative)(void *context, int64_t begin, int64_t end, int64_t part, void *saved,
                                  weft_fault *fault);
typedef void (*weft_undo)(void *context, int64_t begin, int64_t end, void *saved);
enum { WEFT_SAVED = 1 << 15 }; /* bytes that a piece may save */

/* What `saved` begins with, where a piece can also run by `plain`: a journal. Records lie between `first` and `end`; `more`
   makes room for so many further bytes, or gives 0. */
typedef struct weft_journal {
    char *first, *end, *limit;
    int (*more)(struct weft_journal *journal, size_t bytes);
} weft_journal;

/* In mirror.h. */
typedef struct weft_mirrors weft_mirrors;

typedef struct weft_runtime {
    /* Cuts [begin, end) into `parts` contiguous pieces, ((end - begin) * part) / parts each, and runs all that are not
       empty on the threads; 0 parts: as many as suit, which may be run a part at a time. `work` is the estimated time of all
       of it on one core, in nanoseconds; little work stays on the calling thread. Nested calls run on the calling thread,
       with the same pieces. Once a piece has failed those behind it need not run. */
    void (*parallel)(weft_body body, void *context, int64_t begin, int64_t end, int64_t parts, double work);
    /* How many threads would share a loop of so much work; 0: it stays on the calling one. */
    int (*is_shared)(double work);
    /* 64-byte aligned memory, or NULL; `zeroed` non-zero clears it. Thread-safe. */
    void *(*allocate)(size_t bytes, int zeroed);
    void (*release)(void *memory);
    /* Non-zero: stop soon (Ctrl-C, a time limit). Long loops read it at their back-edges. */
    volatile int *stop;
    /* The device that the program was compiled for, and what moves arrays there; NULL for the CPU. */
    const weft_device *device;
    const weft_mirrors *mirrors;
    /* Calls the Python function of a step of the program, with the lock of Python held. `kinds` tells the operands apart:
       v for a view, n for a number. Non-zero: it raised, and the program returns WEFT_RAISED. */
    int (*python)(void *caller, int step, const char *kinds, const weft_value *operands, weft_value *result);
    void *caller;
    /* Finds a kernel of the program, by its number in the order of the launches in the text; what nobody has needed so far
       is compiled now. `is_first`: the program has done nothing yet that a second run would not do again. WEFT_OK; or what
       the program returns: WEFT_RAISED, or WEFT_LAID_ANEW, which only a first kernel gives. */
    int32_t (*kernel)(void *caller, int number, int is_first, void **kernel);
    /* The same as `parallel`, but a part is begun only when all before it are: so it may wait for them. None is empty,
       and where the number of parts is not given none has more than `longest` iterations. */
    void (*in_order)(weft_body body, void *context, int64_t begin, int64_t end, int64_t parts, int64_t longest, double work);
    /* Waits until `*turn` is `own`, and gives 1; or 0, once `*status` is not 0, since it may never be. */
    int (*await_turn)(const int64_t *turn, int64_t own, const int32_t *status);
    /* Runs iterations [begin, end) on the threads, in `parts` pieces as `parallel` does, or, for 0 parts, in pieces of at most
       `longest`, and gives the status of the first that fails, whose fault is told: then what later ones overwrote was put
       back. `plain` runs a piece whose `saved` was full, once none before it can fail; it tells its fault itself. */
    int32_t (*undoing)(weft_tentative run, weft_undo undo, weft_body plain, void *context, int64_t begin, int64_t end,
                       int64_t parts, int64_t longest, double work, weft_fault *fault);
    /* How many more calls Python would let be nested in the call of the program; 0 where it would not permit that one. */
    int64_t (*calls_left)(void *caller);
    /* Functions that call themselves end the program where their variables would lie below this address. */
    const char *stack_end;
} weft_runtime;

/* The entry of a compiled program. Views in `results` are provided by the caller and filled in. */
typedef int32_t (*weft_entry)(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                              weft_fault *fault);
#endif
