/* Steps of the Lorenz equations from many points, eight points in a vector and four vectors at once to hide the latency. */
#include "lanes.h"
#include "pool.h"

enum { GROUPS = 4, POINTS = GROUPS * LANES, STEPS = 128 };

static const double step = 0.0078125;

struct paths {
    const double *points;
    double *ends;
    int64_t n;
};

static void follow(const double *points, double *ends, int64_t n) {
    f64x8 x[GROUPS], y[GROUPS], z[GROUPS];
    for (int g = 0; g < GROUPS; g++) {
        x[g] = load(points + g * LANES);
        y[g] = load(points + n + g * LANES);
        z[g] = load(points + 2 * n + g * LANES);
    }
    for (int s = 0; s < STEPS; s++) {
#pragma GCC unroll 4
        for (int g = 0; g < GROUPS; g++) {
            f64x8 dx = 10.0 * (y[g] - x[g]), dy = x[g] * (28.0 - z[g]) - y[g], dz = x[g] * y[g] - 2.5 * z[g];
            x[g] = x[g] + step * dx;
            y[g] = y[g] + step * dy;
            z[g] = z[g] + step * dz;
        }
    }
    for (int g = 0; g < GROUPS; g++) {
        store(ends + g * LANES, x[g]);
        store(ends + n + g * LANES, y[g]);
        store(ends + 2 * n + g * LANES, z[g]);
    }
}

static void follow_one(const double *points, double *ends, int64_t n) {
    double x = points[0], y = points[n], z = points[2 * n];
    for (int s = 0; s < STEPS; s++) {
        double dx = 10.0 * (y - x), dy = x * (28.0 - z) - y, dz = x * y - 2.5 * z;
        x = x + step * dx;
        y = y + step * dy;
        z = z + step * dz;
    }
    ends[0] = x;
    ends[n] = y;
    ends[2 * n] = z;
}

static void chunk(int64_t begin, int64_t end, void *context) {
    const struct paths *p = context;
    int64_t i = begin;
    for (; i + POINTS <= end; i += POINTS) follow(p->points + i, p->ends + i, p->n);
    for (; i < end; i++) follow_one(p->points + i, p->ends + i, p->n);
}

void lorenz(const double *points, double *ends, int64_t n) {
    KERNEL;
    parallel_for(n, 8 * POINTS, chunk, &(struct paths){points, ends, n});
}
