/* Prefix sum in two passes over tiles, and a histogram with private counts. */
#include "lanes.h"
#include "pool.h"

#include <stdlib.h>

enum { TILE = 1 << 15, BINS = 256, COPIES = 4 };

struct scan {
    const double *x;
    double *r, *start;
    int64_t n;
};

static void tile_sums(int64_t begin, int64_t end, void *context) {
    const struct scan *s = context;
    for (int64_t t = begin; t < end; t++) {
        int64_t i = t * TILE, stop = i + TILE < s->n ? i + TILE : s->n;
        f64x8 s0 = splat(0.0), s1 = s0, s2 = s0, s3 = s0;
        double rest = 0.0;
        for (; i + 4 * LANES <= stop; i += 4 * LANES) {
            s0 += load(s->x + i);
            s1 += load(s->x + i + LANES);
            s2 += load(s->x + i + 2 * LANES);
            s3 += load(s->x + i + 3 * LANES);
        }
        for (; i < stop; i++) rest += s->x[i];
        s0 = (s0 + s1) + (s2 + s3);
        for (int lane = 0; lane < LANES; lane++) rest += s0[lane];
        s->start[t + 1] = rest;
    }
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

static void tile_scans(int64_t begin, int64_t end, void *context) {
    const struct scan *s = context;
    for (int64_t t = begin; t < end; t++) {
        int64_t i = t * TILE, stop = i + TILE < s->n ? i + TILE : s->n;
        double sum = s->start[t];
        for (; i + LANES <= stop; i += LANES) {
            f64x8 v = scan_lanes(load(s->x + i));
            store(s->r + i, v + sum);
            sum += v[LANES - 1];
        }
        for (; i < stop; i++) s->r[i] = sum += s->x[i];
    }
}

void prefix_sum(const double *x, double *r, int64_t n) {
    KERNEL;
    int64_t tiles = (n + TILE - 1) / TILE;
    struct scan s = {x, r, calloc((size_t)tiles + 1, sizeof(double)), n};
    if (!s.start) abort();
    if (tiles > 1) parallel_for(tiles, 1, tile_sums, &s);
    for (int64_t t = 1; t < tiles; t++) s.start[t] += s.start[t - 1];
    parallel_for(tiles, 1, tile_scans, &s);
    free(s.start);
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
