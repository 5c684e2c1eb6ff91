/* Accelerations of n bodies under gravity, all pairs; eight bodies at once in the lanes of a vector.
   The sums may be contracted, as Weft does in a proven reduction. */
#include "lanes.h"
#include "pool.h"

struct bodies {
    const double *position, *mass;
    double *acceleration, softening;
    int64_t n;
};

static void accelerate(int64_t begin, int64_t end, void *context) {
    const struct bodies *s = context;
    for (int64_t i = begin * LANES; i < end * LANES && i < s->n; i += LANES) {
        int64_t count = s->n - i < LANES ? s->n - i : LANES;
        const double *own = s->position + 3 * i;
        f64x8 x = load_lanes(own, 3, count), y = load_lanes(own + 1, 3, count), z = load_lanes(own + 2, 3, count);
        f64x8 ax = splat(0.0), ay = splat(0.0), az = splat(0.0), softening = splat(s->softening);
        for (int64_t j = 0; j < s->n; j++) {
            const double *other = s->position + 3 * j;
            f64x8 dx = other[0] - x, dy = other[1] - y, dz = other[2] - z;
            f64x8 square = dx * dx + dy * dy + dz * dz + softening;
            f64x8 pull = s->mass[j] / (square * square_root(square));
            ax = multiply_add(dx, pull, ax);
            ay = multiply_add(dy, pull, ay);
            az = multiply_add(dz, pull, az);
        }
        double *target = s->acceleration + 3 * i;
        store_lanes(target, 3, count, ax);
        store_lanes(target + 1, 3, count, ay);
        store_lanes(target + 2, 3, count, az);
    }
}

void nbody(const double *position, const double *mass, double softening, double *acceleration, int64_t n) {
    KERNEL;
    int64_t blocks = (n + LANES - 1) / LANES, grain = 1 + 20000 / (LANES * n + 1);
    parallel_for(blocks, grain, accelerate, &(struct bodies){position, mass, acceleration, softening, n});
}
