/* Odd-even transposition sort: n phases of compare-and-exchange between neighbours. */
#include "pool.h"

#include <string.h>

struct phase {
    int32_t *values;
};

static void exchange(int64_t begin, int64_t end, void *context) {
    int32_t *restrict v = ((const struct phase *)context)->values;
    for (int64_t i = begin; i < end; i++) {
        int32_t a = v[2 * i], b = v[2 * i + 1];
        v[2 * i] = a < b ? a : b;
        v[2 * i + 1] = a < b ? b : a;
    }
}

void odd_even_sort(const int32_t *source, int32_t *values, int64_t n) {
    KERNEL;
    memcpy(values, source, (size_t)n * sizeof *values);
    for (int64_t phase = 0; phase < n; phase++) {
        int64_t odd = phase % 2;
        parallel_for((n - odd) / 2, 1 << 16, exchange, &(struct phase){values + odd});
    }
}
