/* Loops without any dependence between iterations: empty, vector addition, saxpy, gather. */
#include "pool.h"

enum { GRAIN = 1 << 16 };

void empty(int64_t n) {
    KERNEL;
    for (int64_t i = 0; i < n; i++) {
    }
}

struct vectors {
    const float *a, *b;
    float *r, alpha;
};

static void add_chunk(int64_t begin, int64_t end, void *context) {
    const struct vectors *v = context;
    const float *restrict a = v->a, *restrict b = v->b;
    float *restrict r = v->r;
    for (int64_t i = begin; i < end; i++) r[i] = a[i] + b[i];
}

void vector_add(const float *a, const float *b, float *r, int64_t n) {
    KERNEL;
    parallel_for(n, GRAIN, add_chunk, &(struct vectors){a, b, r, 0.0f});
}

static void saxpy_chunk(int64_t begin, int64_t end, void *context) {
    const struct vectors *v = context;
    const float *restrict x = v->a;
    float *restrict y = v->r, alpha = v->alpha;
    for (int64_t i = begin; i < end; i++) y[i] = alpha * x[i] + y[i];
}

void saxpy(float alpha, const float *x, float *y, int64_t n) {
    KERNEL;
    parallel_for(n, GRAIN, saxpy_chunk, &(struct vectors){x, y, y, alpha});
}

struct gather {
    const double *x;
    const int64_t *index;
    double *r;
};

static void gather_chunk(int64_t begin, int64_t end, void *context) {
    const struct gather *g = context;
    const double *restrict x = g->x;
    const int64_t *restrict index = g->index;
    double *restrict r = g->r;
    for (int64_t i = begin; i < end; i++) r[i] = 2.0 * x[index[i]] + 1.0;
}

void gather(const double *x, const int64_t *index, double *r, int64_t n) {
    KERNEL;
    parallel_for(n, GRAIN, gather_chunk, &(struct gather){x, index, r});
}
