/* Embossing of an 8-bit picture and one step of a 5-point stencil in float32. */
#include "pool.h"

enum { ELEMENTS = 1 << 16 };

struct grid {
    const void *from;
    void *to;
    int64_t height, width;
};

static void emboss_rows(int64_t begin, int64_t end, void *context) {
    const struct grid *g = context;
    int64_t width = g->width;
    for (int64_t y = begin + 1; y < end + 1; y++) {
        const uint8_t *restrict above = (const uint8_t *)g->from + (y - 1) * width;
        const uint8_t *restrict below = above + 2 * width;
        uint8_t *restrict to = (uint8_t *)g->to + y * width;
        for (int64_t x = 1; x < width - 1; x++) {
            int16_t value = (int16_t)(128 + above[x - 1] - below[x + 1]);
            value = value < 0 ? 0 : value;
            to[x] = (uint8_t)(value > 255 ? 255 : value);
        }
    }
}

void emboss(const uint8_t *image, uint8_t *result, int64_t height, int64_t width) {
    KERNEL;
    parallel_for(height - 2, 1 + 4 * ELEMENTS / width, emboss_rows, &(struct grid){image, result, height, width});
}

static void stencil_rows(int64_t begin, int64_t end, void *context) {
    const struct grid *g = context;
    int64_t width = g->width;
    for (int64_t y = begin + 1; y < end + 1; y++) {
        const float *restrict u = (const float *)g->from + y * width;
        float *restrict v = (float *)g->to + y * width;
        for (int64_t x = 1; x < width - 1; x++) v[x] = 0.25f * (u[x - width] + u[x + width] + u[x - 1] + u[x + 1]);
    }
}

void stencil(const float *u, float *v, int64_t height, int64_t width) {
    KERNEL;
    parallel_for(height - 2, 1 + ELEMENTS / width, stencil_rows, &(struct grid){u, v, height, width});
}
