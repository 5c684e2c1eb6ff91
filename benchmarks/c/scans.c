/* Prefix sum over tiles, and a histogram with private counts. */
#include "lanes.h"
#include "pool.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { TILE = 1 << 14, BINS = 256, COPIES = 4 };

struct scan {
    const double *x;
    double *r, *before; /* the sum of all tiles before each */
    _Atomic int *known; /* whether that is written */
    int64_t n;
};

static double tile_sum(const double *x, int64_t n) {
    f64x8 s0 = splat(0.0), s1 = s0, s2 = s0, s3 = s0;
    double rest = 0.0;
    int64_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
        s0 += load(x + i);
        s1 += load(x + i + LANES);
        s2 += load(x + i + 2 * LANES);
        s3 += load(x + i + 3 * LANES);
    }
    for (; i < n; i++) rest += x[i];
    s0 = (s0 + s1) + (s2 + s3);
    for (int lane = 0; lane < LANES; lane++) rest += s0[lane];
    return rest;
}

/* The running sum of eight numbers in three steps of shift and add. */
static inline f64x8 scan_lanes(f64x8 v) {
    const f64x8 zero = splat(0.0);
#if defined(__clang__)
    v += __builtin_shufflevector(zero, v, 0, 8, 9, 10, 11, 12, 13, 14);
    v += __builtin_shufflevector(zero, v, 0, 0, 8, 9, 10, 11, 12, 13);
    v += __builtin_shufflevector(zero, v, 0, 0, 0, 0, 8, 9, 10, 11);
#else
    v += __builtin_shuffle(zero, v, (i64x8){0, 8, 9, 10, 11, 12, 13, 14});
    v += __builtin_shuffle(zero, v, (i64x8){0, 0, 8, 9, 10, 11, 12, 13});
    v += __builtin_shuffle(zero, v, (i64x8){0, 0, 0, 0, 8, 9, 10, 11});
#endif
    return v;
}

static void scan_tile(const double *x, double *r, int64_t n, double sum) {
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        f64x8 v = scan_lanes(load(x + i));
        store(r + i, v + sum);
        sum += v[LANES - 1];
    }
    for (; i < n; i++) r[i] = sum += x[i];
}

/* Tiles are claimed in order, so whoever waits for the sum before a tile waits for a thread that is at work.
   A tile is summed, then scanned while it is still in the cache: memory is read once. */
static void scan_tiles(int64_t begin, int64_t end, void *context) {
    const struct scan *s = context;
    for (int64_t t = begin; t < end; t++) {
        int64_t first = t * TILE, n = s->n - first < TILE ? s->n - first : TILE;
        double sum = first + n < s->n ? tile_sum(s->x + first, n) : 0.0;
        while (!atomic_load_explicit(&s->known[t], memory_order_acquire)) sched_yield();
        s->before[t + 1] = s->before[t] + sum;
        atomic_store_explicit(&s->known[t + 1], 1, memory_order_release);
        scan_tile(s->x + first, s->r + first, n, s->before[t]);
    }
}

void prefix_sum(const double *x, double *r, int64_t n) {
    KERNEL;
    int64_t tiles = (n + TILE - 1) / TILE;
    struct scan s = {x, r, calloc((size_t)tiles + 1, sizeof(double)), calloc((size_t)tiles + 1, sizeof(int)), n};
    if (!s.before || !s.known) abort();
    atomic_store(&s.known[0], 1);
    parallel_for(tiles, 1, scan_tiles, &s);
    free(s.before);
    free(s.known);
}

struct counting {
    const int32_t *keys;
    int64_t (*counts)[BINS];
};

static void count_chunk(int64_t begin, int64_t end, void *context) {
    const struct counting *c = context;
    uint32_t local[COPIES][BINS] = {{0}};
    int64_t i = begin;
    for (; i + COPIES <= end; i += COPIES)
        for (int copy = 0; copy < COPIES; copy++) local[copy][c->keys[i + copy]]++;
    for (; i < end; i++) local[0][c->keys[i]]++;
    int64_t *counts = c->counts[pool_self()];
    for (int bin = 0; bin < BINS; bin++)
        counts[bin] += (int64_t)local[0][bin] + local[1][bin] + local[2][bin] + local[3][bin];
}

void histogram(const int32_t *keys, int64_t *counts, int64_t n) {
    KERNEL;
    int threads = pool_threads();
    struct counting c = {keys, calloc((size_t)threads, sizeof *c.counts)};
    if (!c.counts) abort();
    parallel_for(n, 1 << 16, count_chunk, &c);
    memset(counts, 0, BINS * sizeof *counts);
    for (int t = 0; t < threads; t++)
        for (int bin = 0; bin < BINS; bin++) counts[bin] += c.counts[t][bin];
    free(c.counts);
}
