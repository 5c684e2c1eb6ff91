/* A runtime for tests: the real thread pool, memory that is counted, and a stop flag that tests can set. */
#include <stdlib.h>
#include "threads.h"

static volatile int stop;
static _Atomic long live;

static void *allocate(size_t bytes, int zeroed) {
    size_t rounded = bytes ? (bytes + 63) / 64 * 64 : 64;
    char *memory = aligned_alloc(64, rounded);
    if (!memory) return NULL;
    live++;
    for (size_t k = 0; k < rounded; k++) memory[k] = zeroed ? 0 : (char)0xa5;
    return memory;
}

static void release(void *memory) {
    if (memory) live--;
    free(memory);
}

/* With this much of its work, a loop of any size is cut into pieces. */
static double scale = 1;

static void parallel(weft_body body, void *context, int64_t begin, int64_t end, int64_t parts, double work) {
    weft_parallel(body, context, begin, end, parts, work * scale);
}

static int is_shared(double work) { return weft_is_shared(work * scale); }

static void in_order(weft_body body, void *context, int64_t begin, int64_t end, int64_t parts, int64_t longest,
                     double work) {
    weft_in_order(body, context, begin, end, parts, longest, work * scale);
}

static int32_t undoing(weft_tentative run, weft_undo undo, weft_body plain, void *context, int64_t begin, int64_t end,
                       int64_t parts, int64_t longest, double work, weft_fault *fault) {
    return weft_undoing(run, undo, plain, context, begin, end, parts, longest, work * scale, fault);
}

static const weft_runtime runtime = {parallel, is_shared, allocate, release, &stop, .in_order = in_order,
                                     .await_turn = weft_await_turn, .undoing = undoing};

const weft_runtime *test_runtime(void) { return &runtime; }

long test_live(void) { return live; }

void test_release(void *memory) { release(memory); }

void test_stop(int value) { stop = value; }

void test_scale(double value) { scale = value; }
