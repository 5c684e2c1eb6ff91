/* Escape counts of the Mandelbrot set, eight pixels in a vector and four vectors at once to hide the latency. */
#include "lanes.h"
#include "pool.h"

enum { GROUPS = 4, PIXELS = GROUPS * LANES };

struct view {
    int32_t *counts;
    int64_t height, width;
    double left, top, step;
    int64_t limit;
};

static void escape(const struct view *v, double ci, int64_t x, int32_t *target, int64_t pixels) {
    f64x8 cr[GROUPS], zr[GROUPS], zi[GROUPS];
    i64x8 count[GROUPS], alive[GROUPS];
    for (int g = 0; g < GROUPS; g++) {
        for (int lane = 0; lane < LANES; lane++) cr[g][lane] = v->left + v->step * (double)(x + g * LANES + lane);
        zr[g] = zi[g] = splat(0.0);
        count[g] = (i64x8){0};
        alive[g] = ~count[g];
    }
    for (int64_t n = 0; n < v->limit; n++) {
        i64x8 some = {0};
#pragma GCC unroll 4
        for (int g = 0; g < GROUPS; g++) {
            f64x8 rr = zr[g] * zr[g], ii = zi[g] * zi[g];
            alive[g] &= (i64x8)(rr + ii <= 4.0);
            count[g] -= alive[g];
            zi[g] = 2.0 * zr[g] * zi[g] + ci;
            zr[g] = rr - ii + cr[g];
            some |= alive[g];
        }
        if (!any(some)) break;
    }
    for (int64_t p = 0; p < pixels; p++) target[p] = (int32_t)count[p / LANES][p % LANES];
}

static void rows(int64_t begin, int64_t end, void *context) {
    const struct view *v = context;
    for (int64_t y = begin; y < end; y++)
        for (int64_t x = 0; x < v->width; x += PIXELS)
            escape(v, v->top + v->step * (double)y, x, v->counts + y * v->width + x,
                   v->width - x < PIXELS ? v->width - x : PIXELS);
}

void mandelbrot(int32_t *counts, double left, double top, double step, int64_t limit, int64_t height, int64_t width) {
    KERNEL;
    int64_t grain = 1 + 50000 / (width * limit / 4 + 1);
    parallel_for(height, grain, rows, &(struct view){counts, height, width, left, top, step, limit});
}
